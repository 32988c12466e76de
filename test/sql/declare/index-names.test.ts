/** Names of tables, properties and indexes: what no server would take, and indexes that would silently not exist. */
import Sqlite from "better-sqlite3";
import { type AnyTable, column, ddl, type TableOptions, table } from "rowtype";
import { oracle } from "rowtype/oracle";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { servers } from "../../servers.js";

const DECLARATION = { code: "DECLARATION" };
const indexed = (index: boolean | string = true) => column(z.int(), { index });
const one = (name: string, property: string, options?: TableOptions<string>) =>
  table(name, z.object({ [property]: indexed() }), options);

describe("a declaration", () => {
  test.each(["app.users", ".users", "users."])("with the table name %j points to options.schema", (name) => {
    const error = sqlErrorIn(() => table(name, z.object({ id: z.int() })));
    expect(error).toMatchObject({ ...DECLARATION, message: expect.stringContaining("options.schema") });
  });

  test("has no dot in a property; the name of a column may have one", () => {
    expect(sqlErrorIn(() => table("t", z.object({ "a.b": z.int() })))).toMatchObject(DECLARATION);
    expect(table("t", z.object({ ab: column(z.int(), { name: "a.b" }) })).columns.ab.name).toBe("a.b");
  });

  test.each([
    ["index", "a\0b"],
    ["index", "a\ud800"],
    ["name", "a\0b"],
    ["type", "int\0"],
    ["check", "\udc00 > 1"],
    ["default", "1\0"],
    ["constraints", "CHECK (1 = 1\0)"],
    ["references", "t\0(id)"],
  ])("whose %s cannot be sent to a server is refused", (key, text) => {
    const declare = () => table("t", z.object({ id: column(z.int(), { [key]: text }) }));
    expect(sqlErrorIn(declare)).toMatchObject(DECLARATION);
  });

  test("with one index name for two columns is refused, also a generated name", () => {
    expect(sqlErrorIn(() => table("t", z.object({ a: indexed("x"), b: indexed("x") })))).toMatchObject(
      DECLARATION,
    );
    expect(sqlErrorIn(() => table("t", z.object({ a: indexed("t_b_idx"), b: indexed() })))).toMatchObject(
      DECLARATION,
    );
    expect(table("t", z.object({ a: indexed("x"), b: indexed("y") })).columns.a.index).toBe("x");
  });

  test("whose index names differ in case is refused where the dialect folds them", () => {
    const T = table("t", z.object({ a: indexed("x"), b: indexed("X") }));
    expect(ddl(T, "postgres")).toHaveLength(3);
    for (const dialect of ["sqlite", "mariadb"] as const)
      expect(sqlErrorIn(() => ddl(T, dialect))).toMatchObject(DECLARATION);
  });

  test("whose index has the name of a table or of a key is refused where they share names", () => {
    const named = (index: string) =>
      table(
        "t",
        z.object({
          id: column(z.int(), { primaryKey: true }),
          a: indexed(index),
          b: column(z.int(), { unique: true }),
        }),
      );
    for (const name of ["t", "t_pkey", "t_b_key"])
      expect(sqlErrorIn(() => ddl(named(name), "postgres"))).toMatchObject(DECLARATION);
    for (const name of ["t_pkey", "t_b_key"])
      expect(sqlErrorIn(() => ddl(named(name), "oracle"))).toMatchObject(DECLARATION);
    expect(sqlErrorIn(() => ddl(named("t_b_key"), "mariadb"))).toMatchObject(DECLARATION);
    expect(ddl(named("b"), "postgres")).toHaveLength(2);
  });
});

const meeting: readonly (readonly [string, () => AnyTable[]])[] = [
  ["one name", () => ["a", "b"].map((name) => table(name, z.object({ id: indexed("shared") })))],
  ["generated names that meet", () => [one("a_b", "c"), one("a", "b_c")]],
  [
    "a generated name that another gives",
    () => [one("a", "b"), table("c", z.object({ id: indexed("a_b_idx") }))],
  ],
];

describe.each(meeting)("%s on two tables", (_, tables) => {
  test("is refused by createTables, in one call and in two, before anything is sent", async () => {
    const handle = new Sqlite(":memory:");
    const db = sqlite(handle);
    const [first, second] = tables();
    if (first === undefined || second === undefined) throw new Error("two tables are needed");
    expect(await sqlErrorOf(db.createTables(first, second))).toMatchObject({
      ...DECLARATION,
      message: expect.stringMatching(/"a".*"|"a_b".*"/),
    });
    expect(handle.prepare("SELECT count(*) AS n FROM sqlite_master").get()).toEqual({ n: 0 });
    await db.createTables(first);
    await db.createTables(first);
    expect(await sqlErrorOf(db.createTables(second))).toMatchObject(DECLARATION);
    await db.dropTables(first);
    await db.createTables(second);
    expect(handle.prepare("SELECT count(*) AS n FROM sqlite_master WHERE type = 'index'").get()).toEqual({
      n: 1,
    });
    expect(await sqlErrorOf(oracle().createTables(...tables()))).toMatchObject(DECLARATION);
  });
});

test("tables of two SQL schemas may have indexes of one name", async () => {
  const [here, there] = [one("t", "id", { schema: "a" }), one("t", "id", { schema: "b" })];
  expect(await sqlErrorOf(oracle().createTables(here, there))).toMatchObject({ code: "NO_CONNECTION" });
});

for (const { name, available, lend } of servers)
  test.skipIf(!available)(
    `on ${name} every declared index exists, or createTables reports why not`,
    async () => {
      const lent = await lend();
      try {
        const tables = [one("a_b", "c"), one("a", "b_c")];
        if (name !== "mariadb") {
          expect(await sqlErrorOf(lent.db.createTables(...tables))).toMatchObject(DECLARATION);
          return;
        }
        // Index names of MariaDB belong to their table.
        await lent.db.createTables(...tables);
        for (const table of ["a", "a_b"]) expect(await lent.run(`SHOW INDEX FROM ${table}`)).toHaveLength(1);
      } finally {
        await lent.close();
      }
    },
  );
