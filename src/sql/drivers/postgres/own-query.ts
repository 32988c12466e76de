/**
 * A PostgreSQL statement in the messages of the protocol. Some statements stay open until their rows are decoded:
 * outside a transaction the server commits a statement when it receives Sync, not when the statement ends. Therefore
 * the rows are requested with Flush, and the next message commits or rolls back the statement. This takes two round
 * trips; BEGIN and COMMIT take three.
 */
import { Buffer } from "node:buffer";
import { textOf } from "../../dialect/postgres/value-text.js";
import { Messages, type MessageValue } from "./messages.js";
import type { PostgresResult } from "./query.js";
import type { Parsed } from "./statements.js";

/** The part of the connection under a `pg` client that rowtype uses: the protocol. */
export interface Protocol {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): unknown };
  /** The texts of the named statements that the server has on this connection. */
  readonly parsedStatements: Parsed;
  sync(): void;
  query(text: string): void;
  sendCopyFail(text: string): void;
}

/** The protocol methods that are called. A client that has them is recognised. */
const methods = ["sync", "query", "sendCopyFail"] as const;

/**
 * The statements of a client that runs our query objects: a client of `pg` itself that does not pipeline. A `query`
 * method that the application has put on a client may expect every query to return a promise. Such a client gets no
 * query objects.
 */
export function parsedOn(client: object): Parsed | undefined {
  if (Object.hasOwn(client, "query")) return undefined;
  const { connection, pipeline } = client as { readonly connection?: unknown; readonly pipeline?: unknown };
  const protocol = Object(connection) as Partial<Protocol>;
  const { stream, parsedStatements } = protocol;
  return pipeline !== true &&
    typeof stream?.write === "function" &&
    typeof parsedStatements === "object" &&
    methods.every((one) => typeof protocol[one] === "function")
    ? parsedStatements
    : undefined;
}

/** A text and its values, and how they are sent. */
export interface Sending {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The name under which the text is kept prepared. */
  readonly name?: string | undefined;
  /** Names of statements that are closed first. */
  readonly stale?: readonly string[];
  /** Whether the names of the columns are needed. */
  readonly isDescribed?: boolean | undefined;
  /** Holds the statement open until its result is checked. */
  readonly check?: ((result: PostgresResult) => void) | undefined;
  /** Commands that are sent first, in the same message. If one fails, the rest of the message is not executed. */
  readonly before?: readonly string[] | undefined;
  /** Whether the text is a command, which has no values and returns no rows. */
  readonly isCommand?: boolean | undefined;
}

/**
 * A query object that `pg` runs although it did not create it. It does not request a description of the columns and
 * makes no result object of its own. For one row this takes a third of the time that pg's own query takes.
 */
export class OwnQuery {
  readonly text: string;
  /** The client stores it whenever a text is parsed, at the same time as the others. */
  name: string | undefined;
  /** The number of preceding commands that were executed. */
  executed = 0;
  /** Called once, at the end; a client may wrap it in another function. */
  callback: (error: unknown, result?: PostgresResult) => void;
  readonly #sending: Sending;
  readonly #before: readonly string[];
  readonly #rows: unknown[] = [];
  #fields: PostgresResult["fields"] = [];
  #result: PostgresResult | undefined;
  #refusal: { readonly error: unknown } | undefined;
  // Whether Sync has been sent.
  #isReleased = false;
  #isSettled = false;

  constructor(sending: Sending, callback: OwnQuery["callback"]) {
    this.text = sending.text;
    this.#sending = sending;
    this.#before = sending.before ?? [];
    if (this.#before.length === 0) this.name = sending.name;
    this.callback = callback;
  }

  submit(connection: Protocol): Error | null {
    const { stream, parsedStatements } = connection;
    const { text, values, name = "", stale = [], isDescribed = false, check, isCommand } = this.#sending;
    if (isCommand === true) {
      // This message has its own kind and needs no Sync.
      this.#isReleased = true;
      connection.query([...this.#before, text].join("; "));
      return null;
    }
    const messages = new Messages();
    for (const one of this.#before) messages.parse("", one).bind("", NONE).execute();
    for (const one of stale) {
      messages.close(one);
      delete parsedStatements[one];
    }
    if (name === "" || parsedStatements[name] !== text) messages.parse(name, text);
    messages.bind(name, values.map(bound));
    if (isDescribed) messages.describe();
    messages.execute();
    if (check === undefined) messages.sync();
    else messages.flush();
    this.#isReleased = check === undefined;
    if (stream.writable) stream.write(messages.take());
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: PostgresResult["fields"] }): void {
    this.#fields = fields;
  }

  handleDataRow({ fields }: { readonly fields: readonly unknown[] }): void {
    // The preceding commands may return rows too.
    if (this.executed === this.#before.length) this.#rows.push(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }, connection: Protocol): void {
    if (this.executed < this.#before.length) {
      this.executed++;
      if (this.executed === this.#before.length) this.name = this.#sending.name;
      return;
    }
    // This is the result of the rollback.
    if (this.#result !== undefined) return;
    this.#result = resultOfCommand(text, this.#rows, this.#fields);
    try {
      this.#sending.check?.(this.#result);
    } catch (error) {
      this.#refusal = { error };
      this.#isReleased = true;
      // BEGIN puts the previous statement into one transaction with the ROLLBACK; a ROLLBACK alone works too,
      // with a warning.
      connection.query("BEGIN; ROLLBACK");
      return;
    }
    this.#release(connection);
  }

  handleReadyForQuery(): void {
    if (this.#refusal === undefined) this.#settle(null, this.#result ?? EMPTY);
    else this.#settle(this.#refusal.error);
  }

  handleError(error: unknown, connection: Protocol | undefined): void {
    if (this.#isSettled) return;
    // After an error the server waits for Sync.
    if (connection !== undefined) this.#release(connection);
    this.#settle(error);
  }

  handleEmptyQuery(connection: Protocol): void {
    this.#release(connection);
  }

  // The caller cannot supply the data of a COPY. The server has dropped any Sync that came before this.
  handleCopyInResponse(connection: Protocol): void {
    connection.sendCopyFail("no rows are given");
    connection.sync();
    this.#isReleased = true;
  }

  handleCopyData(): void {
    // A COPY to the client returns no rows.
  }

  #release(connection: Protocol): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    connection.sync();
  }

  #settle(error: unknown, result?: PostgresResult): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.callback(error, result);
  }
}

/** The result of a statement that the server has executed, by the tag of its command. */
export function resultOfCommand(
  tag: string,
  rows: PostgresResult["rows"],
  fields: PostgresResult["fields"],
): PostgresResult {
  const count = /\d+$/.exec(tag)?.[0];
  const [command = ""] = tag.split(" ");
  return { rows, fields, rowCount: count === undefined ? null : Number(count), command };
}

/** The result of an empty text. */
export const EMPTY: PostgresResult = { rows: [], fields: [], rowCount: null, command: "" };

const NONE: readonly MessageValue[] = [];

/** A value in its message. The encoded values are text, numbers, booleans, bytes and lists of these. */
export function bound(value: unknown): MessageValue {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return textOf(value);
}
