/** Encoding and decoding that dialects share. A decoder gives `undefined` for what it does not understand. */
import type { ValueCodec } from "./grammar.js";

/** Text as it is. */
export const textCodec: ValueCodec = {
  encode: (value: string) => value,
  decode: (value) => (typeof value === "string" ? value : undefined),
};

/** Numbers as they are; negative zero is zero, for no database tells it apart everywhere. */
export const numberCodec: ValueCodec = {
  encode: (value: number) => (value === 0 ? 0 : value),
  decode: (value, { integer }) => (integer === true ? exactInteger(value) : finiteNumber(value)),
};

/** A whole number, refused where a JavaScript number would round it. */
export function exactInteger(value: unknown): number | undefined {
  const number =
    typeof value === "number"
      ? value
      : typeof value === "bigint" || isDigits(value)
        ? Number(value)
        : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** A floating point number, from a number or its text. Negative zero, which some servers make, is zero. */
export function finiteNumber(value: unknown): number | undefined {
  if (typeof value !== "number" && typeof value !== "bigint" && (typeof value !== "string" || value === ""))
    return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number + 0 : undefined;
}

/** A bigint, from any form that lost nothing on the way. */
export function decimalText(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return isDigits(value) ? BigInt(value) : undefined;
}

const DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?(Z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)?$/;

/**
 * A date from the text that servers write: ISO 8601 with a blank or `T`, up to nanoseconds (cut to
 * milliseconds), with or without an offset; without one it is UTC.
 */
export function dateFromText(value: unknown): Date | undefined {
  const match = typeof value === "string" ? DATE.exec(value) : null;
  if (match === null) return undefined;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", offset = "Z"] = match;
  const date = new Date(0);
  // `Date.UTC` reads years below 100 as 19xx.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // A day or an hour that there is not would be carried over into the next.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.slice(0, 3).padEnd(3, "0")));
  return new Date(date.getTime() - offsetMs(offset));
}

/** The JSON text of a value. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value);
}

function offsetMs(offset: string): number {
  if (offset === "Z") return 0;
  const [hours = "0", minutes = "0", seconds = "0"] = offset.slice(1).match(/\d\d/g) ?? [];
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return offset.startsWith("-") ? -ms : ms;
}

function isDigits(value: unknown): value is string {
  return typeof value === "string" && /^-?\d+$/.test(value);
}
