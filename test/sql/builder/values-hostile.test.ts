/**
 * Values that no column holds, or that change while they are read: refused by the field's name, or bound as they were
 * when they were given. None of them stands in a text, a message or an event.
 */
import { and, between, c, column, type Database, json, on, table, value } from "rowtype";
import { recording } from "rowtype/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const Thing = table(
  "hostile_values",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    score: z.number(),
    at: z.date(),
    more: json(z.object({ k: z.string() })),
  }),
);
const SECRET = "a-secret-nobody-else-has";

interface Loose {
  readonly [method: string]: (...args: readonly unknown[]) => Loose;
}
const loose = (one: unknown) => one as unknown as Loose;
const things = (db: unknown) => loose((db as Database<"sqlite">).repository(Thing));
const call = (of: Loose, method: string, ...args: readonly unknown[]): Loose => {
  const known = of[method];
  if (known === undefined) throw new Error(method);
  return known.apply(of, args as unknown[]);
};
const where = (db: unknown, ...args: readonly unknown[]) => call(call(things(db), "query"), "where", ...args);
const condition = (one: (...args: never[]) => unknown, ...args: readonly unknown[]) =>
  (one as (...args: readonly unknown[]) => unknown)(...args);

const throwing = new Proxy(
  {},
  {
    get: () => {
      throw new Error(SECRET);
    },
    ownKeys: () => {
      throw new Error(SECRET);
    },
  },
);
const revoked = Proxy.revocable({}, {});
revoked.revoke();

/** `value` for what its type refuses. */
const of = (given: unknown) => condition(value as (...args: never[]) => unknown, given);

/** What a text column holds in no case. */
const bad: Readonly<Record<string, unknown>> = {
  "a text with NUL": `${SECRET}\0`,
  "a lone surrogate": `${SECRET}\ud800`,
  NaN: Number.NaN,
  infinity: Number.POSITIVE_INFINITY,
  undefined,
  null: null,
  "an object with toJSON": { toJSON: () => SECRET },
  "an object with toString": { toString: () => SECRET },
  "a proxy that throws": throwing,
  "a revoked proxy": revoked.proxy,
  "a proxy of a text": new Proxy(Object(SECRET), {}),
  "a boxed text": Object(SECRET),
  "a symbol": Symbol(SECRET),
  "a function": () => SECRET,
  "a list": [SECRET],
  "a list within a list": [[SECRET]],
};

/** The places of a value for the field `name`, by their builders. */
const places: Readonly<Record<string, (db: unknown, x: unknown) => Loose>> = {
  where: (db, x) => where(db, "name", "=", of(x)),
  "a range": (db, x) => call(call(things(db), "query"), "whereBetween", "name", of(x), value("z")),
  "a group": (db, x) =>
    call(
      call(things(db), "query"),
      "whereAnd",
      condition(and, condition(c, "name", "=", of(x)), condition(between, "name", value("a"), of(x))),
    ),
  "a pattern": (db, x) => where(db, "name", "CONTAINS", of(x)),
  "an item of IN": (db, x) => where(db, "name", "IN", of(["a", x])),
  set: (db, x) => call(call(call(things(db), "modify"), "set", "name", of(x)), "where", "id", "=", value(1)),
  "the condition of a removal": (db, x) => call(call(things(db), "remove"), "where", "name", "=", of(x)),
  "an upsert": (db, x) =>
    call(call(call(call(things(db), "insert"), "onConflict", "id"), "doUpdate"), "set", "name", of(x)),
};

describe.each(Object.entries(places))("in the place of %s", (place, build) => {
  test.each(Object.entries(bad))("%s is PARAM_TYPE, and nothing is sent", async (what, given) => {
    const db = recording("postgres");
    const seen: unknown[] = [];
    const offs = (["db.query.started", "db.query.failed"] as const).map((name) =>
      on(name, (event) => seen.push(event)),
    );
    const record = { id: 1, name: "a", score: 1, at: new Date(0), more: { k: "a" } };
    const run = async () => {
      const builder = build(db, given);
      return place === "an upsert"
        ? call(builder, "exec", record)
        : call(builder, place === "set" || place.includes("removal") ? "execMany" : "exec");
    };
    const error = await sqlErrorOf(run());
    for (const off of offs) off();
    // A list in the place of one value is a list of another kind to IN.
    expect([what, error.code]).toEqual([what, "PARAM_TYPE"]);
    expect(error.message).toContain("name");
    expect(
      JSON.stringify([error.message, Object.values(error), String(error.stack).split("\n")[0]]),
    ).not.toContain(SECRET);
    expect(db.statements).toEqual([]);
    expect(JSON.stringify(seen.map((one) => Object.values(Object(one)).map(String)))).not.toContain(SECRET);
  });
});

for (const server of servers.filter(({ name }) => ["sqlite", "postgres", "mariadb"].includes(name)))
  describe.skipIf(!server.available)(`lists as values on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Thing);
      const rows = Array.from({ length: 5 }, (_, i) => ({
        id: i + 1,
        name: `n${i + 1}`,
        score: i,
        at: new Date(0),
        more: { k: "a" },
      }));
      await lent.db.repository(Thing).insert().execBatch(rows);
    });
    afterAll(() => lent.close());
    const ids = async (query: Loose, ...params: readonly unknown[]) => {
      const rows = (await call(query, "exec", ...params)) as unknown as readonly { id: number }[];
      return rows.map(({ id }) => id).sort();
    };
    /** The rows of a list, as a value and as a parameter. */
    const ways = {
      "a value": async (list: unknown) => ids(where(lent.db, "id", "IN", of(list))),
      "a parameter": async (list: unknown) => ids(where(lent.db, "id", "IN", "list"), { list }),
    };

    test.each(Object.entries(ways))(
      "100,000 members are bound as %s, and one wrong at the end is refused",
      async (_, found) => {
        const list = Array.from({ length: 100_000 }, (_, i) => i + 3);
        expect(await found(list)).toEqual([3, 4, 5]);
        const error = await sqlErrorOf(found([...list, "x"]));
        expect(error.code).toBe("PARAM_TYPE");
        expect(error.message).toContain("a list whose items are each");
      },
    );

    test("what is changed after it was given is not bound", async () => {
      const list = [1, 2];
      const query = where(lent.db, "id", "IN", value(list));
      list.push(3);
      list[0] = 5;
      expect(await ids(query)).toEqual([1, 2]);
    });

    test.each(Object.entries(ways))(
      "one that changes while it is read is bound as %s as it was read",
      async (_, found) => {
        const growing: number[] = [1, 2];
        const grows = new Proxy(growing, {
          get(target, name) {
            if (typeof name === "string" && /^\d+$/.test(name)) target.push(3);
            return Reflect.get(target, name);
          },
        });
        expect(await found(grows)).toEqual([1, 2]);
        const shrinking: number[] = [1, 2, 3];
        const shrinks = new Proxy(shrinking, {
          get(target, name) {
            if (name === "1") target.length = 1;
            return Reflect.get(target, name);
          },
        });
        // What is gone is undefined, which no column holds.
        expect((await sqlErrorOf(found(shrinks))).code).toBe("PARAM_TYPE");
      },
    );
  });
