/**
 * Places that refuse a migration: a role without rights, a server that only reads, a disk that is full. The error names
 * the file and the step, nothing is half done, and the next run goes on.
 */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import mysql from "mysql2/promise";
import pg from "pg";
import type { Database } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { introspect, migrate, status } from "rowtype/migrate";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sqlErrorOf } from "../../kit/thrown.js";
import { servers } from "../../servers.js";
import { type Folder, makeFolder } from "./folders.js";

const FILE = "20260101_000000_first.sql";

function folderFor(dialect: "postgres" | "mariadb" | "sqlite"): Folder {
  const folder = makeFolder(dialect);
  folder.put(FILE, "-- step create table a\nCREATE TABLE a (id INTEGER NOT NULL PRIMARY KEY)\n");
  return folder;
}

/** Whether the run is refused, and the same run is done once the cause is gone. */
async function refusedThenDone(
  { refused, allowed }: { readonly refused: Database; readonly allowed: Database },
  { path }: Folder,
): Promise<Error> {
  const error = await sqlErrorOf(migrate(refused, { folder: path }));
  expect(error).toMatchObject({ code: "MIGRATION_FAILED", file: FILE, step: "create table a" });
  expect(error.message.length).toBeLessThan(300);
  expect((await introspect(allowed)).tables).toEqual([]);
  expect((await migrate(allowed, { folder: path })).applied).toHaveLength(1);
  expect((await migrate(allowed, { folder: path })).applied).toEqual([]);
  return error;
}

const { postgres: pgServer, mariadb: mariadbServer } = Object.fromEntries(
  servers.map((server) => [server.name, server]),
);

