/**
 * Translates the errors of `oracledb`: those of the server by their ORA number, those of the driver by their
 * code.
 */

import type { DeclaredKeys, RefusedValue } from "../contract/driver.js";
import { ConstraintError, QueryError, type QueryErrorCode, type SqlError } from "../words/errors.js";
import { recursionLimit } from "./recursion.js";

const constraints: ReadonlyMap<unknown, ConstraintError["code"]> = new Map([
  [1, "UNIQUE_VIOLATION"],
  [1400, "NOT_NULL_VIOLATION"],
  [1407, "NOT_NULL_VIOLATION"],
  [2290, "CHECK_VIOLATION"],
  [2291, "FOREIGN_KEY_VIOLATION"],
  [2292, "FOREIGN_KEY_VIOLATION"],
]);

const OF_OTHERS = 2292;

/** The error on a connection to a standby, or to a primary that has become one. */
export const OPEN_FOR_READING = 16000;

const numbers: ReadonlyMap<unknown, QueryErrorCode> = new Map<number, QueryErrorCode>([
  [60, "DEADLOCK"],
  [8177, "SERIALIZATION_FAILURE"],
  // Resource busy: with NOWAIT, or after the wait has timed out.
  [54, "LOCK_TIMEOUT"],
  [4021, "LOCK_TIMEOUT"],
  [30006, "LOCK_TIMEOUT"],
  [1013, "ABORTED"],
  // The database is read-only; the transaction is read-only.
  [OPEN_FOR_READING, "READ_ONLY"],
  [1456, "READ_ONLY"],
  // The session was killed, the instance is stopping or starting, the network or the server process failed.
  ...[28, 1012, 1033, 1034, 1041, 1089, 1090, 1092, 2396, 3113, 3114, 3135].map(
    (number): [number, QueryErrorCode] => [number, "CONNECTION_LOST"],
  ),
  ...[12153, 12170, 12514, 12516, 12520, 12528, 12537, 12541, 12547, 12570, 12571, 12583].map(
    (number): [number, QueryErrorCode] => [number, "CONNECTION_LOST"],
  ),
]);

const codes: ReadonlyMap<unknown, QueryErrorCode> = new Map<string, QueryErrorCode>([
  ["NJS-002", "NO_CONNECTION"],
  ["NJS-064", "NO_CONNECTION"],
  ["NJS-065", "NO_CONNECTION"],
  ["NJS-003", "CONNECTION_LOST"],
  // No connection was returned to the pool in time, or too many calls wait for one.
  ["NJS-040", "CONNECTION_LOST"],
  ["NJS-076", "CONNECTION_LOST"],
  // The call timeout of the connection.
  ["NJS-123", "ABORTED"],
]);

/**
 * Translates an error of `oracledb`. The server's message may contain values. If it may, our message is made from the
 * facts.
 */
export function translateOracleError(
  error: unknown,
  propertyOf: (column: string) => string,
  keys?: DeclaredKeys,
): SqlError {
  const { errorNum, code, message } = Object(error) as Readonly<Record<string, unknown>>;
  const cause = { cause: error };
  const text = typeof message === "string" ? message : "";
  const tooDeep = recursionLimit(text, error);
  if (tooDeep !== undefined) return tooDeep;
  const broken = constraints.get(errorNum);
  if (broken !== undefined) {
    const name = broken === "NOT_NULL_VIOLATION" ? undefined : CONSTRAINT.exec(text)?.[1];
    // Other rows refer to this row, and their constraint fails.
    const declared = name === undefined || errorNum === OF_OTHERS ? undefined : keys?.named.get(name);
    const columns = declared ?? columnsOf(text, broken);
    const facts = { constraint: name, fields: columns.map(propertyOf) };
    const place = name ?? columns.join(", ");
    return new ConstraintError(broken, `constraint failed: ${place || `ORA-${errorNum}`}`, facts, cause);
  }
  const known = numbers.get(errorNum) ?? codes.get(code) ?? networkCode(code);
  const where =
    typeof errorNum === "number" ? `ORA-${errorNum}` : typeof code === "string" ? code : "no code";
  if (known === "CONNECTION_LOST")
    return new QueryError("CONNECTION_LOST", `the connection to the server failed (${where})`, cause);
  if (known === "NO_CONNECTION")
    return new QueryError("NO_CONNECTION", "the pool is closed or closing", cause);
  const sentence = ownSentence(errorNum, text) ?? "the statement failed";
  return new QueryError(known ?? "QUERY_FAILED", `${sentence} (${where})`, cause);
}

