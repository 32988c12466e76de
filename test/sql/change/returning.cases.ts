/** What changes give that say what their rows hold: the texts in each dialect, and the rows from every server. */
import {
  add,
  c,
  caseWhen,
  coalesce,
  concat,
  dateTrunc,
  type Insert,
  length,
  nullIf,
  param,
  type Rendered,
  raw,
  substring,
  upper,
  value,
} from "rowtype";
import { z } from "zod";
import type { Person } from "../../kit/people.js";
import type { Case } from "../expression/expressions.cases.js";

type Written = Omit<Case, "texts">;

const eve: Insert<typeof Person> = {
  id: 90,
  email: "nine@example.org",
  name: "Nina",
  score: 1,
  active: true,
  balance: 9007199254740993n,
  bornAt: new Date("1996-02-29T11:00:00Z"),
  tags: [],
  role: "member",
  createdAt: new Date("2026-01-02T03:04:05.678Z"),
};

/** A builder, and a call of it that leaves the table as it was. */
function called<B extends { render(): Rendered }>(builder: B, call: (builder: B) => Promise<unknown>) {
  return { render: () => builder.render(), exec: () => call(builder) };
}

const written: readonly Written[] = [
  {
    name: "an insert that returns fields and expressions with parameters",
    run: ({ people }) =>
      called(
        people
          .insert()
          .returning("id", upper("name").as("loud"), "balance")
          .returning(
            substring("name", "from", value(2)).as("part"),
            coalesce("age", param("none")).as("years"),
            dateTrunc("year", "bornAt").as("since"),
          ),
        async (insert) => {
          const row = await insert.exec(eve, { from: 2, none: 7 });
          await people.remove().where("id", "=", "id").exec({ id: 90 });
          return [row];
        },
      ),
    rows: [
      {
        id: 90,
        loud: "NINA",
        balance: 9007199254740993n,
        part: "in",
        years: 7,
        since: new Date("1996-01-01T00:00:00Z"),
      },
    ],
  },
  {
    name: "an upsert that returns an expression of the stored row",
    run: ({ people }) =>
      called(
        people
          .insert()
          .returning(concat("name", "role").as("both"), add("age", param("more")).as("older"))
          .onConflict("email")
          .doUpdate()
          .set("teamId", "teamId"),
        async (upsert) => [
          await upsert.exec({ ...eve, id: 91, email: "bob@example.org", teamId: 1 }, { more: 5 }),
        ],
      ),
    rows: [{ both: "bobmember", older: 25 }],
  },
  {
    name: "an update of one row by its key that returns expressions",
    run: ({ people }) =>
      called(
        people
          .modify()
          .returning(length("name").as("long"), nullIf("score", param("of")).as("other"))
          .set("age", "age")
          .where("id", "=", "id"),
        async (update) => [await update.exec({ age: 20, id: 2, of: 1.5 })],
      ),
    rows: [{ long: 3, other: null }],
  },
  {
    name: "an update of several rows that returns a field and a CASE",
    run: ({ people }) =>
      called(
        people
          .modify()
          .set("active", "active")
          .where("active", "=", "active")
          .where("id", ">", "least")
          .returning(
            "id",
            caseWhen(z.string())
              .when(c("age", ">", "old"), value("old"))
              .else("young")
              .as("kind"),
          ),
        async (update) => {
          const rows = await update.execMany({ active: true, least: 2, old: 30, young: "young" });
          return rows.sort((a, b) => a.id - b.id);
        },
      ),
    rows: [
      { id: 3, kind: "young" },
      { id: 4, kind: "young" },
    ],
  },
  {
    name: "a removal that returns text of the program's own",
    run: ({ people }) =>
      called(
        people
          .remove()
          .where("id", "=", "id")
          .returning("email", raw(z.int())`${length("name")} + ${param("by", z.int())}`.as("more")),
        async (removal) => {
          await people.insert().exec(eve);
          return removal.execMany({ id: 90, by: 10 });
        },
      ),
    rows: [{ email: "nine@example.org", more: 14 }],
  },
];

