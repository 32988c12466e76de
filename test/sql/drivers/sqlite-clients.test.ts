/**
 * What the clients of SQLite do differently by themselves, and alike below `sqlite()`. These tests, as all tests of SQL,
 * run on better-sqlite3, and with `ROWTYPE_SQLITE=node` or `bun` on the other clients.
 */
import Sqlite from "better-sqlite3";
import { column, type Database, DeclarationError, div, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqliteCode } from "../../../src/sql/driver-errors/sqlite-codes.js";
import { sqlErrorOf } from "../../kit/thrown.js";

const Item = table(
  "items",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    n: z.int().nullable(),
    wide: z.bigint().nullable(),
    name: column(z.string().nullable(), { unique: true }),
  }),
);
const none = { n: null, wide: null, name: null };

let handle: Sqlite.Database;
let db: Database<"sqlite">;
beforeEach(async () => {
  handle = new Sqlite(":memory:");
  db = sqlite(handle);
  await db.createTables(Item);
});
afterEach(() => void handle.close());

const items = () => db.repository(Item);
const all = (sql: string, params: Readonly<Record<string, unknown>> = {}) =>
  db.sql(sql, z.looseObject({})).exec(params as never);

describe("one statement", () => {
  test.each([
    ["SELECT 1 AS a; SELECT 2"],
    ["SELECT :x AS a /*;*/ ; SELECT ':x' "],
    ["SELECT ';' AS a ;\n-- then\nDELETE FROM items"],
    ["SELECT 1 AS a;;DROP TABLE items"],
  ])("%j has two, and none is executed", async (sql) => {
    const params = sql.includes(":x ") ? { x: 1 } : {};
    expect(await sqlErrorOf(all(sql, params))).toMatchObject({ code: "QUERY_FAILED" });
    expect(await all("SELECT count(*) AS c FROM items")).toEqual([{ c: 0 }]);
  });

  test.each([
    ["SELECT 1 AS a;"],
    ["SELECT 1 AS a ; ; -- end"],
    ["SELECT 1 AS a /* ; */;\n\t"],
    ["/*;*/ SELECT 1 AS a"],
  ])("%j has one", async (sql) => expect(await all(sql)).toEqual([{ a: 1 }]));

  test("a trigger has one, whatever is in its body", async () => {
    await db.sql("CREATE TRIGGER t AFTER INSERT ON items BEGIN SELECT 1; SELECT 2; END;").exec();
    expect(
      await sqlErrorOf(
        db.sql("CREATE TRIGGER u AFTER INSERT ON items BEGIN SELECT 1; END; DELETE FROM items").exec(),
      ),
    ).toMatchObject({ code: "QUERY_FAILED" });
  });

  test.each([[""], [" ; "], ["-- nothing"], ["/* nothing"]])("%j has none", async (sql) => {
    expect(await sqlErrorOf(Promise.resolve().then(() => all(sql)))).toMatchObject({
      code: expect.stringMatching(/^(QUERY_FAILED|INVALID_SQL|PARAM_TYPE)$/),
    });
  });
});

