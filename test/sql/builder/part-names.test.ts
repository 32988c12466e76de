/**
 * Parts of rows, and rows inside of rows, under names that mean something: members of every object, tables of the same
 * statement, names as long as they may be.
 */
import Handle from "better-sqlite3";
import { column, type Database, many, one, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Untyped } from "../../kit/shop.js";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const members = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== "__proto__");

const long = (end: string) => "x".repeat(63 - end.length) + end;

const found = table(
  "found",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    upId: z.int().nullable(),
    // What a program could be made to overwrite.
    keys: z.string(),
    assign: z.string(),
    call: z.string(),
  }),
  { relations: { up: one("found", "upId"), down: many("found", "upId") } },
);
const others = table(long("a"), z.object({ id: column(z.int(), { primaryKey: true }), foundId: z.int() }), {
  relations: { [long("b")]: one("found", "foundId"), [long("c")]: many("others", "foundId") },
});
const module = { found, others };

/** All that a program shares with every other part of itself. */
const shared = (): unknown[] =>
  [Object, Object.prototype, Function.prototype, ...members.map((name) => Reflect.get({}, name))].map((one) =>
    Object.entries(Object.getOwnPropertyDescriptors(one)).map(([name, { value }]) => [name, value]),
  );

for (const server of servers.filter(({ name }) => name !== "h2"))
  describe.skipIf(!server.available)(`names of parts on ${server.name}`, () => {
    let lent: Lent;
    let of: Record<keyof typeof module, Untyped>;
    const run = (query: Pick<Untyped, "exec">, params?: object) => query.exec(params);
    beforeAll(async () => {
      lent = await server.lend();
      const db = lent.db as Database<"sqlite">;
      await db.createTables(found, others);
      const repositories = db.repositories(module);
      const texts = (end: string) => ({ keys: `keys ${end}`, assign: `assign ${end}`, call: `call ${end}` });
      await repositories.found.insert().execBatch([
        { id: 1, upId: null, ...texts("1") },
        { id: 2, upId: 1, ...texts("2") },
        { id: 3, upId: 2, ...texts("3") },
      ]);
      await repositories.others.insert().execBatch([
        { id: 1, foundId: 2 },
        { id: 2, foundId: 1 },
      ]);
      of = repositories as unknown as typeof of;
    });
    afterAll(() => lent.close());

    test.each(members)("%s is a part of its own, and nothing that objects share changes", async (name) => {
      const before = shared();
      const fields = ["id", ...["keys", "assign", "call"].map((field) => `${name}.${field}`)];
      const part = { keys: "keys 1", assign: "assign 1", call: "call 1" };
      const query = () => of.found.query();
      const inner = query()
        .join("up", name)
        .fields(...fields)
        .where("id", "=", "id");
      expect(await run(inner, { id: 2 })).toEqual([{ id: 2, [name]: part }]);
      const left = query()
        .leftJoin("up", name)
        .fields(...fields)
        .orderBy("id", "asc")
        .limit(2);
      expect(await run(left)).toEqual([
        { id: 1, [name]: null },
        { id: 2, [name]: part },
      ]);
      const page = query()
        .join("up", name)
        .fields(...fields)
        .orderBy("id", "asc")
        .page(1);
      expect(await run(page)).toMatchObject({ rows: [{ id: 2, [name]: part }] });
      const inside = of.found.query().fields("keys", "assign", "call");
      expect(
        await run(query().fields("id").withOn(name, inside, "upId", "id").where("id", "=", "id"), {
          id: 2,
        }),
      ).toEqual([{ id: 2, [name]: [part] }]);
      const client = of.found.queryFromSpec({ joins: [{ relation: "up", as: name }], fields, limit: 1 });
      expect(await run(client)).toEqual([{ id: 2, [name]: part }]);
      expect(shared()).toEqual(before);
    });

    test("a relation to the own table sets what it leads to, whatever that table is called", async () => {
      interface Changing {
        setFrom(...given: readonly string[]): Untyped;
      }
      const start = of.found as unknown as { modify(): Changing };
      const changing = start.modify().setFrom("upId", "up", "upId").where("id", ">", "id");
      const undone = new Error("undone");
      const work = lent.db.transaction(async (tx) => {
        const many = changing as unknown as {
          execMany(params: object, options: object): Promise<readonly { id: number; upId: number | null }[]>;
        };
        const rows = await many.execMany({ id: 0 }, { tx });
        expect(rows.map(({ id, upId }) => [id, upId]).sort()).toEqual([
          [2, null],
          [3, 1],
        ]);
        throw undone;
      });
      await expect(work).rejects.toBe(undone);
    });

    test("a name as long as it may be is not cut to that of another table", async () => {
      const query = () => of.others.query();
      const [relation, again] = [long("b"), long("c")];
      const up = of.found.query().join("up", relation).fields("id", `${relation}.id`);
      const rows = query()
        .join(relation)
        .whereExists(
          `${relation}.up`,
          of.found.query().leftJoin("down", relation).where(`${relation}.id`, "=", "down"),
        )
        .fields("id", `${relation}.id`, `${relation}.call`)
        .with(
          again,
          query()
            .leftJoin(relation)
            .fields("id", `${relation}.keys`)
            .orderBy(`${relation}.keys`, "asc")
            .limit(2),
        )
        .orderBy(`${relation}.id`, "asc");
      expect(await run(rows, { down: 2 })).toEqual([
        {
          id: 1,
          [relation]: { id: 2, call: "call 2" },
          [again]: [{ id: 2, [relation]: { keys: "keys 1" } }],
        },
      ]);
      expect(await run(query().with(relation, up).fields("id").orderBy("id", "asc"))).toEqual([
        { id: 1, [relation]: { id: 2, [relation]: { id: 1 } } },
        { id: 2, [relation]: null },
      ]);
    });
  });

describe("what cannot be read from a query as a table on SQLite", () => {
  const flags = table(
    "flags",
    z.object({ id: column(z.int(), { primaryKey: true }), on: column(z.int().nullable(), { name: "TRUE" }) }),
    { relations: { on1: one("flags", "on"), off: many("flags", "on") } },
  );
  const db = sqlite(new Handle(":memory:"));
  const of = db.repositories({ flags }).flags;

  test("is a column that it does not name: read plainly it is there", async () => {
    await db.createTables(flags);
    await of.insert().execBatch([
      { id: 1, on: null },
      { id: 2, on: 1 },
    ]);
    expect(await of.query().with("on1").with("off").where("id", "=", "id").exec({ id: 2 })).toEqual([
      { id: 2, on: 1, on1: { id: 1, on: null }, off: [] },
    ]);
    const inside = of.query().orderBy("id", "desc").limit(1);
    const { code, message } = await sqlErrorOf(of.query().with("off", inside).exec());
    expect([code, message]).toEqual([
      "UNSUPPORTED",
      'sqlite does not support columns named "TRUE" in queries as tables: give it another name: field("on").as(…)',
    ]);
    expect(sqlErrorIn(() => db.from(of.query().as("all")).render()).code).toBe("UNSUPPORTED");
    expect(await db.from(of.query().fields("id").as("all")).orderBy("id", "asc").exec()).toEqual([
      { id: 1 },
      { id: 2 },
    ]);
  });
});

test('no property is called "*", which stands for all of them', () => {
  expect(() => table("t", z.object({ "*": z.string() }))).toThrow(
    'property "*" of table "t" would stand for all fields: name the column by the name of its metadata',
  );
});
