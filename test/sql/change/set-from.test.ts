/** Updates and removals by other tables: `setFrom`, and conditions with queries in statements that change rows. */
import { column, type Database, many, one, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorIn } from "../../kit/thrown.js";
import { type Lent, serversAndLocales, titleOf } from "../../servers.js";

const id = () => column(z.int(), { primaryKey: true });
const teams = table("set_teams", z.object({ id: id(), city: z.string(), slogan: z.string().nullable() }), {
  relations: { members: many("members", "teamId") },
});
const members = table(
  "set_members",
  z.object({
    id: id(),
    bossId: column(z.int().nullable(), { name: "boss_id" }),
    teamId: z.int().nullable(),
    city: z.string(),
    slogan: z.string().nullable(),
    pay: z.int(),
  }),
  {
    relations: {
      team: one("teams", "teamId"),
      boss: one("members", "bossId"),
      reports: many("members", "bossId"),
    },
  },
);
const module = { teams, members };
const on = (db: Database) => (db as unknown as Database<"sqlite">).repositories(module);

const start = [
  { id: 1, bossId: null, teamId: 1, city: "Graz", slogan: "a", pay: 10 },
  { id: 2, bossId: 1, teamId: 2, city: "Graz", slogan: "b", pay: 20 },
  { id: 3, bossId: 2, teamId: null, city: "Graz", slogan: "c", pay: 30 },
  { id: 4, bossId: 3, teamId: 9, city: "Graz", slogan: "d", pay: 40 },
];

for (const server of serversAndLocales)
  describe.skipIf(!server.available)(`changes by other tables on ${titleOf(server)}`, () => {
    let lent: Lent;
    let shop: ReturnType<typeof on>;
    const all = () => shop.members.query().fields("id", "city", "slogan", "pay").orderBy("id", "asc").exec();

    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(teams, members);
      shop = on(lent.db);
      await shop.teams.insert().execBatch([
        { id: 1, city: "Linz", slogan: null },
        { id: 2, city: "Wien", slogan: "w" },
      ]);
    });
    beforeEach(async () => {
      await shop.members.remove().whereNotNull("id").exec();
      await shop.members.insert().execBatch(start);
    });
    afterAll(() => lent.close());

    test("setFrom sets what the relation leads to, and leaves a row without one as it is", async () => {
      const rows = await shop.members
        .modify()
        .setFrom("city", "team", "city")
        .setFrom("slogan", "team", "slogan")
        .set("pay", "pay")
        .where("id", "<", "id")
        .execMany({ id: 9, pay: 0 });
      expect(rows.map((row) => row.id).sort()).toEqual([1, 2]);
      expect(await all()).toEqual([
        { id: 1, city: "Linz", slogan: null, pay: 0 },
        { id: 2, city: "Wien", slogan: "w", pay: 0 },
        { id: 3, city: "Graz", slogan: "c", pay: 30 },
        { id: 4, city: "Graz", slogan: "d", pay: 40 },
      ]);
    });

    test("a row that was not updated is not counted, and is none to exec", async () => {
      const modify = shop.members.modify().setFrom("city", "team", "city").where("id", "=", "id");
      expect(await modify.execBatch([{ id: 1 }, { id: 3 }, { id: 4 }])).toBe(1);
      await expect(modify.exec({ id: 3 })).rejects.toThrow(/no row/);
    });

    test("a value of the same table is that before the statement, however long the chain", async () => {
      const modify = shop.members.modify().setFrom("pay", "boss", "pay").whereNotNull("id");
      const rows = await modify.execMany();
      expect(rows.map((row) => row.pay).sort()).toEqual([10, 20, 30]);
      expect((await all()).map(({ pay }) => pay)).toEqual([10, 10, 20, 30]);
      // And so it is where only the number is asked for.
      expect(await modify.execBatch([{}])).toBe(3);
      expect((await all()).map(({ pay }) => pay)).toEqual([10, 10, 10, 20]);
    });

    test("a field that leads to the value, and is set besides, leads from where it was", async () => {
      await shop.members
        .modify()
        .set("bossId", "boss")
        .setFrom("pay", "boss", "pay")
        .where("id", "=", "id")
        .exec({ boss: 1, id: 4 });
      expect((await all()).at(3)?.pay).toBe(30);
    });

    test("conditions with queries choose the rows of an update as they were before it", async () => {
      const rows = await shop.members
        .modify()
        .setExpr("pay", "-", "less")
        .whereExists("boss", shop.members.query().where("pay", ">=", "least"))
        .execMany({ less: 15, least: 10 });
      expect(rows).toHaveLength(3);
      expect((await all()).map(({ pay }) => pay)).toEqual([10, 5, 15, 25]);
      const above = shop.members
        .modify()
        .setExpr("pay", "+", "more")
        .whereQuery("pay", ">", shop.members.avg("pay"))
        .whereQuery("id", "NOT IN", shop.members.query().fields("bossId"));
      expect(await above.execMany({ more: 1 })).toMatchObject([{ id: 4, pay: 26 }]);
    });

    test("conditions with queries choose the rows of a removal as they were before it", async () => {
      expect(await shop.members.remove().whereNotExists("team").whereExists("boss").exec()).toBe(2);
      expect(
        await shop.members
          .remove()
          .whereQuery("id", "IN", shop.members.query().fields("bossId").orderBy("id", "asc").limit(2))
          .execMany(),
      ).toMatchObject([{ id: 1 }]);
      expect((await all()).map((row) => row.id)).toEqual([2]);
    });

    test("an update in a batch asks its queries anew for each set of parameters", async () => {
      const modify = shop.members
        .modify()
        .set("slogan", "slogan")
        .whereExists("team", shop.teams.query().where("city", "=", "city"));
      expect(
        await modify.execBatch([
          { city: "Linz", slogan: "x" },
          { city: "Rom", slogan: "y" },
        ]),
      ).toBe(1);
      expect((await all()).map(({ slogan }) => slogan)).toEqual(["x", "b", "c", "d"]);
    });
  });

