/**
 * The `sql` of postgres.js as a source of connections: each is a reservation. Values are sent as texts of the type
 * `unknown`, which no serialiser is called for, and rows are read as the server's bytes, which no parser is called for.
 */
import { ignore } from "../../../core/values.js";
import { textOf } from "../../dialect/postgres/value-text.js";
import { EndedHandle } from "./ended-handle.js";
import { KeptTexts } from "./kept-texts.js";
import type { OwnQuery } from "./own-query.js";
import type { Sends, SentQuery, SentResult } from "./postgresjs-query.js";
import type { PostgresNativeQuery, PostgresQuery, PostgresResult } from "./query.js";
import type { ForeignClient, PostgresSource } from "./source.js";
import { untransformed } from "./untransformed.js";

/** The part of the `sql` of postgres.js that rowtype uses. */
export interface PostgresJsHandle {
  unsafe(text: string, values?: never[], options?: object): object;
  typed(value: string | null, type: number): unknown;
  reserve(): Promise<{ unsafe(text: string, values?: never[], options?: object): object; release(): void }>;
  readonly options: object;
}

type Reserved = Sends & { release(): void };

/** The connection below a reservation, which postgres.js gives to `onexecute` as it does in its own `begin`. */
interface OwnConnection {
  /** Called once when the connection is lost. */
  onclose?: ((error: unknown) => void) | null;
  terminate?(): void;
}

/** The type of a literal in quotes: the server finds out which type is meant. */
const UNKNOWN = 705;

/** Codes of the system and of postgres.js. */
const LOSS = /^(?:CONNECT|E[A-Z]+$)/;

/** SQLSTATEs of sessions that the server has ended. */
const STALE = /^57P0[1-5]$/;

/** postgres.js takes two fewer than the protocol. It loses a query with more, and never answers it. */
const MOST_PARAMS = 65_533;

/** The source over a handle. */
export class PostgresJsSource implements PostgresSource {
  readonly mostParams: number = MOST_PARAMS;
  readonly #handle: PostgresJsHandle;
  readonly #texts = new KeptTexts();
  readonly #ended: EndedHandle;

  constructor(handle: PostgresJsHandle) {
    this.#handle = handle;
    this.#ended = new EndedHandle(handle as unknown as Sends);
  }

  async connect<C>(use: (client: ForeignClient) => C): Promise<C> {
    const over = async (reserved: unknown) => {
      const own = await ownConnection(reserved as Reserved);
      return new PostgresJsClient(this.#handle, reserved as Reserved, {
        texts: this.#texts,
        own,
        onLoss: () => this.#ended.doubt(),
      });
    };
    const reserve = () =>
      this.#ended.orFails(
        () => this.#handle.reserve(),
        async (late) => (await over(late)).release(true),
      );
    const reserved = await reserve().catch((error: unknown) => {
      // When a lost connection is opened again, postgres.js reports once more how it was lost.
      if (!STALE.test(String(Object(error).code))) throw error;
      return reserve();
    });
    return use(await over(reserved));
  }

  elsewhere(): undefined {
    // A handle does not show the function that made it.
    return undefined;
  }
}

/** An empty text, sent in one packet with what follows, shows the connection own. */
async function ownConnection(reserved: Reserved): Promise<OwnConnection | undefined> {
  let own: OwnConnection | undefined;
  const onexecute = (connection: OwnConnection) => {
    own = connection;
    return true;
  };
  reserved.unsafe("", [], { simple: true, prepare: false, onexecute }).catch(ignore);
  // It is executed one turn of the queue later.
  await undefined;
  await undefined;
  return own;
}

/** What a client shares with the others of its handle. */
interface Shared {
  readonly texts: KeptTexts;
  readonly own: OwnConnection | undefined;
  readonly onLoss: () => void;
}

class PostgresJsClient implements ForeignClient {
  readonly session: object;
  readonly #handle: PostgresJsHandle;
  readonly #reserved: Reserved;
  readonly #shared: Shared;
  #isLost = false;
  #running: SentQuery | undefined;
  #abandon: (error: unknown) => void = ignore;
  readonly #listeners = new Set<(error: Error) => void>();

