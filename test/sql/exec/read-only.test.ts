/**
 * Servers that take no writes, and those that leave: which code says so, and that the connection which heard it is not
 * used again, so that the pool finds the server that takes writes now.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import mysql from "mysql2/promise";
import pg from "pg";
import { column, type Database, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { translateMariadbError } from "../../../src/sql/driver-errors/mariadb.js";
import { translatePostgresError } from "../../../src/sql/driver-errors/postgres.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { recording, serverError } from "../../oracle/recording.js";
import { type Lent, servers } from "../../servers.js";

const Item = table("items", z.object({ id: column(z.int(), { primaryKey: true }) }));
const signal = new AbortController().signal;
const same = (name: string) => name;

describe("codes", () => {
  test.each<[number, string, string, string]>([
    [1290, "HY000", "The MariaDB server is running with the --read-only option so it cannot …", "READ_ONLY"],
    [1290, "HY000", "The MySQL server is running with the --super-read-only option so …", "READ_ONLY"],
    [1290, "HY000", "The MariaDB server is running with the --secure-file-priv option so …", "QUERY_FAILED"],
    [1792, "25006", "Cannot execute statement in a READ ONLY transaction", "READ_ONLY"],
    [1836, "HY000", "Running in read-only mode", "READ_ONLY"],
    [1047, "08S01", "WSREP has not yet prepared node for application use", "CONNECTION_LOST"],
    [1180, "HY000", "Got error 6 “No such device” during COMMIT", "UNKNOWN_OUTCOME"],
    [1040, "08004", "Too many connections", "CONNECTION_LOST"],
    [1042, "08S01", "Can't get hostname for your address", "CONNECTION_LOST"],
    [1081, "08S01", "Can't create IP socket", "CONNECTION_LOST"],
    [9999, "08123", "something new", "CONNECTION_LOST"],
    [1927, "70100", "Connection was killed", "CONNECTION_LOST"],
    [1064, "42000", "You have an error in your SQL syntax", "QUERY_FAILED"],
  ])("MariaDB's %d (%s: %s) is %s", (errno, sqlState, sqlMessage, code) => {
    const error = Object.assign(new Error(sqlMessage), { errno, sqlState, sqlMessage });
    expect(translateMariadbError(error, same, undefined)).toMatchObject({ code, cause: error });
  });

  test.each([
    ["25006", "READ_ONLY"],
    ["08000", "CONNECTION_LOST"],
    ["08003", "CONNECTION_LOST"],
    ["08006", "CONNECTION_LOST"],
    ["08P01", "CONNECTION_LOST"],
    ["25001", "QUERY_FAILED"],
  ])("PostgreSQL's %s is %s", (state, code) => {
    const error = Object.assign(new Error("…"), { code: state });
    expect(translatePostgresError(error, same)).toMatchObject({ code, cause: error });
  });

  test("Oracle's 16000 is READ_ONLY, and its connection is dropped; after 1456 it goes back", async () => {
    const outcomeOf = async (number: number) => {
      const record = recording(({ sql }) => {
        if (sql.startsWith("DELETE")) throw serverError(number, "…");
        return undefined;
      });
      const remove = oracle(record.pool).repository(Item).remove().where("id", "=", "id");
      expect(await sqlErrorOf(remove.exec({ id: 1 }))).toMatchObject({ code: "READ_ONLY" });
      return record.told;
    };
    expect(await outcomeOf(16_000)).toEqual(["drop"]);
    expect(await outcomeOf(1456)).not.toContain("drop");
  });

  test("a write to a read-only SQLite file is READ_ONLY, and the file can still be read", async () => {
    const folder = mkdtempSync(join(tmpdir(), "rowtype-"));
    const file = join(folder, "items.db");
    const writing = new Sqlite(file);
    await sqlite(writing).createTables(Item);
    writing.close();
    const reading = new Sqlite(file, { readonly: true });
    const items = sqlite(reading).repository(Item);
    expect(await sqlErrorOf(items.insert().exec({ id: 1 }))).toMatchObject({ code: "READ_ONLY" });
    expect(await items.count().exec()).toBe(0);
    reading.close();
    rmSync(folder, { recursive: true });
  });
});

/** A database whose new connections are read-only until it is changed. */
interface Standby {
  readonly db: Database;
  /** Lets connections that are made from now on write. */
  promote(): Promise<void>;
  /** How the server calls the connections of the pool. */
  connections(): Promise<readonly unknown[]>;
  end(): Promise<void>;
}

