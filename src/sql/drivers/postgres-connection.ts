/** A connection of a `pg.Pool` while it is ours: its statements, its cursors, and how it is interrupted. */

import { inPatience, orInterrupted, throwIfAborted } from "../contract/abort.js";
import {
  type Control,
  type DriverConnection,
  type DriverCursor,
  type DriverRequest,
  type DriverResult,
  type Judge,
  notSent,
  PAGE_ROWS,
} from "../contract/driver.js";
import { Queue } from "../contract/queue.js";
import { QueryError } from "../words/errors.js";
import type { Isolation } from "../words/options.js";
import { cancelStatement } from "./postgres-cancel.js";
import { canHold, HeldQuery } from "./postgres-held.js";
import type { PostgresQuery, PostgresResult } from "./postgres-query.js";

export type { PostgresQuery, PostgresResult } from "./postgres-query.js";

/** What rowtype uses of a `pg.PoolClient`. */
export interface PostgresClient {
  query(config: PostgresQuery): Promise<PostgresResult>;
  /** A query that carries itself out. */
  query(held: HeldQuery): unknown;
  release(destroy?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

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

/** What a statement that was cancelled fails with. */
const CANCELLED = "57014";

/** What a write fails with on a standby, and in a transaction that is to read only. */
const READ_ONLY = "25006";

/** How long the server may take to hear of it. */
const CANCEL_MS = 1_000;

export class PostgresConnection implements DriverConnection {
  readonly #client: PostgresClient;
  #isLost = false;
  #isReadOnly = false;
  #isTransaction = false;
  #cursors = 0;
  readonly #queue = new Queue();
  // A client that is checked out tells of a lost connection by an event; without a listener it ends the process.
  readonly #onError = () => {
    this.#isLost = true;
  };

  constructor(client: PostgresClient) {
    this.#client = client;
    client.on("error", this.#onError);
  }

  async run(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverResult> {
    return resultOf(await this.#send(request.sql, request.params, signal), request);
  }

  /** Runs a statement outside any transaction, and undoes it where `judge` throws. */
  async runJudged(
    request: DriverRequest,
    judge: Judge,
    signal: AbortSignal | undefined,
  ): Promise<DriverResult> {
    if (canHold(this.#client)) {
      let read: DriverResult | undefined;
      const judged = (result: PostgresResult) => {
        read = resultOf(result, request);
        judge(read);
      };
      const answer = await this.#send(request.sql, request.params, signal, judged);
      return read ?? resultOf(answer, request);
    }
    await this.begin(undefined);
    try {
      const result = await this.run(request, signal);
      judge(result);
      await this.control("commit");
      return result;
    } catch (error) {
      // Of a connection on which not even this works it is not known where it stands.
      await this.control("rollback").catch(this.#onError);
      throw error;
    }
  }

  async open(request: DriverRequest, signal: AbortSignal | undefined): Promise<DriverCursor> {
    const name = `rowtype_${++this.#cursors}`;
    await this.#send(`DECLARE ${name} NO SCROLL CURSOR FOR ${request.sql}`, request.params, signal);
    let isOpen = true;
    const close = async () => {
      if (!isOpen) return;
      isOpen = false;
      await this.#send(`CLOSE ${name}`);
    };
    return {
      next: async () => {
        if (!isOpen) return [];
        const { rows } = resultOf(await this.#send(`FETCH ${PAGE_ROWS} FROM ${name}`, [], signal), request);
        if (rows.length < PAGE_ROWS) await close();
        return rows;
      },
      close,
    };
  }

  async begin(isolation: Isolation | undefined): Promise<void> {
    this.#isTransaction = true;
    await this.#send(isolation === undefined ? "BEGIN" : begins[isolation]);
  }

  async control(command: Control): Promise<void> {
    const result = await this.#send(controls[command]);
    // A transaction that a failed statement has doomed answers COMMIT with ROLLBACK, and no error.
    if (command === "commit" && result.command === "ROLLBACK")
      throw new QueryError("QUERY_FAILED", "the transaction was rolled back: a statement in it had failed");
  }

  async release(inDoubt: boolean): Promise<void> {
    const isSpent = inDoubt || this.#isLost || (this.#isReadOnly && !(await this.#takesWrites()));
    this.#client.release(isSpent || this.#isLost);
    this.#client.off("error", this.#onError);
  }

  /** Whether a connection on which a write was refused takes others: its transaction alone had asked for that. */
  async #takesWrites(): Promise<boolean> {
    if (!this.#isTransaction) return false;
    const asked = this.#client.query(queryOf("SHOW transaction_read_only", []));
    const answer = asked.then(
      ({ rows }) => String(rows[0]) === "off",
      () => false,
    );
    return inPatience(answer, false);
  }

  async #query(
    text: string,
    params: readonly unknown[],
    judge?: (result: PostgresResult) => void,
  ): Promise<PostgresResult> {
    try {
      const query = queryOf(text, params);
      return await (judge === undefined ? this.#client.query(query) : this.#held(query, judge));
    } catch (error) {
      // `pg` refuses what comes after an error of the connection or its end.
      if (/not queryable$/.test(String(Object(error).message))) throw notSent(error);
      this.#isReadOnly ||= Object(error).code === READ_ONLY;
      throw error;
    }
  }

  #held(query: PostgresQuery, judge: (result: PostgresResult) => void): Promise<PostgresResult> {
    return new Promise((resolve, reject) => {
      const held = new HeldQuery(query, judge, (error, result) =>
        result === undefined ? reject(error) : resolve(result),
      );
      // The client gives a query of somebody else's back, and calls it.
      void this.#client.query(held);
    });
  }

  /** Sends a statement when those before it have been answered: `pg` takes one at a time. */
  async #send(
    text: string,
    params: readonly unknown[] = [],
    signal?: AbortSignal,
    judge?: (result: PostgresResult) => void,
  ): Promise<PostgresResult> {
    const { isFree } = this.#queue;
    const turn = this.#queue.hold(this, signal);
    if (!isFree) await turn;
    try {
      return await this.#sendNow(text, params, signal, judge);
    } finally {
      this.#queue.release();
    }
  }

  async #sendNow(
    text: string,
    params: readonly unknown[],
    signal: AbortSignal | undefined,
    judge: ((result: PostgresResult) => void) | undefined,
  ): Promise<PostgresResult> {
    if (this.#isLost) throw notSent();
    throwIfAborted(signal);
    const running = this.#query(text, params, judge);
    if (signal === undefined) return running;
    return orInterrupted(running, signal, {
      ask: () => cancelStatement(this.#client, CANCEL_MS),
      isAnswer: (error) => Object(error).code === CANCELLED,
      giveUp: this.#onError,
    });
  }
}

// A list, for `pg` also reads there the types of the parameters, of which we say none.
const types = Object.assign([], { getTypeParser: () => (value: string) => value });

/** A text and its values, with everything that decides what comes back. */
export function queryOf(text: string, params: readonly unknown[]): PostgresQuery {
  return { text, values: [...params], rowMode: "array", types, queryMode: "extended" };
}

/** What `pg` answered, as rowtype takes it. */
export function resultOf({ rows, rowCount, fields }: PostgresResult, { named }: DriverRequest): DriverResult {
  const affected = rowCount ?? 0;
  // With `rowMode: "array"` every row is an array.
  const result = { rows: rows as unknown[][], affected };
  return named === true ? { ...result, columns: fields.map(({ name }) => name) } : result;
}
