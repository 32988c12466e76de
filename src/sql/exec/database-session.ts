/** The session of a database: statements run on any connection, and each transaction on its own. */

import { listed, quoted } from "../../core/errors.js";
import { ignore } from "../../core/values.js";
import { orAborted, throwIfAborted } from "../contract/abort.js";
import type {
  Driver,
  DriverAnswer,
  DriverCursor,
  DriverRequest,
  DriverResult,
  MaybePromise,
  NativeRequest,
  NativeResult,
  ResultCheck,
  TogetherAnswer,
} from "../contract/driver.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { ParameterError, QueryError, storedYet, UnsupportedError, unplaced } from "../words/errors.js";
import { isLost, TRANSIENT, UNDONE } from "../words/failures.js";
import type { Isolation } from "../words/options.js";
import { type DatabaseOptions, faultOfRetries } from "../words/options.js";
import { openAlone } from "./cursor.js";
import { GatheredSession } from "./gathered.js";
import { giveUpGuard, guarded } from "./guarded.js";
import { repeated } from "./repeat.js";
import { type AtomicOptions, runNative, type Session, translated } from "./session.js";
import { type HandleOf, knownHandle, running, TransactionSession } from "./transaction.js";

interface Checked {
  readonly request: DriverRequest;
  readonly check: ResultCheck;
  readonly signal: AbortSignal | undefined;
}

/** The session of a database: every request runs on any connection. */
export class DatabaseSession implements Session {
  readonly isTransaction = false;
  readonly driver: Driver;
  readonly grammar: Grammar;
  readonly #handleOf: HandleOf;
  readonly #options: DatabaseOptions;

  constructor(driver: Driver, grammar: Grammar, handleOf: HandleOf, options: DatabaseOptions) {
    this.driver = driver;
    this.grammar = grammar;
    this.#handleOf = handleOf;
    this.#options = options;
  }

  get handle(): undefined {
    return undefined;
  }

  get database(): Session {
    return this;
  }

  throwIfInside(isMeant: boolean): void {
    const { driver } = this;
    const inside = running.find((one) => one.driver === driver && !one.isClosed());
    if (inside === undefined || (isMeant && driver.hasOneConnection !== true)) return;
    throw new QueryError(
      "TRANSACTION_REQUIRED",
      isMeant
        ? "the transaction around this call uses the only connection of the database: use its tx"
        : "this call is inside a transaction of this database: use its tx, or { tx: null } to run outside it",
    );
  }

  throwIfClosed(): void {
    // The owner of the handle closes the database, and the driver reports a closed one.
  }

  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer {
    return this.driver.run(request, signal);
  }

  runChecked(request: DriverRequest, check: ResultCheck, signal: AbortSignal | undefined): DriverAnswer {
    const { hasNoSessions, makesUpRows } = this.driver;
    const inOne = hasNoSessions || makesUpRows ? undefined : guarded(request);
    if (inOne === undefined) return this.#runUndoable(request, check, signal);
    return this.#runGuarded(inOne, { request, check, signal });
  }

  /** Runs a statement in one round trip; if its guard refuses it, in a transaction, where the rows are read. */
  async #runGuarded(inOne: DriverRequest, { request, check, signal }: Checked): Promise<DriverResult> {
    let result: DriverResult;
    try {
      result = await this.driver.run(inOne, signal);
    } catch (error) {
      const read = this.driver.asOfClient?.(error) ?? error;
      if (this.grammar.guard?.isFailure(read) !== true) throw error;
      const undoable = await this.#runUndoable(request, check, signal);
      giveUpGuard(request);
      return undoable;
    }
    check(result);
    return result;
  }

  #runUndoable(request: DriverRequest, check: ResultCheck, signal: AbortSignal | undefined): DriverAnswer {
    if (this.driver.runChecked !== undefined) return this.driver.runChecked(request, check, signal);
    const run = async (session: Session) => {
      const result = await session.run(request, signal);
      check(result);
      return result;
    };
    return this.atomically(run, { signal });
  }

  native(request: NativeRequest, signal: AbortSignal | undefined): MaybePromise<NativeResult> {
    return runNative(this.driver, this.grammar, request, signal);
  }

  open(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverCursor> {
    return openAlone(this.driver, request, signal);
  }

  async atomically<T>(work: (session: Session) => Promise<T>, options: AtomicOptions = {}): Promise<T> {
    checkOptions(options);
    const { retries = 0, signal } = options;
    return repeated(() => this.#once(work, options), { retries, after: TRANSIENT, signal });
  }

  changing<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
  changing<T>(work: () => MaybePromise<T>, signal: AbortSignal | undefined): MaybePromise<T>;
  changing<T>(work: () => MaybePromise<T>, signal: AbortSignal | undefined): MaybePromise<T> {
    const { retries } = this.#options;
    if (retries === undefined || retries === 0) return work();
    return repeated(work, { retries, after: UNDONE, signal });
  }

  /** Runs statements together by a driver that can undo nothing afterwards. */
  async #gathered<T>(
    work: (session: Session) => Promise<T>,
    { isolation, signal }: AtomicOptions,
    together: NonNullable<Driver["together"]>,
  ): Promise<T> {
    if (isolation !== undefined)
      throw new UnsupportedError(
        this.grammar.dialect,
        "isolation with a driver without connect()",
        "leave it out",
      );
    const handleOf = (inner: Session) => knownHandle(inner, this.#handleOf);
    const session = new GatheredSession({ outer: this, undoes: false, handleOf });
    const { gathering } = session;
    let isStored = false;
    let isRefused = false;
    const send = async (requests: readonly DriverRequest[]): Promise<TogetherAnswer> => {
      try {
        const results = await together(requests, signal);
        isStored = true;
        return { results };
      } catch (error) {
        isRefused = true;
        return { results: [], refusal: { error } };
      }
    };
    return gathering.run(work(session), send).catch((error: unknown) => {
      if (isStored) throw storedYet(error);
      // Which of several statements was refused is not known.
      throw isRefused && gathering.count > 1 ? unplaced(error) : error;
    });
  }

  async #once<T>(work: (session: Session) => Promise<T>, options: AtomicOptions): Promise<T> {
    const { driver } = this;
    const { isolation, signal, callsBack = false } = options;
    throwIfAborted(signal);
    if (driver.together !== undefined) return this.#gathered(work, options, driver.together.bind(driver));
    const connection = await translated(driver, () => driver.connect(signal));
    const session = new TransactionSession(driver, this.grammar, connection, {
      signal,
      database: this,
      handleOf: this.#handleOf,
    });
    // Until the end of the transaction is confirmed, the connection may still have it open.
    let inDoubt = true;
    try {
      throwIfAborted(signal);
      await translated(driver, () => orAborted(connection.begin(isolation), signal, ignore));
      try {
        // Otherwise hanging work would keep the connection forever.
        const working = callsBack ? running.run(session, () => work(session)) : work(session);
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

const isolations: ReadonlySet<unknown> = new Set<Isolation>([
  "read committed",
  "repeatable read",
  "serializable",
]);

// The level becomes SQL text: only the three known levels are accepted.
function checkOptions({ isolation, retries }: AtomicOptions): void {
  if (isolation !== undefined && !isolations.has(isolation))
    throw new ParameterError(
      "PARAM_TYPE",
      "isolation",
      "",
      `isolation must be one of ${listed(isolations as ReadonlySet<string>)}, not ${quoted(isolation)}`,
    );
  const fault = faultOfRetries(retries);
  if (fault !== undefined) throw new ParameterError("PARAM_TYPE", "retries", "", fault);
}
