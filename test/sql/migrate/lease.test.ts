/** One runner at a time, and what each server needs: who is followed and when, locks, settings that are given back. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { createPool } from "mysql2/promise";
import pg from "pg";
import { mariadb } from "rowtype/mariadb";
import { type MigrateOptions, migrate, status } from "rowtype/migrate";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { rounds } from "../../rounds.js";
import { servers } from "../../servers.js";
import { expectSoon, HANG_MS } from "../../stopwatch.js";
import { type Folder, makeFolder, onRunnerServers } from "./folders.js";

const BUILDS = rounds({ small: 3, full: 100 });
const TEAMS =
  "-- step create table teams\nCREATE TABLE teams (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(50))\n";

onRunnerServers("the lease", (place) => {
  const run = (options: Partial<MigrateOptions> = {}) =>
    migrate(place().db, { folder: place().folder.path, ...options });
  const names = async () => (await run()).applied.map(({ name }) => name);
  /** Writes the lease of a runner that is not there. */
  const leave = async (seconds: number, session: string | null) => {
    const until = new Date(Date.now() + seconds * 1_000).toISOString().replace("T", " ").replace("Z", "");
    const quoted = place().dialect === "mariadb" ? "`until`" : '"until"';
    const at = place().dialect === "postgres" ? `${until}+00` : until;
    const by = session === null ? "NULL" : `'${session}'`;
    await place().lent.run(
      `UPDATE rowtype_migrations_lease SET owner = 'another', ${quoted} = '${at}', session = ${by}`,
    );
  };
  beforeEach(async () => {
    place().folder.put("20260101_000000_teams.sql", TEAMS);
    await run();
    place().folder.put("20260102_000000_seed.sql", "-- step seed\nINSERT INTO teams (id) VALUES (1)\n");
  });

  test("of another is waited for, and what is not applied is said", async () => {
    await leave(60, null);
    const began = performance.now();
    await expect(run({ lockWaitMs: 400 })).rejects.toMatchObject({ code: "MIGRATION_LOCKED" });
    // A timer may be a millisecond early.
    expect(performance.now() - began).toBeGreaterThan(395);
    expect(await place().rows("SELECT * FROM teams")).toEqual([]);
  });

  test("of another is taken when its time is over and nobody knows its session", async () => {
    await leave(1, null);
    expect(await names()).toEqual(["20260102_000000_seed"]);
  });

  test("is given back, also after a failure", async () => {
    place().folder.put("20260103_000000_break.sql", "-- step break\nSELECT * FROM nowhere\n");
    await expect(run()).rejects.toMatchObject({ code: "MIGRATION_FAILED" });
    expect(await place().rows("SELECT owner, session FROM rowtype_migrations_lease")).toEqual([
      { owner: null, session: null },
    ]);
  });

  test("that was lost stops a runner before it changes anything more", async () => {
    const takeOver =
      "-- step take over (no transaction)\nUPDATE rowtype_migrations_lease SET owner = 'another'\n";
    place().folder.put("20260102_000001_take.sql", takeOver);
    place().folder.put("20260103_000000_more.sql", "-- step more\nINSERT INTO teams (id) VALUES (2)\n");
    await expect(run()).rejects.toMatchObject({ code: "MIGRATION_LOCKED" });
    expect((await place().rows("SELECT id FROM teams")).length).toBe(1);
    const { pending, failed } = await status(place().db, { folder: place().folder.path });
    expect([pending.map(({ name }) => name), failed]).toEqual([["20260103_000000_more"], []]);
  });

  test("is not needed where nothing is to do: a role that may only read is enough", async ({ skip }) => {
    const { lent, dialect } = place();
    if (dialect !== "postgres" || lent.url === undefined) return skip("it takes a role");
    await run();
    const url = new URL(lent.url);
    url.searchParams.set("options", "-c default_transaction_read_only=on");
    const pool = new pg.Pool({ connectionString: url.href, max: 3 });
    try {
      const db = postgres(pool);
      expect((await migrate(db, { folder: place().folder.path })).applied).toEqual([]);
      place().folder.put("20260103_000000_more.sql", "-- step more\nINSERT INTO teams (id) VALUES (2)\n");
      expect((await status(db, { folder: place().folder.path })).pending.length).toBe(1);
      await expect(migrate(db, { folder: place().folder.path })).rejects.toMatchObject({
        code: "MIGRATION_FAILED",
        file: "20260103_000000_more.sql",
        step: "more",
        cause: { code: "READ_ONLY" },
      });
    } finally {
      await pool.end();
    }
  });

  test("works over a pool of one connection", async ({ skip }) => {
    const { lent, dialect } = place();
    if (lent.url === undefined) return skip("a file has one connection anyway");
    const pool = new pg.Pool({ connectionString: lent.url, max: 1 });
    const other = createPool({ uri: lent.url, connectionLimit: 1 });
    const db = dialect === "postgres" ? postgres(pool) : mariadb(other);
    try {
      expect((await migrate(db, { folder: place().folder.path })).applied.length).toBe(1);
    } finally {
      await pool.end();
      await other.end();
    }
  });
});

