/** A pool of two connections to a lent database, and how many of them are out: what is not returned is soon missed. */
import { setTimeout } from "node:timers/promises";
import { createPool } from "mysql2/promise";
import pg from "pg";
import type { Database } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { type OracleConnection, type OraclePool, oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { expect } from "vitest";
import { behindPooler } from "../availability.js";
import type { Lent } from "../servers.js";

/** One type for all of them: what these tests use, every server has. */
export type Db = Database<"sqlite">;

/** Two connections, or the only handle, and the number that have not been returned. */
export interface Two {
  readonly db: Db;
  readonly lentOut: () => number;
  readonly close: () => Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: the pool of mysql2 keeps its lists to itself.
type Untyped = any;

/** Two connections to a lent database. */
export function twoOf({ db, url, pool, mysqlPool, oraclePool }: Lent): Two {
  const as = (database: Database) => database as unknown as Db;
  if (pool !== undefined) {
    const two = new pg.Pool({ connectionString: url ?? "", max: 2 });
    return {
      db: as(postgres(two, { prepare: !behindPooler })),
      lentOut: () => two.totalCount - two.idleCount,
      close: () => two.end(),
    };
  }
  if (mysqlPool !== undefined) {
    const two = createPool({ uri: url ?? "", connectionLimit: 2 });
    const { pool: core } = two as Untyped;
    return {
      db: as(mariadb(two)),
      lentOut: () => core._allConnections.length - core._freeConnections.length,
      close: () => two.end(),
    };
  }
  if (oraclePool !== undefined) {
    const two = new AtMostTwo(oraclePool);
    return { db: as(oracle(two)), lentOut: () => two.lentOut, close: async () => undefined };
  }
  return { db: as(db), lentOut: () => 0, close: async () => undefined };
}

/** The pool that stands in for Oracle's has no limit of its own. */
class AtMostTwo implements OraclePool {
  lentOut = 0;
  readonly #pool: OraclePool;
  readonly #waiting: (() => void)[] = [];

  constructor(pool: OraclePool) {
    this.#pool = pool;
  }

  async getConnection(): Promise<OracleConnection> {
    while (this.lentOut >= 2) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.lentOut++;
    const connection = await this.#pool.getConnection();
    const close = connection.close.bind(connection);
    connection.close = async (options) => {
      await (options === undefined ? close() : close(options));
      this.lentOut--;
      this.#waiting.shift()?.();
    };
    return connection;
  }
}

/** Waits until every connection is back in its pool. */
export async function allReturned({ lentOut }: Two, way: string): Promise<void> {
  for (let tries = 0; lentOut() > 0 && tries < 3_000; tries++) await setTimeout(10);
  expect(lentOut(), way).toBe(0);
}
