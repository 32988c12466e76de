/**
 * Sends statements and keeps them prepared on the connections of a pool: so many on each, for the server counts those
 * of all its clients together, and one that reaches `max_prepared_stmt_count` takes no statement from anybody. What
 * falls out is closed at the server.
 */
import { setTimeout } from "node:timers/promises";
import { Lru } from "../../core/lru.js";
import { orAborted, throwIfAborted } from "../contract/abort.js";
import type { DriverRequest } from "../contract/driver.js";
import { QueryError } from "../words/errors.js";
import { needCast } from "./mariadb-fields.js";
import {
  coreOf,
  end,
  type MariadbConnection,
  type MariadbPool,
  type MariadbStatement,
  statementOf,
} from "./mariadb-handle.js";

/** How many statements stay prepared on a connection, unless it is said. */
const MAX_PREPARED = 200;

/** Texts so long are used once, and would be kept prepared on every connection: lists and batches, mostly. */
const LONG = 4_000;

/** Error of a server on which as many statements are prepared as it allows. */
const TOO_MANY_PREPARED = 1461;

/** How long a statement waits, in milliseconds, until the server has closed what was kept for others. */
const PAUSES = [0, 5, 25, 100];

/** What is sent and read: a text and its values. */
type Text = Pick<DriverRequest, "sql" | "params">;

/** The statements of one pool. */
export class MariadbStatements {
  readonly pool: MariadbPool;
  /** How many stay prepared on a connection that is used for the first time. */
  max: number = MAX_PREPARED;
  readonly #kept = new WeakMap<object, Kept>();
  // Those of the connections that are still there.
  #all: WeakRef<Kept>[] = [];

  constructor(pool: MariadbPool) {
    this.pool = pool;
  }

  /** Sends a statement on a connection, and ends both where the signal says so. */
  async execute(
    connection: MariadbConnection,
    request: Text,
    signal: AbortSignal | undefined,
  ): Promise<readonly unknown[]> {
    throwIfAborted(signal);
    const kept = this.of(connection);
    const answer = await this.#withRoom(signal, async () => {
      const statement = kept.statementOf(request);
      try {
        const sent = await orAborted(connection.execute(statement), signal, () => end(connection, this.pool));
        return { sent, statement };
      } catch (error) {
        if (isOfServer(error)) kept.used(statement, false);
        throw error;
      }
    });
    const [, fields] = answer.sent;
    const arePlain = kept.arePlain(fields);
    kept.used(answer.statement, arePlain);
    const error = fields === undefined ? undefined : changedSince(answer.statement, arePlain);
    if (error !== undefined) throw error;
    return answer.sent;
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

  /** Those of a connection. */
  of(connection: MariadbConnection): Kept {
    // The connection itself stays the same; what a pool gives is a new one around it each time.
    const key = coreOf(connection) ?? connection;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const kept = new Kept(connection, this.max);
    this.#kept.set(key, kept);
    this.#all = [...this.#all.filter((one) => one.deref() !== undefined), new WeakRef(kept)];
    return kept;
  }

  // A statement that the server does not prepare has done nothing, so it may be sent again.
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

/** The statements that are prepared on one connection. */
export class Kept {
  readonly #connection: MariadbConnection;
  /** By text, whether the driver gives the values of its rows as rowtype wants them. */
  readonly #statements: Lru<string, boolean>;

  constructor(connection: MariadbConnection, max: number) {
    this.#connection = connection;
    this.#statements = new Lru({ max, onEvict: (_, sql) => this.#close(sql) });
  }

  /** A statement in the form that it is sent in. */
  statementOf(request: Text): MariadbStatement {
    return statementOf(request, this.#statements.get(request.sql) !== true);
  }

  /** Whether the driver gives the values of these columns as rowtype wants them. */
  arePlain(fields: unknown): boolean {
    return Array.isArray(fields) && !needCast(fields, coreOf(this.#connection)?.config);
  }

  /**
   * Called when a statement has been executed, or refused: until then it may be under way more than once.
   * @param arePlain of the columns of its rows.
   */
  used({ sql }: MariadbStatement, arePlain: boolean): void {
    if (sql.length > LONG) this.#close(sql);
    else if (this.#statements.get(sql) !== arePlain) this.#statements.set(sql, arePlain);
  }

  /** Closes all of them. */
  closeAll(): void {
    for (const [sql] of this.#statements.entries()) {
      this.#statements.delete(sql);
      this.#close(sql);
    }
  }

  #close(sql: string): void {
    // A connection that is gone answers with an event, which without a listener would end the process.
    const core = coreOf(this.#connection);
    core?.on("error", ignore);
    this.#connection.unprepare(statementOf({ sql, params: [] }, true));
    core?.off("error", ignore);
  }
}

/** What the driver has made of values that were no JSON when the statement was sent before cannot be undone. */
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

function ignore(): void {
  // The statement went with its connection.
}
