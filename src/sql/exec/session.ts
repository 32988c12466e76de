/**
 * A session is where statements run: a database, or one transaction of it. Both run a request and both can run
 * several as one: the database in a transaction, a transaction in a savepoint.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Grammar } from "../dialect/grammar.js";
import { QueryError, SqlError } from "../errors.js";
import type { Driver, DriverAnswer, DriverConnection, DriverRequest, Isolation } from "./driver.js";
import type { TransactionHandle } from "./options.js";

/** Where statements run. */
export interface Session {
  readonly driver: Driver;
  readonly grammar: Grammar;
  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer;
  /** Runs everything that `work` sends to the session it gets, or nothing of it. */
  atomically<T>(work: (session: Session) => Promise<T>, options?: TransactionOptions): Promise<T>;
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
    const retries = options.retries ?? 0;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#once(work, options);
      } catch (error) {
        if (attempt >= retries || !isTransient(error)) throw error;
      }
    }
  }

  async #once<T>(work: (session: TransactionSession) => Promise<T>, options: TransactionOptions): Promise<T> {
    const { driver } = this;
    throwIfAborted(options.signal);
    const connection = await translated(driver, driver.connect(options.signal));
    const session = new TransactionSession(driver, this.grammar, connection);
    // Until the end of the transaction is known, the connection may still be inside it.
    let inDoubt = true;
    try {
      await translated(driver, connection.begin(options.isolation));
      let result: T;
      try {
        result = await connection.scope(() => work(session));
        throwIfAborted(options.signal);
      } catch (error) {
        session.close();
        await translated(driver, connection.rollback());
        inDoubt = false;
        throw error;
      }
      session.close();
      inDoubt = await commit(driver, connection);
      return result;
    } finally {
      session.close();
      connection.release(inDoubt);
    }
  }
}

/** The session of one transaction or savepoint. */
export class TransactionSession implements Session {
  readonly driver: Driver;
  readonly grammar: Grammar;
  readonly #connection: DriverConnection;
  readonly #outer: TransactionSession | undefined;
  #closed = false;
  // Savepoints of one transaction nest, so those that are asked for side by side wait for each other.
  #last: Promise<unknown> = Promise.resolve();

  constructor(driver: Driver, grammar: Grammar, connection: DriverConnection, outer?: TransactionSession) {
    this.driver = driver;
    this.grammar = grammar;
    this.#connection = connection;
    this.#outer = outer;
  }

  close(): void {
    this.#closed = true;
  }

  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer {
    this.#throwIfClosed();
    return this.#connection.run(request, signal);
  }

  atomically<T>(
    work: (session: TransactionSession) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    if (running.getStore()?.isWithin(this) === true)
      return Promise.reject(
        new QueryError(
          "TRANSACTION_REQUIRED",
          "an inner transaction is running: use the tx that it was given",
        ),
      );
    const result = this.#last.then(() => this.#savepoint(work, options));
    this.#last = result.catch(() => undefined);
    return result;
  }

  isWithin(other: TransactionSession): boolean {
    return this.#outer !== undefined && (this.#outer === other || this.#outer.isWithin(other));
  }

  async #savepoint<T>(
    work: (session: TransactionSession) => Promise<T>,
    options: TransactionOptions,
  ): Promise<T> {
    throwIfAborted(options.signal);
    const inner = new TransactionSession(this.driver, this.grammar, this.#connection, this);
    await this.#control("SAVEPOINT rowtype");
    try {
      const result = await running.run(inner, () => work(inner));
      await this.#control("RELEASE SAVEPOINT rowtype");
      return result;
    } catch (error) {
      if (!this.isClosed()) {
        await this.#control("ROLLBACK TO SAVEPOINT rowtype");
        await this.#control("RELEASE SAVEPOINT rowtype");
      }
      throw error;
    } finally {
      inner.close();
    }
  }

  async #control(sql: string): Promise<void> {
    await translated(this.driver, this.run({ sql, params: [], givesRows: false, bigints: false }, undefined));
  }

  isClosed(): boolean {
    return this.#closed || this.#outer?.isClosed() === true;
  }

  #throwIfClosed(): void {
    if (this.isClosed()) throw new QueryError("TRANSACTION_CLOSED", "the transaction has ended");
  }
}

const running = new AsyncLocalStorage<TransactionSession>();

const sessions = new WeakMap<TransactionHandle, TransactionSession>();

/** Lets a handle stand for a session, as the option `tx`. */
export function bindHandle(handle: TransactionHandle, session: TransactionSession): void {
  sessions.set(handle, session);
}

/** The session behind the option `tx`. */
export function sessionOf(handle: TransactionHandle): TransactionSession {
  const session = sessions.get(handle);
  if (session === undefined)
    throw new QueryError("TRANSACTION_REQUIRED", "tx is not a transaction of rowtype");
  return session;
}

/** Throws `ABORTED` where the signal says so. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true)
    throw new QueryError("ABORTED", "the call was aborted", { cause: signal.reason });
}

/** A driver's answer, with its error as one of ours. */
export async function translated<T>(driver: Driver, answer: T | Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof SqlError ? error : driver.translate(error, (column) => column);
  }
}

// After a COMMIT that the server refused the transaction is over; after one that was cut nobody knows.
async function commit(driver: Driver, connection: DriverConnection): Promise<false> {
  try {
    await translated(driver, connection.commit());
    return false;
  } catch (error) {
    if (error instanceof SqlError && error.code === "CONNECTION_LOST")
      throw new QueryError(
        "UNKNOWN_OUTCOME",
        "the connection broke during COMMIT: the changes may be stored or not",
        {
          cause: error,
        },
      );
    await connection.rollback();
    throw error;
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof SqlError && (error.code === "DEADLOCK" || error.code === "SERIALIZATION_FAILURE");
}
