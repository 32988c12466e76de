/**
 * The labels of MariaDB's steps are true: what writes the table again has another number on the server afterwards, what is
 * said to lock is refused without a lock, and writers wait for no step that is said to let them go on.
 */
import { setTimeout } from "node:timers/promises";
import mysql from "mysql2/promise";
import { column, table } from "rowtype";
import { diff, generate, migrate, pull, type Step } from "rowtype/migrate";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { servers } from "../../servers.js";
import { makeFolder } from "./folders.js";

const id = column(z.int(), { primaryKey: true });
const Team = table("teams", z.object({ id }));
const varchar = (length: number, more: object = {}) =>
  column(z.string(), { type: `varchar(${length})`, ...more });
const columns = {
  id,
  short: varchar(20),
  long: varchar(90),
  whole: column(z.int(), { type: "int(11)" }),
  price: column(z.string(), { type: "decimal(10,2)" }),
  gone: z.string().nullable(),
  old: z.string().nullable(),
  maybe: z.int().nullable(),
  sure: z.int(),
  extra: column(z.int(), { default: "1", index: true }),
  teamId: column(z.int().nullable(), { name: "team_id" }),
  bossId: column(z.int().nullable(), { name: "boss_id", references: () => Team }),
};
const Before = table("people", z.object(columns), {
  checks: { people_whole_check: "whole >= 0" },
  unique: [["id", "sure"]],
});
const { gone: _, old: __, ...kept } = columns;
const After = table(
  "people",
  z.object({
    ...kept,
    short: varchar(50, { unique: true }),
    long: varchar(50),
    whole: column(z.int(), { type: "bigint(20)" }),
    price: column(z.string(), { type: "decimal(10,2)", index: true }),
    renamed: column(z.string().nullable(), { renamedFrom: "old" }),
    maybe: z.int(),
    sure: column(z.int().nullable(), { default: "3" }),
    extra: z.int(),
    teamId: column(z.int().nullable(), { name: "team_id", references: () => Team }),
    bossId: column(z.int().nullable(), { name: "boss_id" }),
    plain: column(z.int(), { default: "1" }),
    random: column(z.number(), { default: "rand()" }),
    twice: column(z.int().nullable(), { computed: "id * 2", stored: true }),
    half: column(z.int().nullable(), { computed: "id * 3" }),
  }),
  { checks: { people_sure_check: "sure > 0" }, comment: "those who are there" },
);
const ROWS = `INSERT INTO people (id, short, \`long\`, whole, price, maybe, sure)
  SELECT seq, CONCAT('s', seq), 'l', seq, 1.5, seq, seq FROM seq_1_to_2000`;
// A table that is written again gets another number, whatever its name is.
const NUMBER = `SELECT TABLE_ID AS number FROM information_schema.INNODB_SYS_TABLES WHERE NAME = CONCAT(DATABASE(), '/people')`;

