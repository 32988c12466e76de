/**
 * The servers that live tests run on. One that is not there is reported as skipped by its name, and is a failure
 * where `ROWTYPE_REQUIRE` names it. Each test file has databases of its own.
 */
import { randomBytes } from "node:crypto";
import Sqlite from "better-sqlite3";
import mysql from "mysql2/promise";
import pg from "pg";
import type { Database, Dialect } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { type OraclePool, oracle } from "rowtype/oracle";
import { sqlite } from "rowtype/sqlite";
import { expect, test } from "vitest";
import { answers, mariadbUrl, oracleUrl, postgresUrl, required } from "./availability.js";
import { databaseOn, openPglite, openPostgres, postgresClient } from "./kit/postgres-clients.js";
import { poolOver } from "./oracle/h2/driver.js";
import { H2, h2IsThere } from "./oracle/h2/process.js";
import { missingInH2 } from "./oracle/h2/translate.js";
import { lendDatabase } from "./postgres-databases.js";

/** A database for one test file, and what takes it away again. */
export interface Lent {
  readonly db: Database;
  /** Where other processes reach it, if they do. */
  readonly url?: string;
  /** The pool beneath, on PostgreSQL. */
  readonly pool?: pg.Pool;
  /** The pool beneath, on MariaDB. */
  readonly mysqlPool?: mysql.Pool;
  /** The pool beneath, on Oracle or in its place. */
  readonly oraclePool?: OraclePool;
  /** Sends a statement as it is, past rowtype. */
  run(sql: string): Promise<readonly unknown[]>;
  /** Has the server prepare a statement, which says whether it is one, and runs nothing. */
  prepare(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** A kind of database that live tests run on. */
export interface Server {
  readonly name: "sqlite" | "postgres" | "mariadb" | "oracle" | "h2";
  readonly dialect: Dialect;
  readonly available: boolean;
  /** The locale of its databases, where that is another than by code point. */
  readonly locale?: string;
  /** What a statement asks for and this server has not, though others of its dialect have. */
  readonly lacks?: (sql: string) => string | undefined;
  lend(): Promise<Lent>;
}

/** The databases that rowtype executes on, with whether each is there. */
export const servers: readonly Server[] = [
  { name: "sqlite", dialect: "sqlite", available: true, lend: lendSqlite },
  {
    name: "postgres",
    dialect: "postgres",
    available: postgresClient === "pglite" || (await answers(postgresUrl)),
    lend: () => (postgresClient === "pglite" ? lendPglite() : lendPostgres()),
  },
  { name: "mariadb", dialect: "mariadb", available: await answers(mariadbUrl), lend: lendMariadb },
  // What is rendered for Oracle and given to its driver, on a server in its place.
  { name: "h2", dialect: "oracle", available: h2IsThere, lacks: missingInH2, lend: lendH2 },
  // Only where somebody has one and says so.
  ...(oracleUrl === undefined ? [] : [await oracleServer(oracleUrl)]),
];

/** The same, and PostgreSQL with databases of a locale that orders text as people of a language do. */
export const serversAndLocales: readonly Server[] = [
  ...servers,
  ...servers
    .filter(({ name }) => name === "postgres" && postgresClient !== "pglite")
    .map((server): Server => ({ ...server, locale: "en-US", lend: () => lendPostgres("en-US") })),
];

/** What a server is called in the title of a test. */
export function titleOf({ name, locale }: Server): string {
  return locale === undefined ? name : `${name} in ${locale}`;
}

/** Registers a test for each server that is not there: skipped by name, or failed where it is required. */
export function reportServers(): void {
  for (const { name, available } of servers)
    test(`the ${name} server is available`, ({ skip }) => {
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

async function lendPostgres(locale?: string): Promise<Lent> {
  const { url, giveBack } = await lendDatabase(locale);
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  const other = postgresClient === "pg" ? undefined : await openPostgres(postgresClient, url);
  return {
    db: databaseOn(other?.handle ?? pool),
    url,
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
      await other?.close();
      await pool.end();
      await giveBack();
    },
  };
}

async function lendPglite(): Promise<Lent> {
  const lite = await openPglite();
  return {
    db: databaseOn(lite),
    run: async (sql) => (await lite.query(sql)).rows,
    prepare: async (sql) => {
      await lite.exec(`PREPARE judged AS ${sql}`);
      await lite.exec("DEALLOCATE judged");
    },
    close: () => lite.close(),
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
    url: url.href,
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

async function lendH2(): Promise<Lent> {
  const h2 = await H2.start();
  const pool = poolOver(h2);
  return { ...lentOver(pool), prepare: (sql) => h2.prepare(sql), close: () => h2.stop() };
}

async function oracleServer(url: URL): Promise<Server> {
  return { name: "oracle", dialect: "oracle", available: await answers(url), lend: () => lendOracle(url) };
}

// The user of the URL may create users: each run is one of its own.
async function lendOracle(url: URL): Promise<Lent> {
  const { default: oracledb } = await import("oracledb");
  const connectString = `${url.host}${url.pathname}`;
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const admin = await oracledb.getConnection({ user, password, connectString });
  const own = { user: `ROWTYPE_${randomBytes(6).toString("hex").toUpperCase()}`, password: "Rowtype_1" };
  await admin.execute(`CREATE USER ${own.user} IDENTIFIED BY "${own.password}" QUOTA UNLIMITED ON USERS`);
  await admin.execute(`GRANT CREATE SESSION, CREATE TABLE, CREATE SEQUENCE TO ${own.user}`);
  const pool = await oracledb.createPool({ ...own, connectString, poolMax: 4 });
  return {
    ...lentOver(pool),
    prepare: async (sql) => {
      const connection = await pool.getConnection();
      await connection.getStatementInfo(sql).finally(() => connection.close());
    },
    close: async () => {
      await pool.close(0);
      await admin.execute(`DROP USER ${own.user} CASCADE`);
      await admin.close();
    },
  };
}

function lentOver(pool: OraclePool): Pick<Lent, "db" | "oraclePool" | "run"> {
  return {
    db: oracle(pool),
    oraclePool: pool,
    run: async (sql) => {
      const connection = await pool.getConnection();
      const { rows } = await connection
        .execute(sql, {}, { autoCommit: true, outFormat: 4002 })
        .finally(() => connection.close());
      return rows ?? [];
    },
  };
}