const postgresServer = servers.find(({ name }) => name === "postgres");

describe.skipIf(postgresServer?.available !== true)("the runner on PostgreSQL", () => {
  // flyway#1654: a waiter for the lock is a transaction that CREATE INDEX CONCURRENTLY waits for.
  test(`builds indexes beside writers while others wait, ${BUILDS} times`, async () => {
    const lent = await postgresServer?.lend();
    const folder = makeFolder("postgres");
    const pools = Array.from({ length: 3 }, () => new pg.Pool({ connectionString: lent?.url, max: 4 }));
    try {
      folder.put("20260101_000000_teams.sql", TEAMS);
      for (let n = 0; n < BUILDS; n++)
        folder.put(
          `20260102_${String(n).padStart(6, "0")}_index.sql`,
          `-- step create index teams.x${n} (no transaction)\nCREATE INDEX CONCURRENTLY x${n} ON teams (name)\n`,
        );
      const began = performance.now();
      const results = await Promise.all(
        pools.map((pool) => migrate(postgres(pool), { folder: folder.path })),
      );
      expect(results.flatMap(({ applied }) => applied).length).toBe(BUILDS + 1);
      expect(performance.now() - began).toBeLessThan(HANG_MS + BUILDS * 1_000);
      const valid = await lent?.run(
        "SELECT count(*)::int AS n FROM pg_index WHERE indisvalid AND indexrelid::regclass::text LIKE 'x%'",
      );
      expect(valid).toEqual([{ n: BUILDS }]);
    } finally {
      for (const pool of pools) await pool.end();
      await lent?.close();
      rmSync(folder.path, { recursive: true });
    }
  });

  test("waits for no lock of a table longer than three seconds, and tries again", async () => {
    const lent = await postgresServer?.lend();
    const folder = makeFolder("postgres");
    const other = new pg.Client({ connectionString: lent?.url });
    try {
      if (lent === undefined) throw new Error("no server");
      await other.connect();
      folder.put("20260101_000000_teams.sql", TEAMS);
      await migrate(lent.db, { folder: folder.path });
      await other.query("BEGIN; SELECT * FROM teams");
      folder.put(
        "20260102_000000_age.sql",
        "-- step add column teams.age\nALTER TABLE teams ADD COLUMN age INTEGER\n",
      );
      const running = migrate(lent.db, { folder: folder.path });
      await setTimeout(3_500);
      await other.query("COMMIT");
      expect((await running).applied.length).toBe(1);
    } finally {
      await other.end();
      await lent?.close();
      rmSync(folder.path, { recursive: true });
    }
  });
});

