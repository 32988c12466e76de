/** The functions that rowtype's statements use and SQLite lacks. */
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
import type { SqliteClient } from "./client.js";

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
export function addFunctions(client: SqliteClient): void {
  // A closed client throws when it is used.
  if (client.open === false) return;
  for (const [name, call] of functions) client.function?.(name, { deterministic: true }, call);
  for (const [name, call] of exactFunctions)
    client.function?.(name, { deterministic: true, safeIntegers: true }, call);
  client.function?.(FINITE, { deterministic: true }, finite);
  if (!hasMath(client))
    for (const [name, call] of mathFunctions)
      client.function?.(name, { deterministic: true, safeIntegers: true }, call);
}

// A build without SQLITE_ENABLE_MATH_FUNCTIONS, as Deno's is, has none of these.
const mathFunctions: readonly (readonly [name: string, call: (...values: never[]) => unknown])[] = [
  ["ceil", (value: unknown) => (typeof value === "bigint" ? value : ofNumbers(Math.ceil, value))],
  ["floor", (value: unknown) => (typeof value === "bigint" ? value : ofNumbers(Math.floor, value))],
  ["sqrt", (value: unknown) => ofNumbers(Math.sqrt, value)],
  ["power", (base: unknown, exponent: unknown) => ofNumbers(Math.pow, base, exponent)],
];

function hasMath(client: SqliteClient): boolean {
  try {
    client.prepare("SELECT ceil(1.5), floor(1.5), sqrt(4.0), power(2.0, 2.0)");
    return true;
  } catch {
    return false;
  }
}

// As SQLite's own ones: null of what is no number, and for a result that is none.
function ofNumbers(compute: (...numbers: number[]) => number, ...values: readonly unknown[]): number | null {
  const numbers = values.map((value) => (typeof value === "bigint" ? Number(value) : value));
  if (!numbers.every((value) => typeof value === "number")) return null;
  const result = compute(...numbers);
  return Number.isNaN(result) ? null : result;
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
