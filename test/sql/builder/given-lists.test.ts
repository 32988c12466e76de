/**
 * Lists that callers give, of records, of fields and in declarations: a hole is refused as `undefined` is and never
 * passed by, a list that grows while it is read ends, and what is changed afterwards has no effect.
 */
import { column, existsOn, json, many, notExistsOn, one, SqlError, table } from "rowtype";
import { postgres } from "rowtype/postgres";
import { recording } from "rowtype/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";

const key = { primaryKey: ["a", "b"] } as const;
const members = table("members", z.object({ a: z.int(), b: z.int(), c: z.int() }), key);
const posts = table(
  "posts",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    a: z.int(),
    b: z.int(),
    j: json(z.object({ k: z.string(), other: z.string() }).partial()),
  }),
  { relations: { member: one("members", ["a", "b"]), links: many("links", "postId") } },
);
const links = table("links", z.object({ id: column(z.int(), { primaryKey: true }), postId: z.int() }));
const tables = { members, posts, links };

// biome-ignore lint/suspicious/noExplicitAny: these callers no compiler stops.
type Untyped = any;
const db: Untyped = postgres().repositories(tables);

/** Builders that take lists of fields, and the lists that are right. */
const byLists: Readonly<Record<string, (mine: unknown, theirs: unknown) => Untyped>> = Object.fromEntries([
  ...["joinOn", "leftJoinOn", "rightJoinOn", "fullJoinOn"].map((method) => [
    method,
    (mine: unknown, theirs: unknown) => db.posts.query()[method]("m", members, mine, theirs),
  ]),
  ...["joinQuery", "leftJoinQuery", "rightJoinQuery", "fullJoinQuery"].map((method) => [
    method,
    (mine: unknown, theirs: unknown) =>
      db.posts.query()[method](db.members.query().where("c", "=", "c").as("m"), mine, theirs),
  ]),
  [
    "withOn",
    (mine: unknown, theirs: unknown) => db.posts.query().withOn("m", db.members.query(), mine, theirs),
  ],
  ...["whereExistsOn", "whereNotExistsOn"].flatMap((method) => [
    [
      `${method} of a query`,
      (mine: unknown, theirs: unknown) => db.posts.query()[method](db.members.query(), mine, theirs),
    ],
    [
      `${method} of a removal`,
      (mine: unknown, theirs: unknown) => db.posts.remove()[method](db.members.query(), mine, theirs),
    ],
  ]),
  ...[existsOn, notExistsOn].map((condition: Untyped) => [
    condition.name,
    (mine: unknown, theirs: unknown) =>
      db.posts.query().whereAnd(condition(db.members.query(), mine, theirs)),
  ]),
]);

describe.each(Object.entries(byLists))("the fields of %s", (_, build) => {
  const text = () => build(["a", "b"], ["a", "b"]).render().sql;

  test("are those of the moment in which they were given", () => {
    const [mine, theirs] = [
      ["a", "b"],
      ["a", "b"],
    ];
    const builder = build(mine, theirs);
    mine[1] = "id";
    theirs[1] = "c";
    expect(builder.render().sql).toBe(text());
    // A condition that was written before is not found for fields that have changed since.
    expect(build(mine, theirs).render().sql).not.toBe(text());
  });

  test.each([
    ["at the end", Object.assign(["a"], { length: 2 })],
    ["at the start", Object.assign([], { 1: "b" })],
    ["everywhere", new Array(2)],
  ])("with a hole %s are INVALID_FIELD", (__, hole) => {
    for (const [mine, theirs] of [
      [hole, ["a", "b"]],
      [["a", "b"], hole],
      [hole, hole],
    ])
      expect(sqlErrorIn(() => build(mine, theirs).render()).code).toBe("INVALID_FIELD");
  });

  test("that cannot be read are refused when the text is asked for", () => {
    const { proxy, revoke } = Proxy.revocable(["a", "b"], {});
    const throwing = new Proxy(["a", "b"], {
      get: (list, name) => {
        if (name === "1") throw new Error("a secret");
        return Reflect.get(list, name);
      },
    });
    revoke();
    for (const unread of [proxy, throwing])
      expect(sqlErrorIn(() => build(unread, ["a", "b"]).render()).message).not.toMatch(/secret|revoked/);
  });

  test("that grow while they are read are those of before", () => {
    const growing: string[] = ["a", "b"];
    Object.defineProperty(growing, 0, {
      get: () => {
        growing.push("c");
        return "a";
      },
    });
    expect(build(growing, ["a", "b"]).render().sql).toBe(text());
  });
});

test("the steps into JSON are those of the moment in which they were given", () => {
  const set = (keys: unknown) => db.posts.modify().setPath("j", keys, "x").where("id", "=", "id");
  const keys = ["k"];
  const builder = set(keys);
  keys[0] = "other";
  expect(builder.render().sql).toBe(set(["k"]).render().sql);
  expect(() => set(["k", ...new Array(1)]).render()).toThrow(SqlError);
  expect(() => set(Object.assign([], { length: 1 })).render()).toThrow(SqlError);
});

/** Calls that take a list of records. */
const record = { id: 1, a: 1, b: 1, j: {} };
const byRecords: Readonly<
  Record<string, readonly [one: object, run: (on: Untyped, list: unknown) => unknown]>
