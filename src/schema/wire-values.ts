/**
 * The three kinds of values without a JSON form, and the text that carries them: dates as ISO 8601, bigints as decimal
 * digits, bytes as base64. Text in another form is returned unchanged, and Zod refuses it.
 */
import type { $ZodType } from "zod/v4/core";
import { fromBase64, toBase64 } from "./base64.js";
import { classOf } from "./inspect.js";

const ISO_DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;
const DECIMAL = /^-?\d+$/;
/** The longest decimal text: reading it takes more than linear time, and real identifiers are shorter. */
const MAX_DIGITS = 4096;

/** ISO 8601: a date (midnight in UTC), or a date and time with its offset; local times are ambiguous and refused. */
export function dateFromText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const match = ISO_DATE.exec(value);
  if (match === null) return value;
  const [, year, month, day] = match.map(Number);
  // `Date` turns the 30th of February into a day in March, although the calendar does not have that day.
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12) return value;
  if (day < 1 || day > new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()) return value;
  // RFC 3339, 5.6, allows lower-case letters; `Date` may not.
  const date = new Date(value.toUpperCase());
  return Number.isNaN(date.getTime()) ? value : date;
}

/** @throws RangeError for a date without an ISO 8601 text with a four-digit year, which nobody could read again */
export function dateToText(value: unknown): unknown {
  if (!(value instanceof Date)) return value;
  const text = value.toISOString();
  if (text.length > ISO_LENGTH) throw new RangeError("a date outside the years 0 to 9999");
  return text;
}

const ISO_LENGTH = "0000-01-01T00:00:00.000Z".length;

export function bigintFromText(value: unknown): unknown {
  return typeof value === "string" && value.length <= MAX_DIGITS && DECIMAL.test(value)
    ? BigInt(value)
    : value;
}

export function bigintToText(value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

/** Canonical base64 with padding. */
export function bytesFromText(value: unknown): unknown {
  const bytes = typeof value === "string" ? fromBase64(value) : undefined;
  // In Node these are a `Buffer`.
  return bytes === undefined ? value : new Uint8Array(bytes);
}

/** Like `bytesFromText`, for schemas that require a `Buffer`. */
export function bufferFromText(value: unknown): unknown {
  return typeof value === "string" ? (fromBase64(value) ?? value) : value;
}

export function bytesToText(value: unknown): unknown {
  return value instanceof Uint8Array ? toBase64(value) : value;
}

/** Whether a schema is `z.instanceof(Uint8Array)`, or requires a `Buffer`. */
export function bytesKind(schema: $ZodType): "bytes" | "buffer" | undefined {
  const held = classOf(schema);
  if (held === Uint8Array) return "bytes";
  // Browsers have no `Buffer`.
  return typeof Buffer === "function" && held === Buffer ? "buffer" : undefined;
}

/**
 * A value in its wire form, at every depth. It is for outputs after a parse: the values themselves determine their
 * form.
 */
export function wireValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return bigintToText(value);
  if (value instanceof Uint8Array) return bytesToText(value);
  if (value instanceof Map || value instanceof Set) return Array.from(value, wireValue);
  if (Array.isArray(value)) return value.map(wireValue);
  // A value that writes itself (a Date, a decimal) is left to do that.
  if ("toJSON" in value && typeof value.toJSON === "function") return value;
  const written: Record<string, unknown> = Object.create(null);
  for (const [key, held] of Object.entries(value)) written[key] = wireValue(held);
  return written;
}
