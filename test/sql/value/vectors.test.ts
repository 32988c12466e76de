/**
 * Vectors on the real extension: PGlite is PostgreSQL with pgvector in this process, and the real `pg` driver speaks
 * to it.
 */
import { PGlite } from "@electric-sql/pglite";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import { vector as pgvector } from "@electric-sql/pglite-pgvector";
import pg from "pg";
import { c, caseWhen, column, count, distance, table, vector } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn, sqlErrorOf } from "../../kit/thrown.js";
import { rounds } from "../../rounds.js";

const Place = table(
  "places",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    spot: vector(3),
    second: vector(2).nullable(),
  }),
);

let pglite: PGlite;
let pool: pg.Pool;
const places = () => postgres(pool).repository(Place);

beforeAll(async () => {
  pglite = await PGlite.create({ extensions: { vector: pgvector } });
  await pglite.exec("CREATE EXTENSION vector");
  pool = new pg.Pool({ ...createPgConfig(pglite), max: 1 });
  await postgres(pool).createTables(Place);
  await places()
    .insert()
    .execBatch([
      { id: 1, name: "here", spot: [0, 0, 1], second: [1, 2] },
      { id: 2, name: "near", spot: [0, 1, 1], second: null },
      { id: 3, name: "far", spot: [3, 4, 1], second: [0.5, -0.25] },
    ]);
}, 60_000);
afterAll(async () => {
  await pool.end();
  await pglite.close();
});

