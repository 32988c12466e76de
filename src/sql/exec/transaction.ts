/** The session of one transaction, or of a savepoint in one. */

import { ignore } from "../../core/values.js";
import { inPatience, orInterrupted, throwIfAborted } from "../contract/abort.js";
import type {
  Control,
  Driver,
  DriverAnswer,
  DriverConnection,
  DriverCursor,
  DriverRequest,
  MaybePromise,
  NativeRequest,
  NativeResult,
  ResultCheck,
  TogetherAnswer,
} from "../contract/driver.js";
import { isUnsent } from "../contract/driver.js";
import { Underway } from "../contract/underway.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { QueryError, storedYet } from "../words/errors.js";
import { isLost } from "../words/failures.js";
import type { TransactionHandle } from "../words/options.js";
import { GatheredSession } from "./gathered.js";
import { AsyncScopes } from "./scopes.js";
import { type AtomicOptions, runNative, type Session, sqlErrorOf, translated } from "./session.js";

/** Makes the public `Transaction` of a session. */
export type HandleOf = (session: Session) => TransactionHandle;

interface Place {
  readonly signal: AbortSignal | undefined;
  readonly outer?: TransactionSession;
  readonly database: Session;
  readonly handleOf: HandleOf;
}

/** The session of one transaction or savepoint. */
export class TransactionSession implements Session {
  readonly isTransaction = true;
  readonly driver: Driver;
  readonly grammar: Grammar;
  readonly database: Session;
  readonly #connection: DriverConnection;
  readonly #outer: TransactionSession | undefined;
  /** The signal of the whole transaction. */
  readonly #signal: AbortSignal | undefined;
  // Makes the public object of a session: many transactions are never shown to the caller.
  readonly #handleOf: HandleOf;
  #handle: TransactionHandle | undefined;
  #closed = false;
  // Savepoints of one transaction nest. Therefore concurrent ones wait for each other, and so do statements: a rollback
  // to an open savepoint would undo a statement sent at the same time.
  #savepoint: Promise<unknown> | undefined;
  /** The session of the savepoint that is open at the server. */
  #inner: TransactionSession | undefined;
  // Everything sent in it, which must end before the transaction does. A driver may ask the server for something first,
  // and would then send the statement after the end, on a connection that runs the next transaction.
  readonly #underway = new Underway();
  // Calls that change rows; each may send several statements.
  readonly #calls = new Underway();
  // Open cursors end before the transaction does: a server may wait until their rows are read.
  readonly #cursors = new Set<() => Promise<void>>();
  readonly together?: NonNullable<Session["together"]>;

  constructor(
    driver: Driver,
    grammar: Grammar,
    connection: DriverConnection,
    { signal, outer, database, handleOf }: Place,
  ) {
    this.driver = driver;
    this.grammar = grammar;
    this.#connection = connection;
    this.#signal = signal;
    this.#outer = outer;
    this.database = database;
    this.#handleOf = handleOf;
    if (connection.together !== undefined) this.together = (work, commits) => this.#together(work, commits);
  }

  get handle(): TransactionHandle {
    this.#handle ??= knownHandle(this, this.#handleOf);
    return this.#handle;
  }

  throwIfInside(): void {
    // The current code runs inside it, or a statement of it waits for the current code.
  }

  throwIfClosed(): void {
    if (this.isClosed()) throw new QueryError("TRANSACTION_CLOSED", "the transaction has ended");
  }

  run(request: DriverRequest, signal: AbortSignal | undefined): DriverAnswer {
    this.throwIfClosed();
    if (this.#savepoint === undefined) {
      const answer = this.#connection.run(request, this.#either(signal));
      return answer instanceof Promise ? this.#follow(answer) : answer;
    }
    return this.#afterSavepoint().then(() => this.run(request, signal));
  }

  runChecked(request: DriverRequest, _check: ResultCheck, signal: AbortSignal | undefined): DriverAnswer {
    return this.run(request, signal);
  }

  async native(request: NativeRequest, signal: AbortSignal | undefined): Promise<NativeResult> {
    await this.#myTurn();
    return this.#sent(async () => runNative(this.#connection, this.grammar, request, this.#either(signal)));
  }

