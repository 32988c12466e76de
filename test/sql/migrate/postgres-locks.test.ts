/** The labels of PostgreSQL's steps are true: what each rewrites and locks is read from the server while it runs. */
import { column, table } from "rowtype";
import { diff, type Step } from "rowtype/migrate";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { servers } from "../../servers.js";
import { HANG_MS } from "../../stopwatch.js";

const id = column(z.int(), { primaryKey: true, generated: true });
const Team = table("teams", z.object({ id }));
const Before = table(
  "people",
  z.object({
    id,
    short: column(z.string(), { type: "varchar(20)" }),
    long: column(z.string(), { type: "varchar(90)" }),
    whole: column(z.int(), { type: "integer" }),
    price: column(z.string(), { type: "numeric(10,2)" }),
    gone: z.string().nullable(),
    old: z.string().nullable(),
    maybe: z.int().nullable(),
    sure: z.int(),
    teamId: column(z.int().nullable(), { name: "team_id" }),
  }),
);
const After = table(
  "people",
  z.object({
    id,
    short: column(z.string(), { type: "varchar(50)", unique: true }),
    long: column(z.string(), { type: "varchar(50)" }),
    whole: column(z.int(), { type: "bigint" }),
    price: column(z.string(), { type: "numeric(12,2)", index: true }),
    renamed: column(z.string().nullable(), { renamedFrom: "old", comment: "once old" }),
    maybe: z.int(),
    sure: column(z.int().nullable(), { default: "3" }),
    teamId: column(z.int().nullable(), { name: "team_id", references: () => Team }),
    plain: column(z.int(), { default: "1" }),
    random: column(z.number(), { default: "random()" }),
    twice: column(z.int(), { computed: { postgres: "whole * 2" }, stored: true }),
  }),
  { checks: { people_sure_check: "sure > 0" } },
);

/** What a statement did in its transaction: the strongest lock on the table, and whether its rows have a new file. */
const STRONGEST = `SELECT mode FROM pg_locks WHERE pid = pg_backend_pid() AND relation = 'people'::regclass
  AND mode <> 'AccessShareLock'`;
const FILE = "SELECT pg_relation_filenode('people') AS file";

for (const server of servers.filter(({ name }) => name === "postgres"))
  describe.skipIf(!server.available)("the steps of PostgreSQL", () => {
    test("lock and rewrite what they say", async () => {
      const lent = await server.lend();
      const client = await lent.pool?.connect();
      if (client === undefined) throw new Error("no pool");
      try {
        await lent.db.createTables(Team, Before);
        await lent.run(`INSERT INTO people (short, long, whole, price, maybe, sure)
          SELECT 's' || i, 'l', i, 1.5, i, i FROM generate_series(1, 500) i`);
        const { steps } = await diff([Team, After], lent.db);
        const kinds = new Set<Step["kind"]>();
        for (const { kind, name, sql, transaction, lock, rewrites, risks } of steps) {
          kinds.add(kind);
          const label = `${kind} ${name}`;
          if (!transaction) {
            expect(lock, label).toBe("none");
            for (const one of sql) await client.query(one);
            continue;
          }
          const before = (await client.query(FILE)).rows;
          await client.query("BEGIN");
          for (const one of sql) await client.query(one);
          const modes = (await client.query(STRONGEST)).rows.map(({ mode }) => mode);
          await client.query("COMMIT");
          expect((await client.query(FILE)).rows[0].file !== before[0].file, label).toBe(rewrites);
          expect(lock, label).toBe(rewrites ? "all" : "short");
          expect(risks.includes("blocks"), label).toBe(rewrites);
          if (rewrites) expect(modes, label).toContain("AccessExclusiveLock");
        }
        expect([...kinds].sort()).toEqual([
          "add check",
          "add column",
          "add foreign key",
          "add unique",
          "backfill column",
          "change type",
          "comment column",
          "create index",
          "drop column",
          "drop not null",
          "rename column",
          "set default",
          "set not null",
          "validate check",
          "validate foreign key",
        ]);
        expect((await diff([Team, After], lent.db)).text()).toBe("");
        expect((await lent.run("SELECT count(DISTINCT random) > 400 AS filled FROM people"))[0]).toEqual({
          filled: true,
        });
      } finally {
        client.release();
        await lent.close();
      }
    });

    test("let fifty writers go on beside them", async () => {
      const lent = await server.lend();
      try {
        await lent.db.createTables(Team, Before);
        await lent.run(`INSERT INTO people (short, long, whole, price, maybe, sure)
          SELECT 's' || i, 'l', i, 1.5, i, i FROM generate_series(1, 2000) i`);
        const Indexed = table(
          "people",
          z.object({
            ...Before.schema.shape,
            sure: column(z.int(), { index: true }),
            plain: column(z.int(), { default: "1" }),
          }),
          { checks: { people_sure_check: "sure > 0" } },
        );
        const { steps } = await diff([Indexed], lent.db);
        expect(steps.filter(({ lock }) => lock !== "none" && lock !== "short")).toEqual([]);
        let isDone = false;
        const waits: number[] = [];
        const writers = Array.from({ length: 50 }, async (_, i) => {
          while (!isDone) {
            const begin = performance.now();
            await lent.run(`UPDATE people SET maybe = maybe + 1 WHERE id = ${i + 1}`);
            waits.push(performance.now() - begin);
          }
        });
        for (const { sql } of steps) for (const one of sql) await lent.run(one);
        isDone = true;
        await Promise.all(writers);
        expect(waits.length).toBeGreaterThan(50);
        expect(Math.max(...waits)).toBeLessThan(HANG_MS);
      } finally {
        await lent.close();
      }
    });
  });
