/** One list of queries: the text that each dialect gets, and the same rows from every server that is there. */
import {
  and,
  between,
  c,
  type Database,
  isNull,
  notBetween,
  notNull,
  or,
  type QuerySpec,
  type Rendered,
} from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COURT_MS, courts, type Judge } from "../../kit/judges.js";
import { createPeople, Person, people, Team } from "../../kit/people.js";
import { type Lent, serversAndLocales, titleOf } from "../../servers.js";

const repositoryOf = (db: Database<"sqlite">) => db.repository(Person);
type People = ReturnType<typeof repositoryOf>;

interface Case {
  readonly name: string;
  readonly run: (people: People) => {
    render(): { native: { sql: string; params: readonly (string | null)[] } };
  };
  readonly params?: object;
  readonly sqlite: string;
  readonly postgres: string;
  readonly mariadb: string;
  readonly oracle: string;
  /** The ids that come back, in order. */
  readonly ids: readonly number[];
  /** Those from the stand-in for Oracle, where it counts a character beyond 16 bits as two. */
  readonly h2?: readonly number[];
}

const columns = (sql: string, quote = '"') => sql.replace("…", all.replaceAll('"', quote));
const all =
  '"id", "email_address", "name", "age", "score", "role", "active", "balance", "born_at", "team_id", "photo", "settings", "tags", "created_at"';