  async open(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverCursor> {
    await this.#myTurn();
    const opening = this.#sent(() => this.#connection.open(request, this.#either(signal)));
    let running: Promise<unknown> = opening;
    const close = async () => {
      await running.catch(ignore);
      await (await opening).close();
    };
    this.#cursors.add(close);
    const cursor = await opening;
    return {
      next: async () => {
        await this.#myTurn();
        const page = this.#sent(() => cursor.next());
        running = page;
        const rows = await page;
        // If the end of the transaction closed the cursor, its rows are incomplete.
        if (!this.#cursors.has(close)) this.throwIfClosed();
        if (rows.length === 0) this.#cursors.delete(close);
        return rows;
      },
      close: async () => {
        // The end of the transaction closed it.
        if (this.#cursors.delete(close)) await this.#follow(close());
      },
    };
  }

  async atomically<T>(
    work: (session: Session) => Promise<T>,
    { signal, callsBack = false }: AtomicOptions = {},
  ): Promise<T> {
    while (this.#savepoint !== undefined) await this.#afterSavepoint();
    throwIfAborted(signal);
    const running = this.#inSavepoint(work, callsBack);
    const settled = running.then(ignore, ignore);
    this.#savepoint = settled;
    try {
      return await running;
    } finally {
      if (this.#savepoint === settled) this.#savepoint = undefined;
    }
  }

  async #together<T>(
    work: (session: Session) => Promise<T>,
    commits: (isDoubted: boolean) => boolean,
  ): Promise<T> {
    await this.#myTurn();
    const handleOf = (inner: Session) => knownHandle(inner, this.#handleOf);
    const session = new GatheredSession({ outer: this, undoes: true, handleOf });
    let isStored = false;
    const send = async (requests: readonly DriverRequest[]): Promise<TogetherAnswer> => {
      const isEnd = commits(session.gathering.isDoubted);
      const answer = await this.#sent(() => this.#sendTogether(requests, isEnd));
      isStored = isEnd && answer.refusal === undefined;
      return isEnd ? this.#endedBy(answer, requests.length) : answer;
    };
    try {
      return await session.gathering.run(work(session), send);
    } catch (error) {
      throw isStored ? storedYet(error) : error;
    }
  }

  async #sendTogether(requests: readonly DriverRequest[], isEnd: boolean): Promise<TogetherAnswer> {
    const answer = await this.#connection.together?.(requests, isEnd, this.#signal);
    return answer ?? { results: [] };
  }

  /** A loss after the commit was sent leaves open whether it was carried out. */
  #endedBy({ results, refusal }: TogetherAnswer, count: number): TogetherAnswer {
    if (refusal === undefined) return { results };
    const error = sqlErrorOf(refusal.error, this.driver);
    if (isLost(error) && !isUnsent(error)) return { results, refusal: { error: unknownOutcome(error) } };
    // The error of a statement is that of its table.
    return { results, refusal: results.length < count ? refusal : { error } };
  }

  /** Only the whole transaction can be repeated. */
  changing<T>(work: () => Promise<T>): Promise<T>;
  changing<T>(work: () => MaybePromise<T>): MaybePromise<T>;
  changing<T>(work: () => MaybePromise<T>): MaybePromise<T> {
    const result = work();
    return result instanceof Promise ? this.#calls.follow(result) : result;
  }

  /** Ends the transaction; later statements are refused. */
  async end(command: "commit" | "rollback"): Promise<void> {
    await this.#callsEnded();
    this.throwIfClosed();
    this.close();
    await this.#everythingEnded();
    let isGivenUp = false;
    try {
      const ending = this.#control(command);
      // It is not interrupted. If it never settles, the code does not wait for it forever.
      await (this.#signal === undefined
        ? ending
        : orInterrupted(ending, this.#signal, {
            ask: async () => true,
            isAnswer: () => false,
            giveUp: () => {
              isGivenUp = true;
            },
          }));
    } catch (error) {
      if (command === "commit" && (isGivenUp || (isLost(error) && !isUnsent(error))))
        throw unknownOutcome(error);
      throw error;
    }
  }

  /** Rolls the transaction back in any state, and returns whether that succeeded. */
  async undone(): Promise<boolean> {
    this.close();
    const undone = this.#rolledBack();
    // A statement on a connection that is silent does not end; whoever has aborted does not wait for it.
    return this.#signal?.aborted === true ? inPatience(undone, false) : undone;
  }

  async #rolledBack(): Promise<boolean> {
    // This includes statements that the signal has ended: only then is it known whether the connection still answers.
    await this.#everythingEnded();
    // The caller reports the original error; a failed rollback only means that the connection is lost.
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

  async #inSavepoint<T>(work: (session: Session) => Promise<T>, callsBack: boolean): Promise<T> {
    this.throwIfClosed();
    const inner = new TransactionSession(this.driver, this.grammar, this.#connection, {
      signal: this.#signal,
      outer: this,
      database: this.database,
      handleOf: this.#handleOf,
    });
    await this.#sent(() => this.#control("savepoint"));
    this.#inner = inner;
    let result: T;
    try {
      result = await (callsBack ? running.run(inner, () => work(inner)) : work(inner));
      await inner.#callsEnded();
    } catch (error) {
      inner.close();
      await inner.#everythingEnded();
      await this.#undoSavepoints();
      throw error;
    }
    inner.close();
    await inner.#everythingEnded();
    await this.#release();
    return result;
  }