describe("vectors", () => {
  test("come back as they were stored", async () => {
    expect(await places().query().fields("spot", "second").orderBy("id", "asc").exec()).toEqual([
      { spot: [0, 0, 1], second: [1, 2] },
      { spot: [0, 1, 1], second: null },
      { spot: [3, 4, 1], second: [0.5, -0.25] },
    ]);
  });

  test("are the same in nested rows, to the last bit", async () => {
    const all = places();
    const rows = Array.from({ length: rounds({ small: 40, full: 10_000 }) }, (_, i) => ({
      id: 100 + i,
      name: "random",
      spot: [0, 0, 0].map(() =>
        Math.fround((Math.random() - 0.5) * 10 ** Math.floor(Math.random() * 30 - 15)),
      ),
      second: i % 3 === 0 ? null : [-0, Math.fround(1 / (i + 1))],
    }));
    for (let from = 0; from < rows.length; from += 500)
      await all.insert().execBatch(rows.slice(from, from + 500));
    const random = all.query().where("name", "=", "name").orderBy("id", "asc");
    const alone = await random.exec({ name: "random" });
    // The server writes as many digits as tell one float from the next.
    expect(alone.map(({ spot }) => spot.map(Math.fround))).toEqual(rows.map(({ spot }) => spot));
    const [around] = await all
      .query()
      .fields("id")
      .withOn("all", random, "name", "name")
      .where("id", "=", "id")
      .exec({ name: "random", id: 100 });
    expect(around?.all).toEqual(alone);
    await all.remove().where("name", "=", "name").exec({ name: "random" });
  });

  // The distances of the three places from [0, 0, 2], by the formulas of the four operators.
  test.each([
    ["<->", [1, Math.sqrt(2), Math.sqrt(26)]],
    ["<#>", [-2, -2, -2]],
    ["<=>", [0, 1 - 1 / Math.sqrt(2), 1 - 1 / Math.sqrt(26)]],
    ["<+>", [1, 2, 8]],
  ] as const)("the distance %s", async (operator, expected) => {
    const rows = await places()
      .query()
      .fields("id", distance("spot", operator, "point").as("far"))
      .orderBy("id", "asc")
      .exec({ point: [0, 0, 2] });
    for (const [i, { far }] of rows.entries()) expect(far).toBeCloseTo(expected[i] ?? Number.NaN, 6);
  });

  test("orders by distance, and selects within a distance", async () => {
    const nearest = places().query().fields("name").orderByExpr("spot", "<->", "point", "asc").limit(2);
    expect(nearest.render().native.sql).toBe(
      'SELECT "name" FROM "places" ORDER BY "spot" <-> $1 ASC LIMIT 2',
    );
    expect(await nearest.exec({ point: [3, 4, 0] })).toEqual([{ name: "far" }, { name: "near" }]);

    const within = places()
      .query()
      .fields("name")
      .where("id", "<", "id")
      .whereDistance("spot", "<->", "point", "<=", "most")
      .orderByExpr("spot", "<->", "point", "desc");
    expect(within.render().native.sql).toBe(
      'SELECT "name" FROM "places" WHERE "id" < $1 AND ("spot" <-> $2) <= $3 ORDER BY "spot" <-> $4 DESC',
    );
    expect(await within.exec({ id: 3, point: [0, 0, 1], most: 1 })).toEqual([
      { name: "near" },
      { name: "here" },
    ]);
    const exclusive = places().select().fields("name").whereDistance("spot", "<->", "point", "<", "most");
    expect(await exclusive.exec({ point: [0, 0, 1], most: 1 })).toEqual({ name: "here" });
  });

  test("NULL is the farthest, and a distance from it is null", async () => {
    const rows = await places()
      .query()
      .fields("id", distance("second", "<->", "point").as("far"))
      .orderByExpr("second", "<->", "point", "asc")
      .exec({ point: [0, 0] });
    expect(rows.map(({ id }) => id)).toEqual([3, 1, 2]);
    expect(rows.at(-1)).toEqual({ id: 2, far: null });
  });

  test("works in the order of a compound query, and with groups", async () => {
    const { query } = places();
    const both = query()
      .where("id", "=", "a")
      .union(query().where("id", "=", "b"))
      .orderByExpr("spot", "<->", "point", "asc");
    const rows = await both.exec({ a: 2, b: 3, point: [3, 4, 1] });
    expect(rows.map(({ name }) => name)).toEqual(["far", "near"]);
    const grouped = places()
      .query()
      .fields(
        caseWhen(z.string())
          .when(c("id", ">", "id"), "label")
          .else("other")
          .as("kind"),
        count().as("n"),
      );
    expect(sqlErrorIn(() => grouped.build()).code).toBe("INVALID_AGGREGATE");
  });

  test("an order by distance is in specs; other distances are not", () => {
    const nearest = places().query().fields("id").orderByExpr("spot", "<=>", "point", "asc");
    const spec = JSON.parse(JSON.stringify(nearest.toSpec()));
    expect(spec).toEqual({
      fields: ["id"],
      order_by: [{ field: "spot", operator: "<=>", param: "point", direction: "asc" }],
    });
    expect(places().queryFromSpec(spec).render()).toEqual(nearest.render());
    const written = { ...spec, order_by: [{ expression: "spot <=> :point", direction: "asc" }] };
    expect(places().queryFromSpec(written).render()).toEqual(nearest.render());
    const within = places().query().whereDistance("spot", "<->", "point", "<", "most");
    expect(sqlErrorIn(() => within.toSpec()).code).toBe("INVALID_SPEC");
  });

  test.each([
    "spot",
    "spot <-> :point; DROP TABLE places",
    "spot <-> '[1,2,3]'",
    "spot <-> :point + 1",
    "abs(spot <-> :point)",
    "spot OPERATOR(pg_catalog.+) :point",
    "name <-> :point",
    "spots <-> :point",
    "spot -- <-> :point",
    "CASE WHEN 1=1 THEN spot END <-> :point",
  ])("other expressions are refused: %s", (expression) => {
    const builder = places().queryFromSpec({ order_by: [{ expression, direction: "asc" }] });
    expect(sqlErrorIn(() => builder.render()).code).toMatch(/^INVALID_(SPEC|FIELD|OPERATOR)$/);
  });

  test("a vector of other dimensions, or with values that are not numbers, is refused before it is sent", async () => {
    const nearest = places().query().orderByExpr("spot", "<->", "point", "asc");
    for (const point of [[1, 2], [1, 2, 3, 4], [1, 2, Number.NaN], ["1", 2, 3] as never, "[1,2,3]" as never])
      expect(await sqlErrorOf(nearest.exec({ point }))).toMatchObject({ code: "PARAM_TYPE", param: "point" });
    const within = places().query().whereDistance("spot", "<->", "point", "<", "most");
    expect(await sqlErrorOf(within.exec({ point: [1, 2, 3], most: Number.NaN }))).toMatchObject({
      code: "PARAM_TYPE",
      param: "most",
    });
  });

  test.each([
    ["sqlite", sqlite()],
    ["mariadb", mariadb()],
    ["oracle", oracle()],
  ] as const)("%s does not support vectors, and the hint names an alternative", (dialect, db) => {
    const error = sqlErrorIn(() => db.repository(Place as never));
    expect(error).toMatchObject({ code: "UNSUPPORTED", dialect, feature: "vectors" });
    expect(error).toHaveProperty("hint", expect.stringMatching(/pgvector/));
  });
});
