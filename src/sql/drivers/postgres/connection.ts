/** A connection of PostgreSQL while rowtype uses it: its statements, its cursors, and how it is interrupted. */

import { inPatience, orInterrupted, throwIfAborted } from "../../contract/abort.js";
import {
  type Control,
  type DriverConnection,
  type DriverCursor,
  type DriverRequest,
  type DriverResult,
  type NativeRequest,
  type NativeResult,
  notSent,
  PAGE_ROWS,
  type ResultCheck,
  type TogetherAnswer,
} from "../../contract/driver.js";
import { Queue } from "../../contract/queue.js";
import type { Isolation } from "../../words/options.js";
import { cancelStatement } from "./cancel.js";
import { refuseCopyIn } from "./copy-in.js";
import { askTogether, type ManyAnswers, NO_ANSWERS } from "./own-queries.js";
import { OwnQuery, parsedOn, type Sending } from "./own-query.js";
import type { PostgresQuery, PostgresResult } from "./query.js";
import { requireCommitted, resultOf, resultsOf } from "./results.js";
import { type Corrections, correctionsOf, NONE, SETTINGS_QUERY } from "./settings.js";
import type { ForeignClient, PostgresClient } from "./source.js";
import type { Parsed, PostgresStatements } from "./statements.js";

const controls: { readonly [C in Control]: string } = {
  commit: "COMMIT",
  rollback: "ROLLBACK",
  savepoint: "SAVEPOINT rowtype",
  "release savepoint": "RELEASE SAVEPOINT rowtype",
  "rollback to savepoint": "ROLLBACK TO SAVEPOINT rowtype",
};

const begins: { readonly [I in Isolation]: string } = {
  "read committed": "BEGIN ISOLATION LEVEL READ COMMITTED",
  "repeatable read": "BEGIN ISOLATION LEVEL REPEATABLE READ",
  serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE",
};

/** The SQLSTATE of a cancelled statement. */
const CANCELLED = "57014";

/** The SQLSTATE of a write on a standby, or in a read-only transaction. */
const READ_ONLY = "25006";

/** The SQLSTATEs of statements that run only outside a transaction: `VACUUM`, and a procedure that commits. */
const OUTSIDE_ONLY: ReadonlySet<unknown> = new Set(["25001", "2D000"]);

/** The time that the server may take to receive the cancel request, in milliseconds. */
const CANCEL_MS = 1_000;

/** How a text is sent. */
interface Way {
  readonly signal?: AbortSignal | undefined;
  /** Whether it may be kept prepared. */
  readonly isKept?: boolean;
  readonly isDescribed?: boolean;
  readonly check?: ((result: PostgresResult) => void) | undefined;
  readonly isCommand?: boolean;
  /** Whether it is sent with the current settings of the session. */
  readonly isAlone?: boolean | undefined;
}

/** By session, once it has answered. */
const corrections = new WeakMap<object, Corrections>();

