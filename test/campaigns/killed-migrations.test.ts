/**
 * Processes that are killed while they migrate, and crowds of them: every step is done once, every row of a data migration
 * is changed once, and the database is what an undisturbed run gives. The processes run the source as it is.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import pg from "pg";
import type { Database } from "rowtype";
import { introspect, migrate, status } from "rowtype/migrate";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answers, postgresUrl } from "../availability.js";
import { patience, rounds } from "../rounds.js";
import { servers } from "../servers.js";
import { type Built, buildFor } from "./built.js";
import { pgbouncerLacks, startPgbouncer } from "./pgbouncer.js";

const KILLS = rounds({ small: 4, full: 334 });
const CROWDS = rounds({ small: 1, full: 10 });
const CROWD = rounds({ small: 5, full: 30 });
const ROWS = 120;

let built: Built;
beforeAll(() => {
  built = buildFor("migrate-process.mjs");
});
afterAll(() => built.remove());

type Dialect = "sqlite" | "postgres" | "mariadb";

/** Twenty migrations: tables, rows, indexes, and one that changes rows in batches. */
function writeFolder(folder: string, dialect: Dialect): void {
  const put = (n: number, name: string, text: string) =>
    writeFileSync(join(folder, `202601${String(n).padStart(2, "0")}_000000_${name}`), text);
  for (let n = 1; n <= 9; n++)
    put(
      n,
      "table.sql",
      `-- step create table t${n}\nCREATE TABLE t${n} (id INTEGER NOT NULL PRIMARY KEY, a INTEGER NOT NULL)\n` +
        `-- step fill\nINSERT INTO t${n} (id, a) VALUES ${Array.from({ length: ROWS }, (_, i) => `(${i}, 0)`).join(", ")}\n` +
        `-- step count\nUPDATE t${n} SET a = a + 1\n`,
    );
  put(
    10,
    "visit.js",
    `import { z } from "zod";
import { column, table } from "rowtype";
import { dataMigration } from "rowtype/migrate";
const T = table("t1", z.object({ id: column(z.int(), { primaryKey: true }), a: z.int() }));
export default dataMigration(async ({ batch }) => {
  await batch(T, { size: 7 }, async (rows, tx) => {
    await tx.repository(T).modify().setExpr("a", "+", "ten").where("id", "=", "id").execBatch(rows.map(({ id }) => ({ id, ten: 10 })));
  });
});
`,
  );
  const [beside, mark] = dialect === "postgres" ? [" CONCURRENTLY", " (no transaction)"] : ["", ""];
  for (let n = 1; n <= 9; n++)
    put(
      n + 10,
      "index.sql",
      `-- step create index t${n}.t${n}_a_idx${mark}\nCREATE INDEX${beside} t${n}_a_idx ON t${n} (a)\n` +
        `-- step add column t${n}.b\nALTER TABLE t${n} ADD COLUMN b INTEGER\n-- step mark\nUPDATE t${n} SET b = COALESCE(b, 0) + 1\n`,
    );
  put(20, "drop.sql", "-- step drop table t9 (allowed)\nDROP TABLE t9\n");
}

interface Place {
  readonly db: Database;
  /** What the process is told. */
  readonly url: string;
  close(): Promise<void>;
}

async function lend(dialect: Dialect): Promise<Place> {
  if (dialect === "sqlite") {
    const folder = mkdtempSync(join(tmpdir(), "rowtype-killed-"));
    const handle = new Sqlite(join(folder, "a.db"));
    const close = async () => {
      handle.close();
      rmSync(folder, { recursive: true });
    };
    return { db: sqlite(handle), url: join(folder, "a.db"), close };
  }
  const server = servers.find(({ name }) => name === dialect);
  const lent = await server?.lend();
  if (lent?.url === undefined) throw new Error(`no ${dialect}`);
  return { db: lent.db, url: lent.url, close: lent.close };
}

/** Runs the process; kills it some time after it has said some lines, if asked to. */
async function run(dialect: Dialect, url: string, folder: string, kill?: { lines: number; ms: number }) {
  const child = spawn(process.execPath, [built.program, dialect, url, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  const closed = once(child, "close");
  const enough = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (kill !== undefined && said.split("\n").length > kill.lines) resolve();
    });
  });
  if (kill !== undefined) {
    await enough;
    await setTimeout(kill.ms);
    child.kill("SIGKILL");
  }
  await closed;
  return said.trim().split("\n");
}

