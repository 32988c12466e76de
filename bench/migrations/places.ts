/** Databases of the comparison: each is empty, and gone after it. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import mysql from "mysql2/promise";
import pg from "pg";
import type { Database } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import type { Kit } from "./model.js";

const urls = {
  postgres: process.env["ROWTYPE_POSTGRES"] ?? "postgres://postgres@127.0.0.1:5432/postgres",
  mariadb: process.env["ROWTYPE_MARIADB"] ?? "mysql://root@127.0.0.1:3306/test",
};

export interface Place {
  readonly db: Database;
  /** What drizzle-kit is told. */
  readonly url: string;
  run(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}

export async function openPlace(kit: Kit): Promise<Place> {
  const name = `rowtype_edits_${randomBytes(5).toString("hex")}`;
  if (kit === "sqlite") {
    const folder = mkdtempSync(join(tmpdir(), "rowtype-edits-"));
    const url = join(folder, "a.db");
    const handle = new Sqlite(url);
    handle.pragma("foreign_keys = ON");
    return {
      db: sqlite(handle),
      url,
      run: async (sql) => {
        const statement = handle.prepare<[], Record<string, unknown>>(sql);
        if (statement.reader) return statement.all();
        statement.run();
        return [];
      },
      close: async () => {
        handle.close();
        rmSync(folder, { recursive: true });
      },
    };
  }
  const url = new URL(urls[kit]);
  url.pathname = `/${name}`;
  if (kit === "postgres") {
    const admin = new pg.Client({ connectionString: urls.postgres });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${name}`);
    const pool = new pg.Pool({ connectionString: url.href, max: 4 });
    return {
      db: postgres(pool),
      url: url.href,
      run: async (sql) => (await pool.query(sql)).rows,
      close: async () => {
        await pool.end();
        await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
        await admin.end();
      },
    };
  }
  const admin = await mysql.createConnection(urls.mariadb);
  await admin.query(`CREATE DATABASE ${name}`);
  const pool = mysql.createPool({ uri: url.href, connectionLimit: 4 });
  return {
    db: mariadb(pool),
    url: url.href,
    run: async (sql) => {
      const [rows] = await pool.query(sql);
      return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : []; // One statement: a list of rows.
    },
    close: async () => {
      await pool.end();
      await admin.query(`DROP DATABASE ${name}`);
      await admin.end();
    },
  };
}

/** Where the file of SQLite's driver is, for a peer that looks beside itself. */
export const driverFolder = join(createRequire(import.meta.url).resolve("better-sqlite3/package.json"), "..");
