/** Whether a step in which a runner died was done: kind by kind, from what the database shows, or from the statement. */
import type { Database } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { migrationDialect } from "../../../src/sql/migrate/dialects/dialects.js";
import { isDoneAlready } from "../../../src/sql/migrate/run/doubt.js";
import { limitLocks } from "../../../src/sql/migrate/run/locks.js";
import { checksumOf, type FileStep } from "../../../src/sql/migrate/text/migration-file.js";
import { PART_KINDS, readStepWords, WHOLE_KINDS } from "../../../src/sql/migrate/words/step.js";
import { type Lent, servers } from "../../servers.js";

/** A statement of which nothing is known. */
const UNKNOWN = "ALTER SOMETHING";

// In these a name of the form `t.x` is a part of the table.
const there: Readonly<Record<string, readonly string[]>> = {
  table: ["t", "p"],
  view: ["v"],
  enum: ["e"],
  column: ["t.a", "t.id"],
  "primary key": ["t.t_pkey", "t.any"],
  "foreign key": ["p.p_t_fkey"],
  check: ["t.t_a_check"],
  unique: ["t.t_a_key", "t.t_lower_idx"],
  index: ["t.t_b_idx", "t.t_lower_idx", "t.t_a_key"],
  value: ["e.one", "e.two"],
};
const absent: Readonly<Record<string, readonly string[]>> = {
  table: ["other", "v"],
  view: ["other", "t"],
  enum: ["other"],
  column: ["t.other", "t.t_a_key"],
  "primary key": ["q.q_pkey"],
  "foreign key": ["p.other", "t.p_t_fkey"],
  check: ["t.other", "t.a"],
  unique: ["t.other", "p.t_a_key"],
  index: ["t.other", "p.t_b_idx"],
  value: ["e.other", "other.one"],
};
const REPEATED = [
  ...[
    "change type",
    "set not null",
    "drop not null",
    "set default",
    "drop default",
    "comment table",
    "comment view",
  ],
  ...["comment column", "backfill column", "change column", "validate foreign key", "validate check"],
];

const schemas = {
  postgres: [
    "CREATE TABLE t (id integer CONSTRAINT t_pkey PRIMARY KEY, a integer CONSTRAINT t_a_key UNIQUE, b integer, c text, CONSTRAINT t_a_check CHECK (a > 0))",
    "CREATE TABLE p (id integer PRIMARY KEY, t integer CONSTRAINT p_t_fkey REFERENCES t)",
    "CREATE TABLE q (id integer)",
    "CREATE INDEX t_b_idx ON t (b)",
    // No declaration says an index of two expressions.
    "CREATE UNIQUE INDEX t_lower_idx ON t (lower(c), (a + b))",
    "CREATE VIEW v AS SELECT id FROM t",
    "CREATE TYPE e AS ENUM ('one', 'two')",
    "CREATE SCHEMA other",
    "CREATE TABLE other.only_there (id integer PRIMARY KEY)",
  ],
  mariadb: [
    "CREATE TABLE t (id integer PRIMARY KEY, a integer, b integer, c text, CONSTRAINT t_a_key UNIQUE (a), CONSTRAINT t_a_check CHECK (a > 0))",
    "CREATE TABLE p (id integer PRIMARY KEY, t integer, CONSTRAINT p_t_fkey FOREIGN KEY (t) REFERENCES t (id))",
    "CREATE TABLE q (id integer)",
    "CREATE INDEX t_b_idx ON t (b)",
    // No declaration says an index of a beginning.
    "CREATE UNIQUE INDEX t_lower_idx ON t (c(5))",
    "CREATE VIEW v AS SELECT id FROM t",
  ],
};

