/**
 * A session is where statements run: a database, or one transaction of it. Both run a request and both can run
 * several as one: the database in a transaction, a transaction in a savepoint.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { describeType, listed, quoted } from "../../core/errors.js";
import type { Grammar } from "../dialect/grammar.js";
import { ParameterError, QueryError, SqlError } from "../errors.js";
import type { Control, Driver, DriverAnswer, DriverConnection, DriverRequest, Isolation } from "./driver.js";
import type { TransactionHandle } from "./options.js";

/** Where statements run. */
export interface Session {
  readonly driver: Driver;
  readonly grammar: Grammar;
  /** Whether statements run inside a transaction. */
  readonly isTransaction: boolean;
  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer;
  /** Runs everything that `work` sends to the session it gets, or nothing of it. */
  atomically<T>(work: (session: TransactionSession) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

/** Options of a transaction. */
export interface TransactionOptions {
  readonly isolation?: Isolation | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How often the whole callback is run again after a deadlock or a serialization failure; default 0. */
  readonly retries?: number | undefined;
}

/** The session of a database: every request on any connection. */
export class DatabaseSession implements Session {
  readonly isTransaction = false;
  readonly driver: Driver;
  readonly grammar: Grammar;

  constructor(driver: Driver, grammar: Grammar) {
    this.driver = driver;
    this.grammar = grammar;
  }

  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer {
    return this.driver.run(request, signal);
  }

  async atomically<T>(
    work: (session: TransactionSession) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    checkOptions(options);
    const { retries = 0 } = options;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#once(work, options);
      } catch (error) {
        if (attempt >= retries || !isTransient(error)) throw error;
      }
    }
  }

  async #once<T>(
    work: (session: TransactionSession) => Promise<T>,
    { isolation, signal }: TransactionOptions,
  ): Promise<T> {
    const { driver } = this;
    throwIfAborted(signal);
    const connection = await translated(driver, () => driver.connect(signal));
    const session = new TransactionSession(driver, this.grammar, connection);
    // Until the end of the transaction is known, the connection may still be inside it.
    let inDoubt = true;
    try {
      throwIfAborted(signal);
      await translated(driver, () => connection.begin(isolation));
      try {
        const result = await connection.scope(() => work(session));
        throwIfAborted(signal);
        await session.end("commit");
        inDoubt = false;
        return result;
      } catch (error) {
        inDoubt = isLost(error) || !(await session.undone());
        throw error;
      }
    } finally {
      session.close();
      await connection.release(inDoubt);
    }
  }
}

/** The session of one transaction or savepoint. */
export class TransactionSession implements Session {
  readonly isTransaction = true;
  readonly driver: Driver;
  readonly grammar: Grammar;
  readonly #connection: DriverConnection;
  readonly #outer: TransactionSession | undefined;
  #closed = false;
  // Savepoints of one transaction nest, so those that are asked for side by side wait for each other, and so do
  // statements: one that ran beside an open savepoint would be undone with it.
  #savepoint: Promise<unknown> | undefined;

