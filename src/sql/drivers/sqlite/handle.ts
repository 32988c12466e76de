/**
 * The parts of better-sqlite3 that rowtype uses: a handle and its statements, and the cache of prepared
 * statements.
 */
import { Lru } from "../../../core/lru.js";
import type { DriverRequest } from "../../contract/driver.js";
import { FINITE, SAFE, WHOLE } from "../../dialect/sqlite/arithmetic.js";
import { CONVERT, convert, type StorageForm } from "../../dialect/sqlite/conversion.js";
import { DATE_ADD, DATE_DIFF, DATE_QUARTER } from "../../dialect/sqlite/date-functions.js";
import { QUOTIENT, REMAINDER, ROUNDED } from "../../dialect/sqlite/decimals.js";
import { NUMBER_TEXT, wideIntegers } from "../../dialect/sqlite/expressions.js";
import { dateDifference, movedDate, quarterOf } from "../../dialect/sqlite/moved-dates.js";
import {
  ZONE_CLOCK,
  ZONE_INSTANT,
  ZONE_START,
  zoneClock,
  zoneInstant,
  zoneStart,
} from "../../dialect/sqlite/zoned-dates.js";

/** The part of a better-sqlite3 `Database` that rowtype uses. */
export interface SqliteHandle {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  readonly inTransaction: boolean;
  readonly open?: boolean;
  /** Without it there is no arithmetic, not even with dates, and numbers cannot be cast to text. */
  function?(
    name: string,
    options: { deterministic: boolean; safeIntegers?: boolean },
    call: (...values: never[]) => unknown,
  ): unknown;
}

const functions: readonly (readonly [name: string, call: (...values: never[]) => unknown])[] = [
  [NUMBER_TEXT, (value: unknown) => (value === null ? null : String(value))],
  [DATE_ADD, (date: unknown, count: unknown, unit: unknown) => movedDate(date, count, unit)],
  [DATE_DIFF, (from: unknown, to: unknown, unit: unknown) => dateDifference(from, to, unit)],
  [DATE_QUARTER, (date: unknown) => quarterOf(date)],
  [ZONE_CLOCK, (date: unknown, zone: unknown) => zoneClock(date, zone)],
  [ZONE_INSTANT, (date: unknown, zone: unknown) => zoneInstant(date, zone)],
  [ZONE_START, (date: unknown, zone: unknown, unit: unknown) => zoneStart(date, zone, unit)],
  [
    "rowtype_too_deep",
    (_level: unknown) => {
      throw new Error("rowtype recursion limit");
    },
  ],
];

// The functions that take whole numbers exactly.
const exactFunctions: readonly (readonly [name: string, call: (...values: never[]) => unknown])[] = [
  [WHOLE, whole],
  [SAFE, safe],
  [QUOTIENT, quotient],
  [REMAINDER, remainder],
  [ROUNDED, rounded],
  [CONVERT, (value: unknown, from: StorageForm, to: StorageForm) => convert(value, from, to)],
];

/** Registers the functions that rowtype's statements use and SQLite lacks. */
export function addFunctions(handle: SqliteHandle): void {
  // A closed handle throws when it is used.
  if (handle.open === false) return;
  for (const [name, call] of functions) handle.function?.(name, { deterministic: true }, call);
  for (const [name, call] of exactFunctions)
    handle.function?.(name, { deterministic: true, safeIntegers: true }, call);
  handle.function?.(FINITE, { deterministic: true }, finite);
}

const LEAST = -(2n ** 63n);

// A result beyond 64 bits has become a double. A sum of bigints may exceed 64 bits.
function whole(value: unknown): unknown {
  if (value === null) return value;
  const wide = typeof value === "string" ? wideIntegers.decode(value, { kind: "bigint" }) : value;
  if (typeof wide === "bigint" && wide >= LEAST && wide < -LEAST) return wide;
  throw overflow("integer overflow");
}

function safe(value: unknown): unknown {
  const exact = whole(value);
  if (exact === null || Number.isSafeInteger(Number(exact))) return exact;
  throw overflow("integer overflow");
}

/** The quotient of two whole numbers, with more digits; null if the divisor is 0. */
function quotient(dividend: bigint | null, divisor: bigint | null, digits: bigint): unknown {
  if (dividend === null || divisor === null || divisor === 0n) return null;
  return whole(halfAway(dividend * 10n ** digits, divisor));
}

/** The remainder of a division of two whole numbers that get more digits; null if the divisor is 0. */
function remainder(dividend: bigint | null, more: bigint, divisor: bigint | null, others: bigint): unknown {
  if (dividend === null || divisor === null || divisor === 0n) return null;
  return whole((dividend * 10n ** more) % (divisor * 10n ** others));
}

/** A whole number without its last digits. */
function rounded(value: bigint | null, digits: bigint): unknown {
  return value === null ? null : whole(halfAway(value, 10n ** digits));
}

/** A quotient rounded to a whole number: halves are rounded away from zero. */
function halfAway(dividend: bigint, divisor: bigint): bigint {
  const [above, below] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const amount = (2n * above + below) / (2n * below);
  return dividend < 0n === divisor < 0n ? amount : -amount;
}

function finite(value: unknown): unknown {
  if (value === null || Number.isFinite(value)) return value;
  throw overflow("number overflow");
}

function overflow(message: string): Error {
  return Object.assign(new Error(message), { code: "SQLITE_ERROR" });
}

/** The part of a better-sqlite3 `Statement` that rowtype uses. */
export interface SqliteStatement {
  all(...params: unknown[]): unknown[];
  run(...params: unknown[]): { readonly changes: number };
  raw(toggle?: boolean): unknown;
  safeIntegers(toggle?: boolean): unknown;
  columns(): readonly { readonly name: string }[];
  /** Whether it returns rows. */
  readonly reader: boolean;
}

/** The maximum number of prepared texts, and of their total characters. */
const MOST_TEXTS = 500;
const MOST_CHARACTERS = 2_000_000;

/** Prepared statements by text, bounded. */
export class StatementCache {
  readonly #handle: SqliteHandle;
  readonly #kept = new Lru<string, Statements>({
    max: MOST_TEXTS,
    maxWeight: MOST_CHARACTERS,
    weigh: (_, sql) => sql.length,
  });

  constructor(handle: SqliteHandle) {
    this.#handle = handle;
  }

  get({ sql, prepared }: DriverRequest): SqliteStatement {
    const { givesRows, bigints } = prepared;
    const way: Way = givesRows ? (bigints ? "exact" : "rows") : "count";
    const kept = this.#kept.get(sql);
    return kept?.[way] ?? this.#prepare(sql, way, kept);
  }

  #prepare(sql: string, way: Way, kept: Statements | undefined): SqliteStatement {
    const statement = this.#handle.prepare(sql);
    if (statement.reader) statement.raw(true);
    if (way === "exact") statement.safeIntegers(true);
    if (kept !== undefined) kept[way] = statement;
    // A query plan does not change after its statement was prepared, even if the tables do.
    else if (!/^\s*EXPLAIN\b/i.test(sql)) this.#kept.set(sql, { [way]: statement });
    return statement;
  }
}

type Way = "count" | "rows" | "exact";

/** The statements of one text: one for each setting of arrays and exact integers. */
type Statements = { [W in Way]?: SqliteStatement };