describe("the runner on SQLite", () => {
  let home: string;
  let file: string;
  let folder: Folder;
  let handle: Sqlite.Database;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "rowtype-lease-"));
    file = join(home, "a.db");
    folder = makeFolder("sqlite");
    handle = new Sqlite(file);
  });
  afterEach(() => {
    handle.close();
    rmSync(home, { recursive: true });
    rmSync(folder.path, { recursive: true });
  });
  const run = (options: Partial<MigrateOptions> = {}) =>
    migrate(sqlite(handle), { folder: folder.path, ...options });

  const CHILDREN = `-- step create table people
CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT)
-- step create table pets
CREATE TABLE pets (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES people (id) ON DELETE CASCADE)
-- step fill people
INSERT INTO people VALUES (1, 'Ada'), (2, 'Bea')
-- step fill pets
INSERT INTO pets VALUES (1, 1), (2, 2), (3, 2)
`;
  const REBUILD = `-- step rebuild table people
CREATE TABLE people_new (id INTEGER PRIMARY KEY, name TEXT NOT NULL)
-- step rebuild table people
INSERT INTO people_new SELECT id, name FROM people
-- step rebuild table people
DROP TABLE people
-- step rebuild table people
ALTER TABLE people_new RENAME TO people
`;

  test.each([1, 0])("keeps the children of a rebuilt table, and foreign_keys = %i", async (before) => {
    handle.pragma(`foreign_keys = ${before}`);
    folder.put("20260101_000000_people.sql", CHILDREN);
    folder.put("20260102_000000_rebuild.sql", REBUILD);
    await run();
    expect(handle.prepare("SELECT count(*) FROM pets").pluck().get()).toBe(3);
    expect(handle.pragma("foreign_keys", { simple: true })).toBe(before);
  });

  test("refuses a rebuild that loses rows, or leaves children without parents", async () => {
    handle.pragma("foreign_keys = 1");
    folder.put("20260101_000000_people.sql", CHILDREN);
    await run();
    folder.put("20260102_000000_rebuild.sql", REBUILD.replace("FROM people\n", "FROM people WHERE id = 1\n"));
    await expect(run()).rejects.toMatchObject({ code: "MIGRATION_FAILED", step: "rebuild table people" });
    folder.put("20260102_000000_rebuild.sql", REBUILD.replace("SELECT id,", "SELECT id + 5,"));
    await expect(run()).rejects.toThrow("rows refer to rows that do not exist: pets → people");
    expect(handle.prepare("SELECT count(*) FROM people").pluck().get()).toBe(2);
    expect(handle.pragma("foreign_keys", { simple: true })).toBe(1);
  });

  test("lets old violations be", async () => {
    folder.put("20260101_000000_people.sql", CHILDREN);
    handle.pragma("foreign_keys = 0");
    await run();
    handle.exec("INSERT INTO pets VALUES (9, 99)");
    folder.put("20260102_000000_rebuild.sql", REBUILD);
    expect((await run()).applied.length).toBe(1);
  });

  test("keeps foreign keys on in a file that rebuilds nothing", async () => {
    handle.pragma("foreign_keys = 1");
    folder.put("20260101_000000_people.sql", CHILDREN);
    folder.put("20260102_000000_drop.sql", "-- step remove\nDELETE FROM people WHERE id = 2\n");
    await run();
    expect(handle.prepare("SELECT count(*) FROM pets").pluck().get()).toBe(1);
  });

  test("waits for a file that another has locked, as long as it was told, without standing still", async () => {
    folder.put("20260101_000000_people.sql", CHILDREN);
    handle.pragma("busy_timeout = 4321");
    const other = new Sqlite(file);
    other.exec("CREATE TABLE x (a); BEGIN IMMEDIATE");
    let ticks = 0;
    const timer = setInterval(() => ticks++, 20);
    await expectSoon(3_000, async () => {
      const began = performance.now();
      const error = await run({ lockWaitMs: 500 }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "MIGRATION_LOCKED" });
      expect(performance.now() - began).toBeGreaterThan(450);
    });
    // Where the process stands still, there is none.
    expect(ticks).toBeGreaterThan(1);
    expect(handle.pragma("busy_timeout", { simple: true })).toBe(4321);
    const waiting = run({ lockWaitMs: 20_000 });
    await setTimeout(100);
    other.exec("COMMIT");
    other.close();
    clearInterval(timer);
    expect((await waiting).applied.length).toBe(1);
    expect(handle.pragma("busy_timeout", { simple: true })).toBe(4321);
  });

  test("waits on for another runner while that one's step locks the file", async () => {
    folder.put("20260101_000000_people.sql", CHILDREN);
    await run();
    folder.put("20260102_000000_mark.sql", "-- step mark\nUPDATE people SET name = 'x'\n");
    const other = new Sqlite(file);
    const lease = (owner: string) =>
      other.exec(`UPDATE rowtype_migrations_lease SET owner = ${owner}, session = NULL`);
    other.exec("UPDATE rowtype_migrations_lease SET until = '2999-01-01 00:00:00.000'");
    lease("'another'");
    const waiting = run({ lockWaitMs: 20_000 });
    // An exclusive lock keeps readers out too.
    await setTimeout(50);
    other.exec("BEGIN EXCLUSIVE");
    await setTimeout(1_500);
    lease("NULL");
    other.exec("COMMIT");
    other.close();
    expect((await waiting).applied.map(({ name }) => name)).toEqual(["20260102_000000_mark"]);
  });

  test("refuses a file that is read-only with a word", async () => {
    folder.put("20260101_000000_people.sql", CHILDREN);
    await run();
    folder.put("20260102_000000_x.sql", "-- step x\nDELETE FROM pets\n");
    const readonly = new Sqlite(file, { readonly: true });
    const running = migrate(sqlite(readonly), { folder: folder.path });
    await expect(running).rejects.toMatchObject({
      code: "MIGRATION_FAILED",
      step: "x",
      cause: { code: "READ_ONLY" },
    });
    readonly.close();
  });

  test("runs what cannot be in a transaction", async () => {
    folder.put("20260101_000000_people.sql", `${CHILDREN}-- step tidy (no transaction)\nVACUUM\n`);
    expect((await run()).applied.length).toBe(1);
  });
});
