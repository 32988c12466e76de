/**
 * `rowtype/mariadb`: a database over the caller's own `mysql2/promise` pool. Values go to the server apart from the
 * text, in prepared statements alone: the driver's other way writes them into it, and gets it wrong in some modes of
 * a session. No setting of the pool changes what is read.
 */
import { type Database, makeDatabase } from "../database.js";
import { mariadb as grammar } from "../dialect/mariadb.js";
import { QueryError, type SqlError } from "../errors.js";
import type {
  Control,
  DeclaredKeys,
  Driver,
  DriverConnection,
  DriverRequest,
  DriverResult,
  Isolation,
} from "../exec/driver.js";
import { translateMariadbError } from "./mariadb-errors.js";

/** What rowtype uses of a `mysql2/promise` pool. */
export interface MariadbPool {
  execute(options: MariadbStatement): Promise<readonly unknown[]>;
  getConnection(): Promise<MariadbConnection>;
}

/** What rowtype uses of a connection of such a pool. */
export interface MariadbConnection {
  execute(options: MariadbStatement): Promise<readonly unknown[]>;
  query(sql: string): Promise<readonly unknown[]>;
  unprepare(options: MariadbStatement): unknown;
  /** How the server calls the connection. */
  readonly threadId: number | null;
  release(): void;
  destroy(): void;
}

/** A statement as mysql2 takes it. */
export interface MariadbStatement {
  readonly sql: string;
  values: unknown[];
  rowsAsArray: boolean;
  nestTables: false;
  supportBigNumbers: boolean;
  bigNumberStrings: boolean;
  typeCast: (field: MariadbField, next: () => unknown) => unknown;
}

/** What rowtype asks of a field of a row. */
export interface MariadbField {
  readonly type: string;
  string(): string | null;
}

/**
 * A database over a `mysql2/promise` pool; without one it renders and never executes. The caller ends the pool.
 * @example
 * import mysql from "mysql2/promise";
 * import { mariadb } from "rowtype/mariadb";
 * const db = mariadb(mysql.createPool(process.env.DATABASE_URL));
 */
export function mariadb(pool?: MariadbPool): Database<"mariadb"> {
  return makeDatabase("mariadb", grammar, pool === undefined ? undefined : driverOf(pool));
}

const drivers = new WeakMap<MariadbPool, MariadbDriver>();

// One driver for each pool: a transaction of it is a transaction of every database made over it.
function driverOf(pool: MariadbPool): MariadbDriver {
  const driver = drivers.get(pool) ?? new MariadbDriver(pool);
  drivers.set(pool, driver);
  return driver;
}

/** The server answers so, and then hangs up. */
const PACKET_TOO_LARGE = 1153;

class MariadbDriver implements Driver {
  readonly #pool: MariadbPool;

  constructor(pool: MariadbPool) {
    this.#pool = pool;
  }