for (const { name, dialect, available, lend } of servers)
  if (dialect === "postgres" || dialect === "mariadb")
    describe.skipIf(!available)(`a step in doubt on ${name}`, () => {
      let lent: Lent;
      beforeAll(async () => {
        lent = await lend();
        for (const statement of schemas[dialect]) await lent.run(statement);
      });
      afterAll(() => lent.close());

      const step = (words: string, more: Partial<FileStep> = {}): FileStep => ({
        words,
        subject: readStepWords(words),
        transaction: false,
        losesData: false,
        undeclared: false,
        blocks: false,
        allowed: false,
        sql: UNKNOWN,
        before: "before",
        ...more,
      });
      /** Whether it was done; undefined if the database does not tell. */
      const isDone = async (one: FileStep, more: readonly FileStep[] = [], cursor = checksumOf(one.sql)) => {
        const place = {
          name: "m",
          file: "m.sql",
          path: "m.sql",
          checksum: "",
          end: "",
          steps: [one, ...more],
        };
        const record = {
          name: "m",
          checksum: "",
          steps: 1,
          done: 0,
          startedAt: new Date(),
          finishedAt: null,
          error: null,
        };
        // The compiler sees the package twice: as it is built, and its sources.
        const run = { db: Object(lent.db), dialect: migrationDialect(dialect) };
        try {
          return await isDoneAlready(run, place, one, { ...record, state: "stepping", cursor });
        } catch (error) {
          expect(error).toMatchObject({ code: "MIGRATION_INTERRUPTED", step: one.words, file: "m.sql" });
          return undefined;
        }
      };

      const kinds = [...WHOLE_KINDS, ...PART_KINDS].map((kind) => {
        const [verb = "", ...rest] = kind.split(" ");
        return { kind, verb, of: rest.join(" ") };
      });

      test("is told by the catalog: what is to be there is, or what is not to be there is not", async () => {
        for (const { kind, verb, of } of kinds.filter(({ verb }) => /^(create|add|drop)$/.test(verb))) {
          if (REPEATED.includes(kind) || (dialect === "mariadb" && (of === "enum" || of === "value")))
            continue;
          for (const one of there[of] ?? [])
            expect([kind, one, await isDone(step(`${kind} ${one}`))]).toEqual([kind, one, verb !== "drop"]);
          for (const one of absent[of] ?? [])
            expect([kind, one, await isDone(step(`${kind} ${one}`))]).toEqual([kind, one, verb === "drop"]);
          // Of a table that is not listed nothing is known.
          const isPart = !/^(table|view|enum|value)$/.test(of);
          if (isPart) expect([kind, await isDone(step(`${kind} other.one`))]).toEqual([kind, undefined]);
        }
      });

      test("runs again if it has no effect the second time, and is for a person to judge otherwise", async () => {
        for (const { kind, verb } of kinds) {
          const words = `${kind} t${(PART_KINDS as readonly string[]).includes(kind) ? ".a" : ""}`;
          if (REPEATED.includes(kind)) expect([kind, await isDone(step(words))]).toEqual([kind, false]);
          else if (!/^(create|add|drop)$/.test(verb))
            expect([kind, await isDone(step(words))]).toEqual([kind, undefined]);
        }
        expect(await isDone(step("my own words"))).toBeUndefined();
        // Two of the same words do not tell which of them was done.
        const twice = step("create table t");
        expect(await isDone(twice, [step("create table t")])).toBeUndefined();
        expect(await isDone(twice, [step("create table p")])).toBe(true);
        // Its author has changed it.
        expect(await isDone(twice, [], checksumOf("another"))).toBe(false);
      });

      test("of the author's own words is told by its statement", async () => {
        const own = (sql: string, transaction = false) => isDone(step("my own words", { sql, transaction }));
        const repeatable: Readonly<Record<string, readonly string[]>> = {
          every: [
            "DROP TABLE IF EXISTS x",
            "create index if not exists i on t (a)",
            "CREATE OR REPLACE VIEW v AS SELECT 1",
            "ALTER TABLE t ALTER a SET DEFAULT 1",
            " analyze t",
          ],
          postgres: [
            "ALTER TABLE t VALIDATE CONSTRAINT c",
            "ALTER TABLE t ALTER a SET NOT NULL",
            "ALTER TABLE t ALTER a drop  not\nnull",
            "VACUUM",
            "REINDEX TABLE t",
            "COMMENT ON TABLE t IS ''",
          ],
          mariadb: ["ALTER TABLE t MODIFY a int", "OPTIMIZE TABLE t"],
        };
        for (const [of, texts] of Object.entries(repeatable))
          for (const sql of texts)
            expect([sql, await own(sql)]).toEqual([
              sql,
              of === "every" || of === dialect ? false : undefined,
            ]);
        for (const sql of [
          "DROP TABLE x",
          "ALTER TABLE t ADD modify_ int",
          "CREATE TABLE comment (id int)",
          "DO VACUUM",
        ])
          expect([sql, await own(sql)]).toEqual([sql, undefined]);
        // A change of rows is recorded in its own transaction, where a change of the schema would end it.
        for (const sql of [
          "insert into t values (1)",
          " UPDATE t SET a = 1",
          "DELETE FROM t",
          "replace into t values (1)",
          "WITH x AS (SELECT 1) DELETE FROM t",
          "select f()",
          "VALUES (1)",
          "MERGE INTO t",
        ]) {
          expect([sql, await own(sql, true)]).toEqual([sql, dialect === "mariadb" ? false : undefined]);
          expect([sql, await own(sql)]).toEqual([sql, undefined]);
        }
        for (const sql of ["inserted", "CALL update_all()"])
          expect([sql, await own(sql, true)]).toEqual([sql, undefined]);
      });

      test("a transaction of the runner waits three seconds for a lock on PostgreSQL, and as long as the server lets it elsewhere", async () => {
        const setting =
          dialect === "postgres" ? "current_setting('lock_timeout')" : "@@innodb_lock_wait_timeout";
        const text = `SELECT ${setting} AS n`;
        const n = z.object({ n: z.union([z.string(), z.int()]) });
        const db: Database<"postgres"> = Object(lent.db);
        const before = await db.sql(text, n).exec({});
        const within = await db.transaction(async (tx) => {
          await limitLocks(migrationDialect(dialect), Object(tx));
          return tx.sql(text, n).exec({});
        });
        expect(within).toEqual(dialect === "postgres" ? [{ n: "3s" }] : before);
        expect(await db.sql(text, n).exec({})).toEqual(before);
      });

      if (dialect === "postgres")
        test("that builds an index while others write is told by the index, and so is a schema", async () => {
          const index = (sql: string) => isDone(step("my own words", { sql }));
          expect(await index("CREATE INDEX CONCURRENTLY t_b_idx ON t (b)")).toBe(true);
          expect(await index('create unique index concurrently IF NOT EXISTS "t_lower_idx" ON t (a)')).toBe(
            true,
          );
          expect(await index("CREATE INDEX CONCURRENTLY other ON t (b)")).toBe(false);
          expect(await isDone(step("create table other.only_there"))).toBe(true);
          expect(await isDone(step("create table only_there"))).toBe(false);
          expect(await isDone(step("create table other.t"))).toBe(false);
          expect(await isDone(step("drop column other.only_there.id"))).toBe(false);
        });
    });
