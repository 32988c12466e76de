/**
 * The servers that live tests run on. One that is not there is reported as skipped by its name, and is a failure
 * where `ROWTYPE_REQUIRE` names it. Every run makes a database of its own and drops it.
 */
import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import mysql from "mysql2/promise";
import pg from "pg";
import type { Database } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expect, test } from "vitest";
import { answers, mariadbUrl, postgresUrl, required } from "./availability.js";

/** A database for one test file, and what takes it away again. */
export interface Lent {
  readonly db: Database;
  /** The pool beneath, on PostgreSQL. */
  readonly pool?: pg.Pool;
  /** The pool beneath, on MariaDB. */
  readonly mysqlPool?: mysql.Pool;
  /** Sends a statement as it is, past rowtype. */
  run(sql: string): Promise<readonly unknown[]>;
  /** Has the server prepare a statement, which says whether it is one, and runs nothing. */
  prepare(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** A kind of database that live tests run on. */
export interface Server {
  readonly name: "sqlite" | "postgres" | "mariadb";
  readonly available: boolean;
  lend(): Promise<Lent>;
}

/** The databases that rowtype executes on, with whether each is there. */
export const servers: readonly Server[] = [
  { name: "sqlite", available: true, lend: lendSqlite },
  { name: "postgres", available: await answers(postgresUrl), lend: lendPostgres },
  { name: "mariadb", available: await answers(mariadbUrl), lend: lendMariadb },
];

/** Registers a test for each server that is not there: skipped by name, or failed where it is required. */
export function reportServers(): void {
  for (const { name, available } of servers)
    test(`the ${name} server is there`, ({ skip }) => {
      if (!available && !required.has(name)) skip(`no ${name} server answers: its live tests are skipped`);
      expect(available, `ROWTYPE_REQUIRE names ${name}, and no server answers`).toBe(true);
    });
}

async function lendSqlite(): Promise<Lent> {
  const handle = new Sqlite(":memory:");
  return {
    db: sqlite(handle),
    run: async (sql) => {
      const statement = handle.prepare(sql);
      if (statement.reader) return statement.all();
      statement.run();
      return [];
    },
    prepare: async (sql) => void handle.prepare(sql),
    close: async () => void handle.close(),
  };
}

async function lendPostgres(): Promise<Lent> {
  const database = `rowtype_${randomBytes(6).toString("hex")}`;
  const admin = new pg.Client({ connectionString: postgresUrl.href });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${database}`);
  const url = new URL(postgresUrl);
  url.pathname = `/${database}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 4 });
  return {
    db: postgres(pool),
    pool,
    run: async (sql) => (await pool.query(sql)).rows,
    prepare: async (sql) => {
      const client = await pool.connect();
      try {
        await client.query(`PREPARE judged AS ${sql}`);
        await client.query("DEALLOCATE judged");
      } finally {
        client.release();
      }
    },
    close: async () => {
      await pool.end();
      await drop(admin, database);
      await admin.end();
    },
  };
}

async function lendMariadb(): Promise<Lent> {
  const database = `rowtype_${randomBytes(6).toString("hex")}`;
  const url = new URL(mariadbUrl);
  url.pathname = "/";
  const admin = await mysql.createConnection(url.href);
  await admin.query(`CREATE DATABASE ${database}`);
  url.pathname = `/${database}`;
  const pool = mysql.createPool({ uri: url.href, connectionLimit: 4 });
  return {
    db: mariadb(pool),
    mysqlPool: pool,
    run: async (sql) => {
      const [rows] = await pool.query(sql);
      return Array.isArray(rows) ? rows : [];
    },
    prepare: async (sql) => {
      const connection = await pool.getConnection();
      try {
        await (await connection.prepare(sql)).close();
      } finally {
        connection.release();
      }
    },
    close: async () => {
      await pool.end();
      await admin.query(`DROP DATABASE ${database}`);
      await admin.end();
    },
  };
}

// The server may still count connections that the pool has just closed.
async function drop(admin: pg.Client, database: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await admin.query(`DROP DATABASE ${database}`);
      return;
    } catch (error) {
      if (tries === 50) throw error;
      await setTimeout(20);
    }
  }
}
