/**
 * A PGlite, a PostgreSQL inside the process, as a source of its one connection. The messages of the protocol are given
 * to it directly: values come and go as the server's texts. A statement that runs cannot be cancelled.
 */
import { Lru } from "../../../core/lru.js";
import { textOf } from "../../dialect/postgres/value-text.js";
import { Messages, type MessageValue } from "./messages.js";
import { type OwnQuery, resultOfCommand } from "./own-query.js";
import type { PostgresNativeQuery, PostgresQuery, PostgresResult } from "./query.js";
import type { ElsewhereSource, ForeignClient, PostgresSource } from "./source.js";

/** The part of a `PGlite` that rowtype uses. */
export interface PgliteHandle {
  execProtocol(
    message: Uint8Array,
    options?: { syncToFs?: boolean },
  ): Promise<{ readonly messages: readonly { readonly name: string }[]; readonly data: Uint8Array }>;
  syncToFs(): Promise<void>;
  isInTransaction(): boolean;
  runExclusive<T>(work: () => Promise<T>): Promise<T>;
  _runExclusiveTransaction<T>(work: () => Promise<T>): Promise<T>;
  _checkReady(): Promise<void>;
  /** What reads and writes values for the caller's own queries, by the number of their type. */
  readonly parsers: object;
  readonly serializers: object;
}

/** The most texts that are kept prepared. */
const MOST_TEXTS = 256;

/** The source over a handle. */
export class PgliteSource implements PostgresSource {
  readonly hasOneConnection = true;
  readonly #handle: PgliteHandle;
  readonly #session: PgliteSession;

  constructor(handle: PgliteHandle) {
    this.#handle = handle;
    this.#session = new PgliteSession(handle);
  }

