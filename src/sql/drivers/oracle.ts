/**
 * `rowtype/oracle`: a database over the caller's own `oracledb` pool. Settings of the driver are passed with
 * each call and are never changed globally. No Oracle server was available when this was written: it follows the
 * driver's documentation and source.
 */

import { ignore } from "../../core/values.js";
import { acquired, orInterrupted, throwIfAborted } from "../contract/abort.js";
import {
  type Control,
  type Driver,
  type DriverConnection,
  type DriverCursor,
  type DriverRequest,
  type DriverResult,
  type NativeRequest,
  type NativeResult,
  PAGE_ROWS,
  plainRequest,
} from "../contract/driver.js";
import { oracle as grammar } from "../dialect/oracle/grammar.js";
import { type Database, type DatabaseOptions, makeDatabase } from "../door/database.js";
import { checkHandle } from "../door/handle.js";
import { OPEN_FOR_READING, refusedOracleValue, translateOracleError } from "../driver-errors/oracle.js";
import { QueryError } from "../words/errors.js";
import { readOptions } from "../words/known-options.js";
import type { Isolation } from "../words/options.js";
import {
  batchOf,
  bindsOf,
  type OracleBind,
  type OracleLob,
  type OracleTypes,
  TYPES_QUERY,
  typesOf,
} from "./oracle/binds.js";

/** The part of `oracledb.Pool` that rowtype uses. */
export interface OraclePool {
  getConnection(): Promise<OracleConnection>;
}

/** The part of `oracledb.Connection` that rowtype uses. */
export interface OracleConnection {
  execute(
    sql: string,
    binds: Record<string, OracleBind | null> | OracleBind[],
    options: OracleOptions,
  ): Promise<OracleResult>;
  executeMany(sql: string, binds: Record<string, never>[], options: OracleOptions): Promise<OracleResult>;
  createLob(type: never): Promise<OracleLob>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  break(): Promise<void>;
  close(options?: { drop: boolean }): Promise<void>;
}

/** The options of a call, as `oracledb` takes them. */
export interface OracleOptions {
  readonly autoCommit: boolean;
  readonly outFormat?: number;
  readonly maxRows?: number;
  readonly resultSet?: boolean;
  readonly fetchArraySize?: number;
  // The driver's types are objects of its own class; they are only passed on.
  readonly fetchTypeHandler?: (column: OracleColumn) => {
    type: never;
    converter: (value: unknown) => unknown;
  };
  readonly bindDefs?: Record<string, OracleBind>;
  readonly dmlRowCounts?: boolean;
}

/** The metadata of a result column. */
export interface OracleColumn {
  readonly name?: string | undefined;
  readonly dbType?: unknown;
  readonly dbTypeName?: string | undefined;
}

/** A result of `oracledb`. */
export interface OracleResult {
  readonly rows?: unknown[] | undefined;
  readonly rowsAffected?: number | undefined;
  readonly dmlRowCounts?: readonly number[] | undefined;
  readonly outBinds?: unknown;
  readonly metaData?: readonly OracleColumn[] | undefined;
  readonly resultSet?: OracleRows | undefined;
}

/** The open result set of a query. */
export interface OracleRows {
  getRows(count: number): Promise<unknown[]>;
  close(): Promise<void>;
}

/**
 * Creates a database over an `oracledb` pool; without one it renders and never executes. The caller closes the
 * pool.
 * @example
 * import oracledb from "oracledb";
 * import { oracle } from "rowtype/oracle";
 * const db = oracle(await oracledb.createPool({ user, password, connectString }));
 */
export function oracle(pool?: OraclePool, given: DatabaseOptions = {}): Database<"oracle"> {
  const options = readOptions(given, ["retries"], "oracle");
  if (pool !== undefined) checkHandle(pool, ["getConnection"], "a pool of oracledb", ["query"]);
  return makeDatabase("oracle", grammar, pool === undefined ? undefined : driverOf(pool), options);
}

const drivers = new WeakMap<OraclePool, OracleDriver>();

// One driver per pool: a transaction belongs to every database over the pool.
function driverOf(pool: OraclePool): OracleDriver {
  const driver = drivers.get(pool) ?? new OracleDriver(pool);
  drivers.set(pool, driver);
  return driver;
}

// A transaction begins with its first statement. "Repeatable read" becomes SERIALIZABLE, which reads one snapshot:
// Oracle has no level with the requested name.
const begins: { readonly [I in Isolation]: string } = {
  "read committed": "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
  "repeatable read": "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
  serializable: "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
};

class OracleDriver implements Driver {
  readonly translate: Driver["translate"] = translateOracleError;
  readonly refusedValue: NonNullable<Driver["refusedValue"]> = refusedOracleValue;
  readonly #pool: OraclePool;
  #types: Promise<OracleTypes> | undefined;
  // Connections that did not answer when they were interrupted.
  readonly #lost = new WeakSet<OracleConnection>();
  // Connections to a read-only database on which a write was attempted.
  readonly #readOnly = new WeakSet<OracleConnection>();

