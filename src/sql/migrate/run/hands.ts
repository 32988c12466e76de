/**
 * The parts of the runner that differ by dialect: how long it waits for locks, how it knows whether the session of
 * another runner still lives, and the settings of SQLite that rebuilds need.
 */
import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { grammars } from "../../dialect/grammars.js";
import { withSetting } from "../../dialect/mariadb/settings.js";
import type { Database } from "../../door/database.js";
import { runPlain } from "../../door/plain.js";
import type { Transaction } from "../../door/repository.js";
import { isSqlError } from "../../words/errors.js";
import type { FileStep } from "../text/migration-file.js";

/** Whether the session of a runner lives, as far as the server tells. */
type Life = "lives" | "gone" | "unknown";

const Session = z.object({ session: z.string() });
const Alive = z.object({ n: z.int() });
const Seen = z.object({ n: z.int(), isOurs: z.boolean() });

// As a text it would depend on the time zone and the date style of the session that asks.
const BEGAN = "(extract(epoch FROM backend_start) * 1000000)::bigint";

/** The server's name of a transaction's session; null if no name distinguishes it from later sessions. */
export async function sessionOf(db: Database, tx: Transaction): Promise<string | null> {
  switch (db.dialect) {
    case "postgres": {
      const text = `SELECT concat(pid, ' ', ${BEGAN}, ' ', session_user) AS session FROM pg_stat_get_activity(pg_backend_pid())`;
      const [row] = await tx.sql(text, Session).exec({});
      return row?.session ?? null;
    }
    case "mariadb": {
      const [row] = await tx.sql(`SELECT ${MARIADB_SESSION} AS session`, Session).exec({});
      return row?.session ?? null;
    }
    default:
      return null;
  }
}

/**
 * Keeps the session of a long transaction alive. On PostgreSQL the statement needs no snapshot and replaces the last
 * one, whose snapshot would live as long: CREATE INDEX CONCURRENTLY waits for it, also the one of this runner.
 */
export async function keepAlive(db: Database, tx: Transaction): Promise<void> {
  await runPlain(
    tx,
    db.dialect === "postgres" ? "SET LOCAL application_name = 'rowtype migrate'" : "SELECT 1",
  );
}

// The ids of connections start again with the server, so its start time, in minutes, is part of the name; other users
// see only their own processes.
const MARIADB_START =
  "(SELECT ROUND((UNIX_TIMESTAMP() - variable_value) / 60) FROM information_schema.global_status WHERE variable_name = 'UPTIME')";
const MARIADB_SESSION = `CONCAT(CONNECTION_ID(), ' ', ${MARIADB_START}, ' ', CURRENT_USER())`;

/** The name of the session of this process, for a dialect whose database is a file. */
export function processSession(): string {
  return `${process.pid} ${hostname()}`.slice(0, 190);
}

/**
 * Whether the session of an owner lives, or one of its statements.
 * @param tag the comment at the start of its statements outside transactions.
 */
export async function lifeOf(db: Database, session: string | null, tag: string): Promise<Life> {
  if (db.dialect === "sqlite") return lifeOfProcess(session);
  if (db.dialect === "postgres") {
    const [, pid = "0", start = "", user = ""] = /^(\d+) (\d+) (.*)$/s.exec(session ?? "") ?? [];
    // We may not see the start of another role's session; it may be this one. Nor may we see its statements.
    const text = `SELECT count(*) AS n, session_user = :user AND pg_has_role(session_user, 'USAGE') AS "isOurs"
FROM pg_stat_activity WHERE (pid = :pid AND (backend_start IS NULL OR ${BEGAN}::text = :start))
  OR (state <> 'idle' AND pid <> pg_backend_pid() AND position(:tag IN query) > 0)`;
    const [row] = await db
      .sql(text, Seen, { params: { pid: z.int() } })
      .exec({ pid: Number(pid), start, tag, user });
    if (row?.n !== 0) return "lives";
    return session !== null && row.isOurs ? "gone" : "unknown";
  }
  if (db.dialect === "mariadb" && session !== null) {
    const [id = "", start = "", user = ""] = session.split(" ");
    const now = `SELECT CONCAT(${MARIADB_START}, ' ', CURRENT_USER()) AS session`;
    const [mine] = await db.sql(now, Session).exec({});
    const [started = "", me = ""] = mine?.session.split(" ") ?? [];
    if (me !== user) return "unknown";
    // It is rounded, so two readings of one start may differ by a minute.
    if (Math.abs(Number(started) - Number(start)) > 1) return "gone";
    const text =
      "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE id = :id OR (id <> CONNECTION_ID() AND INSTR(info, :tag) > 0)";
    const [row] = await db.sql(text, Alive, { params: { id: z.int() } }).exec({ id: Number(id), tag });
    return row?.n === 0 ? "gone" : "lives";
  }
  return "unknown";
}