async function postgresStandby(lent: Lent): Promise<Standby> {
  const pool = new pg.Pool({ connectionString: lent.url as string, max: 1 });
  const name = new URL(lent.url as string).pathname.slice(1);
  const own = await (lent.pool as pg.Pool).connect();
  await own.query("SET default_transaction_read_only = off");
  const set = (value: string) =>
    own.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
  await set("on");
  return {
    db: postgres(pool) as unknown as Database,
    promote: async () => void (await set("off")),
    connections: async () => (await pool.query("SELECT pg_backend_pid() AS id")).rows.map(({ id }) => id),
    end: async () => {
      own.release();
      await pool.end();
    },
  };
}

async function mariadbStandby(lent: Lent): Promise<Standby> {
  const pool = mysql.createPool({ uri: lent.url as string, connectionLimit: 1 });
  let level = "READ ONLY";
  // The first thing that is sent on each.
  pool.pool.on("connection", (made) => made.query(`SET SESSION TRANSACTION ${level}`));
  return {
    db: mariadb(pool) as unknown as Database,
    promote: async () => {
      level = "READ WRITE";
    },
    connections: async () => {
      const [rows] = await pool.query("SELECT CONNECTION_ID() AS id");
      return (rows as { readonly id: unknown }[]).map(({ id }) => id);
    },
    end: () => pool.end(),
  };
}

const standbys = { postgres: postgresStandby, mariadb: mariadbStandby };

for (const name of ["postgres", "mariadb"] as const) {
  const server = servers.find((one) => one.name === name);
  describe.skipIf(server?.available !== true)(`a connection to ${name} that answered READ_ONLY`, () => {
    let lent: Lent;
    let standby: Standby;
    beforeEach(async () => {
      lent = (await server?.lend()) as Lent;
      await lent.db.createTables(Item);
      standby = await standbys[name](lent);
    });
    afterEach(async () => {
      await standby.end();
      await lent.close();
    });

    const calls: readonly [string, (db: Database) => Promise<unknown>][] = [
      ["a call", (db) => db.repository(Item).insert().exec({ id: 1 })],
      ["a call with a signal", (db) => db.repository(Item).insert().exec({ id: 1 }, undefined, { signal })],
      [
        "a call that changes and reads",
        (db) => db.repository(Item).remove().where("id", "=", "id").execMany({ id: 1 }),
      ],
      [
        "a batch",
        (db) =>
          db
            .repository(Item)
            .insert()
            .execBatch([{ id: 1 }, { id: 2 }]),
      ],
      ["text of one's own", (db) => db.sql("DELETE FROM items").exec()],
      ["a transaction", (db) => db.transaction((tx) => tx.repository(Item).insert().exec({ id: 1 }))],
      [
        "a transaction that goes on after it",
        (db) =>
          db.transaction(async (tx) => {
            const failed = await sqlErrorOf(
              tx.transaction((inner) => inner.repository(Item).insert().exec({ id: 1 })),
            );
            await tx.repository(Item).count().exec();
            throw failed;
          }),
      ],
    ];
    test.each(calls)("in %s is not used again", async (_, call) => {
      const { db } = standby;
      await db.repository(Item).count().exec();
      await standby.promote();
      const before = await standby.connections();
      expect(await sqlErrorOf(call(db))).toMatchObject({ code: "READ_ONLY" });
      expect(await standby.connections()).not.toEqual(before);
      // And the next call finds the server as it is now.
      expect(await db.repository(Item).insert().exec({ id: 7 })).toEqual({ id: 7 });
    });
  });
}

describe.skipIf(servers.find((one) => one.name === "postgres")?.available !== true)("on PostgreSQL", () => {
  test.each([
    ["a transaction that asked to read only", "SET TRANSACTION READ ONLY"],
    ["one that asked by the setting", "SET LOCAL transaction_read_only = on"],
  ])("%s gives its connection back", async (_, text) => {
    const lent = (await servers.find((one) => one.name === "postgres")?.lend()) as Lent;
    await lent.db.createTables(Item);
    const pool = new pg.Pool({ connectionString: lent.url as string, max: 1 });
    const db = postgres(pool);
    const pid = async () => (await pool.query("SELECT pg_backend_pid() AS id")).rows;
    const before = await pid();
    const asked = db.transaction(async (tx) => {
      await tx.sql(text).exec();
      return tx.repository(Item).insert().exec({ id: 1 });
    });
    expect(await sqlErrorOf(asked)).toMatchObject({ code: "READ_ONLY" });
    expect(await pid()).toEqual(before);
    expect(await db.repository(Item).insert().exec({ id: 1 })).toEqual({ id: 1 });
    await pool.end();
    await lent.close();
  });
});