  constructor(driver: Driver, grammar: Grammar, connection: DriverConnection, outer?: TransactionSession) {
    this.driver = driver;
    this.grammar = grammar;
    this.#connection = connection;
    this.#outer = outer;
  }

  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer {
    this.#throwIfClosed();
    if (this.#savepoint === undefined) return this.#connection.run(request, signal);
    return this.#afterSavepoint().then(() => this.run(request, signal));
  }

  async atomically<T>(
    work: (session: TransactionSession) => Promise<T>,
    { signal }: TransactionOptions = {},
  ): Promise<T> {
    while (this.#savepoint !== undefined) await this.#afterSavepoint();
    throwIfAborted(signal);
    const running = this.#inSavepoint(work);
    const settled = running.then(ignore, ignore);
    this.#savepoint = settled;
    try {
      return await running;
    } finally {
      if (this.#savepoint === settled) this.#savepoint = undefined;
    }
  }

  /** Ends the transaction; statements that come later are refused. */
  async end(command: "commit" | "rollback"): Promise<void> {
    // An inner transaction that nobody waited for ends first: half of it must not be committed.
    while (this.#savepoint !== undefined) await this.#savepoint;
    this.#throwIfClosed();
    this.close();
    try {
      await translated(this.driver, () => this.#connection.control(command));
    } catch (error) {
      if (command === "commit" && isLost(error))
        throw new QueryError(
          "UNKNOWN_OUTCOME",
          "the connection broke during COMMIT: the changes may be stored or not",
          { cause: error },
        );
      throw error;
    }
  }

  /** Rolls the transaction back whatever state it is in, and says whether that worked. */
  async undone(): Promise<boolean> {
    this.close();
    // The error that led here is the one to tell; a failed rollback only means that the connection is lost.
    return this.#connection.control("rollback").then(
      () => true,
      () => false,
    );
  }

  close(): void {
    this.#closed = true;
  }

  isClosed(): boolean {
    return this.#closed || this.#outer?.isClosed() === true;
  }

  async #inSavepoint<T>(work: (session: TransactionSession) => Promise<T>): Promise<T> {
    this.#throwIfClosed();
    const inner = new TransactionSession(this.driver, this.grammar, this.#connection, this);
    await this.#control("savepoint");
    let result: T;
    try {
      result = await running.run(inner, () => work(inner));
    } catch (error) {
      inner.close();
      if (!this.isClosed()) {
        await this.#control("rollback to savepoint");
        await this.#control("release savepoint");
      }
      throw error;
    }
    inner.close();
    this.#throwIfClosed();
    await this.#control("release savepoint");
    return result;
  }

  /** Waits for the open savepoint; from inside it that would be waiting for oneself. */
  async #afterSavepoint(): Promise<void> {
    const inside = running.getStore();
    if (inside?.isWithin(this) === true && !inside.#closed)
      throw new QueryError(
        "TRANSACTION_REQUIRED",
        "an inner transaction is running: use the tx that it was given",
      );
    await this.#savepoint;
  }

  isWithin(other: TransactionSession): boolean {
    return this.#outer !== undefined && (this.#outer === other || this.#outer.isWithin(other));
  }

  #control(command: Control): Promise<void> {
    return translated(this.driver, () => this.#connection.control(command));
  }

  #throwIfClosed(): void {
    if (this.isClosed()) throw new QueryError("TRANSACTION_CLOSED", "the transaction has ended");
  }
}

const running = new AsyncLocalStorage<TransactionSession>();

const sessions = new WeakMap<object, TransactionSession>();

/** Lets a handle stand for a session, as the option `tx`. */
export function bindHandle(handle: TransactionHandle, session: TransactionSession): void {
  sessions.set(handle, session);
}

/**
 * The session behind the option `tx`.
 * @throws {QueryError} `TRANSACTION_REQUIRED` for what is no transaction of the database that the driver is of.
 */
export function sessionOf(handle: TransactionHandle, driver: Driver): TransactionSession {
  const session = sessions.get(Object(handle));
  if (session === undefined)
    throw new QueryError("TRANSACTION_REQUIRED", "tx is not a transaction of rowtype");
  if (session.driver !== driver)
    throw new QueryError("TRANSACTION_REQUIRED", "tx is a transaction of another database");
  return session;
}

/** Throws `ABORTED` where the signal says so. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true)
    throw new QueryError("ABORTED", "the call was aborted", { cause: signal.reason });
}

/** What a call to the driver gives, with its error as one of ours. */
export async function translated<T>(driver: Driver, call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof SqlError ? error : driver.translate(error, (column) => column);
  }
}

const isolations: ReadonlySet<unknown> = new Set<Isolation>([
  "read committed",
  "repeatable read",
  "serializable",
]);

// The level becomes SQL text, so nothing but the three of them goes on.
function checkOptions({ isolation, retries }: TransactionOptions): void {
  if (isolation !== undefined && !isolations.has(isolation))
    throw new ParameterError(
      "PARAM_TYPE",
      "isolation",
      "",
      `isolation is one of ${listed(isolations as ReadonlySet<string>)}, not ${quoted(isolation)}`,
    );
  if (retries !== undefined && !(Number.isSafeInteger(retries) && retries >= 0))
    throw new ParameterError(
      "PARAM_TYPE",
      "retries",
      "",
      `retries is a whole number from 0, not ${describeType(retries)}`,
    );
}

function isTransient(error: unknown): boolean {
  return error instanceof SqlError && (error.code === "DEADLOCK" || error.code === "SERIALIZATION_FAILURE");
}

function isLost(error: unknown): boolean {
  return error instanceof SqlError && (error.code === "CONNECTION_LOST" || error.code === "UNKNOWN_OUTCOME");
}

function ignore(): void {
  // The one who asked for the savepoint gets its error; those who wait for it only want to know its end.
}
