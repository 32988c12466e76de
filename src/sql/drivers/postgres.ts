/**
 * `rowtype/postgres`: a database over the caller's own `pg.Pool`. Every value travels as text and rows come as
 * arrays, so that no type parser of the driver, global or of the pool, changes what is read.
 */

import { acquired } from "../contract/abort.js";
import type { Driver, DriverRequest, DriverResult, Judge } from "../contract/driver.js";
import { postgres as grammar } from "../dialect/postgres.js";
import { type Database, type DatabaseOptions, makeDatabase } from "../door/database.js";
import { checkHandle, checkOptions } from "../door/handle.js";
import { translatePostgresError } from "../driver-errors/postgres.js";
import { DeclarationError } from "../words/errors.js";
import {
  type PostgresClient,
  PostgresConnection,
  type PostgresQuery,
  type PostgresResult,
  queryOf,
  resultOf,
} from "./postgres-connection.js";

export type { PostgresClient, PostgresQuery, PostgresResult } from "./postgres-connection.js";

/** What rowtype uses of a `pg.Pool`. */
export interface PostgresPool {
  query(config: PostgresQuery): Promise<PostgresResult>;
  connect(): Promise<PostgresClient>;
  on?(event: "error", listener: (error: Error) => void): unknown;
}

/** Options of a database of PostgreSQL. */
export interface PostgresOptions extends DatabaseOptions {
  /**
   * Whether statements may be kept prepared on the connections of the pool; `false` behind a pooler that hands each
   * transaction another connection of the server. Nothing is kept yet, with either.
   */
  readonly prepare?: boolean | undefined;
}

/**
 * A database over a `pg.Pool`; without one it renders and never executes. The caller ends the pool.
 * @example
 * import pg from "pg";
 * import { postgres } from "rowtype/postgres";
 * const db = postgres(new pg.Pool({ connectionString: process.env.DATABASE_URL }));
 */
export function postgres(pool?: PostgresPool, options: PostgresOptions = {}): Database<"postgres"> {
  checkOptions(options, "postgres");
  if (pool !== undefined) checkHandle(pool, ["query", "connect"], "a pg.Pool");
  const { prepare }: PostgresOptions = Object(options);
  if (prepare !== undefined && typeof prepare !== "boolean")
    throw new DeclarationError("prepare is true or false");
  return makeDatabase("postgres", grammar, pool === undefined ? undefined : driverOf(pool), options);
}

const drivers = new WeakMap<PostgresPool, PostgresDriver>();

// One driver for each pool: a transaction of it is a transaction of every database made over it.
function driverOf(pool: PostgresPool): PostgresDriver {
  const driver = drivers.get(pool) ?? new PostgresDriver(pool);
  drivers.set(pool, driver);
  return driver;
}

class PostgresDriver implements Driver {
  readonly translate: Driver["translate"] = translatePostgresError;
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
    // A connection that is lost while nobody uses it, the pool tells by an event, and without a listener that would
    // end the process. It has let go of it by then; whoever wants to know listens too.
    pool.on?.("error", () => undefined);
  }

  async run(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverResult> {
    if (signal === undefined)
      return resultOf(await this.#pool.query(queryOf(request.sql, request.params)), request);
    const connection = await this.connect(signal);
    try {
      return await connection.run(request, signal);
    } finally {
      await connection.release(false);
    }
  }

  async runJudged(
    request: DriverRequest,
    judge: Judge,
    signal: AbortSignal | undefined,
  ): Promise<DriverResult> {
    const connection = await this.connect(signal);
    try {
      return await connection.runJudged(request, judge, signal);
    } finally {
      await connection.release(false);
    }
  }

  async connect(signal: AbortSignal | undefined): Promise<PostgresConnection> {
    const client = await acquired(this.#pool.connect(), signal, (late) => late.release());
    return new PostgresConnection(client);
  }
}
