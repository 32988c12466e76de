/**
 * Sends statements and keeps them prepared on the connections of a pool. The number per connection is limited,
 * because the server counts the statements of all its clients together, and refuses every statement when
 * `max_prepared_stmt_count` is reached. Evicted statements are closed at the server.
 */

import { setTimeout } from "node:timers/promises";
import { Lru } from "../../core/lru.js";
import { ignore } from "../../core/values.js";
import { orAborted, throwIfAborted } from "../contract/abort.js";
import type { DriverRequest } from "../contract/driver.js";
import { QueryError } from "../words/errors.js";
import { sent } from "./mariadb-direct.js";
import { needCast } from "./mariadb-fields.js";
import {
  coreOf,
  type MariadbConnection,
  type MariadbPool,
  type MariadbStatement,
  statementOf,
} from "./mariadb-handle.js";
import { end } from "./mariadb-pool.js";

/** The default number of prepared statements of a connection. */
const MAX_PREPARED = 200;

/**
 * Texts of this length are mostly lists and batches, which are used once; they would stay prepared on every
 * connection.
 */
const LONG = 4_000;

/** The maximum number of long texts of a connection whose columns are remembered, and of their characters together. */
const MOST_LONG = 20;
const MOST_CHARACTERS = 1_000_000;

/** The server's error when it has reached its limit of prepared statements. */
const TOO_MANY_PREPARED = 1461;

/** The waiting times of a statement, in milliseconds, while the server closes the statements of others. */
const PAUSES = [0, 5, 25, 100];

/** A text and its values. */
type Text = Pick<DriverRequest, "sql" | "params" | "inUtc"> & Partial<Pick<DriverRequest, "prepared">>;

/** Has a row if the time zone of the session is UTC. */
const IS_IN_UTC =
  "SELECT 1 FROM DUAL WHERE 'UTC' = IF(@@time_zone = 'SYSTEM', @@system_time_zone, REPLACE(@@time_zone, '+00:00', 'UTC'))";

/** The statements of one pool. */
export class MariadbStatements {
  readonly pool: MariadbPool;
  /** The limit for connections that are used for the first time. */
  max: number = MAX_PREPARED;
  readonly #kept = new WeakMap<object, Kept>();
  // The statements of the connections that still exist.
  #all: WeakRef<Kept>[] = [];

  constructor(pool: MariadbPool) {
    this.pool = pool;
  }

  /** Sends a statement on a connection; if the signal aborts, ends the statement or the connection. */
  async execute(
    connection: MariadbConnection,
    request: Text,
    signal: AbortSignal | undefined,
  ): Promise<readonly unknown[]> {
    throwIfAborted(signal);
    const kept = this.of(connection);
    const text = kept.needsNoZone(request) ? request : await this.inZone(connection, request, signal);
    const { statement, answer, isOwn } = await this.#withRoom(signal, async () => {
      const statement = kept.statementOf(text);
      try {
        const sending = sent(connection, statement, request.prepared);
        const result = await orAborted(sending, signal, () => end(connection, this.pool));
        return { ...result, statement };
      } catch (error) {
        if (isOfServer(error)) kept.used(statement, false);
        throw error;
      }
    });
    const [, fields] = answer;
    const arePlain = isOwn || kept.arePlain(fields);
    kept.used(statement, arePlain);
    const error = fields === undefined ? undefined : changedSince(statement, arePlain);
    if (error !== undefined) throw error;
    return answer;
  }

  /**
   * The text for the time zone of a connection's session. The zone is asked for once, by the first statement that
   * needs it.
   */
  async inZone(connection: MariadbConnection, request: Text, signal: AbortSignal | undefined): Promise<Text> {
    const { inUtc, params } = request;
    if (inUtc === undefined) return request;
    const kept = this.of(connection);
    if (kept.isInUtc === undefined) {
      const asked = connection.query(IS_IN_UTC);
      const [rows] = await orAborted(asked, signal, () => end(connection, this.pool));
      kept.isInUtc = Array.isArray(rows) && rows.length === 1;
    }
    return kept.isInUtc ? request : { sql: inUtc(), params };
  }

  /** Prepares a statement whose rows will be read one by one. */
  async prepare(
    connection: MariadbConnection,
    request: Text,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    throwIfAborted(signal);
    const core = coreOf(connection);
    if (core === undefined) return;
    const preparing = () =>
      new Promise<void>((resolve, reject) => {
        core.prepare(statementOf(request, true), (error) => (error ? reject(error) : resolve()));
      });
    await this.#withRoom(signal, () => orAborted(preparing(), signal, () => end(connection, this.pool)));
  }

  /** The statements of a connection. */
  of(connection: MariadbConnection): Kept {
    // The underlying connection stays the same; the pool wraps it in a new object each time.
    const key = coreOf(connection) ?? connection;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const kept = new Kept(connection, this.max);
    this.#kept.set(key, kept);
    this.#all = [...this.#all.filter((one) => one.deref() !== undefined), new WeakRef(kept)];
    return kept;
  }

  // A statement that was not prepared had no effect, so it may be sent again.
  async #withRoom<T>(signal: AbortSignal | undefined, send: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await send();
      } catch (error) {
        const pause = PAUSES[attempt];
        if (Object(error).errno !== TOO_MANY_PREPARED || pause === undefined) throw error;
        for (const one of this.#all) one.deref()?.closeAll();
        if (pause > 0) await setTimeout(pause);
        throwIfAborted(signal);
      }
    }
  }
}

