/** Queries in conditions of queries, as deep as they may be: servers bound the depth of what they read. */
import { c, column, type Database, exists, many, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, servers } from "../../servers.js";

const nodes = table("nodes", z.object({ id: column(z.int(), { primaryKey: true }), upId: z.int() }), {
  relations: { below: many("nodes", "upId") },
});

const open = (db: Database) => (db as Database<"sqlite">).repositories({ nodes }).nodes;
const MOST = 32;

for (const server of servers)
  describe.skipIf(!server.available)(`deep queries on ${server.name}`, () => {
    let lent: Lent;
    let of: ReturnType<typeof open>;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(nodes);
      of = open(lent.db);
      // A node that is below itself is at every depth.
      await of.insert().execBatch([
        { id: 1, upId: 1 },
        { id: 2, upId: 1 },
      ]);
    });
    afterAll(() => lent.close());

    const first = () => of.query().fields("id").where("id", "=", "id");

    test("rows that have rows that have rows …", async () => {
      let query = first();
      for (let depth = 0; depth < MOST; depth++)
        query = of.query().fields("id").whereExists("below", query).where("id", "=", "id");
      expect(await query.exec({ id: 1 })).toEqual([{ id: 1 }]);
      expect(await query.exec({ id: 2 })).toEqual([]);
    });

    test("the same in groups", async () => {
      // PostgreSQL plans each of these in two ways, and so those inside four, eight, sixteen times.
      const most = server.name === "postgres" ? 8 : MOST;
      let query = first().whereOr(c("id", "=", "id"), c("upId", "=", "none"));
      for (let depth = 0; depth < most; depth++)
        query = first().whereOr(exists("below", query), c("upId", "=", "none"));
      expect(await query.exec({ id: 1, none: 9 })).toEqual([{ id: 1 }]);
      expect(await query.exec({ id: 2, none: 9 })).toEqual([]);
    });

    test("values that are among values that are among values …", async () => {
      let query = first();
      for (let depth = 0; depth < MOST; depth++)
        query = of.query().fields("id").whereQuery("id", "IN", query);
      expect(await query.exec({ id: 2 })).toEqual([{ id: 2 }]);
    });

    test("many conditions at several depths", async () => {
      const wide = Array.from({ length: 200 }, (_, i) => c("id", "!=", `not${i}`));
      const params = Object.fromEntries(wide.map((_, i) => [`not${i}`, 100 + i]));
      let query = first().whereAnd(...wide);
      for (let depth = 0; depth < 8; depth++)
        query = first()
          .whereExists("below", query)
          .whereAnd(...wide);
      // The names of the parameters are texts.
      const loose = query as unknown as { exec(params: object): Promise<unknown> };
      expect(await loose.exec({ id: 1, ...params })).toEqual([{ id: 1 }]);
      expect(await loose.exec({ id: 2, ...params })).toEqual([]);
    });
  });

test("queries behind the eighth are tables on SQLite, which adds up the depths of the others", () => {
  const of = open(sqlite());
  let query = of.query().fields("id").where("id", "=", "id");
  for (let depth = 0; depth < 9; depth++) query = of.query().fields("id").whereQuery("id", "IN", query);
  const { sql } = query.render().native;
  expect(sql.split('IN (SELECT "own')).toHaveLength(9);
  expect(sql).toMatch(
    / IN \(SELECT \* FROM \(SELECT "own_+"."id" AS "value" FROM "nodes" "own_+" WHERE "own_+"."id" = \?\) "rows"\)\)+$/,
  );
});
