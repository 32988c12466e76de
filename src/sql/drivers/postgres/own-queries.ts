/**
 * Several PostgreSQL statements in one message: each is parsed, bound and executed, and one Sync follows them all. They
 * are in a transaction, so that the server executes none after one that fails.
 */
import { Messages, type MessageValue } from "./messages.js";
import { bound, EMPTY, type Protocol, resultOfCommand, type Sending } from "./own-query.js";
import type { PostgresResult } from "./query.js";

/** The statements, and what is sent before them in the same message. */
interface SendingTogether {
  readonly statements: readonly Sending[];
  readonly before: readonly string[];
  /** Names of statements that are closed first. */
  readonly stale: readonly string[];
}

/** A query object of many statements that `pg` runs as one. */
export class OwnQueries {
  /** The text and the name of the statement that is being answered: the client stores them when it is parsed. */
  text = "";
  name: string | undefined;
  /** The number of preceding commands that were executed. */
  executed = 0;
  /** The results of the statements that were executed. */
  readonly results: PostgresResult[] = [];
  /** Called once, at the end; a client may wrap it in another function. */
  callback: (error: unknown) => void;
  readonly #sending: SendingTogether;
  #rows: unknown[] = [];
  #fields: PostgresResult["fields"] = [];
  #isSettled = false;

  constructor(sending: SendingTogether, callback: OwnQueries["callback"]) {
    this.#sending = sending;
    this.callback = callback;
    this.#next();
  }

  submit({ stream, parsedStatements }: Protocol): Error | null {
    const { statements, before, stale } = this.#sending;
    const messages = new Messages();
    for (const one of before) messages.parse("", one).bind("", NO_VALUES).execute();
    for (const one of stale) {
      messages.close(one);
      delete parsedStatements[one];
    }
    // A text that is there several times is parsed once.
    const parsed = new Set<string>();
    for (const { text, values, name = "", isDescribed = false } of statements) {
      const isKnown = name !== "" && (parsed.has(name) || parsedStatements[name] === text);
      if (!isKnown) messages.parse(name, text);
      parsed.add(name);
      messages.bind(name, values.map(bound));
      if (isDescribed) messages.describe();
      messages.execute();
    }
    messages.sync();
    if (stream.writable) stream.write(messages.take());
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: PostgresResult["fields"] }): void {
    this.#fields = fields;
  }

  handleDataRow({ fields }: { readonly fields: readonly unknown[] }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    if (this.executed < this.#sending.before.length) this.executed++;
    else this.results.push(resultOfCommand(text, this.#rows, this.#fields));
    this.#next();
  }

  handleEmptyQuery(): void {
    this.results.push(EMPTY);
    this.#next();
  }

  handleReadyForQuery(): void {
    this.#settle(null);
  }

  handleError(error: unknown): void {
    this.#settle(error);
  }

  // The caller cannot supply the data of a COPY. What follows it in the message ends it, unless that is Sync alone.
  handleCopyInResponse(connection: Protocol): void {
    if (this.results.length + 1 < this.#sending.statements.length) return;
    connection.sendCopyFail("no rows are given");
    connection.sync();
  }

  handleCopyData(): void {
    // A COPY to the client returns no rows.
  }

  /** The next answer is that of the next statement. */
  #next(): void {
    const { statements, before } = this.#sending;
    const one = this.executed < before.length ? undefined : statements[this.results.length];
    this.text = one?.text ?? "";
    this.name = one?.name;
    this.#rows = [];
    this.#fields = [];
  }

  #settle(error: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.callback(error);
  }
}

/** The answers to statements that were sent together. */
export interface ManyAnswers {
  readonly results: readonly PostgresResult[];
  /** The number of preceding commands that were executed. */
  readonly executed: number;
  /** What refused the next command or statement. */
  readonly error: unknown;
}

export const NO_ANSWERS: ManyAnswers = { results: [], executed: 0, error: null };

/** Sends statements together, and waits for all answers. */
export function askTogether(
  client: { query(own: OwnQueries): unknown },
  sending: SendingTogether,
): Promise<ManyAnswers> {
  return new Promise((resolve) => {
    const own = new OwnQueries(sending, (error) =>
      resolve({ results: own.results, executed: own.executed, error }),
    );
    // The client returns a query object that it did not create, and calls it.
    void client.query(own);
  });
}

const NO_VALUES: readonly MessageValue[] = [];