/** The prepared statements of one connection. */
export class Kept {
  readonly #connection: MariadbConnection;
  /** By text: whether the driver returns the values of its rows in rowtype's form. */
  readonly #statements: Lru<string, boolean>;
  /** The same of long texts, which are not kept prepared. */
  readonly #long = new Lru<string, boolean>({
    max: MOST_LONG,
    maxWeight: MOST_CHARACTERS,
    weigh: (_, sql) => sql.length,
  });

  /** Whether the time zone of its session was UTC when it was first asked for. */
  isInUtc: boolean | undefined;

  constructor(connection: MariadbConnection, max: number) {
    this.#connection = connection;
    this.#statements = new Lru({ max, onEvict: (_, sql) => this.#close(sql) });
  }

  /** Whether a text is known to be the one for the time zone of the session. */
  needsNoZone({ inUtc }: Text): boolean {
    return inUtc === undefined || this.isInUtc === true;
  }

  /** A statement in the form in which it is sent. */
  statementOf(request: Text): MariadbStatement {
    const { sql } = request;
    const known = sql.length > LONG ? this.#long.get(sql) : this.#statements.get(sql);
    return statementOf(request, known !== true);
  }

  /** Whether the driver returns the values of these columns in rowtype's form. */
  arePlain(fields: unknown): boolean {
    return Array.isArray(fields) && !needCast(fields, coreOf(this.#connection)?.config);
  }

  /**
   * Called when a statement has been executed or refused; until then it may run more than once.
   * @param arePlain the result for the columns of its rows.
   */
  used({ sql }: MariadbStatement, arePlain: boolean): void {
    if (sql.length > LONG) {
      this.#long.set(sql, arePlain);
      this.#close(sql);
    } else if (this.#statements.get(sql) !== arePlain) this.#statements.set(sql, arePlain);
  }

  /** Closes all of them. */
  closeAll(): void {
    for (const [sql] of this.#statements.entries()) {
      this.#statements.delete(sql);
      this.#close(sql);
    }
  }

  #close(sql: string): void {
    // A lost connection emits an event, which without a listener would end the process.
    const core = coreOf(this.#connection);
    core?.on("error", ignore);
    this.#connection.unprepare(statementOf({ sql, params: [] }, true));
    core?.off("error", ignore);
  }
}

/** Values that the driver decoded differently when the statement was first sent cannot be recovered. */
export function changedSince({ typeCast }: MariadbStatement, arePlain: boolean): QueryError | undefined {
  if (arePlain || typeof typeCast === "function") return undefined;
  return new QueryError(
    "QUERY_FAILED",
    "the types of the columns have changed since the statement was sent before",
  );
}

function isOfServer(error: unknown): boolean {
  const { sqlState, fatal } = Object(error) as Readonly<Record<string, unknown>>;
  return typeof sqlState === "string" && fatal !== true;
}
