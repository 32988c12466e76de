/** Encoding and decoding that dialects share. A decoder returns `undefined` for a value that it cannot decode. */
import type { ValueCodec } from "./grammar.js";

/** Text, unchanged. */
export const textCodec: ValueCodec = {
  encode: (value: string) => value,
  decode: (value) => (typeof value === "string" ? value : undefined),
};

/** Numbers, unchanged except negative zero, which becomes zero: not every database distinguishes them. */
export const numberCodec: ValueCodec = {
  encode: (value: number) => (value === 0 ? 0 : value),
  decode: (value, { integer }) => (integer === true ? exactInteger(value) : finiteNumber(value)),
};

/** JSON as text. */
export const jsonCodec: ValueCodec = {
  encode: jsonText,
  decode: (value) => (typeof value === "string" ? JSON.parse(value) : undefined),
};

/** Bytes; those of a driver are copied, because they may be a view into its own memory. */
export const bytesCodec: ValueCodec = {
  encode: (value: Uint8Array) => value,
  decode: (value) => (value instanceof Uint8Array ? new Uint8Array(value) : undefined),
};

/** A whole number; refused if a JavaScript number would round it. */
function exactInteger(value: unknown): number | undefined {
  const number =
    typeof value === "number"
      ? value
      : typeof value === "bigint" || isDigits(value)
        ? Number(value)
        : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** A double, from a number or its text. Negative zero, which some servers return, becomes zero. */
function finiteNumber(value: unknown): number | undefined {
  if (typeof value !== "number" && typeof value !== "bigint" && (typeof value !== "string" || value === ""))
    return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number + 0 : undefined;
}

/** A bigint, from any lossless form. */
export function decimalText(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return isDigits(value) ? BigInt(value) : undefined;
}

/** Why a value of a column cannot be decoded, if the name of its kind does not explain it. */
export class Unreadable extends Error {}

const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const OFFSET = /^[+-]\d\d(?::?\d\d(?::?\d\d)?)?$/;
const ZERO = 48;
const NINE = 57;
const BLANK = 32;
const DASH = 45;
const POINT = 46;
const COLON = 58;
const T = 84;

/**
 * A date from the text that servers write: ISO 8601 with a blank or `T`, up to nanoseconds (truncated to
 * milliseconds), with or without an offset; without one it is UTC. Parsed by index for speed: every row has
 * such text.
 */
export function dateFromText(value: unknown): Date | undefined {
  if (typeof value !== "string") return undefined;
  const start = startOf(value);
  if (start === undefined) return undefined;
  let end = 10;
  let hour = 0;
  let minute = 0;
  let second = 0;
  let ms = 0;
  const between = value.charCodeAt(10);
  if (between === BLANK || between === T) {
    if (value.charCodeAt(13) !== COLON) return undefined;
    hour = twoDigits(value, 11);
    minute = twoDigits(value, 14);
    end = 16;
    if (value.charCodeAt(16) === COLON) {
      second = twoDigits(value, 17);
      end = 19;
    }
    if (end === 19 && value.charCodeAt(19) === POINT) {
      end = endOfDigits(value, 20);
      if (end === 20 || end > 29) return undefined;
      ms =
        end > 22
          ? twoDigits(value, 20) * 10 + value.charCodeAt(22) - ZERO
          : shortFraction(value.slice(20, end));
    }
  }
  // A comparison with NaN, the value of a non-digit, is false.
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  const offset = value.length === end ? 0 : offsetMs(value.slice(end));
  if (offset === undefined) return undefined;
  return new Date(start + ((hour * 60 + minute) * 60 + second) * 1000 + ms - offset);
}

// Most dates of a result are of a few days.
let lastDay: string | undefined;
let lastStart = 0;

/** The start of the day at the beginning of a text; undefined if the text does not begin with a day. */
function startOf(text: string): number | undefined {
  if (lastDay !== undefined && text.startsWith(lastDay)) return lastStart;
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return undefined;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  // A comparison with NaN, the value of a non-digit, is false.
  if (!(year >= 1 && day >= 1 && day <= daysOf(month, year))) return undefined;
  // `Date.UTC` reads years below 100 as 19xx.
  lastStart =
    year > 99
      ? Date.UTC(year, month - 1, day)
      : new Date(Date.UTC(2000, month - 1, day)).setUTCFullYear(year);
  lastDay = text.slice(0, 10);
  return lastStart;
}

const BEYOND_MS = /\.\d{3}\d*[1-9]/;

/** Whether the text of a date is finer than milliseconds. */
export function finerThanMs(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const next = value.charCodeAt(23);
  return next >= ZERO && next <= NINE && BEYOND_MS.test(value);
}

/** The JSON text of a value. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value);
}

// NaN if one of the characters is not a digit.
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at);
  const ones = text.charCodeAt(at + 1);
  if (!(tens >= ZERO && tens <= NINE && ones >= ZERO && ones <= NINE)) return Number.NaN;
  return (tens - ZERO) * 10 + ones - ZERO;
}

function shortFraction(digits: string): number {
  return Number(digits.padEnd(3, "0"));
}

function endOfDigits(text: string, from: number): number {
  let end = from;
  while (text.charCodeAt(end) >= ZERO && text.charCodeAt(end) <= NINE) end++;
  return end;
}

function daysOf(month: number, year: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && !isLeap ? 28 : (DAYS_OF_MONTH[month - 1] ?? 0);
}

function offsetMs(offset: string): number | undefined {
  if (offset === "Z" || offset === "+00") return 0;
  if (!OFFSET.test(offset)) return undefined;
  const [hours = "0", minutes = "0", seconds = "0"] = offset.slice(1).match(/\d\d/g) ?? [];
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return offset.startsWith("-") ? -ms : ms;
}

function isDigits(value: unknown): value is string {
  if (typeof value !== "string") return false;
  const from = value.charCodeAt(0) === DASH ? 1 : 0;
  const { length } = value;
  for (let i = from; i < length; i++) {
    const code = value.charCodeAt(i);
    if (!(code >= ZERO && code <= NINE)) return false;
  }
  return length > from;
}
