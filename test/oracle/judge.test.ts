/** The judges of Oracle's SQL, judged: statements that Oracle takes pass all of them, others fail at least one. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { isAccepted } from "./accepted-texts.js";
import { ORACLE_WARM_UP_MS, oracleFaults, warmUpOracle } from "./judge.js";

beforeAll(warmUpOracle, ORACLE_WARM_UP_MS);

const good: readonly (readonly [sql: string, params: number])[] = [
  ['SELECT "id", "name" FROM "app"."people" WHERE "age" >= :p0 ORDER BY "id" ASC', 1],
  ['SELECT "id" FROM "t" ORDER BY "age" DESC NULLS LAST OFFSET :p0 ROWS FETCH NEXT :p1 ROWS ONLY', 2],
  ['SELECT "id" FROM "t" WHERE ("a" = :p0 OR "b" = :p0)', 1],
  ['SELECT "id" FROM "t" WHERE LOWER("a") LIKE LOWER(:p0) ESCAPE \'\\\' AND "b" IS NOT NULL', 1],
  ['SELECT "id" FROM "t" WHERE "at" BETWEEN :p0 AND :p1 FOR UPDATE SKIP LOCKED', 2],
  ['SELECT ":p9 FROM LIMIT" FROM "true" WHERE "x" = \':p8 LIMIT\'', 0],
  ["SELECT 1 FROM DUAL", 0],
  ['SELECT "t"."a" FROM "t" "x" JOIN "u" ON "x"."a" = "u"."a"', 0],
  ['SELECT SUM(CASE WHEN "a" > :p0 THEN 1 ELSE 0 END) AS "total" FROM "t" GROUP BY "b"', 1],
  ['SELECT CAST("a" AS NUMBER(19)) AS "n" FROM (SELECT "a" FROM "t") "s"', 0],
  ['SELECT "a" FROM "t" UNION ALL SELECT "a" FROM "u" MINUS SELECT "a" FROM "v"', 0],
  ['SELECT "a" FROM "t" EXCEPT ALL SELECT "a" FROM "u" INTERSECT ALL SELECT "a" FROM "v"', 0],
  ['SELECT ROW_NUMBER() OVER (PARTITION BY "a" ORDER BY "b" DESC) AS "n" FROM "t"', 0],
  ['INSERT INTO "t" ("a", "b") VALUES (:p0, :p1) RETURNING "a", "b" INTO :o0, :o1', 2],
  ['INSERT INTO "t" ("a") VALUES (DEFAULT)', 0],
  ['UPDATE "t" SET "a" = :p0 WHERE "id" = :p1 RETURNING "a" INTO :o0', 2],
  ['DELETE FROM "t" WHERE "id" = :p0', 1],
  ["SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", 0],
  ["ROLLBACK TO SAVEPOINT rowtype_1", 0],
  ['CREATE INDEX "i" ON "t" ("a")', 0],
];

const bad: readonly (readonly [sql: string, params: number])[] = [
  ['SELECT "id" FROM "t" LIMIT 1', 0],
  ['SELECT "id" FROM "t" LIMIT 1 OFFSET 2', 0],
  ['SELECT "id" FROM "t" OFFSET 2', 0],
  ['SELECT "id" FROM "t" AS "x"', 0],
  ['SELECT "id" FROM (SELECT "id" FROM "t") AS "x"', 0],
  ['SELECT "x"."id" FROM "t" "x" JOIN "u" AS "y" ON 1 = 1', 0],
  ["SELECT 1", 0],
  ['SELECT "a" FROM "t" UNION SELECT 1', 0],
  ['SELECT "a" FROM "t" WHERE EXISTS (SELECT 1)', 0],
  ['SELECT COUNT(*) FILTER (WHERE "a" = 1) FROM "t"', 0],
  ['SELECT "id" FROM "t" WHERE "ok" = TRUE', 0],
  ['SELECT "id" FROM "t" WHERE "a" ILIKE :p0', 1],
  ['SELECT "id" FROM "t" WHERE "a" = $1', 1],
  ['SELECT "id" FROM "t" WHERE "a" = ?', 1],
  ['SELECT "id" FROM "t" WHERE "a" = :name', 1],
  ['SELECT "id" FROM "t" WHERE "a" = :p1', 1],
  ['SELECT "id" FROM "t" WHERE "a" = :p0 AND "b" = :p1', 1],
  ['SELECT "id" FROM "t" WHERE "a" = \':p0\'', 1],
  ['SELECT "a"::text FROM "t"', 0],
  ["SELECT `id` FROM `t`", 0],
  ['SELECT DISTINCT ON ("a") "a" FROM "t"', 0],
  [`SELECT "${"x".repeat(129)}" FROM "t"`, 0],
  [`SELECT "id" FROM "t" WHERE "id" IN (${Array.from({ length: 1001 }, (_, i) => `:p${i}`).join()})`, 1001],
  ['SELECT "id" FROM "t" WHERE "id" IN ()', 0],
  ['SELECT "id" FROM "t" WHERE ("a" = 1', 0],
  ['SELECT "id" FROM "t" WHERE', 0],
  ['SELECT "id" FROM "t" FOR SHARE', 0],
  ['SELECT "id" FROM "t";', 0],
  ['INSERT INTO "t" ("a") VALUES (:p0), (:p1) ON CONFLICT DO NOTHING', 2],
  ['INSERT INTO "t" DEFAULT VALUES', 0],
  ['INSERT INTO "t" ("a") VALUES (:p0) RETURNING "a"', 1],
  ['UPDATE "t" SET "a" = :p0 RETURNING "a" INTO :o1', 1],
  ['CREATE TABLE IF NOT EXISTS "t" ("a" NUMBER(19))', 0],
  ['DROP TABLE IF EXISTS "t"', 0],
];

describe("the grammars accept", () => {
  test.each(good)("%s", async (sql, params) => {
    expect(await oracleFaults(sql, Array(params).fill("x"))).toEqual([]);
  });
});

describe("the grammars refuse", () => {
  test.each(bad)("%s", async (sql, params) => {
    expect(await oracleFaults(sql, Array(params).fill("x"))).not.toEqual([]);
  });
});

describe("a text that the grammar has not seen", () => {
  // No list has it.
  const unseen = `t${randomUUID().replaceAll("-", "")}`;

  test("is parsed, whether it is right or wrong", async () => {
    expect(isAccepted(`SELECT 1 FROM "${unseen}"`)).toBe(false);
    expect(await oracleFaults(`SELECT 1 FROM "${unseen}"`, [])).toEqual([]);
    expect(await oracleFaults(`SELECT 1 FROM "${unseen}" WHERE`, [])).not.toEqual([]);
  });
});