const cases: readonly Case[] = [
  {
    name: "all columns of all rows",
    run: (p) => p.query().orderBy("id", "asc"),
    sqlite: 'SELECT … FROM "people" ORDER BY "id" ASC',
    postgres: 'SELECT … FROM "people" ORDER BY "id" ASC',
    mariadb: "SELECT … FROM `people` ORDER BY `id` ASC",
    oracle: 'SELECT … FROM "people" ORDER BY "id" ASC',
    ids: [1, 2, 3, 4, 5],
  },
  {
    name: "some fields, a comparison, an order and a limit",
    run: (p) => p.query().fields("id", "email").where("age", ">=", "min").orderBy("email", "desc").limit(2),
    params: { min: 20 },
    sqlite:
      'SELECT "id", "email_address" FROM "people" WHERE "age" >= ? ORDER BY "email_address" DESC LIMIT 2',
    postgres:
      'SELECT "id", "email_address" FROM "people" WHERE "age" >= $1 ORDER BY "email_address" DESC LIMIT 2',
    mariadb:
      "SELECT `id`, `email_address` FROM `people` WHERE `age` >= ? ORDER BY `email_address` DESC LIMIT 2",
    oracle:
      'SELECT "id", "email_address" FROM "people" WHERE "age" >= :p0 ORDER BY "email_address" DESC FETCH NEXT 2 ROWS ONLY',
    ids: [5, 4],
  },
  {
    name: "a field named twice comes once",
    run: (p) => p.query().fields("id").fields("name", "id").where("id", "=", "id"),
    params: { id: 1 },
    sqlite: 'SELECT "id", "name" FROM "people" WHERE "id" = ?',
    postgres: 'SELECT "id", "name" FROM "people" WHERE "id" = $1',
    mariadb: "SELECT `id`, `name` FROM `people` WHERE `id` = ?",
    oracle: 'SELECT "id", "name" FROM "people" WHERE "id" = :p0',
    ids: [1],
  },
  {
    name: "LIKE tells upper from lower case",
    run: (p) => p.query().fields("id").where("name", "LIKE", "like").orderBy("id", "asc"),
    params: { like: "ann%" },
    sqlite: 'SELECT "id" FROM "people" WHERE "name" GLOB ? ORDER BY "id" ASC',
    postgres: 'SELECT "id" FROM "people" WHERE "name" LIKE $1 ORDER BY "id" ASC',
    mariadb:
      "SELECT `id` FROM `people` WHERE `name` LIKE ? COLLATE utf8mb4_nopad_bin ESCAPE 0x5C ORDER BY `id` ASC",
    oracle: `SELECT "id" FROM "people" WHERE "name" LIKE :p0 ESCAPE '\\' ORDER BY "id" ASC`,
    ids: [5],
  },
  {
    name: "LIKE with escaped wildcards, and characters that GLOB would read",
    run: (p) => p.query().fields("id").where("name", "LIKE", "like").orderBy("id", "asc"),
    params: { like: "Cy\\_\\%*?[_]\\\\" },
    sqlite: 'SELECT "id" FROM "people" WHERE "name" GLOB ? ORDER BY "id" ASC',
    postgres: 'SELECT "id" FROM "people" WHERE "name" LIKE $1 ORDER BY "id" ASC',
    mariadb:
      "SELECT `id` FROM `people` WHERE `name` LIKE ? COLLATE utf8mb4_nopad_bin ESCAPE 0x5C ORDER BY `id` ASC",
    oracle: `SELECT "id" FROM "people" WHERE "name" LIKE :p0 ESCAPE '\\' ORDER BY "id" ASC`,
    ids: [3],
  },
  {
    name: "NOT LIKE, and an underscore that stands for one character of any length in bytes",
    run: (p) =>
      p.query().fields("id").where("name", "NOT LIKE", "a").where("name", "LIKE", "b").orderBy("id", "asc"),
    params: { a: "%n%", b: "D_ _" },
    sqlite: 'SELECT "id" FROM "people" WHERE "name" NOT GLOB ? AND "name" GLOB ? ORDER BY "id" ASC',
    postgres: 'SELECT "id" FROM "people" WHERE "name" NOT LIKE $1 AND "name" LIKE $2 ORDER BY "id" ASC',
    mariadb:
      "SELECT `id` FROM `people` WHERE `name` NOT LIKE ? COLLATE utf8mb4_nopad_bin ESCAPE 0x5C AND `name` LIKE ? COLLATE utf8mb4_nopad_bin ESCAPE 0x5C ORDER BY `id` ASC",
    oracle: `SELECT "id" FROM "people" WHERE "name" NOT LIKE :p0 ESCAPE '\\' AND "name" LIKE :p1 ESCAPE '\\' ORDER BY "id" ASC`,
    ids: [4],
    h2: [],
  },
  {
    name: "ILIKE folds case",
    run: (p) => p.query().fields("id").where("name", "ILIKE", "like").orderBy("id", "asc"),
    params: { like: "ANN%" },
    sqlite: `SELECT "id" FROM "people" WHERE "name" LIKE ? ESCAPE '\\' ORDER BY "id" ASC`,
    postgres: `SELECT "id" FROM "people" WHERE "name" ILIKE $1 COLLATE "und-x-icu" ORDER BY "id" ASC`,
    mariadb:
      "SELECT `id` FROM `people` WHERE LOWER(CONVERT(`name` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin LIKE LOWER(CONVERT(? USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin ESCAPE 0x5C ORDER BY `id` ASC",
    oracle: `SELECT "id" FROM "people" WHERE LOWER("name") LIKE LOWER(:p0) ESCAPE '\\' ORDER BY "id" ASC`,
    ids: [1, 5],
  },
  {
    name: "IN with a list, one text for any length",
    run: (p) => p.query().fields("id").where("id", "IN", "ids").orderBy("id", "asc"),
    params: { ids: [4, 2, 99] },
    sqlite: 'SELECT "id" FROM "people" WHERE "id" IN (SELECT value FROM json_each(?)) ORDER BY "id" ASC',
    postgres: 'SELECT "id" FROM "people" WHERE "id" = ANY($1) ORDER BY "id" ASC',
    mariadb: "SELECT `id` FROM `people` WHERE `id` IN (?) ORDER BY `id` ASC",
    oracle: 'SELECT "id" FROM "people" WHERE "id" IN (:p0) ORDER BY "id" ASC',
    ids: [2, 4],
  },
  {
    name: "IN with an empty list matches nothing",
    run: (p) => p.query().fields("id").where("role", "IN", "roles"),
    params: { roles: [] },
    sqlite: 'SELECT "id" FROM "people" WHERE "role" IN (SELECT value FROM json_each(?))',
    postgres: 'SELECT "id" FROM "people" WHERE "role" = ANY($1)',
    mariadb: "SELECT `id` FROM `people` WHERE `role` IN (?)",
    oracle: 'SELECT "id" FROM "people" WHERE "role" IN (:p0)',
    ids: [],
  },
  {
    name: "NOT IN with an empty list matches everything, NULL too",
    run: (p) => p.query().fields("id").where("age", "NOT IN", "ages").orderBy("id", "asc"),
    params: { ages: [] },
    sqlite: 'SELECT "id" FROM "people" WHERE "age" NOT IN (SELECT value FROM json_each(?)) ORDER BY "id" ASC',
    postgres: 'SELECT "id" FROM "people" WHERE "age" <> ALL($1) ORDER BY "id" ASC',
    mariadb: "SELECT `id` FROM `people` WHERE `age` NOT IN (?) ORDER BY `id` ASC",
    oracle: 'SELECT "id" FROM "people" WHERE "age" NOT IN (:p0) ORDER BY "id" ASC',
    ids: [1, 2, 3, 4, 5],
  },
  {
    name: "lists of bigints beyond 2^53, of dates and of booleans",
    run: (p) =>
      p
        .query()
        .fields("id")
        .where("balance", "IN", "a")
        .whereOr(c("bornAt", "IN", "b"), c("active", "IN", "c"))
        .orderBy("id", "asc"),
    params: {
      a: [9007199254740993n, -9223372036854775808n],
      b: [new Date("0099-12-31T23:59:59.999Z")],
      c: [false],
    },
    sqlite:
      'SELECT "id" FROM "people" WHERE "balance" IN (SELECT value FROM json_each(?)) AND ("born_at" IN (SELECT value FROM json_each(?)) OR "active" IN (SELECT value FROM json_each(?))) ORDER BY "id" ASC',
    postgres:
      'SELECT "id" FROM "people" WHERE "balance" = ANY($1) AND ("born_at" = ANY($2) OR "active" = ANY($3)) ORDER BY "id" ASC',
    mariadb:
      "SELECT `id` FROM `people` WHERE `balance` IN (?) AND (`born_at` IN (?) OR `active` IN (?)) ORDER BY `id` ASC",
    oracle:
      'SELECT "id" FROM "people" WHERE "balance" IN (:p0) AND ("born_at" IN (:p1) OR "active" IN (:p2)) ORDER BY "id" ASC',
    ids: [2, 3],
  },
  {
    name: "groups within groups, null tests, ranges",
    run: (p) =>
      p
        .query()
        .fields("id")
        .whereOr(
          and(c("role", "=", "role"), between("age", "low", "high")),
          isNull("age"),
          and(notNull("bornAt"), or(notBetween("score", "from", "to"))),
        )
        .orderBy("id", "asc"),
    params: { role: "admin", low: 40, high: 50, from: -1, to: 1 },
    sqlite:
      'SELECT "id" FROM "people" WHERE (("role" = ? AND "age" BETWEEN ? AND ?) OR "age" IS NULL OR ("born_at" IS NOT NULL AND ("score" NOT BETWEEN ? AND ?))) ORDER BY "id" ASC',
    postgres:
      'SELECT "id" FROM "people" WHERE (("role" = $1 AND "age" BETWEEN $2 AND $3) OR "age" IS NULL OR ("born_at" IS NOT NULL AND ("score" NOT BETWEEN $4 AND $5))) ORDER BY "id" ASC',
    mariadb:
      "SELECT `id` FROM `people` WHERE ((`role` = ? AND `age` BETWEEN ? AND ?) OR `age` IS NULL OR (`born_at` IS NOT NULL AND (`score` NOT BETWEEN ? AND ?))) ORDER BY `id` ASC",
    oracle:
      'SELECT "id" FROM "people" WHERE (("role" = :p0 AND "age" BETWEEN :p1 AND :p2) OR "age" IS NULL OR ("born_at" IS NOT NULL AND ("score" NOT BETWEEN :p3 AND :p4))) ORDER BY "id" ASC',
    ids: [3, 5],
  },
  {
    name: "whereAnd, whereNull, whereNotNull, whereBetween, whereNotBetween",
    run: (p) =>
      p
        .query()
        .fields("id")
        .whereAnd(c("active", "=", "on"), c("name", "!=", "name"))
        .whereNull("photo")
        .whereNotNull("age")
        .whereBetween("bornAt", "from", "to")
        .whereNotBetween("id", "low", "high"),
    params: {
      on: true,
      name: "bob",
      from: new Date("1996-02-29T00:00:00Z"),
      to: new Date("1996-02-29T00:00:00Z"),
      low: 2,
      high: 9,
    },
    sqlite:
      'SELECT "id" FROM "people" WHERE ("active" = ? AND "name" <> ?) AND "photo" IS NULL AND "age" IS NOT NULL AND "born_at" BETWEEN ? AND ? AND "id" NOT BETWEEN ? AND ?',
    postgres:
      'SELECT "id" FROM "people" WHERE ("active" = $1 AND "name" <> $2) AND "photo" IS NULL AND "age" IS NOT NULL AND "born_at" BETWEEN $3 AND $4 AND "id" NOT BETWEEN $5 AND $6',
    mariadb:
      "SELECT `id` FROM `people` WHERE (`active` = ? AND `name` <> ?) AND `photo` IS NULL AND `age` IS NOT NULL AND `born_at` BETWEEN ? AND ? AND `id` NOT BETWEEN ? AND ?",
    oracle:
      'SELECT "id" FROM "people" WHERE ("active" = :p0 AND "name" <> :p1) AND "photo" IS NULL AND "age" IS NOT NULL AND "born_at" BETWEEN :p2 AND :p3 AND "id" NOT BETWEEN :p4 AND :p5',
    ids: [1],
  },
  {
    name: "NULLs sort as the greatest value, upwards",
    run: (p) => p.query().fields("id").orderBy("age", "asc").orderBy("id", "desc"),
    sqlite: 'SELECT "id" FROM "people" ORDER BY "age" ASC NULLS LAST, "id" DESC',
    postgres: 'SELECT "id" FROM "people" ORDER BY "age" ASC, "id" DESC',
    mariadb: "SELECT `id` FROM `people` ORDER BY `age` IS NULL, `age` ASC, `id` DESC",
    oracle: 'SELECT "id" FROM "people" ORDER BY "age" ASC, "id" DESC',
    ids: [4, 2, 1, 5, 3],
  },
  {
    name: "NULLs sort as the greatest value, downwards",
    run: (p) => p.query().fields("id").orderBy("age", "desc").orderBy("id", "asc"),
    sqlite: 'SELECT "id" FROM "people" ORDER BY "age" DESC NULLS FIRST, "id" ASC',
    postgres: 'SELECT "id" FROM "people" ORDER BY "age" DESC, "id" ASC',
    mariadb: "SELECT `id` FROM `people` ORDER BY `age` IS NULL DESC, `age` DESC, `id` ASC",
    oracle: 'SELECT "id" FROM "people" ORDER BY "age" DESC, "id" ASC',
    ids: [3, 5, 1, 2, 4],
  },
  {
    name: "NULLs where they are wanted",
    run: (p) =>
      p
        .query()
        .fields("id")
        .orderByNulls("age", "asc", "first")
        .orderByNulls("bornAt", "desc", "last")
        .orderBy("id", "asc"),
    // A whole second stands there with and without its milliseconds, and what follows orders both alike.
    sqlite: `SELECT "id" FROM "people" ORDER BY "age" ASC, substr("born_at" || '.000', 1, 23) DESC, "id" ASC`,
    postgres: 'SELECT "id" FROM "people" ORDER BY "age" ASC NULLS FIRST, "born_at" DESC NULLS LAST, "id" ASC',
    mariadb: "SELECT `id` FROM `people` ORDER BY `age` ASC, `born_at` DESC, `id` ASC",
    oracle: 'SELECT "id" FROM "people" ORDER BY "age" ASC NULLS FIRST, "born_at" DESC NULLS LAST, "id" ASC',
    ids: [3, 2, 4, 1, 5],
  },
  {
    name: "text sorts by code point",
    run: (p) => p.query().fields("id").orderBy("name", "asc"),
    sqlite: 'SELECT "id" FROM "people" ORDER BY "name" ASC',
    postgres: 'SELECT "id" FROM "people" ORDER BY "name" ASC',
    mariadb: "SELECT `id` FROM `people` ORDER BY `name` ASC",
    oracle: 'SELECT "id" FROM "people" ORDER BY "name" ASC',
    ids: [1, 3, 4, 5, 2],
  },
  {
    name: "an offset without a limit",
    run: (p) => p.query().fields("id").orderBy("id", "asc").offset(3),
    sqlite: 'SELECT "id" FROM "people" ORDER BY "id" ASC LIMIT -1 OFFSET 3',
    postgres: 'SELECT "id" FROM "people" ORDER BY "id" ASC OFFSET 3',
    mariadb: "SELECT `id` FROM `people` ORDER BY `id` ASC LIMIT 18446744073709551615 OFFSET 3",
    oracle: 'SELECT "id" FROM "people" ORDER BY "id" ASC OFFSET 3 ROWS',
    ids: [4, 5],
  },
  {
    name: "paging by parameters",
    run: (p) => p.query().fields("id").orderBy("id", "asc").limit(1).limitParam("size").offsetParam("skip"),
    params: { size: 2, skip: 1 },
    sqlite: 'SELECT "id" FROM "people" ORDER BY "id" ASC LIMIT ? OFFSET ?',
    postgres: 'SELECT "id" FROM "people" ORDER BY "id" ASC LIMIT $1 OFFSET $2',
    mariadb: "SELECT `id` FROM `people` ORDER BY `id` ASC LIMIT ? OFFSET ?",
    oracle: 'SELECT "id" FROM "people" ORDER BY "id" ASC OFFSET :p0 ROWS FETCH NEXT :p1 ROWS ONLY',
    ids: [2, 3],
  },
  {
    name: "one name used twice: one placeholder where it may be shared",
    run: (p) =>
      p
        .query()
        .fields("id")
        .whereOr(c("id", "=", "n"), c("teamId", "=", "n"), c("score", "=", "n"))
        .orderBy("id", "asc"),
    params: { n: 2 },
    sqlite: 'SELECT "id" FROM "people" WHERE ("id" = ? OR "team_id" = ? OR "score" = ?) ORDER BY "id" ASC',
    postgres:
      'SELECT "id" FROM "people" WHERE ("id" = $1 OR "team_id" = $1 OR "score" = $2) ORDER BY "id" ASC',
    mariadb: "SELECT `id` FROM `people` WHERE (`id` = ? OR `team_id` = ? OR `score` = ?) ORDER BY `id` ASC",
    oracle:
      'SELECT "id" FROM "people" WHERE ("id" = :p0 OR "team_id" = :p0 OR "score" = :p1) ORDER BY "id" ASC',
    ids: [2, 4, 5],
  },
  {
    name: "DISTINCT",
    run: (p) => p.query().fields("teamId").distinct().whereNotNull("teamId").orderBy("teamId", "asc"),
    sqlite:
      'SELECT DISTINCT "team_id" FROM "people" WHERE "team_id" IS NOT NULL ORDER BY "team_id" ASC NULLS LAST',
    postgres: 'SELECT DISTINCT "team_id" FROM "people" WHERE "team_id" IS NOT NULL ORDER BY "team_id" ASC',
    mariadb:
      "SELECT DISTINCT `team_id` FROM `people` WHERE `team_id` IS NOT NULL ORDER BY `team_id` IS NULL, `team_id` ASC",
    oracle: 'SELECT DISTINCT "team_id" FROM "people" WHERE "team_id" IS NOT NULL ORDER BY "team_id" ASC',
    ids: [],
  },
  {
    name: "trailing blanks and bytes are told apart",
    run: (p) =>
      p
        .query()
        .fields("id")
        .whereOr(c("name", "=", "name"), c("photo", "=", "photo"))
        .orderBy("id", "asc"),
    params: { name: "ann", photo: new Uint8Array([0, 1, 255]) },
    sqlite: 'SELECT "id" FROM "people" WHERE ("name" = ? OR "photo" = ?) ORDER BY "id" ASC',
    postgres: 'SELECT "id" FROM "people" WHERE ("name" = $1 OR "photo" = $2) ORDER BY "id" ASC',
    mariadb: "SELECT `id` FROM `people` WHERE (`name` = ? OR `photo` = ?) ORDER BY `id` ASC",
    oracle:
      'SELECT "id" FROM "people" WHERE ("name" = :p0 OR DBMS_LOB.COMPARE("photo", :p1) = 0) ORDER BY "id" ASC',
    ids: [3],
  },
  {
    name: "an optional condition that is given",
    run: (p) =>
      p
        .query()
        .fields("id")
        .whereOptional("age", "<", "max")
        .whereOptional("role", "=", "role")
        .orderBy("id", "asc"),
    params: { max: 25, role: undefined },
    sqlite: 'SELECT "id" FROM "people" WHERE "age" < ? AND "role" = ? ORDER BY "id" ASC',
    postgres: 'SELECT "id" FROM "people" WHERE "age" < $1 AND "role" = $2 ORDER BY "id" ASC',
    mariadb: "SELECT `id` FROM `people` WHERE `age` < ? AND `role` = ? ORDER BY `id` ASC",
    oracle: 'SELECT "id" FROM "people" WHERE "age" < :p0 AND "role" = :p1 ORDER BY "id" ASC',
    ids: [2, 4],
  },
];

