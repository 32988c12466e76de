/**
 * `rowtype/mariadb`: a database over the caller's own `mysql2/promise` pool. Values are sent separately from the text,
 * only in prepared statements. The driver's other method writes them into the text, which is wrong in some session
 * modes. Settings of the pool do not change the values that are read.
 */

import { throwIfAborted } from "../contract/abort.js";
import {
  type Control,
  type Driver,
  type DriverConnection,
  type DriverCursor,
  type DriverRequest,
  type DriverResult,
  type NativeRequest,
  type NativeResult,
  notSent,
  plainRequest,
} from "../contract/driver.js";
import { mariadb as grammar } from "../dialect/mariadb/grammar.js";
import { type Database, type DatabaseOptions, makeDatabase } from "../door/database.js";
import { checkHandle } from "../door/handle.js";
import { isSpent, refusedMariadbValue, translateMariadbError } from "../driver-errors/mariadb.js";
import { DeclarationError, QueryError, UnsupportedError } from "../words/errors.js";
import { readOptions } from "../words/known-options.js";
import type { Isolation } from "../words/options.js";
import {
  isOutside,
  type MariadbConnection,
  type MariadbPool,
  nativeResultOf,
  resultOf,
} from "./mariadb/handle.js";
import { acquired, poolElsewhere } from "./mariadb/pool.js";
import { MariadbRows, openRows, prepareRows } from "./mariadb/rows.js";
import { MariadbStatements } from "./mariadb/statements.js";

export type { MariadbField } from "./mariadb/fields.js";
export type { MariadbConnection, MariadbPool, MariadbStatement } from "./mariadb/handle.js";

/** Options of a database over a pool. */
export interface MariadbOptions extends DatabaseOptions {
  /**
   * The maximum number of prepared statements on each connection; default 200, or the pool's own setting if it is
   * smaller. The server limits the total for all its clients (`max_prepared_stmt_count`). A second value for the same
   * pool applies to connections that are opened later.
   */
  readonly maxPreparedStatements?: number | undefined;
}

/**
 * Creates a database over a `mysql2/promise` pool; without one it renders and never executes. The caller ends
 * the pool.
 * @throws {DeclarationError} for an invalid pool or option.
 * @example
 * import mysql from "mysql2/promise";
 * import { mariadb } from "rowtype/mariadb";
 * const db = mariadb(mysql.createPool(process.env.DATABASE_URL));
 */
export function mariadb(pool?: MariadbPool, given: MariadbOptions = {}): Database<"mariadb"> {
  const options = readOptions(given, ["retries", "maxPreparedStatements"], "mariadb");
  if (pool !== undefined) checkHandle(pool, ["getConnection"], "a pool of mysql2/promise", FOREIGN);
  const driver = pool === undefined ? undefined : driverOf(pool, options);
  return makeDatabase("mariadb", grammar, driver, options);
}

/** Methods of a pool of mysql2 with callbacks, and of one of oracledb. */
const FOREIGN = ["promise", "reconfigure"];

const drivers = new WeakMap<MariadbPool, MariadbDriver>();

// One driver per pool: a transaction belongs to every database over the pool.
function driverOf(pool: MariadbPool, { maxPreparedStatements: max }: MariadbOptions): MariadbDriver {
  if (max !== undefined && !(Number.isSafeInteger(max) && max >= 0))
    throw new DeclarationError("maxPreparedStatements must be a whole number from 0");
  const driver = drivers.get(pool) ?? new MariadbDriver(pool);
  drivers.set(pool, driver);
  if (max !== undefined) driver.statements.max = max;
  return driver;
}

// One round trip for both checks: a server that is not a cluster node has no provider.
const PING = {
  ...plainRequest("SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_provider_name')", true),
  anySession: true,
} as const;

const KEY_COLUMNS = plainRequest(
  "SELECT column_name FROM information_schema.statistics WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ? AND index_name = ? ORDER BY seq_in_index",
  true,
);

/** The driver's error for commands on a closed connection. */
const CLOSED = /connection is in closed state$/;

class MariadbDriver implements Driver {
  readonly translate: Driver["translate"] = translateMariadbError;
  readonly refusedValue: NonNullable<Driver["refusedValue"]> = refusedMariadbValue;
  readonly #pool: MariadbPool;
  readonly statements: MariadbStatements;

  constructor(pool: MariadbPool) {
    this.#pool = pool;
    this.statements = new MariadbStatements(pool);
  }

  elsewhere(database: string): { driver: Driver; close(): Promise<void> } | undefined {
    const pool = poolElsewhere(this.#pool, database);
    return pool && { driver: driverOf(pool, {}), close: () => pool.end() };
  }

  run(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverResult> {
    return this.#onConnection(signal, async (connection) =>
      resultOf(await this.statements.execute(connection, request, signal), request),
    );
  }

  native(request: NativeRequest, signal: AbortSignal | undefined): Promise<NativeResult> {
    return this.#onConnection(signal, async (connection) =>
      nativeResultOf(await this.statements.native(connection, request, signal)),
    );
  }

