/** Dates moved by units, and the difference of dates in units: functions that the driver registers in SQLite. */
import { encodeUtcText } from "../grammar/dates.js";
import { dateFromText } from "../grammar/values.js";

const monthsOf: ReadonlyMap<unknown, number> = new Map([
  ["month", 1],
  ["quarter", 3],
  ["year", 12],
]);
const msOf: ReadonlyMap<unknown, number> = new Map([
  ["second", 1_000],
  ["minute", 60_000],
  ["hour", 3_600_000],
  ["day", 86_400_000],
  ["week", 604_800_000],
]);

/** The text of a date, moved by a number of units; null if one of the arguments is null. */
export function movedDate(text: unknown, count: unknown, unit: unknown): string | null {
  const date = dateFromText(text);
  if (date === undefined || count === null) return null;
  const n = Number(count);
  const months = monthsOf.get(unit);
  const moved =
    months === undefined
      ? new Date(date.getTime() + n * (msOf.get(unit) ?? 0))
      : movedByMonths(date, n * months);
  const year = moved.getUTCFullYear();
  if (year >= 1 && year <= 9999) return encodeUtcText(moved);
  throw new RangeError("the date is outside the years 1 to 9999");
}

/** The number of whole units between the texts of two dates, towards zero; null if one of the arguments is null. */
export function dateDifference(fromText: unknown, toText: unknown, unit: unknown): bigint | null {
  const [from, to] = [dateFromText(fromText), dateFromText(toText)];
  if (from === undefined || to === undefined) return null;
  const months = monthsOf.get(unit);
  if (months === undefined) return whole((to.getTime() - from.getTime()) / (msOf.get(unit) ?? Number.NaN));
  // More than the milliseconds of a month, so that day and time decide only if the months are equal.
  return whole((monthKey(to) - monthKey(from)) / (LONGEST_MONTH * months));
}

/** The text of the first moment of a quarter; null for null. */
export function quarterOf(text: unknown): string | null {
  const date = dateFromText(text);
  if (date === undefined) return null;
  const month = date.getUTCMonth() - (date.getUTCMonth() % 3) + 1;
  return `${encodeUtcText(date).slice(0, 5)}${String(month).padStart(2, "0")}-01 00:00:00.000`;
}

const LONGEST_MONTH = 31 * 86_400_000;

function monthKey(date: Date): number {
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth();
  const time = date.getTime() - startOfDay(date);
  return months * LONGEST_MONTH + (date.getUTCDate() - 1) * 86_400_000 + time;
}

function startOfDay(date: Date): number {
  return new Date(date).setUTCHours(0, 0, 0, 0);
}

function movedByMonths(date: Date, months: number): Date {
  const moved = new Date(date);
  const day = date.getUTCDate();
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const last = new Date(moved);
  last.setUTCMonth(moved.getUTCMonth() + 1, 0);
  moved.setUTCDate(Math.min(day, last.getUTCDate()));
  return moved;
}

// A bigint, which SQLite keeps as a whole number.
function whole(number: number): bigint {
  return BigInt(Math.trunc(number));
}