  async connect<C>(use: (client: ForeignClient) => C): Promise<C> {
    const handle = this.#handle;
    await handle._checkReady();
    return new Promise((resolve, reject) => {
      // Until it is released, nobody else uses the handle.
      const lent = () =>
        new Promise<void>((release) => resolve(use(new PgliteClient(this.#session, release))));
      handle._runExclusiveTransaction(lent).catch(reject);
    });
  }

  elsewhere(): ElsewhereSource {
    // The class of the handle, which this package does not import.
    const Pglite = this.#handle.constructor as new () => PgliteHandle & { close(): Promise<void> };
    const handle = new Pglite();
    return { source: new PgliteSource(handle), close: () => handle.close() };
  }
}

/** A message of the server, as PGlite reads it. */
interface Answered {
  readonly name: string;
  readonly fields?: readonly unknown[];
  readonly text?: string;
  readonly dataTypeIDs?: readonly number[];
}

/** The one session of a handle. */
class PgliteSession {
  readonly handle: PgliteHandle;
  /** Names of texts that are no longer kept: they are closed with the next message. */
  #unused: string[] = [];
  readonly #kept = new Lru<string, true>({
    max: MOST_TEXTS,
    onEvict: (_, name) => void this.#unused.push(name),
  });

  constructor(handle: PgliteHandle) {
    this.handle = handle;
  }

  async run(text: string, values: readonly MessageValue[], name = ""): Promise<readonly Answered[]> {
    const messages = new Messages();
    for (const unused of this.#unused.splice(0)) messages.close(unused);
    const isKept = name !== "" && this.#kept.get(name) === true;
    if (!isKept) messages.parse(name, text);
    if (name !== "" && !isKept) this.#kept.set(name, true);
    try {
      return await this.ask(messages.bind(name, values).describe().execute().sync());
    } catch (error) {
      // Whether the server has prepared it is not known: it is closed, which a text that is not there allows.
      if (!isKept && this.#kept.delete(name)) this.#unused.push(name);
      throw error;
    }
  }

  /** Sends messages; outside a transaction, what they changed is then in the file system. */
  ask(messages: Messages): Promise<readonly Answered[]> {
    const bytes = messages.take();
    const { handle } = this;
    return handle.runExclusive(async () => {
      await handle._checkReady();
      try {
        const { messages: read, data } = await handle.execProtocol(bytes, { syncToFs: false });
        const others: readonly Answered[] = read.filter(({ name }) => name !== "dataRow");
        return others.length === read.length ? others : [...others, ...rowsIn(data)];
      } finally {
        if (!handle.isInTransaction()) await handle.syncToFs();
      }
    });
  }
}

class PgliteClient implements ForeignClient {
  readonly session: PgliteSession;
  readonly #release: () => void;

  constructor(session: PgliteSession, release: () => void) {
    this.session = session;
    this.#release = release;
  }

  query(own: OwnQuery): never;
  query(config: PostgresQuery | PostgresNativeQuery): Promise<PostgresResult>;
  async query(given: PostgresQuery | PostgresNativeQuery | OwnQuery): Promise<PostgresResult> {
    // The connection sends it no query objects, because it has no connection of `pg` beneath.
    const query = given as PostgresQuery | PostgresNativeQuery;
    return "rowMode" in query ? this.#ask(query) : this.#askNative(query);
  }

  async #ask({ text, values, name }: PostgresQuery): Promise<PostgresResult> {
    const bound = values.map((value) => (value === null || value === undefined ? null : textOf(value)));
    return resultOf(await this.session.run(text, bound, name));
  }

  /** As PGlite's own `query` does it, which waits until this connection is released. */
  async #askNative({ text, values }: PostgresNativeQuery): Promise<PostgresResult> {
    const { serializers, parsers } = this.session.handle as unknown as Conversions;
    const described = await this.session.ask(new Messages().parse("", text).describeStatement("").sync());
    const types = described.find(({ name }) => name === "parameterDescription")?.dataTypeIDs ?? [];
    const bound = values.map((value, i) => {
      if (value === null || value === undefined) return null;
      return serializers[types[i] ?? 0]?.(value) ?? String(value);
    });
    const { rows, fields, ...facts } = resultOf(await this.session.run(text, bound));
    const columns = fields as readonly Column[];
    const read = (value: unknown, { dataTypeID }: Column) =>
      value === null ? null : (parsers[dataTypeID]?.(value as string, dataTypeID) ?? value);
    const records = (rows as unknown[][]).map((row) =>
      Object.fromEntries(columns.map((column, i) => [column.name, read(row[i], column)])),
    );
    return { rows: records, fields, ...facts };
  }

  /** A transaction that may be open is rolled back: there is no other connection. */
  release(destroy = false): void {
    if (destroy && this.session.handle.isInTransaction())
      this.session.run("ROLLBACK", []).then(this.#release, this.#release);
    else this.#release();
  }

  on(): void {
    // A connection inside the process is not lost.
  }

  off(): void {
    // It is not listened to.
  }
}

const DATA_ROW = "D".charCodeAt(0);

/** The rows of an answer. PGlite's own reader takes a byte order mark from the beginning of each value. */
function rowsIn({ buffer, byteOffset, byteLength }: Uint8Array): Answered[] {
  const data = Buffer.from(buffer, byteOffset, byteLength);
  const rows: Answered[] = [];
  for (let at = 0; at < data.length; at += 1 + data.readInt32BE(at + 1)) {
    if (data[at] !== DATA_ROW) continue;
    const fields: (string | null)[] = [];
    let from = at + 7;
    for (let left = data.readInt16BE(at + 5); left > 0; left--) {
      const length = data.readInt32BE(from);
      from += 4;
      fields.push(length < 0 ? null : data.toString("utf8", from, from + length));
      from += Math.max(0, length);
    }
    rows.push({ name: "dataRow", fields });
  }
  return rows;
}

interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

interface Conversions {
  readonly serializers: Readonly<Record<number, ((value: unknown) => string) | undefined>>;
  readonly parsers: Readonly<Record<number, ((text: string, type: number) => unknown) | undefined>>;
}

function resultOf(messages: readonly Answered[]): PostgresResult {
  const rows: unknown[] = [];
  let fields: PostgresResult["fields"] = [];
  let text = "";
  for (const message of messages) {
    if (message.name === "dataRow") rows.push(message.fields);
    // The names of these columns, and their types.
    else if (message.name === "rowDescription") fields = message.fields as PostgresResult["fields"];
    else if (message.name === "commandComplete") text = message.text ?? "";
  }
  return resultOfCommand(text, rows, fields);
}
