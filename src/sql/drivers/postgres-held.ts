/**
 * A PostgreSQL statement that stays open until its rows were decoded. The server commits a statement outside a
 * transaction when it receives Sync, not when the statement ends. So the rows are first requested with Flush,
 * and the next message commits or rolls back the statement: two round trips, instead of three with BEGIN and
 * COMMIT.
 */
import { Buffer } from "node:buffer";
import type { PostgresQuery, PostgresResult } from "./postgres-query.js";

/** The part of the connection beneath a `pg` client that rowtype uses: the protocol. */
interface Protocol {
  readonly stream: { cork?(): void; uncork?(): void };
  parse(message: { text: string; name: string; types: readonly never[] }): void;
  bind(message: { portal: string; statement: string; values: readonly Bound[]; binary: false }): void;
  describe(message: { type: "P"; name: string }): void;
  execute(message: { portal: string; rows: number }): void;
  flush(): void;
  sync(): void;
  query(text: string): void;
}

/** A value as the protocol takes it. */
type Bound = string | Buffer | null;

/** The protocol methods that are called, to recognise a client that has them. */
const methods = ["parse", "bind", "describe", "execute", "flush", "sync", "query"] as const;

/** Whether a statement can be held open on a client: a client of `pg` itself that does not pipeline. */
export function canHold(client: object): boolean {
  const { connection, pipeline } = client as { readonly connection?: unknown; readonly pipeline?: unknown };
  const protocol = Object(connection) as Partial<Protocol>;
  return (
    pipeline !== true &&
    typeof protocol.stream === "object" &&
    methods.every((one) => typeof protocol[one] === "function")
  );
}

/** A query object that `pg` runs although it did not create it. */
export class HeldQuery {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Called once, at the end; a client may wrap it in another function. */
  callback: (error: unknown, result?: PostgresResult) => void;
  readonly #check: (result: PostgresResult) => void;
  readonly #rows: unknown[] = [];
  #fields: PostgresResult["fields"] = [];
  #result: PostgresResult | undefined;
  #refusal: { readonly error: unknown } | undefined;
  // Whether Sync has been sent.
  #isReleased = false;
  #isSettled = false;

  constructor(
    { text, values }: Pick<PostgresQuery, "text" | "values">,
    check: (result: PostgresResult) => void,
    callback: HeldQuery["callback"],
  ) {
    this.text = text;
    this.values = values;
    this.#check = check;
    this.callback = callback;
  }

  submit(connection: Protocol): Error | null {
    const { stream } = connection;
    stream.cork?.();
    try {
      connection.parse({ text: this.text, name: "", types: [] });
      connection.bind({ portal: "", statement: "", values: this.values.map(bound), binary: false });
      connection.describe({ type: "P", name: "" });
      connection.execute({ portal: "", rows: 0 });
      connection.flush();
    } finally {
      stream.uncork?.();
    }
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: PostgresResult["fields"] }): void {
    this.#fields = fields;
  }

  handleDataRow({ fields }: { readonly fields: readonly unknown[] }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }, connection: Protocol): void {
    // The result of the rollback.
    if (this.#isReleased) return;
    this.#isReleased = true;
    const count = /\d+$/.exec(text)?.[0];
    const [command = ""] = text.split(" ");
    this.#result = {
      rows: this.#rows,
      fields: this.#fields,
      rowCount: count === undefined ? null : Number(count),
      command,
    };
    try {
      this.#check(this.#result);
    } catch (error) {
      this.#refusal = { error };
      // BEGIN puts the previous statement into one transaction with the ROLLBACK; a ROLLBACK alone works too,
      // with a warning.
      connection.query("BEGIN; ROLLBACK");
      return;
    }
    connection.sync();
  }

  handleReadyForQuery(): void {
    if (this.#refusal === undefined) this.#settle(null, this.#result);
    else this.#settle(this.#refusal.error);
  }

  handleError(error: unknown, connection: Protocol | undefined): void {
    if (this.#isSettled) return;
    // After an error the server waits for Sync.
    if (!this.#isReleased) connection?.sync();
    this.#isReleased = true;
    this.#settle(error);
  }

  handleEmptyQuery(connection: Protocol): void {
    this.#isReleased = true;
    connection.sync();
  }

  #settle(error: unknown, result?: PostgresResult): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.callback(error, result);
  }
}

// The encoded values are text, numbers, booleans, bytes and lists of these.
function bound(value: unknown): Bound {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return Array.isArray(value) ? listText(value) : String(value);
}

function listText(list: readonly unknown[]): string {
  return `{${list.map(itemText).join(",")}}`;
}

function itemText(item: unknown): string {
  if (item === null || item === undefined) return "NULL";
  if (Array.isArray(item)) return listText(item);
  const text = item instanceof Uint8Array ? `\\x${Buffer.from(item).toString("hex")}` : String(item);
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}