describe("the text of queries", () => {
  const lite = sqlite().repository(Person);
  // The cases are written against SQLite's operators, which the others have too.
  const post = postgres().repository(Person) as unknown as People;
  const maria = mariadb().repository(Person) as unknown as People;
  const ora = oracle().repository(Person) as unknown as People;

  test.each(cases)("$name", ({ run, ...expected }) => {
    expect(run(lite).render().native.sql).toBe(columns(expected.sqlite));
    expect(run(post).render().native.sql).toBe(columns(expected.postgres));
    expect(run(maria).render().native.sql).toBe(columns(expected.mariadb, "`"));
    expect(run(ora).render().native.sql).toBe(columns(expected.oracle));
  });

  test.each(cases)("$name, from its own spec", ({ run }) => {
    const builder = run(lite) as unknown as { toSpec(): QuerySpec; render(): Rendered };
    const again = lite.queryFromSpec(JSON.parse(JSON.stringify(builder.toSpec())));
    expect(again.render()).toEqual(builder.render());
  });

  test("names in one text, placeholders in the other", () => {
    const { sql, params, native } = post
      .query()
      .fields("id")
      .where("id", "=", "n")
      .where("score", "=", "n")
      .where("id", ">", "m")
      .render();
    expect(sql).toBe('SELECT "id" FROM "people" WHERE "id" = :n AND "score" = :n AND "id" > :m');
    expect(params).toEqual(["n", "m"]);
    expect(native).toEqual({
      sql: 'SELECT "id" FROM "people" WHERE "id" = $1 AND "score" = $2 AND "id" > $3',
      params: ["n", "n", "m"],
    });
  });
});

