/**
 * All messages in order, as one instance sees them. PostgreSQL is the broker: it notifies each instance of new
 * messages, and each reads them once for all of its own clients. A follower is only a position in the order, so
 * a slow follower costs nothing, and one that comes from another instance continues at its position.
 */
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import type { Database, Row } from "rowtype";
import { CHANNEL, Message } from "./tables.js";

type MessageRow = Row<typeof Message>;

const PAGE = 500;
/** The number of messages in memory, for followers that are nearly up to date; others read from the table. */
const RECENT = 1_000;
const RECONNECT_MS = 500;

/** Opens the feed and listens, until it is closed. */
export async function openFeed(db: Database<"postgres">, connect: () => pg.Client): Promise<Feed> {
  const feed = new Feed(db, connect);
  await feed.begin();
  return feed;
}

export class Feed {
  readonly #connect: () => pg.Client;
  readonly #page;
  readonly #newest;
  readonly #waiting = new Set<() => void>();
  #recent: MessageRow[] = [];
  /** All later messages are among the recent ones. */
  #floor = 0n;
  #last = 0n;
  #client: pg.Client | undefined;
  #reading: Promise<void> | undefined;
  #news = false;
  #closed = false;

  constructor(db: Database<"postgres">, connect: () => pg.Client) {
    const messages = db.repository(Message);
    this.#page = messages.query().where("id", ">", "after").orderBy("id", "asc").limit(PAGE);
    this.#newest = messages.query().orderBy("id", "desc").limit(1);
    this.#connect = connect;
  }

  /** The id of the newest message. */
  get last(): bigint {
    return this.#last;
  }

  /** Whether this instance receives notifications: without them it should get no followers. */
  get isListening(): boolean {
    return this.#client !== undefined;
  }

  /** The messages after one, and all later ones, until the signal aborts. */
  async *after(id: bigint, signal: AbortSignal): AsyncGenerator<MessageRow, void> {
    let at = id;
    while (!signal.aborted) {
      const isNear = at >= this.#floor;
      const rows = isNear ? this.#recentAfter(at) : await this.#page.exec({ after: at });
      for (const row of rows) {
        yield row;
        at = row.id;
      }
      if (rows.length > 0) continue;
      if (isNear) await this.#newsAfter(at, signal);
      else at = this.#floor;
    }
  }

  /** Listens for the first time. */
  async begin(): Promise<void> {
    const [newest] = await this.#newest.exec();
    this.#last = newest?.id ?? 0n;
    this.#floor = this.#last;
    await this.#listen();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.end();
  }

  async #listen(): Promise<void> {
    const client = this.#connect();
    client.on("error", () => {});
    client.on("end", () => void this.#listenAgain());
    // An instance that cannot read the new messages starts again.
    client.on("notification", () => void this.#catchUp().catch(() => client.end()));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      // Reads the messages that were published before the connection listened.
      await this.#catchUp();
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
  }

  async #listenAgain(): Promise<void> {
    if (this.#client === undefined) return;
    this.#client = undefined;
    while (!this.#closed && this.#client === undefined) {
      await wait(RECONNECT_MS);
      await this.#listen().catch(() => {});
    }
  }

  /** Reads new messages, once for all notifications that arrive meanwhile. */
  #catchUp(): Promise<void> {
    this.#news = true;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    while (this.#news) {
      this.#news = false;
      const rows = await this.#page.exec({ after: this.#last });
      this.#news ||= rows.length === PAGE;
      this.#recent.push(...rows);
      this.#last = rows.at(-1)?.id ?? this.#last;
      const old = this.#recent.splice(0, this.#recent.length - RECENT);
      this.#floor = old.at(-1)?.id ?? this.#floor;
      for (const wake of [...this.#waiting]) wake();
    }
  }

  #recentAfter(id: bigint): MessageRow[] {
    return this.#recent.slice(this.#recent.findLastIndex((row) => row.id <= id) + 1);
  }

  #newsAfter(id: bigint, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake);
      if (this.#last > id || signal.aborted) wake();
    });
  }
}
