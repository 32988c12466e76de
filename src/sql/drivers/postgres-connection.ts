/** A connection of a `pg.Pool` while rowtype uses it: its statements, its cursors, and how it is interrupted. */

import { inPatience, orInterrupted, throwIfAborted } from "../contract/abort.js";
import {
  type Control,
  type DriverConnection,
  type DriverCursor,
  type DriverRequest,
  type DriverResult,
  notSent,
  PAGE_ROWS,
  type ResultCheck,
} from "../contract/driver.js";
import { Queue } from "../contract/queue.js";
import { QueryError } from "../words/errors.js";
import type { Isolation } from "../words/options.js";
import { cancelStatement } from "./postgres-cancel.js";
import { canHold, HeldQuery } from "./postgres-held.js";
import type { PostgresQuery, PostgresResult } from "./postgres-query.js";

export type { PostgresQuery, PostgresResult } from "./postgres-query.js";

/** The part of `pg.PoolClient` that rowtype uses. */
export interface PostgresClient {
  query(config: PostgresQuery): Promise<PostgresResult>;
  /** A query that implements its own protocol steps. */
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

/** The SQLSTATE of a cancelled statement. */
const CANCELLED = "57014";

/** The SQLSTATE of a write on a standby, or in a read-only transaction. */
const READ_ONLY = "25006";

/** The time that the server may take to receive the cancel request, in milliseconds. */
const CANCEL_MS = 1_000;

export class PostgresConnection implements DriverConnection {
  readonly #client: PostgresClient;
  #isLost = false;
  #isReadOnly = false;
  #isTransaction = false;
  #cursors = 0;
  readonly #queue = new Queue();
  // A checked-out client reports a lost connection by an event; without a listener it ends the process.
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

  /** Runs a statement outside any transaction, and undoes it where `check` throws. */
  async runChecked(
    request: DriverRequest,
    check: ResultCheck,
    signal: AbortSignal | undefined,
  ): Promise<DriverResult> {
    if (canHold(this.#client)) {
      let read: DriverResult | undefined;
      const checked = (result: PostgresResult) => {
        read = resultOf(result, request);
        check(read);
      };
      const answer = await this.#send(request.sql, request.params, signal, checked);
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
    // After a failed statement, COMMIT is answered with ROLLBACK, without an error.
    if (command === "commit" && result.command === "ROLLBACK")
      throw new QueryError("QUERY_FAILED", "the transaction was rolled back: a statement in it had failed");
  }

  async release(inDoubt: boolean): Promise<void> {
    const isSpent = inDoubt || this.#isLost || (this.#isReadOnly && !(await this.#takesWrites()));
    this.#client.release(isSpent || this.#isLost);
    this.#client.off("error", this.#onError);
  }

  /** Whether a connection on which a write was refused accepts others, because only its transaction was read-only. */
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
    check?: (result: PostgresResult) => void,
  ): Promise<PostgresResult> {
    try {
      const query = queryOf(text, params);
      return await (check === undefined ? this.#client.query(query) : this.#held(query, check));
    } catch (error) {
      // `pg` refuses queries after an error or the end of the connection.
      if (/not queryable$/.test(String(Object(error).message))) throw notSent(error);
      this.#isReadOnly ||= Object(error).code === READ_ONLY;
      throw error;
    }
  }

  #held(query: PostgresQuery, check: (result: PostgresResult) => void): Promise<PostgresResult> {
    return new Promise((resolve, reject) => {
      const held = new HeldQuery(query, check, (error, result) =>
        result === undefined ? reject(error) : resolve(result),
      );
      // The client returns a query object that it did not create, and calls it.
      void this.#client.query(held);
    });
  }

  /** Sends a statement after the previous ones have been answered: `pg` accepts one at a time. */
  async #send(
    text: string,
    params: readonly unknown[] = [],
    signal?: AbortSignal,
    check?: (result: PostgresResult) => void,
  ): Promise<PostgresResult> {
    const { isFree } = this.#queue;
    const turn = this.#queue.hold(this, signal);
    if (!isFree) await turn;
    try {
      return await this.#sendNow(text, params, signal, check);
    } finally {
      this.#queue.release();
    }
  }

  async #sendNow(
    text: string,
    params: readonly unknown[],
    signal: AbortSignal | undefined,
    check: ((result: PostgresResult) => void) | undefined,
  ): Promise<PostgresResult> {
    if (this.#isLost) throw notSent();
    throwIfAborted(signal);
    const running = this.#query(text, params, check);
    if (signal === undefined) return running;
    return orInterrupted(running, signal, {
      ask: () => cancelStatement(this.#client, CANCEL_MS),
      isAnswer: (error) => Object(error).code === CANCELLED,
      giveUp: this.#onError,
    });
  }
}

// A list, because `pg` also reads the types of the parameters from it, of which there are none.
const types = Object.assign([], { getTypeParser: () => (value: string) => value });

/** A text and its values, with all settings that decide the form of the result. */
export function queryOf(text: string, params: readonly unknown[]): PostgresQuery {
  return { text, values: [...params], rowMode: "array", types, queryMode: "extended" };
}

/** The result of `pg` in rowtype's form. */
export function resultOf(
  { rows, rowCount, fields }: PostgresResult,
  { prepared }: DriverRequest,
): DriverResult {
  const affected = rowCount ?? 0;
  // With `rowMode: "array"` every row is an array.
  const result = { rows: rows as unknown[][], affected };
  return prepared.named === true ? { ...result, columns: fields.map(({ name }) => name) } : result;
}