/** Whether everything was done once. */
async function check(db: Database, folder: string): Promise<void> {
  const { pending, failed, applied } = await status(db, { folder });
  expect([pending, failed, applied.length]).toEqual([[], [], 20]);
  const { tables } = await introspect(db);
  expect(
    tables.map(({ name, columns, indexes }) => [
      name,
      columns.length,
      indexes.map((one) => [one.name, one.valid]),
    ]),
  ).toEqual(Array.from({ length: 8 }, (_, i) => [`t${i + 1}`, 3, [[`t${i + 1}_a_idx`, true]]]));
  const { z } = await import("zod");
  const Sums = z.object({ n: z.int(), a: z.int(), b: z.int() });
  for (let n = 1; n <= 8; n++) {
    const sql = `SELECT COUNT(*) AS n, CAST(SUM(a) AS DECIMAL(20)) AS a, CAST(SUM(b) AS DECIMAL(20)) AS b FROM t${n}`;
    const [sums] = await db.sql(sql, Sums).exec({});
    expect([n, sums]).toEqual([n, { n: ROWS, a: n === 1 ? ROWS * 11 : ROWS, b: ROWS }]);
  }
}

describe.each(["sqlite", "postgres", "mariadb"] as const)("migrations on %s", (dialect) => {
  const isThere = servers.some(({ name, available }) => name === dialect && available);
  let folder: string;
  beforeAll(() => {
    // Beside the program, so that the data migration finds the package.
    folder = mkdtempSync(join(built.folder, "migrations-"));
    writeFolder(folder, dialect);
  });

  test.skipIf(!isThere)(
    `${KILLS} kills lose nothing and repeat nothing`,
    async () => {
      let kills = 0;
      while (kills < KILLS) {
        const place = await lend(dialect);
        try {
          for (;;) {
            const lines = 1 + Math.floor(Math.random() * 12);
            const said = await run(dialect, place.url, folder, { lines, ms: Math.random() * 40 });
            const last = said.at(-1) ?? "";
            expect(last).not.toContain("failed");
            if (last.startsWith("done")) break;
            kills++;
            if (kills >= KILLS) {
              expect((await run(dialect, place.url, folder)).at(-1)).toMatch(/^done/);
              break;
            }
          }
          await check(place.db, folder);
        } finally {
          await place.close();
        }
      }
    },
    patience(60_000, 8_000, KILLS),
  );

  test.skipIf(!isThere)(
    `${CROWD} processes at once do each step once`,
    async () => {
      for (let crowd = 0; crowd < CROWDS; crowd++) {
        const place = await lend(dialect);
        try {
          const all = await Promise.all(Array.from({ length: CROWD }, () => run(dialect, place.url, folder)));
          expect(all.map((said) => said.at(-1)).filter((last) => !last?.startsWith("done "))).toEqual([]);
          const applied = all.map((said) => Number(/^done (\d+)$/.exec(said.at(-1) ?? "")?.[1]));
          expect(applied.reduce((sum, n) => sum + n, 0)).toBe(20);
          const steps = all.flatMap((said) => said.slice(1, -1));
          expect(new Set(steps).size).toBe(steps.length);
          await check(place.db, folder);
        } finally {
          await place.close();
        }
      }
    },
    patience(120_000, 60_000, CROWDS),
  );
});

// rails#22092: an advisory lock is lost there, or kept by a stranger.
test.skipIf(pgbouncerLacks !== undefined || !(await answers(postgresUrl)))(
  "migrations through PgBouncer in transaction mode are applied once",
  async () => {
    const folder = mkdtempSync(join(built.folder, "migrations-"));
    const pooler = await startPgbouncer();
    const place = await lend("postgres");
    const url = new URL(pooler.url);
    url.pathname = new URL(place.url).pathname;
    const pools = Array.from({ length: 6 }, () => new pg.Pool({ connectionString: url.href, max: 3 }));
    try {
      writeFolder(folder, "postgres");
      const results = await Promise.all(
        pools.map((pool) => migrate(postgres(pool, { prepare: false }), { folder })),
      );
      expect(results.reduce((sum, { applied }) => sum + applied.length, 0)).toBe(20);
      await check(place.db, folder);
    } finally {
      for (const pool of pools) await pool.end();
      await place.close();
      await pooler.end();
    }
  },
  180_000,
);