/** Errors from parsing a statement: syntax, names, types, privileges. Also errors about the server itself. */
function isWithoutValues(number: number): boolean {
  return (number >= 900 && number <= 999) || ABOUT_THE_SERVER.has(number);
}

const ABOUT_THE_SERVER: ReadonlySet<number> = new Set([
  // Sessions, processes, privileges, missing or existing names.
  18, 20, 439, 1017, 1031, 1045, 1430, 1720, 1950, 2149, 2270, 2289, 2303, 3001, 28000, 28001,
  // Space and memory.
  1536, 1628, 1631, 1632, 1650, 1652, 1653, 1654, 1655, 1658, 1688, 1691, 4030, 4031, 30036,
]);

function ownSentence(number: unknown, text: string): string | undefined {
  if (typeof number !== "number" || !isWithoutValues(number)) return undefined;
  // In PL/SQL a statement may contain values. The lines of the program follow the error.
  if (text.includes("ORA-06512")) return undefined;
  return /^ORA-\d+: (.+)/.exec(text)?.[1];
}

// "ORA-00001: unique constraint (SCOTT.people_email_key) violated", in any language.
const CONSTRAINT = /^ORA-\d+:[^(]*\([^.()]+\.(.+?)\)/;

// `ORA-01400: cannot insert NULL into ("SCOTT"."people"."email")`
const COLUMN = /"\."([^"]+)"\)/;

function columnsOf(text: string, broken: ConstraintError["code"]): readonly string[] {
  if (broken === "NOT_NULL_VIOLATION") return COLUMN.exec(text)?.slice(1) ?? [];
  if (broken !== "UNIQUE_VIOLATION") return [];
  // Since version 23ai: "… violated on table SCOTT.people columns (email, name)". A later line contains values.
  const [, columns] = [...(text.split("\n")[0] ?? "").matchAll(/\(([^()]+)\)/g)];
  return columns?.[1]?.split(", ") ?? [];
}

function networkCode(code: unknown): QueryErrorCode | undefined {
  return typeof code === "string" && /^NJS-5\d\d$/.test(code) ? "CONNECTION_LOST" : undefined;
}

/** Numbers of texts that cannot be read as a number, or as a date. */
const UNREADABLE: ReadonlySet<unknown> = new Set([
  1722, 1830, 1839, 1840, 1841, 1843, 1847, 1850, 1858, 1861, 1867, 1873,
]);

/** The value of a call that caused an error: by the numbers that Oracle documents, never seen on a server. */
export function refusedOracleValue(error: unknown): RefusedValue | undefined {
  const { errorNum, message } = Object(error) as Readonly<Record<string, unknown>>;
  // `ORA-12899: value too large for column "SCOTT"."people"."email" (actual: 20, maximum: 10)`
  if (errorNum === 12899) {
    const column = COLUMN_BEFORE.exec(String(message))?.[1];
    return column === undefined ? undefined : { column };
  }
  // A text that is longer than any column of texts.
  if (errorNum === 1461 || errorNum === 1704) return { longerThan: 999 };
  // A number with more digits than its column: the server does not say how many.
  if (errorNum === 1438) return { from: 1 };
  return UNREADABLE.has(errorNum) ? { unreadable: true } : undefined;
}

const COLUMN_BEFORE = /"\."([^"]+)" \(/;