describe.skipIf(pgServer?.available !== true)("migrate on postgres", () => {
  test("by a role that may not create tables, or where every transaction only reads", async () => {
    const lent = await pgServer?.lend();
    if (lent?.url === undefined) throw new Error("no PostgreSQL");
    const role = `rowtype_${randomBytes(6).toString("hex")}`;
    const url = new URL(lent.url);
    url.username = role;
    url.password = "p";
    const reading = new URL(lent.url);
    reading.searchParams.set("options", "-c default_transaction_read_only=on");
    const pools = [url, reading].map((one) => new pg.Pool({ connectionString: one.href, max: 3 }));
    const [poor, still] = pools.map((pool) => postgres(pool));
    const folder = folderFor("postgres");
    try {
      await lent.run("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
      await lent.run(`CREATE ROLE ${role} LOGIN PASSWORD 'p'`);
      if (poor === undefined || still === undefined) throw new Error("no pool");
      expect(await sqlErrorOf(migrate(still, { folder: folder.path }))).toMatchObject({
        code: "MIGRATION_FAILED",
        cause: { code: "READ_ONLY" },
      });
      await refusedThenDone({ refused: poor, allowed: lent.db }, folder);
      // The records are there, and rights on them are not enough for a table.
      await lent.run(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
      folder.put("20260102_000000_second.sql", "-- step create table b\nCREATE TABLE b (id INTEGER)\n");
      expect(await sqlErrorOf(migrate(poor, { folder: folder.path }))).toMatchObject({
        code: "MIGRATION_FAILED",
        file: "20260102_000000_second.sql",
        step: "create table b",
      });
      const { failed } = await status(poor, { folder: folder.path });
      expect(failed).toMatchObject([{ name: "20260102_000000_second", step: "create table b" }]);
      await lent.run(`GRANT CREATE ON SCHEMA public TO ${role}`);
      expect((await migrate(poor, { folder: folder.path })).applied).toHaveLength(1);
    } finally {
      for (const pool of pools) await pool.end();
      await lent.run(`DROP OWNED BY ${role} CASCADE`);
      await lent.run(`DROP ROLE ${role}`);
      await lent.close();
      rmSync(folder.path, { recursive: true });
    }
  });

  test("where the disk is full: what was there stays, and the next run goes on", async ({ skip }) => {
    const place = mkdtempSync(join(tmpdir(), "rowtype-place-"));
    const resize = (size: string) => execFileSync("mount", ["-o", `remount,size=${size}`, place]);
    const usedMegabytes = () => {
      const { blocks, bfree, bsize } = statfsSync(place);
      return Math.ceil(((blocks - bfree) * bsize) / 2 ** 20);
    };
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m", "rowtype", place], { stdio: "ignore" });
    } catch {
      rmdirSync(place);
      skip("only a superuser of Linux may mount a small tmpfs");
    }
    const lent = await pgServer?.lend();
    const name = `rowtype_${randomBytes(6).toString("hex")}`;
    const url = new URL(lent?.url ?? "");
    const folder = folderFor("postgres");
    url.pathname = `/${name}`;
    const pool = new pg.Pool({ connectionString: url.href, max: 4 });
    let isThere = false;
    try {
      execFileSync("chown", ["postgres", place]);
      chmodSync(place, 0o700);
      try {
        await lent?.run(`CREATE TABLESPACE ${name} LOCATION '${place}'`);
      } catch {
        return skip("the server of PostgreSQL is not on this machine, or its user has another name");
      }
      isThere = true;
      await lent?.run(`CREATE DATABASE ${name} TABLESPACE ${name}`);
      const db = postgres(pool);
      await migrate(db, { folder: folder.path });
      await pool.query("INSERT INTO a SELECT generate_series(1, 2)");
      folder.put(
        "20260102_000000_big.sql",
        "-- step create table b\nCREATE TABLE b (id INTEGER, t TEXT NOT NULL)\n-- step fill\nINSERT INTO b SELECT i, repeat(md5(i::text), 8) FROM generate_series(1, 60000) i\n",
      );
      resize(`${usedMegabytes() + 6}m`);
      const full = { code: "MIGRATION_FAILED", cause: { cause: { code: "53100" } } };
      const error = await sqlErrorOf(migrate(db, { folder: folder.path }));
      expect(error).toMatchObject({ ...full, file: "20260102_000000_big.sql", step: "fill" });
      expect((await introspect(db)).tables.map((table) => table.name)).toEqual(["a"]);
      expect((await pool.query("SELECT * FROM a")).rows).toHaveLength(2);
      resize("64m");
      expect((await migrate(db, { folder: folder.path })).applied).toHaveLength(1);

      // A step that no transaction undoes: what it has built is dropped.
      folder.put(
        "20260103_000000_index.sql",
        "-- step create index b.b_t_idx (no transaction)\nCREATE INDEX CONCURRENTLY b_t_idx ON b (t)\n",
      );
      resize(`${usedMegabytes() + 3}m`);
      const again = await sqlErrorOf(migrate(db, { folder: folder.path }));
      expect(again).toMatchObject({ ...full, file: "20260103_000000_index.sql" });
      expect((await pool.query("SELECT relname FROM pg_class WHERE relname = 'b_t_idx'")).rows).toEqual([]);
      resize("64m");
      expect((await migrate(db, { folder: folder.path })).applied).toHaveLength(1);
      expect((await pool.query("SELECT count(*)::int AS n FROM b")).rows).toEqual([{ n: 60_000 }]);
    } finally {
      await pool.end();
      if (isThere) {
        await lent?.run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
        await lent?.run(`DROP TABLESPACE ${name}`);
      }
      await lent?.close();
      execFileSync("umount", [place]);
      rmdirSync(place);
      rmSync(folder.path, { recursive: true });
    }
  }, 60_000);
});

describe.skipIf(mariadbServer?.available !== true)("migrate on mariadb", () => {
  test("by a user that may not create tables", async () => {
    const lent = await mariadbServer?.lend();
    if (lent?.url === undefined) throw new Error("no MariaDB");
    const user = `rowtype_${randomBytes(6).toString("hex")}`;
    const url = new URL(lent.url);
    const database = url.pathname.slice(1);
    url.username = user;
    url.password = "p";
    const pool = mysql.createPool({ uri: url.href, connectionLimit: 3 });
    const folder = folderFor("mariadb");
    try {
      await lent.run(`CREATE USER ${user}@'%' IDENTIFIED BY 'p'`);
      await lent.run(`CREATE USER ${user}@localhost IDENTIFIED BY 'p'`);
      for (const host of ["'%'", "localhost"])
        await lent.run(`GRANT SELECT ON ${database}.* TO ${user}@${host}`);
      await refusedThenDone({ refused: mariadb(pool), allowed: lent.db }, folder);
    } finally {
      await pool.end();
      for (const host of ["'%'", "localhost"]) await lent.run(`DROP USER IF EXISTS ${user}@${host}`);
      await lent.close();
      rmSync(folder.path, { recursive: true });
    }
  });
});

describe("migrate on sqlite", () => {
  let folder: Folder;
  let place: string;
  beforeEach(() => {
    folder = folderFor("sqlite");
    place = mkdtempSync(join(tmpdir(), "rowtype-place-"));
  });
  afterEach(() => {
    rmSync(folder.path, { recursive: true });
    rmSync(place, { recursive: true, force: true });
  });

  test("where the file is opened for reading", async () => {
    const file = join(place, "a.db");
    const writing = new Sqlite(file);
    writing.exec("PRAGMA user_version = 1");
    const reading = new Sqlite(file, { readonly: true });
    const error = await refusedThenDone({ refused: sqlite(reading), allowed: sqlite(writing) }, folder);
    expect(error.cause).toMatchObject({ code: "READ_ONLY" });
    reading.close();
    writing.close();
  });

  test("where the disk is full: what was there stays, and the next run goes on", async ({ skip }) => {
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=200k", "rowtype", place], { stdio: "ignore" });
    } catch {
      skip("only a superuser of Linux may mount a small tmpfs");
    }
    const handle = new Sqlite(join(place, "a.db"));
    try {
      const db = sqlite(handle);
      await migrate(db, { folder: folder.path });
      handle.exec("INSERT INTO a (id) VALUES (1), (2)");
      folder.put(
        "20260102_000000_big.sql",
        "-- step create table b\nCREATE TABLE b (t TEXT NOT NULL)\n-- step fill\nINSERT INTO b (t) SELECT hex(randomblob(30000)) FROM a, a AS c, a AS d\n",
      );
      const error = await sqlErrorOf(migrate(db, { folder: folder.path }));
      expect(error).toMatchObject({
        code: "MIGRATION_FAILED",
        file: "20260102_000000_big.sql",
        step: "fill",
        cause: { message: expect.stringContaining("(SQLITE_FULL)") },
      });
      expect((await introspect(db)).tables.map(({ name }) => name)).toEqual(["a"]);
      expect(handle.prepare("SELECT count(*) FROM a").pluck().get()).toBe(2);
      expect(handle.pragma("integrity_check", { simple: true })).toBe("ok");
      execFileSync("mount", ["-o", "remount,size=20m", place]);
      expect((await migrate(db, { folder: folder.path })).applied).toHaveLength(1);
      expect(handle.prepare("SELECT count(*) FROM b").pluck().get()).toBe(8);
    } finally {
      handle.close();
      execFileSync("umount", [place]);
      rmdirSync(place);
    }
  });
});