  constructor(pool: OraclePool) {
    this.#pool = pool;
  }

  run(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverResult> {
    return this.#onConnection(signal, (connection) => this.#send(connection, request, true, signal));
  }

  native(request: NativeRequest, signal: AbortSignal | undefined): Promise<NativeResult> {
    return this.#onConnection(signal, (connection) => this.#sendNative(connection, request, true, signal));
  }

  async #onConnection<T>(
    signal: AbortSignal | undefined,
    work: (connection: OracleConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await this.#acquired(signal);
    try {
      return await work(connection);
    } finally {
      await this.#giveBack(connection, false);
    }
  }

  async ping(signal: AbortSignal | undefined): Promise<void> {
    await this.run(PING, signal);
  }

  async connect(signal: AbortSignal | undefined): Promise<DriverConnection> {
    const connection = await this.#acquired(signal);
    const send = (sql: string) => connection.execute(sql, {}, { autoCommit: false });
    // A second savepoint with the same name would replace the first. Therefore each depth has its own name.
    let depth = 0;
    const controls: { readonly [C in Control]: () => Promise<unknown> } = {
      commit: () => connection.commit(),
      rollback: () => connection.rollback(),
      savepoint: () => send(`SAVEPOINT rowtype_${++depth}`),
      // There is no RELEASE: a savepoint ends with its transaction, or when its name is used again.
      "release savepoint": async () => depth--,
      "rollback to savepoint": () => send(`ROLLBACK TO SAVEPOINT rowtype_${depth}`),
    };
    return {
      run: (request, signal) => this.#send(connection, request, false, signal),
      native: (request, signal) => this.#sendNative(connection, request, false, signal),
      open: (request, pageSignal) => this.#open(connection, request, pageSignal),
      begin: async (isolation) => {
        if (isolation !== undefined) await send(begins[isolation]);
      },
      control: async (command) => {
        if (this.#lost.has(connection))
          throw new QueryError("CONNECTION_LOST", "the connection did not answer when it was interrupted");
        await controls[command]();
      },
      release: (inDoubt) => this.#giveBack(connection, inDoubt),
    };
  }

  async #send(
    connection: OracleConnection,
    { sql, params, batch, prepared: { into = [], named } }: DriverRequest,
    autoCommit: boolean,
    signal: AbortSignal | undefined,
  ): Promise<DriverResult> {
    const types = await this.#typesBy(connection);
    const lobs = new Lobs(connection);
    const sent = async (): Promise<DriverResult> => {
      if (batch !== undefined) {
        const { rows, bindDefs } = await batchOf(batch, into, types, lobs.make);
        const options = { autoCommit, bindDefs, dmlRowCounts: true };
        const result = await connection.executeMany(sql, rows, options);
        const { rowsAffected: affected = 0, dmlRowCounts: each } = result;
        // A list with the variables of each execution.
        const returned = into.length > 0 ? (result.outBinds as readonly unknown[]) : [];
        const found = await Promise.all(returned.map((one) => rowsOf(one, into.length)));
        return { rows: found.flat(), affected, each };
      }
      const binds = await bindsOf(params, into, types, lobs.make);
      const result = await connection.execute(sql, binds, { ...fetching(types), autoCommit });
      const affected = result.rowsAffected ?? 0;
      if (into.length > 0) return { rows: await rowsOf(result.outBinds, into.length), affected };
      // With array `outFormat` every row is an array.
      const rows = (result.rows ?? []) as unknown[][];
      if (result.rows === undefined || named !== true) return { rows, affected };
      const columns = result.metaData?.map(({ name = "" }) => name);
      return { rows, affected: rows.length, columns };
    };
    try {
      return await this.#interruptibly(connection, signal, sent);
    } catch (error) {
      if (Object(error).errorNum === OPEN_FOR_READING) this.#readOnly.add(connection);
      throw error;
    } finally {
      lobs.destroy();
    }
  }

  async #sendNative(
    connection: OracleConnection,
    { text, values }: NativeRequest,
    autoCommit: boolean,
    signal: AbortSignal | undefined,
  ): Promise<NativeResult> {
    const { rows, rowsAffected = 0 } = await this.#interruptibly(connection, signal, () =>
      connection.execute(text, [...values] as OracleBind[], { autoCommit, outFormat: OBJECTS }),
    );
    return rows === undefined
      ? { rows: [], affected: rowsAffected }
      : { rows: rows as Record<string, unknown>[], affected: rows.length };
  }

  /** Opens a query whose rows the driver fetches in batches of this size. */
  async #open(
    connection: OracleConnection,
    { sql, params }: DriverRequest,
    signal: AbortSignal | undefined,
  ): Promise<DriverCursor> {
    const types = await this.#typesBy(connection);
    const lobs = new Lobs(connection);
    const binds = await bindsOf(params, [], types, lobs.make);
    const options = { ...fetching(types), autoCommit: false, resultSet: true, fetchArraySize: PAGE_ROWS };
    const { resultSet } = await this.#interruptibly(connection, signal, () =>
      connection.execute(sql, binds, options),
    );
    let open = resultSet ?? undefined;
    const close = async () => {
      const closing = open?.close();
      open = undefined;
      lobs.destroy();
      await closing;
    };
    return {
      next: async () => {
        const set = open;
        if (set === undefined) return [];
        const rows = await this.#interruptibly(connection, signal, () => set.getRows(PAGE_ROWS));
        if (rows.length < PAGE_ROWS) await close();
        // As above.
        return rows as unknown[][];
      },
      close,
    };
  }

  async #interruptibly<T>(
    connection: OracleConnection,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    throwIfAborted(signal);
    if (signal === undefined) return work();
    return orInterrupted(work(), signal, {
      ask: () =>
        connection.break().then(
          () => true,
          () => false,
        ),
      isAnswer: (error) => Object(error).errorNum === INTERRUPTED,
      giveUp: () => this.#lost.add(connection),
    });
  }

  #acquired(signal: AbortSignal | undefined): Promise<OracleConnection> {
    return acquired(this.#pool.getConnection(), signal, (late) => this.#giveBack(late, false));
  }

  // Closing the connection rolls back an open transaction. An error on close does not concern the statement, whose
  // result is known.
  async #giveBack(connection: OracleConnection, drop: boolean): Promise<void> {
    const isLost = this.#lost.has(connection);
    const isSpent = drop || isLost || this.#readOnly.has(connection);
    const closed = (isSpent ? connection.close({ drop: true }) : connection.close()).catch(ignore);
    // The code does not wait for a connection that does not answer.
    if (!isLost) await closed;
  }

  // Once per pool: the types are found in the result of a query without rows.
  #typesBy(connection: OracleConnection): Promise<OracleTypes> {
    this.#types ??= connection
      .execute(TYPES_QUERY, {}, { autoCommit: false, outFormat: ARRAYS })
      .then(({ metaData }) => typesOf(metaData))
      .catch((error: unknown) => {
        this.#types = undefined;
        throw error;
      });
    return this.#types;
  }
}