export class PostgresConnection implements DriverConnection {
  readonly #client: PostgresClient | ForeignClient;
  readonly #session: object;
  readonly #statements: PostgresStatements;
  /** The statements of a client that takes queries of our own. */
  readonly #parsed: Parsed | undefined;
  #corrections: Corrections | undefined;
  #isLost = false;
  #isReadOnly = false;
  #isTransaction = false;
  /** Whether the server has ended the transaction, also if it answered a commit with a rollback. */
  #isEnded = false;
  readonly together?: NonNullable<DriverConnection["together"]>;
  #cursors = 0;
  /** Commands that are sent in one message with the next statement or command. */
  #waiting: readonly string[] = [];
  readonly #queue = new Queue();
  // A checked-out client reports a lost connection by an event. Without a listener the event ends the process.
  readonly #onError = () => {
    this.#isLost = true;
  };

  constructor(client: PostgresClient | ForeignClient, statements: PostgresStatements) {
    this.#client = client;
    this.#statements = statements;
    this.#parsed = parsedOn(client);
    this.#session = this.#parsed ?? ("session" in client ? client.session : client);
    this.#corrections = corrections.get(this.#session);
    client.on("error", this.#onError);
    if (this.#parsed !== undefined) this.together = this.#together;
  }

  async run(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverResult> {
    const isDescribed = request.prepared.named === true;
    const way = { signal, isKept: true, isDescribed, isAlone: request.anySession };
    return resultOf(await this.#send(request.sql, request.params, way), request);
  }

  /** Runs a statement outside any transaction, and undoes it if `check` throws. */
  async runChecked(
    request: DriverRequest,
    check: ResultCheck,
    signal: AbortSignal | undefined,
  ): Promise<DriverResult> {
    if (this.#parsed !== undefined) {
      let read: DriverResult | undefined;
      const checked = (result: PostgresResult) => {
        read = resultOf(result, request);
        check(read);
      };
      const way = { signal, isKept: true, check: checked };
      const answer = await this.#send(request.sql, request.params, way);
      return read ?? resultOf(answer, request);
    }
    await this.begin(undefined);
    try {
      const result = await this.run(request, signal);
      check(result);
      await this.control("commit");
      return result;
    } catch (error) {
      // If even this fails, the state of the connection is unknown.
      await this.control("rollback").catch(this.#onError);
      throw error;
    }
  }

  /** Runs a text of the caller's own by the client's own query. */
  async native({ text, values }: NativeRequest, signal: AbortSignal | undefined): Promise<NativeResult> {
    const { rows, rowCount } = await this.#inTurn(signal, () => this.#queryNative(text, values));
    return { rows: rows as Record<string, unknown>[], affected: rowCount ?? 0 };
  }

  async open(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverCursor> {
    const name = `rowtype_${++this.#cursors}`;
    await this.#send(`DECLARE ${name} NO SCROLL CURSOR FOR ${request.sql}`, request.params, { signal });
    let isOpen = true;
    const close = async () => {
      if (!isOpen) return;
      isOpen = false;
      await this.#send(`CLOSE ${name}`);
    };
    return {
      next: async () => {
        if (!isOpen) return [];
        const way = { signal, isDescribed: request.prepared.named === true };
        const { rows } = resultOf(await this.#send(`FETCH ${PAGE_ROWS} FROM ${name}`, [], way), request);
        if (rows.length < PAGE_ROWS) await close();
        return rows;
      },
      close,
    };
  }

  async begin(isolation: Isolation | undefined): Promise<void> {
    this.#isTransaction = true;
    const text = isolation === undefined ? "BEGIN" : begins[isolation];
    if (this.#parsed === undefined) await this.#send(text);
    else this.#waiting = [text, ...(this.#corrections ?? NONE).inTransaction];
  }

  async control(command: Control): Promise<void> {
    if (this.#parsed !== undefined && this.#waits(command)) return;
    if (this.#isEnded && (command === "rollback" || command === "commit")) return;
    const result = await this.#send(controls[command], [], { isCommand: true });
    this.#isEnded = command === "commit" || command === "rollback";
    if (command === "commit") requireCommitted(result);
  }

  /** Whether a command can wait, or need not be sent because what it ends has not begun. */
  #waits(command: Control): boolean {
    const waiting = this.#waiting;
    if (command === "commit" || command === "rollback") {
      // These commands end savepoints too.
      this.#waiting = [];
      return waiting[0]?.startsWith("BEGIN") === true;
    }
    const isUnsent = waiting.at(-1) === controls.savepoint;
    if (command === "rollback to savepoint") return isUnsent;
    this.#waiting =
      command === "release savepoint" && isUnsent ? waiting.slice(0, -1) : [...waiting, controls[command]];
    return true;
  }

  release(inDoubt: boolean): void | Promise<void> {
    if (inDoubt || this.#isLost || !this.#isReadOnly) this.#release(inDoubt || this.#isLost);
    else return this.#takesWrites().then((takesThem) => this.#release(!takesThem || this.#isLost));
  }

  #release(isSpent: boolean): void {
    this.#client.release(isSpent);
    this.#client.off("error", this.#onError);
  }

  /** Whether a connection that refused a write accepts other writes, because only its transaction was read-only. */
  async #takesWrites(): Promise<boolean> {
    if (!this.#isTransaction) return false;
    const asked = this.#client.query(queryOf("SHOW transaction_read_only", []));
    const answer = asked.then(
      ({ rows }) => String(rows[0]) === "off",
      () => false,
    );
    return inPatience(answer, false);
  }

  /** Asks for the settings of the session, and adds the usual ones to the waiting commands. */
  async #learn(): Promise<void> {
    const [begin, ...others] = this.#waiting;
    this.#waiting = [];
    try {
      const { rows } = await this.#ask({ text: SETTINGS_QUERY, values: [] }, {});
      let found = correctionsOf(rows[0]);
      if (begin !== undefined) others.unshift(...found.inTransaction);
      if (this.#parsed === undefined) {
        // Such a client sends nothing before a statement.
        for (const text of found.forSession) await this.#ask({ text, values: [] }, {});
        found = NONE;
      }
      this.#corrections = found;
      corrections.set(this.#session, found);
    } finally {
      if (begin !== undefined) this.#waiting = [begin, ...others];
    }
  }

  async #query(text: string, params: readonly unknown[], way: Way): Promise<PostgresResult> {
    const name = way.isKept === true ? this.#statements.nameOf(text) : undefined;
    // Sending a text without a name shows whether the name caused the error.
    const isUnnamed = way.isKept === true && name === undefined;
    try {
      if (this.#corrections === undefined && way.isAlone !== true) await this.#learn();
      const result = await this.#ask({ text, values: params, name }, way);
      if (isUnnamed) this.#statements.sentUnnamed(text, true);
      this.#statements.noteCommand(result.command);
      return result;
    } catch (error) {
      const failure = this.#failureOf(error);
      if (failure !== error) throw failure;
      if (isUnnamed) this.#statements.sentUnnamed(text, false);
      if (this.#isCorrecting(way) && OUTSIDE_ONLY.has(Object(error).code))
        return this.#query(text, params, { ...way, isAlone: true });
      // Outside a transaction the failed statement had no effect: it is prepared and sent again.
      const isOutdated = this.#statements.doubts(text, name, error);
      if (isOutdated && !this.#isTransaction) return this.#query(text, params, way);
      throw error;
    }
  }

  #failureOf(error: unknown): unknown {
    // `pg` refuses queries after an error or the end of the connection.
    if (/not queryable$/.test(String(Object(error).message))) return notSent(error);
    this.#isReadOnly ||= Object(error).code === READ_ONLY;
    return error;
  }

  /** Whether the usual settings are sent before a statement. */
  #isCorrecting({ isAlone }: Way): boolean {
    return !this.#isTransaction && isAlone !== true && (this.#corrections ?? NONE).alone.length > 0;
  }

  #ask(sending: Sending, way: Way): Promise<PostgresResult> {
    const { isDescribed, check, isCommand } = way;
    const parsed = this.#parsed;
    if (parsed === undefined) return this.#client.query(queryOf(sending.text, sending.values, sending.name));
    const stale = this.#statements.staleOn(parsed);
    const waiting = this.#waiting;
    const before = this.#isCorrecting(way) ? (this.#corrections ?? NONE).alone : waiting;
    this.#waiting = [];
    // No spread with members after it: V8 makes a new hidden class for each such object, which only a full collection
    // removes, and until then everything that a call has held stays: 1.2 kB a call.
    const { text, values, name } = sending;
    const whole = { text, values, name, stale, isDescribed, check, before, isCommand };
    return new Promise((resolve, reject) => {
      const own = new OwnQuery(whole, (error, result) => {
        if (result !== undefined) return resolve(result);
        // A command that was not executed has not begun anything.
        this.#waiting = waiting.slice(own.executed);
        reject(error);
      });
      // The client returns a query object that it did not create, and calls it.
      void this.#client.query(own);
    });
  }

  async #queryNative(text: string, values: readonly unknown[]): Promise<PostgresResult> {
    try {
      refuseCopyIn(text);
      if (this.#corrections === undefined) await this.#learn();
      await this.#sendWaiting();
      const result = await this.#client.query({ text, values: [...values], queryMode: "extended" });
      this.#statements.noteCommand(result.command);
      return result;
    } catch (error) {
      throw this.#failureOf(error);
    }
  }

  async #together(
    requests: readonly DriverRequest[],
    commits: boolean,
    signal: AbortSignal | undefined,
  ): Promise<TogetherAnswer> {
    let answered = NO_ANSWERS;
    try {
      await this.#inTurn(signal, async () => {
        if (this.#corrections === undefined) await this.#learn();
        answered = await this.#askTogether(requests, commits);
        if (answered.error !== null) throw this.#failureOf(answered.error);
      });
      const end = answered.results[requests.length];
      if (end !== undefined) requireCommitted(end);
    } catch (error) {
      return { results: resultsOf(answered, requests), refusal: { error } };
    }
    return { results: resultsOf(answered, requests) };
  }

  async #askTogether(requests: readonly DriverRequest[], commits: boolean): Promise<ManyAnswers> {
    const sent = requests.map(({ sql, params, prepared }) => {
      const isDescribed = prepared.named === true;
      return { text: sql, values: params, name: this.#statements.nameOf(sql), isDescribed };
    });
    const before = this.#waiting;
    this.#waiting = [];
    const stale = this.#parsed === undefined ? [] : this.#statements.staleOn(this.#parsed);
    const statements = commits ? [...sent, { text: controls.commit, values: [] }] : sent;
    const answered = await askTogether(this.#client, { statements, before, stale });
    const { results, executed, error } = answered;
    // A command that was not executed has not begun anything.
    if (error !== null) this.#waiting = before.slice(executed);
    this.#isEnded = results.length > requests.length;
    this.#statements.noteAnswers(sent, results, error);
    return answered;
  }

  /** Sends the commands that wait for a statement. */
  async #sendWaiting(): Promise<void> {
    const last = this.#waiting.at(-1);
    if (last === undefined) return;
    this.#waiting = this.#waiting.slice(0, -1);
    await this.#ask({ text: last, values: [] }, { isCommand: true });
  }

  #send(text: string, params: readonly unknown[] = [], way: Way = {}): Promise<PostgresResult> {
    return this.#inTurn(way.signal, () => this.#query(text, params, way));
  }

  /** Sends a statement after the previous ones have been answered: `pg` accepts one statement at a time. */
  async #inTurn<T>(signal: AbortSignal | undefined, send: () => Promise<T>): Promise<T> {
    const { isFree } = this.#queue;
    const turn = this.#queue.hold(this, signal);
    if (!isFree) await turn;
    try {
      return await this.#interruptibly(signal, send);
    } finally {
      this.#queue.release();
    }
  }

  #interruptibly<T>(signal: AbortSignal | undefined, send: () => Promise<T>): Promise<T> {
    if (this.#isLost) throw notSent();
    throwIfAborted(signal);
    const running = send();
    const cancel = cancelOf(this.#client);
    if (signal === undefined || cancel === undefined) return running;
    return orInterrupted(running, signal, {
      ask: () => cancel(CANCEL_MS),
      isAnswer: (error) => Object(error).code === CANCELLED,
      giveUp: this.#onError,
    });
  }
}

/** How a server is asked to cancel a statement; undefined where a statement that runs is awaited. */
function cancelOf(
  client: PostgresClient | ForeignClient,
): ((timeoutMs: number) => Promise<boolean>) | undefined {
  if (!("session" in client)) return (timeoutMs) => cancelStatement(client, timeoutMs);
  return client.cancel?.bind(client);
}

// A list, because `pg` also reads the types of the parameters from it; there are none.
const types = Object.assign([], { getTypeParser: () => (value: string) => value });

/** A text and its values, with all settings that decide the form of the result. */
function queryOf(text: string, params: readonly unknown[], name?: string): PostgresQuery {
  refuseCopyIn(text);
  const named = name === undefined ? {} : { name };
  return { text, values: [...params], rowMode: "array", types, queryMode: "extended", ...named };
}
