/** The session of a database: each statement on any connection, and transactions on one of their own. */
import { setTimeout } from "node:timers/promises";
import { describeType, listed, quoted } from "../../core/errors.js";
import type { Grammar } from "../dialect/grammar.js";
import { ParameterError, SqlError, type SqlErrorCode } from "../errors.js";
import { orAborted, throwIfAborted } from "./abort.js";
import { openAlone } from "./cursor.js";
import type { Driver, DriverAnswer, DriverCursor, DriverRequest, Isolation } from "./driver.js";
import { isLost, type Session, type TransactionOptions, translated } from "./session.js";
import { TransactionSession } from "./transaction.js";

/** The session of a database: every request on any connection. */
export class DatabaseSession implements Session {
  readonly isTransaction = false;
  readonly driver: Driver;
  readonly grammar: Grammar;

  constructor(driver: Driver, grammar: Grammar) {
    this.driver = driver;
    this.grammar = grammar;
  }

  throwIfClosed(): void {
    // A database is closed by whoever has its handle, and the driver says so.
  }

  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer {
    return this.driver.run(request, signal);
  }

  open(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverCursor> {
    return openAlone(this.driver, request, signal);
  }

  async atomically<T>(work: (session: Session) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    checkOptions(options);
    const { retries = 0 } = options;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#once(work, options);
      } catch (error) {
        if (attempt >= retries || !isTransient(error)) throw error;
        // Rivals that begin again at once meet again; and a synchronous driver would leave them no turn.
        await setTimeout(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** attempt));
      }
    }
  }

  async #once<T>(
    work: (session: Session) => Promise<T>,
    { isolation, signal }: TransactionOptions,
  ): Promise<T> {
    const { driver } = this;
    throwIfAborted(signal);
    const connection = await translated(driver, () => driver.connect(signal));
    const session = new TransactionSession(driver, this.grammar, connection, { signal });
    // Until the end of the transaction is known, the connection may still be inside it.
    let inDoubt = true;
    try {
      throwIfAborted(signal);
      await translated(driver, () => orAborted(connection.begin(isolation), signal, ignore));
      try {
        // What hangs beside the statements would keep the connection for good.
        const working = connection.scope(() => work(session));
        const result = await orAborted(working, signal, () => session.close());
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

const LONGEST_PAUSE_MS = 100;

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

const transient: ReadonlySet<SqlErrorCode> = new Set(["DEADLOCK", "SERIALIZATION_FAILURE", "LOCK_TIMEOUT"]);

function isTransient(error: unknown): boolean {
  return error instanceof SqlError && transient.has(error.code);
}

function ignore(): void {
  // Whether it still begins makes no difference: the connection is thrown away.
}