for (const server of servers.filter(({ name }) => name === "mariadb"))
  describe.skipIf(!server.available)("the steps of MariaDB", () => {
    test("rewrite and lock what they say", async () => {
      const lent = await server.lend();
      try {
        await lent.db.createTables(Team, Before);
        await lent.run(ROWS);
        const { steps } = await diff([Team, After], lent.db);
        const kinds = new Set<Step["kind"]>();
        for (const { kind, name, sql, lock, rewrites, risks } of steps) {
          kinds.add(kind);
          const label = `${kind} ${name}`;
          const [before] = await lent.run(NUMBER);
          for (const one of sql) {
            expect(one, label).toMatch(/\bWAIT 3\b/);
            expect(one, label).toMatch(/ALGORITHM=\w+,? LOCK=/);
            // A default that is another for each row would be the same for all of them without a copy.
            if (lock === "writes" && name !== "random") {
              const online = one.replace(/ALGORITHM=\w+, LOCK=SHARED/, "ALGORITHM=INPLACE, LOCK=NONE");
              expect(online, label).not.toBe(one);
              const refused = await lent.run(online).catch((error: unknown) => error);
              expect(refused, online).toMatchObject({
                errno: expect.toSatisfy((n) => n === 1845 || n === 1846),
              });
            } else expect(one, label).toContain(lock === "writes" ? "LOCK=SHARED" : "LOCK=NONE");
            await lent.run(one);
          }
          const [after] = await lent.run(NUMBER);
          expect([label, rewrites]).toEqual([label, Object(before).number !== Object(after).number]);
          expect([label, risks.includes("blocks")]).toEqual([label, lock === "writes"]);
        }
        expect([...kinds].sort()).toEqual([
          "add check",
          "add column",
          "add foreign key",
          "add unique",
          "change type",
          "comment table",
          "create index",
          "drop check",
          "drop column",
          "drop default",
          "drop foreign key",
          "drop index",
          "drop not null",
          "drop unique",
          "rename column",
          "set not null",
        ]);
        expect((await diff([Team, After], lent.db)).text()).toBe("");
      } finally {
        await lent.close();
      }
    });

    for (const engine of ["MyISAM", "Aria"])
      test(`rewrite and lock what they say on a table of ${engine}`, async () => {
        const lent = await server.lend();
        // A table of another engine has no foreign keys.
        const without = (from: typeof Before | typeof After) =>
          table(
            "people",
            z.object({
              ...from.schema.shape,
              teamId: column(z.int().nullable(), { name: "team_id", index: from === Before }),
              bossId: column(z.int().nullable(), { name: "boss_id", index: from === After }),
            }),
            from === Before
              ? { checks: { people_whole_check: "whole >= 0" }, unique: [["id", "sure"]] }
              : { checks: { people_sure_check: "sure > 0" }, comment: "those who are there" },
          );
        const [before, after] = [without(Before), without(After)];
        try {
          await lent.db.createTables(before);
          await lent.run(`ALTER TABLE people ENGINE=${engine}`);
          expect((await diff([before], lent.db)).text()).toBe("");
          expect((await pull(lent.db, { names: "same" })).notCarried).toContain(
            `table option ENGINE=${engine} of people`,
          );
          const emptied = (await diff([after], lent.db)).steps;
          expect(emptied.filter(({ risks }) => risks.includes("blocks"))).toEqual([]);
          await lent.run(ROWS);
          const { steps } = await diff([after], lent.db);
          const short: string[] = [];
          for (const { kind, name, sql, lock, rewrites, risks } of steps) {
            const label = `${kind} ${name}`;
            if (!rewrites) short.push(kind);
            expect([label, lock === "writes", risks.includes("blocks")]).toEqual([label, rewrites, rewrites]);
            for (const one of sql) {
              expect(one, label).toMatch(/\bWAIT 3\b/);
              expect(one, label).toMatch(
                rewrites ? /ALGORITHM=COPY,? LOCK=SHARED/ : /ALGORITHM=INSTANT, LOCK=NONE/,
              );
              await lent.run(one);
            }
          }
          expect([...new Set(short)].sort()).toEqual(["comment table", "drop default", "rename column"]);
          expect((await diff([after], lent.db)).text()).toBe("");
          expect(await lent.run("SELECT COUNT(*) AS n FROM people")).toMatchObject([{ n: 2000 }]);
        } finally {
          await lent.close();
        }
      });

    test("write a table with an index of words again as the server can, and keep the index", async () => {
      const lent = await server.lend();
      try {
        await lent.db.createTables(Team, Before);
        await lent.run("ALTER TABLE people ADD FULLTEXT KEY people_words (`long`)");
        await lent.run(ROWS);
        expect((await diff([Team, Before], lent.db)).text()).toBe("");
        const { steps } = await diff([Team, After], lent.db);
        for (const { kind, name, sql, lock, rewrites, risks } of steps) {
          const label = `${kind} ${name}`;
          expect([label, risks.includes("blocks")]).toEqual([label, lock === "writes"]);
          if (lock !== "writes") expect([label, rewrites]).toEqual([label, false]);
          for (const one of sql) await lent.run(one);
        }
        expect((await diff([Team, After], lent.db)).text()).toBe("");
        const found = await lent.run("SELECT COUNT(*) AS n FROM people WHERE MATCH (`long`) AGAINST ('l')");
        expect(found).toHaveLength(1);
        expect(await lent.run("SELECT COUNT(*) AS n FROM people")).toMatchObject([{ n: 2000 }]);
      } finally {
        await lent.close();
      }
    });

    test("make no foreign key on a table whose engine has none", async () => {
      const lent = await server.lend();
      try {
        await lent.run("CREATE TABLE teams (id bigint(20) NOT NULL PRIMARY KEY)");
        await lent.run(
          "CREATE TABLE people (id bigint(20) NOT NULL PRIMARY KEY, team bigint(20)) ENGINE=Aria",
        );
        const People = table(
          "people",
          z.object({ id, team: column(z.int().nullable(), { references: () => Team }) }),
        );
        await expect(diff([Team, People], lent.db)).rejects.toMatchObject({
          code: "MIGRATION_REFUSED",
          step: "add foreign key people.people_team_fkey",
          message: expect.stringContaining("a table of the engine Aria has no foreign keys"),
        });
      } finally {
        await lent.close();
      }
    });

    test("let fifty writers go on, also behind a transaction that holds the table for longer than they wait", async () => {
      const lent = await server.lend();
      const pool = mysql.createPool({ uri: lent.url ?? "", connectionLimit: 51 });
      const folder = makeFolder("mariadb");
      try {
        await lent.db.createTables(Team, Before);
        await lent.run(ROWS);
        const Online = table(
          "people",
          z.object({
            ...columns,
            short: varchar(50, { unique: true }),
            maybe: z.int(),
            sure: column(z.int().nullable(), { default: "3", index: true }),
            plain: column(z.int(), { default: "1" }),
          }),
          { checks: { people_whole_check: "whole >= 0" }, unique: [["id", "sure"]] },
        );
        const { steps } = await diff([Team, Online], lent.db);
        expect(steps.length).toBeGreaterThan(4);
        expect(steps.filter(({ lock }) => lock !== "none" && lock !== "short")).toEqual([]);
        await generate([Team, Online], lent.db, { folder: folder.path, name: "online" });
        let isDone = false;
        const waits: number[] = [];
        // Writes that went on after a step had made others wait, while the transaction still held the table.
        let goneOn = 0;
        let isHeld = true;
        const writers = Array.from({ length: 50 }, async (_, i) => {
          const connection = await pool.getConnection();
          while (!isDone) {
            const begin = performance.now();
            await connection.query(`UPDATE people SET whole = whole + 1 WHERE id = ${i + 1}`);
            waits.push(performance.now() - begin);
            if (isHeld && Math.max(...waits) > 500) goneOn++;
            await setTimeout(20);
          }
          connection.release();
        });
        const holder = await pool.getConnection();
        await holder.query("BEGIN");
        await holder.query("SELECT COUNT(*) FROM people");
        const held = expect
          .poll(() => goneOn)
          .toBeGreaterThan(50)
          .finally(() => {
            isHeld = false;
            return holder.query("COMMIT");
          });
        const { applied } = await migrate(lent.db, { folder: folder.path });
        isDone = true;
        await Promise.all([...writers, held]);
        holder.release();
        expect(applied).toHaveLength(1);
        expect(waits.length).toBeGreaterThan(100);
        expect((await diff([Team, Online], lent.db)).text()).toBe("");
      } finally {
        await pool.end();
        await lent.close();
      }
    });
  });