> = {
  "execBatch of inserts": [record, (on, list) => on.posts.insert().execBatch(list)],
  "execMany of inserts": [record, (on, list) => on.posts.insert().execMany(list)],
  "execBatch of nested inserts": [
    { ...record, links: [] },
    (on, list) => on.posts.insert().with("links").execBatch(list),
  ],
  "execMany of nested inserts": [
    { ...record, links: [] },
    (on, list) => on.posts.insert().with("links").execMany(list),
  ],
  "records inside a record": [
    { id: 1 },
    (on, list) =>
      on.posts
        .insert()
        .with("links")
        .exec({ ...record, links: list }),
  ],
  "execBatch of changes": [{ id: 1, a: 2 }, (on, list) => changes(on).execBatch(list)],
  "execEach of changes": [{ id: 1, a: 2 }, (on, list) => changes(on).execEach(list)],
  "execBatch of changes one by one": [
    { id: 1, a: 2 },
    (on, list) => on.posts.modify().set("a", "a").where("id", ">", "id").execBatch(list),
  ],
  "execBatch of removals": [{ id: 1 }, (on, list) => removals(on).execBatch(list)],
  "execEach of removals": [{ id: 1 }, (on, list) => removals(on).execEach(list)],
};
const changes = (on: Untyped) => on.posts.modify().set("a", "a").where("id", "=", "id");
const removals = (on: Untyped) => on.posts.remove().where("id", "=", "id");

describe.each(["postgres", "mariadb", "sqlite", "oracle"] as const)("the records on %s", (dialect) => {
  describe.each(Object.entries(byRecords))("of %s", (name, [right, run]) => {
    test.each([
      ["at the end", (length: number) => Object.assign([right, right], { length }), 2, 3],
      ["in the middle", () => Object.assign([right], { 2: right }), 1, 3],
      ["at the start", () => Object.assign([], { 1: right }), 0, 2],
      ["everywhere", (length: number) => new Array(length), 0, 3],
    ] as const)("with a hole %s are refused there, and nothing is sent", async (_, list, index, length) => {
      const on = recording(dialect);
      const error = await sqlErrorOf((async () => run(on.repositories(tables), list(length)))());
      expect(["PARAM_TYPE", "MISSING_PARAM"]).toContain(error.code);
      const isInside = name === "records inside a record";
      expect(error).toMatchObject(isInside ? { path: `links[${index}]` } : { index });
      expect(on.statements).toEqual([]);
    });

    test("that grow while they are read are those of before", async () => {
      const on = recording(dialect);
      const growing: unknown[] = [right];
      let reads = 0;
      // It would grow for ever; a list that is read to its end would never be.
      Object.defineProperty(growing, 0, {
        enumerable: true,
        get: () => {
          if (++reads < 1_000) growing.push({ nonsense: true });
          return right;
        },
      });
      // The recording driver has no rows for what asks for them.
      await (async () => run(on.repositories(tables), growing))().catch((error: unknown) => {
        expect(String(error)).not.toMatch(/nonsense/);
      });
      expect(reads).toBe(1);
    });

    test("of a list with methods of its own are the items", async () => {
      const on = recording(dialect);
      const odd = Object.assign([{ nonsense: true }], {
        map: () => [],
        [Symbol.iterator]: function* () {
          yield right;
        },
      });
      const error = await sqlErrorOf((async () => run(on.repositories(tables), odd))());
      expect(["PARAM_TYPE", "MISSING_PARAM", "EXTRA_PARAM"]).toContain(error.code);
      expect(on.statements).toEqual([]);
    });
  });
});

test("a list of the caller's own text with a hole, and one that grows", async () => {
  const on = recording("postgres", [[]]);
  const text = on.sql("SELECT 1 AS a WHERE 1 = ANY(:ids)", z.object({ a: z.int() }));
  expect((await sqlErrorOf(text.exec({ ids: Object.assign([1], { length: 2 }) }))).code).toBe("PARAM_TYPE");
  const growing = [1];
  Object.defineProperty(growing, 0, {
    get: () => {
      growing.push(1);
      return 1;
    },
  });
  await text.exec({ ids: growing });
  expect(growing).toHaveLength(2);
});

describe("a list of a declaration with a hole is a DeclarationError", () => {
  const shape = z.object({ a: z.int(), b: z.int() });
  const declarations: Readonly<Record<string, () => unknown>> = {
    "fields of one": () => one("members", Object.assign(["a"], { length: 2 }) as Untyped),
    "fields of many": () => many("members", Object.assign(["a"], { length: 2 }) as Untyped),
    "a key of one": () => one("members", ["a", "b"], { key: Object.assign(["a"], { length: 2 }) }),
    "rules of one": () => one("members", "a", { without: Object.assign(["a"], { length: 2 }) }),
    "a primary key": () => table("t", shape, { primaryKey: Object.assign(["a"], { length: 2 }) as Untyped }),
    keys: () => table("t", shape, { unique: new Array(1) }),
    "a key": () => table("t", shape, { unique: [Object.assign(["a"], { length: 2 })] as Untyped }),
    indexes: () => table("t", shape, { indexes: new Array(1) }),
    "columns of an index": () =>
      table("t", shape, { indexes: [{ columns: Object.assign(["a"], { length: 2 }) as Untyped }] }),
    "foreign keys": () => table("t", shape, { foreignKeys: new Array(1) }),
    "columns of a foreign key": () =>
      table("t", shape, {
        foreignKeys: [{ columns: Object.assign(["a"], { length: 2 }) as Untyped, references: () => members }],
      }),
    "operators of specs": () => db.posts.specs({ fields: Object.assign(["a"], { length: 2 }) }),
  };
  test.each(Object.entries(declarations))("%s", (_, declare) => {
    expect(sqlErrorIn(declare).code).toBe("DECLARATION");
  });
});