// A process of this machine that does not exist is gone. An existing one may be another with the same number: then the
// time of the lease decides.
function lifeOfProcess(session: string | null): Life {
  const [pid, ...host] = session?.split(" ") ?? [];
  if (pid === undefined || host.join(" ") !== processSession().slice(String(process.pid).length + 1))
    return "unknown";
  try {
    process.kill(Number(pid), 0);
    return "unknown";
  } catch (error) {
    return Object(error).code === "ESRCH" ? "gone" : "unknown";
  }
}

// By default the server checks what an ALTER TABLE does to rows. A session may have let it invent values instead: the
// empty one for NULL, the next number for 0, a row that violates a check or refers to nothing.
const CHECKED =
  "sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO'), check_constraint_checks = 1, foreign_key_checks = 1";
// A value that is no date would become the zero date, digits beyond those of a type would be cut off, and an instant
// would become the time in the session's zone. The defaults of another table may contain zero dates.
const CONVERTING = CHECKED.replace(
  "STRICT_ALL_TABLES",
  "STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,TIME_ROUND_FRACTIONAL",
).concat(", time_zone = '+00:00'");

/** The statement of a step that changes a table; on MariaDB with settings that make it fail if rows do not fit. */
export function checkingRows({ dialect }: Database, { subject, sql }: FileStep): string {
  return dialect === "mariadb" && subject !== undefined && /^ALTER TABLE /i.test(sql)
    ? withSetting(subject.kind === "change type" ? CONVERTING : CHECKED, sql)
    : sql;
}

/**
 * A statement with a comment by which other runners recognise it: at the start on PostgreSQL, which shows the beginning
 * of a long one; at the end on others, whose messages about a statement that starts with a comment are not trusted.
 */
export function tagged({ dialect }: Database, tag: string, sql: string): string {
  if (dialect === "sqlite") return sql;
  return dialect === "postgres" ? `${tag} ${sql}` : `${sql}\n${tag}`;
}

/** Before the statements of a transaction: limits how long one waits for a lock before it is repeated. */
export async function limitLocks(db: Database, tx: Transaction): Promise<void> {
  if (db.dialect === "postgres") await runPlain(tx, "SET LOCAL lock_timeout = '3s'");
}

/**
 * Repeats a call that failed because of a lock: on SQLite until the time is over, because others hold locks only for
 * moments; on other dialects a few times, because each call has already waited.
 */
export async function repeated<T>(db: Database, waitMs: number, call: () => Promise<T>): Promise<T> {
  const end = Date.now() + waitMs;
  for (let tries = 1; ; tries++)
    try {
      return await call();
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      const isLocked = [error, cause].some((one) => isSqlError(one) && AGAIN.has(one.code));
      const isOver = db.dialect === "sqlite" ? Date.now() >= end : tries >= MOST_TRIES;
      if (!isLocked || isOver) throw error;
      const longest = db.dialect === "sqlite" ? 50 : 300 * tries;
      await setTimeout(longest / 2 + (Math.random() * longest) / 2);
    }
}

const AGAIN: ReadonlySet<string> = new Set(["LOCK_TIMEOUT", "DEADLOCK", "SERIALIZATION_FAILURE"]);
const MOST_TRIES = 10;

const Timeout = z.object({ timeout: z.int() });
const Keys = z.object({ foreign_keys: z.int() });

const patient = new WeakMap<object, { users: number; readonly before: number }>();

/**
 * Works without SQLite's own waiting for locks, because it would stop the whole process; others poll. The setting of
 * the handle is restored.
 */