const ARRAYS = 4001;
const OBJECTS = 4002;

const PING = plainRequest("SELECT 1 FROM DUAL", true);

/** The error of a statement that was interrupted. */
const INTERRUPTED = 1013;

// A number as digits, without loss; a large object as a whole; a time with its offset.
const fetched: ReadonlyMap<string | undefined, string> = new Map([
  ["NUMBER", "text"],
  ["CLOB", "text"],
  ["NCLOB", "text"],
  ["JSON", "text"],
  ["BLOB", "bytes"],
  ["TIMESTAMP WITH LOCAL TIME ZONE", "date"],
]);

function fetching(types: OracleTypes) {
  return {
    outFormat: ARRAYS,
    maxRows: 0,
    fetchTypeHandler: (column: OracleColumn) => fetchedAs(column, types),
  };
}

function fetchedAs({ dbType, dbTypeName }: OracleColumn, types: OracleTypes) {
  // Our own converter replaces the driver's JSON parser and its settings.
  const type = types.get(fetched.get(dbTypeName) ?? "") ?? dbType;
  return { type: type as never, converter: (value: unknown) => value };
}

/** Converts returned variables to rows: each variable holds a list with one value per changed row. */
async function rowsOf(outBinds: unknown, width: number): Promise<unknown[][]> {
  const columns = Array.from({ length: width }, (_, i) => Object(outBinds)[`o${i}`] as unknown[]);
  const rows: unknown[][] = [];
  for (let at = 0; at < (columns[0]?.length ?? 0); at++) {
    const row: unknown[] = [];
    for (const column of columns) row.push(await whole(column[at]));
    rows.push(row);
  }
  return rows;
}

/** The content of a large object; any other value unchanged. */
async function whole(value: unknown): Promise<unknown> {
  const { getData } = Object(value) as { getData?: unknown };
  return typeof getData === "function" ? getData.call(value) : value;
}

/** The large objects made for the values of a statement. */
class Lobs {
  readonly #connection: OracleConnection;
  readonly #made: OracleLob[] = [];

  constructor(connection: OracleConnection) {
    this.#connection = connection;
  }

  readonly make = async (type: never): Promise<OracleLob> => {
    const lob = await this.#connection.createLob(type);
    // A failing destroy emits an event that would end the process. The server frees the object with the session.
    lob.on("error", ignore);
    this.#made.push(lob);
    return lob;
  };

  destroy(): void {
    for (const lob of this.#made.splice(0)) lob.destroy();
  }
}