describe("whole numbers", () => {
  test("beyond 2^53 are exact for z.bigint(), at both ends of 64 bits", async () => {
    const ends = [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, 0n];
    for (const [id, wide] of ends.entries())
      await items()
        .insert()
        .exec({ ...none, id, wide });
    expect(await items().query().fields("wide").orderBy("id", "asc").exec()).toEqual(
      ends.map((wide) => ({ wide })),
    );
  });

  test("beyond 2^53 are DECODE_FAILED for z.int(), of a query and of a change, which stores nothing", async () => {
    handle.exec("INSERT INTO items (id, n) VALUES (1, 9007199254740993)");
    const query = items().query().fields("n");
    expect(await sqlErrorOf(query.exec())).toMatchObject({ code: "DECODE_FAILED" });
    const change = items().modify().set("name", "name").where("id", "=", "id").returning("n");
    expect(await sqlErrorOf(change.exec({ id: 1, name: "x" }))).toMatchObject({ code: "DECODE_FAILED" });
    expect(await items().query().fields("name").exec()).toEqual([{ name: null }]);
    handle.exec("UPDATE items SET n = 7");
    // The same prepared statement.
    expect(await query.exec()).toEqual([{ n: 7 }]);
  });

  test("are bound as REAL, beside other values in one text", async () => {
    const types = "SELECT typeof(:a) AS a, typeof(:b) AS b, typeof(:c) AS c, ':a' AS d";
    const cases: readonly (readonly [unknown, unknown, unknown])[] = [
      [5, "5", null],
      [5n, 5.5, 5],
      ["5", null, 2 ** 40],
      [null, 5, 5],
      [-0, new Uint8Array([5]), 5],
    ];
    const typeOf = (x: unknown) =>
      x === null
        ? "null"
        : typeof x === "number"
          ? "real"
          : typeof x === "bigint"
            ? "integer"
            : typeof x === "string"
              ? "text"
              : "blob";
    for (const round of [1, 2])
      for (const [a, b, c] of cases)
        expect({ round, rows: await all(types, { a, b, c }) }).toEqual({
          round,
          rows: [{ a: typeOf(a), b: typeOf(b), c: typeOf(c), d: ":a" }],
        });
    expect(await all("SELECT :a / 2 AS half", { a: 5 })).toEqual([{ half: 2.5 }]);
  });

  test("are whole in a column and in a limit", async () => {
    await items()
      .insert()
      .exec({ ...none, id: 1, n: 5 });
    expect(await all("SELECT typeof(n) AS t, n / 2 AS half FROM items LIMIT :most", { most: 1 })).toEqual([
      { t: "integer", half: 2 },
    ]);
    expect(await items().query().fields(div("n", "id").as("q")).exec()).toEqual([{ q: 5 }]);
  });
});

describe("what a statement did", () => {
  test("counts only its own changes", async () => {
    await items()
      .insert()
      .execBatch([1, 2, 3].map((id) => ({ ...none, id })));
    expect(await db.sql("CREATE TABLE others (a)").exec()).toBe(0);
    expect(await db.sql("UPDATE items SET n = 1 WHERE id > 1").exec()).toBe(2);
    expect(await db.sql("/* a */ -- b\n update items SET n = 2 WHERE id > 1").exec()).toBe(2);
    expect(await db.sql("PRAGMA user_version = 3").exec()).toBe(0);
    expect(await db.sql("UPDATE items SET n = 1 WHERE id > 9").exec()).toBe(0);
    expect(
      await db.sql("WITH o AS (SELECT 2 AS id) DELETE FROM items WHERE id IN (SELECT id FROM o)").exec(),
    ).toBe(1);
  });

  test("two columns of one name are an error, not one value", async () => {
    expect(await sqlErrorOf(db.sql("SELECT 1 AS a, 2 AS a", z.object({ a: z.int() })).exec())).toMatchObject({
      code: "DECODE_FAILED",
    });
  });
});

describe("failures", () => {
  test("carry the extended code, and the fields of a constraint", async () => {
    await items()
      .insert()
      .exec({ ...none, id: 1, name: "a" });
    expect(
      await sqlErrorOf(
        items()
          .insert()
          .exec({ ...none, id: 2, name: "a" }),
      ),
    ).toMatchObject({
      code: "UNIQUE_VIOLATION",
      fields: ["name"],
    });
    expect(
      await sqlErrorOf(
        items()
          .insert()
          .exec({ ...none, id: 1 }),
      ),
    ).toMatchObject({
      code: "UNIQUE_VIOLATION",
      fields: ["id"],
    });
    expect(await sqlErrorOf(all("SELECT absent FROM items"))).toMatchObject({
      code: "QUERY_FAILED",
      message: "no such column: absent (SQLITE_ERROR)",
    });
  });

  test("of a registered function come through, and the next statement is served", async () => {
    await items()
      .insert()
      .exec({ ...none, id: 1, wide: 2n ** 63n - 1n });
    const grown = items().modify().setExpr("wide", "+", "more").where("id", "=", "id");
    expect(await sqlErrorOf(grown.exec({ id: 1, more: 1n }))).toMatchObject({
      code: "QUERY_FAILED",
      message: "integer overflow (SQLITE_ERROR)",
    });
    expect(await grown.exec({ id: 1, more: -1n })).toMatchObject({ wide: 2n ** 63n - 2n });
  });

  test("a closed handle is NO_CONNECTION, for a prepared statement too", async () => {
    const query = items().query();
    expect(await query.exec()).toEqual([]);
    handle.close();
    expect(await sqlErrorOf(query.exec())).toMatchObject({ code: "NO_CONNECTION" });
    expect(await sqlErrorOf(all("SELECT 1 AS a"))).toMatchObject({ code: "NO_CONNECTION" });
    expect(await sqlErrorOf(db.transaction(async () => 1))).toMatchObject({ code: "NO_CONNECTION" });
    // One that is open, for the end of the test.
    handle = new Sqlite(":memory:");
  });
});

