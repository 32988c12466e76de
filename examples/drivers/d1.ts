/** A driver over Cloudflare's D1: single statements and batches, but no transactions, bigints and functions. */
import {
  type AtomicDatabase,
  type Driver,
  databaseOver,
  type Fault,
  type Result,
  type Statement,
  type Value,
} from "rowtype/driver";
import { checkStatement } from "./one-statement.js";

/** The part of D1 that is used. */
export interface D1Database {
  prepare(sql: string): D1Statement;
  batch(statements: readonly D1Statement[]): Promise<readonly D1Answer[]>;
}
interface D1Statement {
  bind(...values: unknown[]): D1Statement;
  run(): Promise<D1Answer>;
  raw(options: { columnNames: true }): Promise<unknown[][]>;
}
interface D1Answer {
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly meta: { readonly changes: number };
}

/** The database of a binding: `d1(env.DB)`. */
export function d1(handle: D1Database): AtomicDatabase<"sqlite"> {
  return databaseOver("sqlite", d1Driver(handle));
}

export function d1Driver(handle: D1Database): Driver & Required<Pick<Driver, "atomic">> {
  const bound = (statement: Statement) => {
    checkStatement(statement);
    return handle.prepare(statement.sql).bind(...statement.params);
  };
  return {
    lacks: ["functions", "bigints"],
    mostParams: 100,
    run: async (statement, signal) => {
      const prepared = bound(statement);
      signal?.throwIfAborted();
      if (!givesRows(statement)) return { rows: [], affected: (await prepared.run()).meta.changes };
      const [columns = [], ...rows] = await prepared.raw({ columnNames: true });
      return { ...resultOf(rows), columns: columns as string[] };
    },
    atomic: async (statements, signal) => {
      if (statements.length === 0) return [];
      const prepared = statements.map(bound);
      signal?.throwIfAborted();
      const answers = await handle.batch(prepared);
      return answers.map(({ results, meta }, i) => {
        if (statements[i]?.rows === false) return { rows: [], affected: meta.changes };
        // A batch gives records: of two columns of one name it gives the last.
        const columns = Object.keys(results[0] ?? {});
        const affected = results.length > 0 ? results.length : meta.changes;
        return { ...resultOf(results.map((row) => Object.values(row))), affected, columns };
      });
    },
    fault,
  };
}

/** Of the caller's own text it is not known; both ways of asking execute it. */
function givesRows({ sql, rows }: Statement): boolean {
  return rows === "unknown" ? /^\s*(?:select|values|with|pragma|explain)\b|\breturning\b/i.test(sql) : rows;
}

function resultOf(rows: readonly (readonly unknown[])[]): Result {
  return { rows: rows.map((row) => row.map(read)), affected: rows.length };
}

// Bytes come as lists of numbers.
function read(value: unknown): Value {
  return (Array.isArray(value) ? Uint8Array.from(value) : value) as Value;
}

/** `D1_ERROR: UNIQUE constraint failed: t.n: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_UNIQUE)` */
const ERROR = /^D1_ERROR: (.*): (SQLITE_\w+)(?: \(extended: (SQLITE_\w+)\))?$/s;

function fault(error: unknown): Fault {
  if (Object(error).name === "AbortError") return { kind: "aborted", message: "aborted" };
  const text = error instanceof Error ? error.message : String(error);
  const [, message = text, code, extended] = ERROR.exec(text) ?? [];
  return { message, ...(code === undefined ? {} : { code: extended ?? code }) };
}