export async function withoutBusyWaiting<T>(db: Database, work: () => Promise<T>): Promise<T> {
  if (db.dialect !== "sqlite") return work();
  // Several runners may share the handle: the last one restores it.
  let shared = patient.get(db);
  if (shared === undefined) {
    const [row] = await db.sql("PRAGMA busy_timeout", Timeout).exec({});
    shared = patient.get(db) ?? { users: 0, before: row?.timeout ?? 0 };
    patient.set(db, shared);
  }
  shared.users++;
  try {
    await runPlain(db, "PRAGMA busy_timeout = 0");
    return await work();
  } finally {
    shared.users--;
    if (shared.users === 0) {
      patient.delete(db);
      await runPlain(db, `PRAGMA busy_timeout = ${shared.before}`);
    }
  }
}

/** Works with SQLite's foreign keys off, which only works outside a transaction; then restores the setting. */
export async function withoutForeignKeys<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const [row] = await db.sql("PRAGMA foreign_keys", Keys).exec({});
  if (row?.foreign_keys !== 1) return work();
  await runPlain(db, "PRAGMA foreign_keys = OFF");
  try {
    return await work();
  } finally {
    await runPlain(db, "PRAGMA foreign_keys = ON");
  }
}

const Violation = z.object({ table: z.string(), parent: z.string() });

/** The number of violated references, by their tables. There may be many such rows. */
export async function violations(tx: Transaction): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.sql("PRAGMA foreign_key_check", Violation).exec({});
  const counts = new Map<string, number>();
  for (const { table, parent } of rows) {
    const key = `${table} → ${parent}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

const Rows = z.object({ n: z.int() });

/** The number of rows of a table of SQLite; undefined if it does not exist. */
export async function rowCount(
  tx: Transaction,
  { schema = "main", table }: { readonly schema?: string; readonly table: string },
): Promise<number | undefined> {
  const quote = grammars.get(tx.dialect)?.quote ?? String;
  // On SQLite, names that differ only in case are the same.
  const there = `SELECT COUNT(*) AS n FROM ${quote(schema)}.sqlite_schema WHERE type = 'table' AND name = :table COLLATE NOCASE`;
  const [found] = await tx.sql(there, Rows).exec({ table });
  if (found?.n !== 1) return undefined;
  const [row] = await tx.sql(`SELECT COUNT(*) AS n FROM ${quote(schema)}.${quote(table)}`, Rows).exec({});
  return row?.n;
}

const WRITTEN_NAME = '("(?:[^"]|"")+"|[\\w$]+)';
const BUILDS_ALONE = new RegExp(
  `^\\s*CREATE\\s+(?:UNIQUE\\s+)?INDEX\\s+CONCURRENTLY\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${WRITTEN_NAME}(?![\\w$&])(?:\\s+ON\\s+(?:ONLY\\s+)?${WRITTEN_NAME}\\s*\\.)?`,
  "i",
);
const Name = z.object({ name: z.string() });

/** An index that a statement builds while others write, as PostgreSQL keeps it: it has the schema of its table. */
interface BuiltIndex {
  readonly name: string;
  /** The schema, if the statement names it. */
  readonly schema: string | undefined;
}

/** The index that a statement builds while others write; undefined for any other statement. */
export function indexBuiltAlone(sql: string): BuiltIndex | undefined {
  const [, name, schema] = BUILDS_ALONE.exec(sql) ?? [];
  return name === undefined
    ? undefined
    : { name: keptName(name), schema: schema === undefined ? undefined : keptName(schema) };
}

function keptName(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written.toLowerCase();
}

/** Drops an index that a failed CREATE INDEX CONCURRENTLY left: it would be kept up to date and never used. */
export async function dropInvalidIndex(db: Database, sql: string): Promise<void> {
  if (db.dialect !== "postgres") return;
  const index = indexBuiltAlone(sql);
  if (index === undefined) return;
  for (const { name } of await indexesOf(db, index, "NOT i.indisvalid"))
    await runPlain(db, `DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

/** Whether an index of this name exists and is complete. */
export async function hasValidIndex(db: Database, index: BuiltIndex): Promise<boolean> {
  return (await indexesOf(db, index, "i.indisvalid")).length > 0;
}

function indexesOf(
  db: Database,
  { name, schema }: BuiltIndex,
  state: string,
): Promise<readonly z.output<typeof Name>[]> {
  const place = schema === undefined ? "pg_table_is_visible(c.oid)" : "n.nspname = :schema";
  const text = `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_index i ON i.indexrelid = c.oid WHERE c.relname = :name AND ${place} AND ${state}`;
  return db.sql(text, Name).exec(schema === undefined ? { name } : { name, schema });
}
