/**
 * Sends statements and keeps them prepared on the connections of a pool. The number per connection is limited: the
 * server counts the statements of all its clients, and refuses every statement when `max_prepared_stmt_count` is
 * reached. Evicted statements are closed at the server.
 */

import { setTimeout } from "node:timers/promises";
import { Lru } from "../../../core/lru.js";
import { orAborted, throwIfAborted } from "../../contract/abort.js";
import type { DriverRequest, NativeRequest } from "../../contract/driver.js";
import { faithfully, type Unfaithful, unfaithful } from "../../dialect/mariadb/settings.js";
import { QueryError, UnsupportedError } from "../../words/errors.js";
import { isDirect, sent } from "./direct.js";
import { KnownStatement } from "./execute.js";
import { needCast } from "./fields.js";
import {
  coreOf,
  type MariadbConnection,
  type MariadbPool,
  type MariadbStatement,
  statementOf,
} from "./handle.js";
import { end } from "./pool.js";

/** The default number of prepared statements of a connection. */
const MAX_PREPARED = 200;

/**
 * Texts of this length are mostly lists and batches. Many are used only once. They are kept prepared from their second
 * use on, and only a few: the server keeps about 140 bytes per character. Unprepared, the text of a batch is parsed and
 * each parameter described every time: 1,000 rows took twice the client's time.
 */
const LONG = 4_000;
const MOST_LONG_KEPT = 4;
const MOST_CHARACTERS_KEPT = 50_000;

/** The maximum number of a connection's long texts with remembered columns, and of their total characters. */
const MOST_LONG = 20;
const MOST_CHARACTERS = 1_000_000;

/** The server's error when it has reached its limit of prepared statements. */
const TOO_MANY_PREPARED = 1461;

/** The waiting times of a statement in milliseconds, while the server closes other statements. */
const PAUSES = [0, 5, 25, 100];

/** A text and its values. */
type Text = Pick<DriverRequest, "sql" | "params" | "inUtc" | "anySession"> &
  Partial<Pick<DriverRequest, "prepared">>;

/**
 * Returns a row if the time zone of the session is UTC, and one for each setting of the session that loses something.
 * If results are not converted (NULL, `binary`), they keep their stored form. Its LIMIT takes the place of the session's.
 */
const SESSION = `${[
  "SELECT 'UTC' AS fact FROM DUAL WHERE 'UTC' = IF(@@time_zone = 'SYSTEM', @@system_time_zone, REPLACE(@@time_zone, '+00:00', 'UTC'))",
  ...["character_set_client", "character_set_connection", "character_set_results"].map(
    (name) => `SELECT CONCAT('${name} = ', @@${name}) FROM DUAL WHERE @@${name} NOT IN ('utf8mb4', 'binary')`,
  ),
  "SELECT 'autocommit = 0' FROM DUAL WHERE NOT @@autocommit",
  "SELECT CONCAT('completion_type = ', @@completion_type) FROM DUAL WHERE @@completion_type <> 'NO_CHAIN'",
  ...unfaithful.map(({ name, isSet }) => `SELECT 'usual ${name}' FROM DUAL WHERE ${isSet}`),
].join(" UNION ALL ")} LIMIT 99`;

/** Why a session with a setting is refused. */
const REFUSED: readonly (readonly [setting: RegExp, why: string])[] = [
  [/character_set_\w+ = \w+/, "in which texts lose characters: connect with the charset utf8mb4"],
  [/autocommit = 0/, "in which the server keeps nothing without a COMMIT: leave autocommit on"],
  [
    /completion_type = \w+/,
    "in which a COMMIT begins another transaction or ends the connection: leave it NO_CHAIN",
  ],
];

/** NULL if the server has no tables of time zones. Some servers have few zones. */
const ZONES = `SELECT COALESCE(${["UTC", "Etc/UTC", "Europe/London", "America/New_York"]
  .map((name) => `CONVERT_TZ('2026-01-01 00:00:00', '+00:00', '${name}')`)
  .join(", ")}) IS NOT NULL AS fact`;

/** The statements of one pool. */
export class MariadbStatements {
  readonly pool: MariadbPool;
  /** The limit for connections that are not used yet. */
  max: number = MAX_PREPARED;
  readonly #kept = new WeakMap<object, PreparedStatements>();
  #knowsZones = false;
  // The statements of the connections that still exist.
  #all: WeakRef<PreparedStatements>[] = [];

  constructor(pool: MariadbPool) {
    this.pool = pool;
  }

