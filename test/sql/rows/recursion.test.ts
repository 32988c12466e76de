/** Queries that go on from their own rows: what they find on every server, and where they end. */
import { column, count, type Database, sum, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const employees = table(
  "employees",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    managerId: column(z.int().nullable(), { name: "manager_id" }),
    name: z.string(),
  }),
);

function treeOf(db: Database, options?: { maxDepth?: number }) {
  const staff = db.repository(employees);
  return db.recursive(
    "tree",
    staff.query().fields("id", "name").where("id", "=", "top"),
    (self) =>
      staff.query().joinQuery(self, "managerId", "id").fields("id", "name").where("name", "!=", "not"),
    { ...options, depth: "level" },
  );
}

test("the text in each dialect", () => {
  const text = (db: Database) =>
    db.from(treeOf(db)).orderBy("level", "asc").render().native.sql.replaceAll("`", '"');
  const rows = (next: string, marks: readonly string[], word = "RECURSIVE ") =>
    `WITH ${word}"tree" ("id", "name", "level") AS (SELECT "id", "name", 1 AS "level" FROM "employees" WHERE "id" = ${marks[0]} UNION ALL SELECT "employees"."id", "employees"."name", CASE WHEN "tree"."level" >= 1000 THEN ${next} ELSE "tree"."level" + 1 END AS "level" FROM "employees" JOIN "tree" "tree" ON "employees"."manager_id" = "tree"."id" WHERE "employees"."name" <> ${marks[1]}) SELECT "id", "name", "level" FROM "tree" ORDER BY "level" ASC`;
  expect(text(postgres())).toBe(
    rows(`CAST('rowtype recursion limit ' || "tree"."level" AS integer)`, ["$1", "$2"]),
  );
  expect(text(mariadb())).toBe(rows(`("tree"."level" + 1) * 9223372036854770001`, ["?", "?"]));
  expect(text(sqlite())).toBe(rows(`rowtype_too_deep("tree"."level")`, ["?", "?"]));
  expect(text(oracle())).toBe(
    rows(`CAST('rowtype recursion limit ' || "tree"."level" AS NUMBER)`, [":p0", ":p1"], ""),
  );
});

describe("a recursion is refused", () => {
  const db = sqlite();
  const staff = db.repository(employees);
  const start = staff.query().fields("id", "name");
  // What the compiler would refuse.
  const recursive = db.recursive as unknown as (...args: readonly unknown[]) => never;
  const faultOf = (step: unknown, options?: object) => {
    const { code, message } = sqlErrorIn(() => db.from(recursive("tree", start, step, options)).render());
    return `${code}: ${message}`;
  };

  test.each<[string, unknown, string, object?]>([
    ["without a step", undefined, "INVALID_RELATION: the step of recursive is a function, (self) => query"],
    [
      "whose step gives no query",
      () => 1,
      "INVALID_RELATION: the step of recursive takes a query, not a number",
    ],
    [
      "whose step does not read what was found",
      () => start,
      "INVALID_SPEC: the step of a recursion must use its argument exactly once, in from or joinQuery, and without groups",
    ],
    [
      "whose step gives other columns",
      (self: never) =>
        staff
          .query()
          .joinQuery(self, "managerId", "id" as never)
          .fields("id"),
      "INVALID_FIELD: the step of a recursion must select what its start selects, of the same kinds: id, name",
    ],
    [
      "whose step has a limit",
      (self: never) =>
        staff
          .query()
          .joinQuery(self, "managerId", "id" as never)
          .fields("id", "name")
          .limit(1),
      "INVALID_SPEC: start and step of a recursion take no order, limit or offset, and the step no groups",
    ],
    [
      "of no levels",
      () => start,
      "INVALID_PARAM: maxDepth must be a whole number from 1 to 1000000",
      { maxDepth: 0 },
    ],
    ["with a level of a bad name", () => start, "INVALID_ALIAS: depth must be a name", { depth: "a b" }],
  ])("%s", (_, step, fault, options) => {
    expect(faultOf(step, options).slice(0, fault.length)).toBe(fault);
  });

  test("by itself outside of its step", () => {
    let leaked: unknown;
    db.recursive("tree", start, (self) => {
      leaked = self;
      return staff.query().joinQuery(self, "managerId", "id").fields("id", "name");
    });
    const { code } = sqlErrorIn(() => db.from(leaked as never).render());
    expect(code).toBe("INVALID_RELATION");
  });
});

for (const server of servers)
  describe.skipIf(!server.available)(`recursions on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(employees);
      const chain = Array.from({ length: 30 }, (_, i) => ({
        id: 100 + i,
        managerId: i === 0 ? null : 99 + i,
        name: "c",
      }));
      await lent.db
        .repository(employees)
        .insert()
        .execBatch([
          { id: 1, managerId: null, name: "Ann" },
          { id: 2, managerId: 1, name: "Bob" },
          { id: 3, managerId: 1, name: "Cy" },
          { id: 4, managerId: 2, name: "Di" },
          // A circle.
          { id: 8, managerId: 9, name: "Eve" },
          { id: 9, managerId: 8, name: "Flo" },
          ...chain,
        ]);
    });
    afterAll(() => lent.close());

    test("a tree with its levels, joined and counted; in a transaction", async () => {
      const { db } = lent;
      const tree = treeOf(db);
      expect(
        await db.from(tree).orderBy("level", "asc").orderBy("id", "asc").exec({ top: 1, not: "Cy" }),
      ).toEqual([
        { id: 1, name: "Ann", level: 1 },
        { id: 2, name: "Bob", level: 2 },
        { id: 4, name: "Di", level: 3 },
      ]);
      const grouped = db.from(tree).fields("level", count().as("n"), sum("id").as("ids")).groupBy("level");
      expect(await grouped.orderBy("level", "asc").exec({ top: 1, not: "x" })).toEqual([
        { level: 1, n: 1, ids: 1 },
        { level: 2, n: 2, ids: 5 },
        { level: 3, n: 1, ids: 4 },
      ]);
      await db.transaction(async (tx) => {
        expect(await tx.from(tree).count().exec({ top: 2, not: "x" })).toBe(2);
      });
    });

    test("as many levels as are allowed, and not one more: a circle ends too", async () => {
      const { db } = lent;
      const params = { top: 100, not: "x" };
      expect(
        await db
          .from(treeOf(db, { maxDepth: 30 }))
          .count()
          .exec(params),
      ).toBe(30);
      await expect(db.from(treeOf(db, { maxDepth: 29 })).exec(params)).rejects.toMatchObject({
        code: "RECURSION_LIMIT",
      });
      await expect(
        db.from(treeOf(db)).where("id", "=", "id").exec({ top: 8, not: "x", id: 0 }),
      ).rejects.toMatchObject({
        code: "RECURSION_LIMIT",
      });
    });
  });
