/** Databases behind a wire that can be broken, and what their servers and pools know of their connections. */
import { setTimeout } from "node:timers/promises";
import mysql from "mysql2/promise";
import pg from "pg";
import type { Database } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { postgres } from "rowtype/postgres";
import { behindPooler, mariadbUrl, postgresUrl } from "../availability.js";
import type { Lent } from "../servers.js";

/** A database behind a wire, and what its pool knows of its connections. */
export interface Behind {
  readonly db: Database<"mariadb">;
  readonly lentOut: () => number;
  readonly end: () => Promise<void>;
}

// One type for both: what these tests use, both have.
export const behind: { readonly [Name: string]: (port: number, lent: Lent, max?: number) => Behind } = {
  postgres: (port, lent, max = 4) => {
    const url = new URL((lent.pool as pg.Pool).options.connectionString ?? "");
    const pool = new pg.Pool({
      host: "127.0.0.1",
      port,
      user: postgresUrl.username,
      database: url.pathname.slice(1),
      max,
      // The server looks whether anybody is still there, so that few of those whom nobody hears pile up. A pooler takes no
      // settings.
      ...(behindPooler ? {} : { options: "-c client_connection_check_interval=20" }),
    });
    return {
      db: postgres(pool, { prepare: !behindPooler }) as unknown as Database<"mariadb">,
      lentOut: () => pool.totalCount - pool.idleCount,
      end: () => pool.end(),
    };
  },
  mariadb: (port, lent, max = 4) => {
    // biome-ignore lint/suspicious/noExplicitAny: the pool of mysql2 keeps its settings and lists to itself.
    const { database } = (lent.mysqlPool as any).pool.config.connectionConfig;
    const pool = mysql.createPool({
      host: "127.0.0.1",
      port,
      user: mariadbUrl.username,
      database,
      connectionLimit: max,
    });
    // biome-ignore lint/suspicious/noExplicitAny: likewise.
    const { _allConnections: all, _freeConnections: free } = (pool as any).pool;
    return { db: mariadb(pool), lentOut: () => all.length - free.length, end: () => pool.end() };
  },
};
export const targets: { readonly [Name: string]: URL } = { postgres: postgresUrl, mariadb: mariadbUrl };
/** What the server has to do, or holds open, beside the asker. */
export const running: { readonly [Name: string]: string } = {
  postgres:
    "SELECT pid AS id FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'",
  mariadb:
    "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID() AND (command <> 'Sleep' OR id IN (SELECT trx_mysql_thread_id FROM information_schema.innodb_trx))",
};

/** Waits until a server has nothing left to do, and nothing left open. */
export async function serverIsIdle(name: string, lent: Lent): Promise<void> {
  for (let tries = 0; tries < 1_500; tries++) {
    if ((await lent.run(running[name] ?? "")).length === 0) return;
    await setTimeout(20);
  }
  throw new Error("the server is still busy");
}

/** Waits until every connection is back in its pool. */
export async function poolIsWhole({ lentOut }: Behind): Promise<void> {
  for (let tries = 0; lentOut() > 0; tries++) {
    if (tries === 1_500) throw new Error(`${lentOut()} connections are still lent out`);
    await setTimeout(20);
  }
}