for (const { dialect, available, open } of courts)
  describe.skipIf(!available)(`the text of queries, checked by the grammar of ${dialect}`, () => {
    let judge: Judge;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ judge, close } = await open(Person, Team));
    }, COURT_MS);
    afterAll(() => close());

    test.each(cases)("$name", async (expected) => {
      expect(await judge(columns(expected[dialect], dialect === "mariadb" ? "`" : '"'))).toBeUndefined();
    });
  });

for (const server of serversAndLocales)
  describe.skipIf(!server.available)(`the rows of queries on ${titleOf(server)}`, () => {
    let lent: Lent;
    let repository: People;

    beforeAll(async () => {
      lent = await server.lend();
      await createPeople(lent.db);
      repository = lent.db.repository(Person) as unknown as People;
    });
    afterAll(() => lent.close());

    test.each(cases)("$name", async ({ run, params, ids, h2 = ids }) => {
      const builder = run(repository) as unknown as {
        exec(params?: object): Promise<{ id?: number; teamId?: number }[]>;
      };
      const rows = await builder.exec(params);
      const found = rows.flatMap((row) => (row.id === undefined ? [] : [row.id]));
      expect(found).toEqual(server.name === "h2" ? h2 : ids);
    });

    test("every value is read back with the type of the schema", async () => {
      const rows = await repository.query().orderBy("id", "asc").exec();
      expect(rows).toEqual(people.map((person) => ({ role: "member", bornAt: null, ...person })));
    });

    test("DISTINCT gives each value once", async () => {
      const rows = await repository
        .query()
        .fields("teamId")
        .distinct()
        .whereNotNull("teamId")
        .orderBy("teamId", "asc")
        .exec();
      expect(rows).toEqual([{ teamId: 1 }, { teamId: 2 }]);
    });

    test("a count is a number", async () => {
      expect(await repository.count().exec()).toBe(5);
      expect(await repository.count().where("age", ">", "min").exec({ min: 100 })).toBe(0);
      expect(await repository.count().whereOptional("age", ">", "min").exec({})).toBe(5);
    });
  });