test("native gives an integer beyond 2^53 as the client reads it; one that it does not read is DECODE_FAILED, and a change with it is undone", async () => {
  const texts = [
    "SELECT 9007199254740993 AS wide",
    "INSERT INTO items (id, wide) VALUES (1, 9007199254740993) RETURNING wide",
  ];
  for (const text of texts)
    for (const run of [() => db.native(text), () => db.transaction((tx) => tx.native(text))]) {
      const given = await run().catch((error: unknown) => error);
      if (given instanceof Error) {
        expect(given).toMatchObject({ code: "DECODE_FAILED", field: "wide" });
        expect(await items().count().exec()).toBe(0);
      } else expect(Number(Object(given).rows[0].wide)).toBe(2 ** 53);
      handle.exec("DELETE FROM items");
    }
});

test("the handle is closed although statements are kept, and what the caller prepared is left as it was", async () => {
  handle.exec("INSERT INTO items (id, n) VALUES (1, 2)");
  const own = handle.prepare("SELECT id, n FROM items");
  expect(await items().query().fields("id", "n").exec()).toEqual([{ id: 1, n: 2 }]);
  expect(await all("SELECT id, n FROM items")).toEqual([{ id: 1, n: 2 }]);
  expect({ ...(own.all()[0] as object) }).toEqual({ id: 1, n: 2 });
});

test("ceil, floor, sqrt and power are there in every build", async () => {
  expect(
    await all(
      "SELECT ceil(1.2) AS a, floor(-1.2) AS b, sqrt(9) AS c, power(2, 10) AS d, sqrt(-1) AS e, ceil(NULL) AS f, typeof(ceil(5)) AS g",
    ),
  ).toEqual([{ a: 2, b: -2, c: 3, d: 1024, e: null, f: null, g: "integer" }]);
});

// What other clients have of the methods of a handle.
const [d1, sqlJs, wasm] = [
  ["batch", "dump"],
  ["run", "each", "export"],
  ["selectValue", "transaction"],
].map((own) => Object.fromEntries(["prepare", "exec", ...own].map((name) => [name, () => undefined])));

describe("handles that are none", () => {
  test.each([
    ["a file's name"],
    [5],
    [null],
    [{}],
    [{ prepare: () => undefined }],
    [() => undefined],
    [d1],
    [sqlJs],
    [wasm],
  ])("%j", (none) => {
    expect(() => sqlite(none as never)).toThrow(
      expect.objectContaining({
        constructor: DeclarationError,
        message: expect.stringMatching(/better-sqlite3.*node:sqlite.*bun:sqlite/),
      }),
    );
  });

  test("a DatabaseSync of a Node before 22.16", () => {
    const old = { prepare: () => undefined, exec: () => undefined, createSession: () => undefined };
    expect(() => sqlite(old as never)).toThrow(/node:sqlite is used from Node 22\.16 on/);
  });
});

test.each([
  [1, "SQLITE_ERROR"],
  [5, "SQLITE_BUSY"],
  [517, "SQLITE_BUSY_SNAPSHOT"],
  [787, "SQLITE_CONSTRAINT_FOREIGNKEY"],
  [2067, "SQLITE_CONSTRAINT_UNIQUE"],
  [3091, "SQLITE_CONSTRAINT_DATATYPE"],
  [516, "SQLITE_ABORT_ROLLBACK"],
  [260, "SQLITE_ABORT"],
  [776, "SQLITE_READONLY_ROLLBACK"],
  [255, undefined],
])("the number %i is %s", (number, name) => {
  expect(sqliteCode(number)).toBe(name);
});