  constructor(handle: PostgresJsHandle, reserved: Reserved, shared: Shared) {
    this.#handle = handle;
    this.#reserved = reserved;
    this.#shared = shared;
    const { own } = shared;
    this.session = own ?? this;
    if (own !== undefined) own.onclose = (error) => this.#lost(error as Error);
  }

  query(own: OwnQuery): never;
  query(config: PostgresQuery | PostgresNativeQuery): Promise<PostgresResult>;
  async query(given: PostgresQuery | PostgresNativeQuery | OwnQuery): Promise<PostgresResult> {
    // The connection below says that it takes no query objects.
    const query = given as PostgresQuery | PostgresNativeQuery;
    return "rowMode" in query ? this.#ask(query) : this.#askNative(query);
  }

  async #ask({ text, values, name }: PostgresQuery): Promise<PostgresResult> {
    if (values.length > MOST_PARAMS)
      throw Object.assign(new Error("too many parameters"), { code: "MAX_PARAMETERS_EXCEEDED" });
    const kept = name === undefined ? undefined : this.#shared.texts.get(text, name);
    const typed = values.map((value) =>
      this.#handle.typed(value === null || value === undefined ? null : textOf(value), UNKNOWN),
    );
    const query = this.#reserved.unsafe(kept ?? text, typed, { prepare: kept !== undefined, simple: false });
    query.raw();
    const result = await this.#answer(untransformed(query, this.#handle.options));
    const rows = result.map((row) => (row as (Buffer | null)[]).map((value) => value?.toString() ?? null));
    return { rows, ...factsOf(result) };
  }

  // `undefined` is null, as for `pg`: libraries hand it on.
  async #askNative({ text, values }: PostgresNativeQuery): Promise<PostgresResult> {
    const given = values.map((value) => (value === undefined ? null : value));
    const result = await this.#answer(this.#reserved.unsafe(text, given, { prepare: false, simple: false }));
    return { rows: [...result], ...factsOf(result) };
  }

  async #answer(query: SentQuery): Promise<SentResult> {
    this.#running = query;
    try {
      const result: unknown = await new Promise((resolve, reject) => {
        // A query that is sent while the socket fails gets no answer.
        this.#abandon = reject;
        query.then(resolve, reject);
      });
      if (Array.isArray(result)) return result as SentResult;
      return await this.#copied(result as CopyStream);
    } catch (error) {
      // A statement sent before the socket is closed would never be answered, and would keep the handle from ending.
      if (LOSS.test(String(Object(error).code))) this.#lost(error as Error);
      throw error;
    } finally {
      this.#running = undefined;
    }
  }

  /** The answer to a COPY to the client is a stream, which is read to its end. */
  async #copied(stream: CopyStream): Promise<SentResult> {
    await new Promise((resolve, reject) => {
      stream.on("end", resolve);
      stream.on("error", reject);
      stream.resume();
    });
    return Object.assign([], { count: null, command: "COPY", columns: [] });
  }

  async cancel(timeoutMs: number): Promise<boolean> {
    const query = this.#running;
    if (typeof query?.canceller !== "function") return false;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, false);
    });
    const asked = query.canceller(query).then(
      () => true,
      () => false,
    );
    return Promise.race([asked, late]).finally(() => clearTimeout(timer));
  }

  release(destroy = false): void {
    // A lost connection has left the reservation, and would be lent as if it were open.
    if (this.#isLost) return;
    this.#isLost = destroy;
    const { own, onLoss } = this.#shared;
    if (own !== undefined) own.onclose = null;
    if (destroy) onLoss();
    if (destroy && own?.terminate !== undefined) own.terminate();
    else this.#reserved.release();
  }

  on(_event: "error", listener: (error: Error) => void): void {
    this.#listeners.add(listener);
  }

  off(_event: "error", listener: (error: Error) => void): void {
    this.#listeners.delete(listener);
  }

  #lost(error: Error): void {
    if (!this.#isLost) this.#shared.onLoss();
    this.#isLost = true;
    this.#abandon(error);
    for (const listener of this.#listeners) listener(error);
  }
}

interface CopyStream {
  resume(): unknown;
  on(event: "end" | "error", listener: (error?: unknown) => void): unknown;
}

function factsOf({ count, command, columns }: SentResult): Omit<PostgresResult, "rows"> {
  return { rowCount: count ?? null, command: command?.split(" ")[0] ?? "", fields: columns ?? [] };
}
