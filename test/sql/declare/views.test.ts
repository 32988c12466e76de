/** Views, which are only read, and enum types of the database's own. */
import {
  type AnyDeclared,
  column,
  type Database,
  type Dialect,
  ddl,
  enumType,
  one,
  table,
  toDbml,
  view,
} from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { judgeOracle, ORACLE_WARM_UP_MS, warmUpOracle } from "../../oracle/judge.js";
import { type Lent, servers } from "../../servers.js";

const Mood = enumType("mood", ["sad", "it's fine"]);
const User = table(
  "users",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    email: z.string(),
    active: z.boolean(),
    mood: column(z.enum(Mood.values), { type: { postgres: "mood" } }),
  }),
);
const quoted = `SELECT "id", "email" AS "mail" FROM "users" WHERE "active"`;
const ActiveUser = view("active_users", z.object({ id: z.int(), mail: z.string() }), {
  as: {
    postgres: quoted,
    sqlite: quoted,
    mariadb: "SELECT id, email AS mail FROM users WHERE active",
    oracle: `${quoted} = 1`,
  },
  primaryKey: ["id"],
  relations: { user: one("User", "id") },
  comment: "those who came",
});
const module = { Mood, User, ActiveUser };

describe("a declaration of a view", () => {
  test("has the parts of a table that are read, and no others", () => {
    expect(ActiveUser).toMatchObject({ name: "active_users", primaryKey: ["id"], comment: "those who came" });
    expect(ActiveUser.schema.description).toBe("those who came");
    expect(ActiveUser).not.toHaveProperty("insertSchema");
    expect(ActiveUser).not.toHaveProperty("updateSchema");
    expect(Object.isFrozen(ActiveUser.view)).toBe(true);
  });

  test("is written with its query, and its comment where there are comments", () => {
    expect(ddl(ActiveUser, "postgres")).toEqual([
      `CREATE VIEW "active_users" AS ${quoted}`,
      `COMMENT ON VIEW "active_users" IS 'those who came'`,
    ]);
    expect(ddl(ActiveUser, "sqlite")).toEqual([`CREATE VIEW "active_users" AS ${quoted}`]);
    expect(ddl(ActiveUser, "oracle")[1]).toBe(`COMMENT ON TABLE "active_users" IS 'those who came'`);
    const theirs = view("theirs", z.object({ id: z.int() }), { as: "SELECT 1 AS id", external: true });
    expect(ddl(theirs, "postgres")).toEqual([]);
  });

  test("is refused without a query, with what only a table has, and on a dialect that it has no query for", () => {
    const anyView = view as (name: string, schema: z.ZodObject, options: object) => unknown;
    const shape = z.object({ id: z.int() });
    for (const options of [
      {},
      { as: "" },
      { as: 1 },
      { as: "SELECT 1", checks: {} },
      { as: "x", primaryKey: ["y"] },
    ])
      expect(sqlErrorIn(() => anyView("v", shape, options))).toMatchObject({ code: "DECLARATION" });
    const partial = view("v", shape, { as: { postgres: "SELECT 1 AS id" } });
    expect(sqlErrorIn(() => ddl(partial, "sqlite"))).toMatchObject({ code: "DECLARATION" });
  });

  test("has repositories that read: nothing writes, in specs neither", () => {
    const users = sqlite().repository(ActiveUser);
    for (const method of [
      "insert",
      "modify",
      "remove",
      "insertFromSpec",
      "modifyFromSpec",
      "removeFromSpec",
      "onRecord",
    ])
      expect(users).not.toHaveProperty(method);
    expect(Object.keys(users.specs())).toEqual(["query", "select", "aggregate", "compound"]);
    expect(users.scope({ id: 1 })).not.toHaveProperty("insert");
  });
});

describe("an enum type", () => {
  test("is a statement on PostgreSQL, and none elsewhere", () => {
    expect(ddl(Mood, "postgres")).toEqual([`CREATE TYPE "mood" AS ENUM ('sad', 'it''s fine')`]);
    for (const dialect of ["mariadb", "sqlite", "oracle"] satisfies Dialect[])
      expect(ddl(Mood, dialect)).toEqual([]);
    expect(ddl(User, "postgres")[0]).toContain('"mood" mood NOT NULL');
  });

  test("is refused without members, and with equal ones", () => {
    const anyEnum = enumType as (name: string, values: unknown) => unknown;
    for (const values of [[], ["a", "a"], [""], "ab", [1]])
      expect(sqlErrorIn(() => anyEnum("e", values))).toMatchObject({ code: "DECLARATION" });
    expect(sqlErrorIn(() => anyEnum("", ["a"]))).toMatchObject({ code: "DECLARATION" });
  });

  test("stands in a diagram", () => {
    expect(toDbml(Mood, User)).toContain(`Enum "mood" {\n  "sad"\n  "it\\'s fine"\n}`);
  });
});

test("what is neither table, view nor enum is refused by name", async () => {
  const wrong = { name: "users" } as unknown as AnyDeclared;
  expect(sqlErrorIn(() => ddl(wrong, "sqlite"))).toMatchObject({ code: "DECLARATION" });
  expect(await sqlErrorOf(sqlite().createTables(wrong))).toMatchObject({
    code: "DECLARATION",
    message: expect.stringContaining("enumType()"),
  });
});

test(
  "the grammar of Oracle accepts views and their comments",
  async () => {
    await warmUpOracle();
    for (const sql of ddl(ActiveUser, "oracle")) await judgeOracle(sql, []);
  },
  ORACLE_WARM_UP_MS,
);

for (const { name, available, lend } of servers)
  describe.skipIf(!available)(`on ${name}`, () => {
    let lent: Lent;
    // One type for all of them.
    let db: Database<"sqlite">;
    beforeAll(async () => {
      lent = await lend();
      db = lent.db as unknown as Database<"sqlite">;
      await db.createTables(ActiveUser, User, Mood);
      const users = db.repository(User).insert();
      await users.exec({ id: 1, email: "a@example.org", active: true, mood: "sad" });
      await users.exec({ id: 2, email: "b@example.org", active: false, mood: "it's fine" });
    });
    afterAll(() => lent.close());

    test("a view is created once, and read as a table, also through relations", async () => {
      await db.createTables(Mood, User, ActiveUser);
      expect(await db.repository(ActiveUser).query().exec()).toEqual([{ id: 1, mail: "a@example.org" }]);
      expect(await db.repository(ActiveUser).count().exec()).toBe(1);
      const { ActiveUser: active } = db.repositories(module);
      const rows = await active.query().join("user").fields("mail", "user.mood").exec();
      expect(rows).toEqual([{ mail: "a@example.org", user: { mood: "sad" } }]);
    });

    test("a member of an enum is found, and what is not a member is refused", async () => {
      const found = db.repository(User).query().where("mood", "=", "mood").fields("id");
      expect(await found.exec({ mood: "it's fine" })).toEqual([{ id: 2 }]);
      if (name !== "postgres") return;
      await expect(lent.run(`UPDATE "users" SET "mood" = 'lost'`)).rejects.toThrow(/enum mood/);
    });

    test("they are dropped together, twice", async () => {
      await db.dropTables(Mood, User, ActiveUser);
      await db.dropTables(Mood, User, ActiveUser);
      expect(await sqlErrorOf(db.repository(ActiveUser).count().exec())).toMatchObject({
        code: "QUERY_FAILED",
      });
      await db.createTables(Mood, User, ActiveUser);
      expect(await db.repository(ActiveUser).count().exec()).toBe(0);
    });
  });