  /** Undoes the open savepoint, after those that are open in it. The end of the transaction ends all of them. */
  async #undoSavepoints(): Promise<void> {
    const open: TransactionSession[] = [];
    for (let one: TransactionSession = this; one.#inner !== undefined; one = one.#inner) open.unshift(one);
    for (const outer of open) {
      if (!this.isClosed()) await this.#sent(() => this.#control("rollback to savepoint"));
      if (!this.isClosed()) await this.#release(outer);
    }
  }

  #release(outer: TransactionSession = this): Promise<void> {
    this.throwIfClosed();
    outer.#inner = undefined;
    return this.#sent(() => this.#control("release savepoint"));
  }

  /** Waits for the open savepoint. Waiting inside that savepoint would be a deadlock. */
  async #afterSavepoint(): Promise<void> {
    if (running.find((one) => one.isWithin(this) && !one.#closed) !== undefined)
      throw new QueryError(
        "TRANSACTION_REQUIRED",
        "an inner transaction is running: use the tx of its callback",
      );
    await this.#savepoint;
  }

  isWithin(other: TransactionSession): boolean {
    return this.#outer !== undefined && (this.#outer === other || this.#outer.isWithin(other));
  }

  #follow<T>(answer: Promise<T>): Promise<T> {
    if (this.#outer !== undefined) this.#outer.#follow(answer);
    return this.#underway.follow(answer);
  }

  /** Sends something unless the transaction has ended; otherwise the transaction waits for it. */
  #sent<T>(send: () => Promise<T>): Promise<T> {
    this.throwIfClosed();
    return this.#follow(send());
  }

  /** Waits for calls and inner transactions that the caller did not await: they must not be stored partially. */
  async #callsEnded(): Promise<void> {
    while (this.#savepoint !== undefined || !this.#calls.isNone) {
      await this.#savepoint;
      await this.#calls.none();
    }
  }

  /** Waits for everything that was sent. Nothing is added, because the transaction is closed. */
  async #everythingEnded(): Promise<void> {
    await this.#closeCursors();
    await this.#underway.none();
  }

  /** A signal for a statement that also aborts at the end of the transaction. */
  #either(signal: AbortSignal | undefined): AbortSignal | undefined {
    if (signal === undefined || this.#signal === undefined || signal === this.#signal)
      return signal ?? this.#signal;
    return AbortSignal.any([signal, this.#signal]);
  }

  /** Waits until a statement of this session may be sent. */
  async #myTurn(): Promise<void> {
    this.throwIfClosed();
    while (this.#savepoint !== undefined) {
      await this.#afterSavepoint();
      this.throwIfClosed();
    }
  }

  async #closeCursors(): Promise<void> {
    if (this.#inner !== undefined) await this.#inner.#closeCursors();
    const closing = [...this.#cursors];
    this.#cursors.clear();
    // The next statement shows whether the connection still works.
    for (const close of closing) await this.#follow(close()).catch(ignore);
  }

  #control(command: Control): Promise<void> {
    return translated(this.driver, () => this.#connection.control(command));
  }
}

function unknownOutcome(cause: unknown): QueryError {
  return new QueryError(
    "UNKNOWN_OUTCOME",
    "the connection broke during COMMIT: the changes may or may not be stored",
    { cause },
  );
}

/** The transactions and savepoints that the caller's code runs in. */
export const running: AsyncScopes<TransactionSession> = new AsyncScopes();

const sessions = new WeakMap<object, Session>();

/** The handle of a session, by which it is found again. */
export function knownHandle(session: Session, handleOf: HandleOf): TransactionHandle {
  const handle = handleOf(session);
  sessions.set(handle, session);
  return handle;
}

/**
 * The session of the option `tx`.
 * @throws {QueryError} `TRANSACTION_REQUIRED` for a value that is not a transaction of the driver's database.
 */
export function sessionOf(handle: TransactionHandle, driver: Driver): Session {
  const session = sessions.get(Object(handle));
  if (session === undefined)
    throw new QueryError("TRANSACTION_REQUIRED", "tx is not a transaction of rowtype");
  if (session.driver !== driver)
    throw new QueryError("TRANSACTION_REQUIRED", "tx is a transaction of another database");
  return session;
}
