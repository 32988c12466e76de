/**
 * `rowtype/postgres`: a database over the caller's own `pg.Pool`, `sql` of postgres.js or PGlite. Every value is sent as
 * text and rows are returned as arrays: what a client has for types does not change the values that are read.
 */

import { acquired } from "../contract/abort.js";
import type {
  Driver,
  DriverRequest,
  DriverResult,
  NativeRequest,
  NativeResult,
  ResultCheck,
} from "../contract/driver.js";
import { postgres as grammar } from "../dialect/postgres/grammar.js";
import { type Database, type DatabaseOptions, makeDatabase } from "../door/database.js";
import { refusedPostgresValue, translatePostgresError } from "../driver-errors/postgres.js";
import { DeclarationError } from "../words/errors.js";
import { readOptions } from "../words/known-options.js";
import { PostgresConnection } from "./postgres/connection.js";
import { type PostgresHandle, sourceOf } from "./postgres/handle.js";
import type { PostgresSource } from "./postgres/source.js";
import { PostgresStatements } from "./postgres/statements.js";

export type { PostgresHandle } from "./postgres/handle.js";
export type { PgliteHandle } from "./postgres/pglite.js";
export type { PostgresPool } from "./postgres/pool.js";
export type { PostgresJsHandle } from "./postgres/postgresjs.js";
export type { PostgresQuery, PostgresResult } from "./postgres/query.js";
export type { PostgresClient } from "./postgres/source.js";

/** Options of a PostgreSQL database. */
export interface PostgresOptions extends DatabaseOptions {
  /**
   * Whether statements may be kept prepared on the connections of the handle, at most 256 on each; default `true`. Set it
   * to `false` for a pooler that gives each transaction a different server connection and does not know prepared
   * statements. The setting applies to the whole handle; the last database with a value for it decides.
   */
  readonly prepare?: boolean | undefined;
}

/**
 * Creates a database over a handle; without one it renders and never executes. The caller ends the handle.
 * @example
 * import pg from "pg";
 * import { postgres } from "rowtype/postgres";
 * const db = postgres(new pg.Pool({ connectionString: process.env.DATABASE_URL }));
 */
export function postgres(handle?: PostgresHandle, given: PostgresOptions = {}): Database<"postgres"> {
  const options = readOptions(given, ["retries", "prepare"], "postgres");
  const { prepare } = options;
  if (prepare !== undefined && typeof prepare !== "boolean")
    throw new DeclarationError("prepare must be true or false");
  const driver = handle === undefined ? undefined : driverOf(handle);
  if (driver !== undefined && prepare !== undefined) driver.statements.isOn = prepare;
  return makeDatabase("postgres", grammarFor(driver?.mostParams), driver, options);
}

const grammars = new Map<number, typeof grammar>();

/** The grammar, for a client that takes fewer parameters. */
function grammarFor(mostParams: number | undefined): typeof grammar {
  if (mostParams === undefined) return grammar;
  const fewer = grammars.get(mostParams) ?? { ...grammar, maxParams: mostParams };
  grammars.set(mostParams, fewer);
  return fewer;
}

const drivers = new WeakMap<PostgresHandle, PostgresDriver>();

// One driver per handle: a transaction belongs to every database over the handle.
function driverOf(handle: PostgresHandle): PostgresDriver {
  const driver = drivers.get(handle) ?? new PostgresDriver(sourceOf(handle));
  drivers.set(handle, driver);
  return driver;
}

class PostgresDriver implements Driver {
  readonly translate: Driver["translate"] = translatePostgresError;
  readonly refusedValue: NonNullable<Driver["refusedValue"]> = refusedPostgresValue;
  readonly statements: PostgresStatements = new PostgresStatements();
  readonly hasOneConnection: boolean;
  readonly mostParams: number | undefined;
  readonly #source: PostgresSource;

  constructor(source: PostgresSource) {
    this.#source = source;
    this.hasOneConnection = source.hasOneConnection === true;
    this.mostParams = source.mostParams;
  }

  elsewhere(database: string): { driver: Driver; close(): Promise<void> } | undefined {
    const opened = this.#source.elsewhere(database);
    if (opened === undefined) return undefined;
    const driver = new PostgresDriver(opened.source);
    driver.statements.isOn = this.statements.isOn;
    return { driver, close: opened.close };
  }

  run(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverResult> {
    return this.#onConnection(signal, (connection) => connection.run(request, signal));
  }

  runChecked(
    request: DriverRequest,
    check: ResultCheck,
    signal: AbortSignal | undefined,
  ): Promise<DriverResult> {
    return this.#onConnection(signal, (connection) => connection.runChecked(request, check, signal));
  }

  native(request: NativeRequest, signal: AbortSignal | undefined): Promise<NativeResult> {
    return this.#onConnection(signal, (connection) => connection.native(request, signal));
  }

  async #onConnection<T>(
    signal: AbortSignal | undefined,
    work: (connection: PostgresConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await this.connect(signal);
    try {
      return await work(connection);
    } finally {
      await connection.release(false);
    }
  }

  connect(signal: AbortSignal | undefined): Promise<PostgresConnection> {
    const connecting = this.#source.connect((client) => new PostgresConnection(client, this.statements));
    return acquired(connecting, signal, (late) => late.release(false));
  }
}