  /** Sends a statement on a connection; if the signal aborts, ends the statement or the connection. */
  execute(
    connection: MariadbConnection,
    request: Text,
    signal: AbortSignal | undefined,
  ): Promise<readonly unknown[]> {
    throwIfAborted(signal);
    if (request.prepared?.zoned === true && !this.#knowsZones)
      return this.askForZones(connection, request, signal).then(() =>
        this.#sent(connection, request, signal),
      );
    return this.#sent(connection, request, signal);
  }

  #sent(
    connection: MariadbConnection,
    request: Text,
    signal: AbortSignal | undefined,
  ): Promise<readonly unknown[]> {
    throwIfAborted(signal);
    const kept = this.of(connection);
    const text = isDirect(connection) ? kept.textOf(request) : undefined;
    const executing = text && kept.known(text.sql)?.execute(text.params, request.prepared);
    return executing === undefined
      ? this.#executeAnew(connection, request, signal)
      : orAborted(executing, signal, () => end(connection, this.pool));
  }

  async #executeAnew(
    connection: MariadbConnection,
    request: Text,
    signal: AbortSignal | undefined,
  ): Promise<readonly unknown[]> {
    const kept = this.of(connection);
    const text = await this.inZone(connection, request, signal);
    const { statement, answer, isOwn, command } = await this.#withRoom(signal, async () => {
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
    kept.used(statement, arePlain, command);
    const error = fields === undefined ? undefined : changedSince(statement, arePlain);
    if (error !== undefined) throw error;
    return answer;
  }

  /**
   * Sends a text of the caller's own, which mysql2 prepares: written into the text, values would be wrong in some modes
   * of a session. It is not kept prepared, because the texts of others may all be different.
   */
  async native(
    connection: MariadbConnection,
    { text, values }: NativeRequest,
    signal: AbortSignal | undefined,
  ): Promise<readonly unknown[]> {
    throwIfAborted(signal);
    const statement = { sql: text, values: [...values] };
    const send = async () => {
      try {
        return await orAborted(connection.execute(statement), signal, () => end(connection, this.pool));
      } finally {
        connection.unprepare(statement);
      }
    };
    return this.#withRoom(signal, send);
  }

  /**
   * Asks whether the server knows time zones by their names, if a statement needs them. Once it does, it is not asked
   * again.
   * @throws {UnsupportedError}
   */
  async askForZones(
    connection: MariadbConnection,
    { prepared }: Pick<Text, "prepared">,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (prepared?.zoned !== true || this.#knowsZones) return;
    const [rows] = await orAborted(connection.query(ZONES), signal, () => end(connection, this.pool));
    // The settings of the pool decide the form of a row.
    this.#knowsZones = /1/.test(JSON.stringify(rows));
    if (this.#knowsZones) return;
    throw new UnsupportedError(
      "mariadb",
      "time zones by their names before its tables of zones are filled",
      "run mariadb-tzinfo-to-sql /usr/share/zoneinfo | mariadb mysql on the server (mysql_tzinfo_to_sql in older versions)",
    );
  }

  /**
   * The text for the time zone of a connection's session. The first statement of a connection asks for the zone.
   * @throws {QueryError} for a session with a setting in which something is lost
   */
  async inZone(connection: MariadbConnection, request: Text, signal: AbortSignal | undefined): Promise<Text> {
    const kept = this.of(connection);
    const text = kept.textOf(request);
    if (text !== undefined) return text;
    const asked = connection.query(SESSION);
    const [rows] = await orAborted(asked, signal, () => end(connection, this.pool));
    // The settings of the pool decide the form of a row.
    const facts = JSON.stringify(rows);
    for (const [setting, why] of REFUSED) {
      const [found] = setting.exec(facts) ?? [];
      if (found !== undefined) throw new QueryError("QUERY_FAILED", `the session has ${found}, ${why}`);
    }
    kept.unfaithful = unfaithful.filter(({ name }) => facts.includes(`"usual ${name}"`));
    kept.isInUtc = facts.includes('"UTC"');
    return kept.textOf(request) ?? request;
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
  of(connection: MariadbConnection): PreparedStatements {
    // The underlying connection stays the same; the pool wraps it in a new object each time.
    const key = coreOf(connection) ?? connection;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const kept = new PreparedStatements(connection, this.max);
    this.#kept.set(key, kept);
    this.#all = [...this.#all.filter((one) => one.deref() !== undefined), new WeakRef(kept)];
    return kept;
  }

  // A statement that was not prepared had no effect and can be sent again.
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

/** A statement that is kept prepared. */
interface Statement {
  /** Whether the driver returns the values of its rows in rowtype's form. */
  readonly arePlain: boolean;
  readonly known: KnownStatement | undefined;
}

/** The prepared statements of one connection. */
class PreparedStatements {
  readonly #connection: MariadbConnection;
  readonly #max: number;
  readonly #statements: Lru<string, Statement>;
  /** By long text, of which most are not kept prepared: the same fact as {@link Statement.arePlain}. */
  readonly #long = new Lru<string, boolean>({
    max: MOST_LONG,
    maxWeight: MOST_CHARACTERS,
    weigh: characters,
  });
  /** The long texts that are kept prepared. */
  readonly #longKept: Lru<string, Statement>;

  /** Whether the time zone of its session was UTC when the connection was first used. */
  isInUtc: boolean | undefined;
  /** The settings of its session that each statement says otherwise. */
  unfaithful: readonly Unfaithful[] = [];

  constructor(connection: MariadbConnection, max: number) {
    this.#connection = connection;
    this.#max = max;
    const onEvict = (_: Statement, sql: string) => this.#close(sql);
    this.#statements = new Lru({ max, onEvict });
    this.#longKept = new Lru({
      max: Math.min(MOST_LONG_KEPT, max),
      maxWeight: MOST_CHARACTERS_KEPT,
      weigh: characters,
      onEvict,
    });
  }

  /** The text for the time zone of the session; undefined if the session is not known yet. */
  textOf(request: Text): Text | undefined {
    const { inUtc, params, anySession } = request;
    if (anySession === true) return request;
    if (this.isInUtc === undefined) return undefined;
    const text = inUtc === undefined || this.isInUtc ? request : { sql: inUtc(), params };
    return this.unfaithful.length === 0 ? text : { ...text, sql: faithfully(this.unfaithful, text.sql) };
  }

  /** A statement in the form in which it is sent. */
  statementOf(request: Text): MariadbStatement {
    const { sql } = request;
    const arePlain = sql.length > LONG ? this.#long.get(sql) : this.#statements.get(sql)?.arePlain;
    return statementOf(request, arePlain !== true);
  }

  /** The connection's prepared statement, if it can be executed without mysql2's own command. */
  known(sql: string): KnownStatement | undefined {
    return (sql.length > LONG ? this.#longKept : this.#statements).get(sql)?.known;
  }

  /** Whether the driver returns the values of these columns in rowtype's form. */
  arePlain(fields: unknown): boolean {
    return Array.isArray(fields) && !needCast(fields, coreOf(this.#connection)?.config);
  }

  /**
   * Called when a statement was executed or refused. Until then it may run more than once.
   * @param arePlain the result for the columns of its rows.
   * @param command the mysql2 command that executed it.
   */
  used({ sql }: MariadbStatement, arePlain: boolean, command?: object): void {
    const core = coreOf(this.#connection);
    const known = core && command && KnownStatement.of(core, command, sql);
    const statement = { arePlain, known };
    if (sql.length <= LONG) this.#statements.set(sql, statement);
    else {
      const isFirst = this.#long.get(sql) === undefined;
      this.#long.set(sql, arePlain);
      if (isFirst) this.#close(sql);
      else this.#longKept.set(sql, statement);
    }
    this.#makeRoom();
  }

  /** Closes all of them. */
  closeAll(): void {
    for (const kept of [this.#statements, this.#longKept])
      for (const [sql] of kept.entries()) {
        kept.delete(sql);
        this.#close(sql);
      }
  }

  // The short and the long texts together may be too many.
  #makeRoom(): void {
    if (this.#statements.size + this.#longKept.size <= this.#max) return;
    const [oldest] = this.#statements.entries();
    if (oldest === undefined) return;
    this.#statements.delete(oldest[0]);
    this.#close(oldest[0]);
  }

  #close(sql: string): void {
    this.#connection.unprepare(statementOf({ sql, params: [] }, true));
  }
}

/** Values that the driver decoded differently on the first send cannot be recovered. */
export function changedSince({ typeCast }: MariadbStatement, arePlain: boolean): QueryError | undefined {
  if (arePlain || typeof typeCast === "function") return undefined;
  return new QueryError(
    "QUERY_FAILED",
    "the types of the columns have changed since the statement was sent before",
  );
}

function characters(_: unknown, sql: string): number {
  return sql.length;
}

function isOfServer(error: unknown): boolean {
  const { sqlState, fatal } = Object(error) as Readonly<Record<string, unknown>>;
  return typeof sqlState === "string" && fatal !== true;
}