const texts: readonly [string, Database, string][] = [
  [
    "postgres",
    postgres() as unknown as Database,
    'UPDATE "set_members" SET "city" = (SELECT "set_teams"."city" FROM "set_teams" WHERE "set_teams"."id" = "set_members"."teamId") WHERE "id" = $1 AND EXISTS (SELECT 1 AS "one" FROM "set_teams" WHERE "set_teams"."id" = "set_members"."teamId") RETURNING',
  ],
  [
    "oracle",
    oracle() as unknown as Database,
    'UPDATE "set_members" SET "city" = (SELECT "set_teams"."city" FROM "set_teams" WHERE "set_teams"."id" = "set_members"."teamId") WHERE "id" = :p0 AND EXISTS (SELECT 1 AS "one" FROM "set_teams" WHERE "set_teams"."id" = "set_members"."teamId") RETURNING',
  ],
  [
    "mariadb",
    mariadb() as unknown as Database,
    "UPDATE `set_members` SET `city` = (SELECT `set_teams`.`city` FROM `set_teams` WHERE `set_teams`.`id` = `set_members`.`teamId`) WHERE `id` = ? AND EXISTS (SELECT 1 AS `one` FROM `set_teams` WHERE `set_teams`.`id` = `set_members`.`teamId`)",
  ],
];

test.each(texts)("the text of setFrom on %s", (_, db, text) => {
  const modify = on(db).members.modify().setFrom("city", "team", "city").where("id", "=", "id");
  expect(modify.render().native.sql.slice(0, text.length)).toBe(text);
});

interface Loose {
  setFrom(...args: readonly unknown[]): Loose;
  set(...args: readonly unknown[]): Loose;
  whereNotNull(field: string): Loose;
  render(): unknown;
}

describe("setFrom is refused", () => {
  const modify = () => on(sqlite() as unknown as Database).members.modify() as unknown as Loose;

  test.each<[string, () => Loose, string, RegExp]>([
    [
      "by a relation to many",
      () => modify().setFrom("pay", "reports", "pay"),
      "INVALID_RELATION",
      /leads to many/,
    ],
    [
      "by an unknown relation",
      () => modify().setFrom("pay", "bos", "pay"),
      "INVALID_RELATION",
      /relations: team, boss, reports/,
    ],
    [
      "of a field that they do not have",
      () => modify().setFrom("pay", "team", "pay"),
      "INVALID_FIELD",
      /unknown field "pay"/,
    ],
    [
      "for a field that there is not",
      () => modify().setFrom("wage", "boss", "pay"),
      "INVALID_FIELD",
      /unknown field "wage"/,
    ],
    [
      "of a value that may be null, for a field that is not",
      () => modify().setFrom("city", "team", "slogan"),
      "INVALID_CONDITION",
      /"city" is never null, and "slogan" of "team" may be/,
    ],
    [
      "of a value of another kind",
      () => modify().setFrom("pay", "team", "city"),
      "INVALID_CONDITION",
      /"pay" \(number\) cannot hold text/,
    ],
    [
      "for a field that is set besides",
      () => modify().set("city", "city").setFrom("city", "team", "city"),
      "INVALID_FIELD",
      /set twice/,
    ],
    [
      "with no text for a relation",
      () => modify().setFrom("city", undefined, "city"),
      "INVALID_RELATION",
      /must be a text/,
    ],
  ])("%s", (_, builder, code, message) => {
    const error = sqlErrorIn(() => builder().whereNotNull("id").render());
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  test("without a condition", () => {
    expect(sqlErrorIn(() => modify().setFrom("city", "team", "city").render()).code).toBe("UNSAFE_UPDATE");
  });
});