const texts: Readonly<Record<string, Case["texts"]>> = {
  "an insert that returns fields and expressions with parameters": {
    sqlite:
      'INSERT INTO "people" ("id", "email_address", "name", "age", "score", "role", "active", "balance", "born_at", "team_id", "photo", "settings", "tags", "created_at") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING "id", upper("name") AS "loud", "balance", substr("name", ?, ?) AS "part", coalesce("age", ?) AS "years", strftime(\'%Y-01-01 00:00:00.000\', substr("born_at" || \'.000\', 1, 23)) AS "since"',
    postgres:
      'INSERT INTO "people" ("id", "email_address", "name", "age", "score", "role", "active", "balance", "born_at", "team_id", "photo", "settings", "tags", "created_at") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) RETURNING "id", upper("name" COLLATE "und-x-icu") COLLATE "C" AS "loud", "balance", substring("name", CAST($15 AS integer), CAST(CAST($16 AS bigint) AS integer)) AS "part", coalesce("age", $17) AS "years", date_trunc(\'year\', "born_at", \'UTC\') AS "since"',
    mariadb:
      "INSERT INTO `people` (`id`, `email_address`, `name`, `age`, `score`, `role`, `active`, `balance`, `born_at`, `team_id`, `photo`, `settings`, `tags`, `created_at`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING `id`, UPPER(CONVERT(`name` USING utf8mb4) COLLATE utf8mb4_unicode_520_ci /*M!101001 COLLATE utf8mb4_uca1400_nopad_as_cs */) COLLATE utf8mb4_nopad_bin AS `loud`, `balance`, SUBSTRING(`name`, CAST(? AS SIGNED), CAST(? AS SIGNED)) AS `part`, COALESCE(`age`, CAST(? AS SIGNED)) AS `years`, (TIMESTAMP'0001-01-01 00:00:00.000' + INTERVAL TIMESTAMPDIFF(YEAR, TIMESTAMP'0001-01-01 00:00:00.000', `born_at`) YEAR) AS `since`",
    oracle:
      'INSERT INTO "people" ("id", "email_address", "name", "age", "score", "role", "active", "balance", "born_at", "team_id", "photo", "settings", "tags", "created_at") VALUES (:p0, :p1, :p2, :p3, :p4, :p5, :p6, :p7, :p8, :p9, :p10, :p11, :p12, :p13) RETURNING "id", UPPER("name"), "balance", SUBSTR("name", :p14, CAST(:p15 AS NUMBER)), COALESCE("age", :p16), FROM_TZ(CAST(TRUNC(SYS_EXTRACT_UTC("born_at"), \'YYYY\') AS TIMESTAMP), \'UTC\') INTO :o0, :o1, :o2, :o3, :o4, :o5',
  },
  "an upsert that returns an expression of the stored row": {
    sqlite:
      'INSERT INTO "people" ("id", "email_address", "name", "age", "score", "role", "active", "balance", "born_at", "team_id", "photo", "settings", "tags", "created_at") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT ("email_address") DO UPDATE SET "team_id" = excluded."team_id" RETURNING concat("name", "role") AS "both", rowtype_whole("age" + CAST(? AS INTEGER)) AS "older"',
    postgres:
      'INSERT INTO "people" ("id", "email_address", "name", "age", "score", "role", "active", "balance", "born_at", "team_id", "photo", "settings", "tags", "created_at") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT ("email_address") DO UPDATE SET "team_id" = excluded."team_id" RETURNING concat("name", "role") AS "both", ("age" + CAST($15 AS bigint)) AS "older"',
    mariadb:
      "INSERT INTO `people` (`id`, `email_address`, `name`, `age`, `score`, `role`, `active`, `balance`, `born_at`, `team_id`, `photo`, `settings`, `tags`, `created_at`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE `email_address` = IF(`email_address` = VALUES(`email_address`), `email_address`, (SELECT `email_address` UNION ALL SELECT `email_address`)), `team_id` = VALUES(`team_id`) RETURNING CONCAT(IFNULL(`name`, ''), IFNULL(`role`, '')) AS `both`, (`age` + CAST(? AS SIGNED)) AS `older`",
    oracle:
      'INSERT INTO "people" ("id", "email_address", "name", "age", "score", "role", "active", "balance", "born_at", "team_id", "photo", "settings", "tags", "created_at") VALUES (:p0, :p1, :p2, :p3, :p4, :p5, :p6, :p7, :p8, :p9, :p10, :p11, :p12, :p13) RETURNING "name" || "role", (CAST(CAST("age" + CAST(:p14 AS NUMBER) + 776627963145224192 AS NUMBER(19)) - 1553255926290448383 AS NUMBER(19)) + 776627963145224191) INTO :o0, :o1',
  },
  "an update of one row by its key that returns expressions": {
    sqlite:
      'UPDATE "people" SET "age" = ? WHERE "id" = ? RETURNING length("name") AS "long", nullif("score", ?) AS "other"',
    postgres:
      'UPDATE "people" SET "age" = $1 WHERE "id" = $2 RETURNING CAST(char_length("name") AS bigint) AS "long", nullif("score", $3) AS "other"',
    mariadb: "UPDATE `people` SET `age` = ? WHERE `id` = ?",
    oracle:
      'UPDATE "people" SET "age" = :p0 WHERE "id" = :p1 RETURNING LENGTH("name"), NULLIF("score", :p2) INTO :o0, :o1',
  },
  "an update of several rows that returns a field and a CASE": {
    sqlite:
      'UPDATE "people" SET "active" = ? WHERE "active" = ? AND "id" > ? RETURNING "id", CASE WHEN "age" > ? THEN ? ELSE ? END AS "kind"',
    postgres:
      'UPDATE "people" SET "active" = $1 WHERE "active" = $2 AND "id" > $3 RETURNING "id", CASE WHEN "age" > $4 THEN CAST($5 AS text) ELSE CAST($6 AS text) END AS "kind"',
    mariadb: "UPDATE `people` SET `active` = ? WHERE `active` = ? AND `id` > ?",
    oracle:
      'UPDATE "people" SET "active" = :p0 WHERE "active" = :p1 AND "id" > :p2 RETURNING "id", CASE WHEN "age" > :p3 THEN :p4 ELSE :p5 END INTO :o0, :o1',
  },
  "a removal that returns text of the program's own": {
    sqlite: 'DELETE FROM "people" WHERE "id" = ? RETURNING "email_address", (length("name") + ?) AS "more"',
    postgres:
      'DELETE FROM "people" WHERE "id" = $1 RETURNING "email_address", (CAST(char_length("name") AS bigint) + CAST($2 AS bigint)) AS "more"',
    mariadb:
      "DELETE FROM `people` WHERE `id` = ? RETURNING `email_address`, (CHAR_LENGTH(`name`) + CAST(? AS SIGNED)) AS `more`",
    oracle:
      'DELETE FROM "people" WHERE "id" = :p0 RETURNING "email_address", (LENGTH("name") + CAST(:p1 AS NUMBER)) INTO :o0, :o1',
  },
};

/** The cases. */
export const returningCases: readonly Case[] = written.map((one) => {
  const own = texts[one.name];
  if (own === undefined) throw new Error(`no text of: ${one.name}`);
  return { ...one, texts: own };
});