  async run(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverResult> {
    const connection = await acquired(this.#pool, signal);
    let isUsable = true;
    try {
      return resultOf(await executeOn(connection, request, signal, this.#pool));
    } catch (error) {
      isUsable = Object(error).errno !== PACKET_TOO_LARGE;
      throw error;
    } finally {
      if (isUsable) connection.release();
      else connection.destroy();
    }
  }

  async connect(signal: AbortSignal | undefined): Promise<DriverConnection> {
    return new MariadbTransaction(await acquired(this.#pool, signal), this.#pool);
  }

  translate(error: unknown, propertyOf: (column: string) => string, keys?: DeclaredKeys): SqlError {
    return translateMariadbError(error, propertyOf, keys);
  }
}

const levels: { readonly [I in Isolation]: string } = {
  "read committed": "READ COMMITTED",
  "repeatable read": "REPEATABLE READ",
  serializable: "SERIALIZABLE",
};

/** A connection for one transaction, which the server may end by itself: after a deadlock, or before a `CREATE`. */
class MariadbTransaction implements DriverConnection {
  readonly #connection: MariadbConnection;
  readonly #pool: MariadbPool;
  #isEnded = false;
  // Savepoints have names here, and a second one of a name takes the place of the first.
  #savepoints = 0;
  #isUndoing = false;

  constructor(connection: MariadbConnection, pool: MariadbPool) {
    this.#connection = connection;
    this.#pool = pool;
  }

  async run(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverResult> {
    this.#throwIfEnded();
    try {
      const answer = await executeOn(this.#connection, request, signal, this.#pool);
      this.#isEnded = isOutside(answer);
      return resultOf(answer);
    } catch (error) {
      if (mayEnd.has(Object(error).errno)) this.#isEnded = await this.#isOver();
      throw error;
    }
  }

  async begin(isolation: Isolation | undefined): Promise<void> {
    if (isolation !== undefined)
      await this.#connection.query(`SET TRANSACTION ISOLATION LEVEL ${levels[isolation]}`);
    await this.#connection.query("START TRANSACTION");
  }

  async control(command: Control): Promise<void> {
    if (this.#isEnded) {
      // There is nothing left to be undone, and the error that led here is the one to tell.
      this.#isUndoing ||= command === "rollback" || command === "rollback to savepoint";
      if (!this.#isUndoing) this.#throwIfEnded();
      return;
    }
    if (command === "savepoint") this.#savepoints++;
    await this.#connection.query(this.#textOf(command));
    if (command === "release savepoint") this.#savepoints--;
  }

  release(inDoubt: boolean): void {
    if (inDoubt) this.#connection.destroy();
    else this.#connection.release();
  }

  scope<T>(fn: () => T): T {
    return fn();
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

  // What came after would be stored statement by statement.
  #throwIfEnded(): void {
    if (this.#isEnded)
      throw new QueryError("TRANSACTION_CLOSED", "MariaDB has ended the transaction by itself");
  }

  async #isOver(): Promise<boolean> {
    const [rows] = await this.#connection.execute(
      statementOf({ sql: "SELECT @@in_transaction", params: [] }),
    );
    return String(rows) !== "1";
  }
}

/** Errors after which a transaction may be over: a deadlock, a lock that was not to be had, a row that has changed. */
const mayEnd: ReadonlySet<unknown> = new Set([1213, 1205, 1020]);

/** Texts so long are used once, and would be kept prepared on every connection: lists and batches, mostly. */
const LONG = 4_000;

function isLong({ sql }: DriverRequest): boolean {
  return sql.length > LONG;
}

/** A connection of the pool; one that comes after the signal goes back to it. */
function acquired(pool: MariadbPool, signal: AbortSignal | undefined): Promise<MariadbConnection> {
  const connecting = pool.getConnection();
  if (signal === undefined) return connecting;
  return orAborted(connecting, signal, () => {
    connecting.then((connection) => connection.release(), ignore);
  });
}

async function executeOn(
  connection: MariadbConnection,
  request: DriverRequest,
  signal: AbortSignal | undefined,
  pool: MariadbPool,
): Promise<readonly unknown[]> {
  if (signal?.aborted === true) throw aborted(signal);
  const statement = statementOf(request);
  const running = connection.execute(statement);
  const answer = await (signal === undefined
    ? running
    : orAborted(running, signal, () => end(connection, pool)));
  // Not after a failure: a connection that is gone takes no more commands.
  if (isLong(request)) connection.unprepare(statement);
  return answer;
}

/** Waits for something no longer than the signal lets it. */
function orAborted<T>(running: Promise<T>, signal: AbortSignal, abandon: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(aborted(signal));
      abandon();
    };
    signal.addEventListener("abort", abort, { once: true });
    running.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Ends a connection on which a statement runs. */
function end(connection: MariadbConnection, pool: MariadbPool): void {
  const { threadId } = connection;
  connection.destroy();
  // The server would go on until it has something to tell. A statement that has ended meanwhile is what is wanted.
  if (threadId !== null) pool.execute(statementOf({ sql: `KILL ${threadId}`, params: [] })).catch(ignore);
}

function aborted(signal: AbortSignal): QueryError {
  return new QueryError("ABORTED", "the call was aborted while it ran", { cause: signal.reason });
}

function ignore(): void {
  // The one who asked has been answered.
}

function statementOf({ sql, params }: Pick<DriverRequest, "sql" | "params">): MariadbStatement {
  return {
    sql,
    values: [...params],
    rowsAsArray: true,
    nestTables: false,
    supportBigNumbers: true,
    bigNumberStrings: true,
    typeCast: asText,
  };
}

const textual: ReadonlySet<string> = new Set([
  "DECIMAL",
  "NEWDECIMAL",
  "DATE",
  "NEWDATE",
  "DATETIME",
  "TIMESTAMP",
]);

// Exact decimals, times and JSON as the text that they are; settings of the pool would make other things of them.
function asText(field: MariadbField & { readonly extendedFormat?: string }, next: () => unknown): unknown {
  return textual.has(field.type) || field.extendedFormat === "json" ? field.string() : next();
}

interface Header {
  readonly affectedRows?: unknown;
  readonly serverStatus?: unknown;
  readonly info?: unknown;
}

function resultOf([answer]: readonly unknown[]): DriverResult {
  // With `rowsAsArray` every row is an array; a statement without rows gives a header.
  if (Array.isArray(answer)) return { rows: answer as unknown[][], affected: answer.length };
  const { affectedRows, info } = Object(answer) as Header;
  // Rows that an update matched count, also where it changed nothing in them; a pool may be told to leave those out.
  const matched = /^Rows matched: (\d+)/.exec(String(info))?.[1];
  return { rows: [], affected: Number(matched ?? affectedRows ?? 0) };
}

const IN_TRANSACTION = 1;

// Rows come without a status.
function isOutside([answer]: readonly unknown[]): boolean {
  const { serverStatus } = Object(answer) as Header;
  return typeof serverStatus === "number" && (serverStatus & IN_TRANSACTION) === 0;
}