  async #onConnection<T>(
    signal: AbortSignal | undefined,
    work: (connection: MariadbConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await acquired(this.#pool, signal);
    let isUsable = true;
    try {
      return await work(connection);
    } catch (error) {
      isUsable = !isSpent(error);
      throw error;
    } finally {
      if (isUsable) connection.release();
      else connection.destroy();
    }
  }

  async ping(signal: AbortSignal | undefined): Promise<void> {
    const { rows } = await this.run(PING, signal);
    const status = new Map(rows.map(([name, value]) => [String(name).toLowerCase(), value]));
    if (status.get("wsrep_provider_name") && status.get("wsrep_ready") !== "ON")
      throw new QueryError("CONNECTION_LOST", "the node of the cluster is not ready (wsrep_ready is not ON)");
  }

  keyColumns(
    table: { readonly name: string; readonly namespace?: string | undefined },
    key: string,
  ): DriverRequest {
    return { ...KEY_COLUMNS, params: [table.namespace ?? null, table.name, key] };
  }

  open(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverCursor> {
    return openRows(this.statements, request, signal);
  }

  async connect(signal: AbortSignal | undefined): Promise<DriverConnection> {
    return new MariadbTransaction(await acquired(this.#pool, signal), this.statements);
  }
}

const levels: { readonly [I in Isolation]: string } = {
  "read committed": "READ COMMITTED",
  "repeatable read": "REPEATABLE READ",
  serializable: "SERIALIZABLE",
};

/** A connection for one transaction. The server may end the transaction: after a deadlock, or before a `CREATE`. */
class MariadbTransaction implements DriverConnection {
  readonly #connection: MariadbConnection;
  readonly #statements: MariadbStatements;
  #isEnded = false;
  // Savepoints have names here, and a second savepoint with a name replaces the first.
  #savepoints = 0;
  #isUndoing = false;
  #isSpent = false;
  #rows: MariadbRows | undefined;

  constructor(connection: MariadbConnection, statements: MariadbStatements) {
    this.#connection = connection;
    this.#statements = statements;
  }

  async run(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverResult> {
    return resultOf(
      await this.#answered(() => this.#statements.execute(this.#connection, request, signal)),
      request,
    );
  }

  async native(request: NativeRequest, signal: AbortSignal | undefined): Promise<NativeResult> {
    return nativeResultOf(
      await this.#answered(() => this.#statements.native(this.#connection, request, signal)),
    );
  }

  async #answered(send: () => Promise<readonly unknown[]>): Promise<readonly unknown[]> {
    this.#throwIfEnded();
    this.#throwIfReading();
    try {
      const answer = await send();
      this.#isEnded = isOutside(answer);
      return answer;
    } catch (error) {
      return this.#failed(error);
    }
  }

  async open(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverCursor> {
    this.#throwIfEnded();
    this.#throwIfReading();
    throwIfAborted(signal);
    const text = await prepareRows(this.#statements, this.#connection, request, signal).catch((error) =>
      this.#failed(error),
    );
    // Another reader may have been opened meanwhile.
    this.#throwIfReading();
    const rows = new MariadbRows(this.#statements, this.#connection, text, signal);
    this.#rows = rows;
    return { next: () => rows.next().catch((error) => this.#failed(error)), close: () => rows.close() };
  }

  async begin(isolation: Isolation | undefined): Promise<void> {
    if (isolation !== undefined)
      await this.#connection.query(`SET TRANSACTION ISOLATION LEVEL ${levels[isolation]}`);
    await this.#connection.query("START TRANSACTION");
  }

  async control(command: Control): Promise<void> {
    if (this.#isEnded) {
      // There is nothing to roll back, and the caller reports the original error.
      this.#isUndoing ||= command === "rollback" || command === "rollback to savepoint";
      if (!this.#isUndoing) this.#throwIfEnded();
      return;
    }
    this.#throwIfReading();
    if (command === "savepoint") this.#savepoints++;
    await this.#connection.query(this.#textOf(command)).catch((error: unknown) => {
      throw CLOSED.test(String(Object(error).message)) ? notSent(error) : error;
    });
    if (command === "release savepoint") this.#savepoints--;
  }

  release(inDoubt: boolean): void {
    if (inDoubt || this.#isSpent) this.#connection.destroy();
    else this.#connection.release();
  }

  #textOf(command: Control): string {
    switch (command) {
      case "commit":
        return "COMMIT";
      case "rollback":
        return "ROLLBACK";
      case "savepoint":
        return `SAVEPOINT rowtype_${this.#savepoints}`;
      case "release savepoint":
        return `RELEASE SAVEPOINT rowtype_${this.#savepoints}`;
      case "rollback to savepoint":
        return `ROLLBACK TO SAVEPOINT rowtype_${this.#savepoints}`;
    }
  }

  async #failed(error: unknown): Promise<never> {
    this.#isSpent ||= isSpent(error);
    if (mayEnd.has(Object(error).errno)) this.#isEnded = await this.#isOver();
    throw error;
  }

  // Otherwise later statements would be committed one by one.
  #throwIfEnded(): void {
    if (this.#isEnded)
      throw new QueryError("TRANSACTION_CLOSED", "MariaDB has ended the transaction by itself");
  }

  // It would wait until the rows are read, while their reader may wait for it.
  #throwIfReading(): void {
    if (this.#rows?.isOpen === true)
      throw new UnsupportedError(
        "mariadb",
        "statements in a transaction while one of its streams is open",
        "read all rows first, or stream outside the transaction",
      );
  }

  async #isOver(): Promise<boolean> {
    const asking = { sql: "SELECT @@in_transaction", params: [] };
    const [rows] = await this.#statements.execute(this.#connection, asking, undefined);
    return String(rows) !== "1";
  }
}

/** Errors after which a transaction may be over: a deadlock, a lock that was not available, a row that has changed. */
const mayEnd: ReadonlySet<unknown> = new Set([1213, 1205, 1020]);
