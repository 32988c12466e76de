/** The faults of values of each kind, in words that never contain the value. */
import { describeType, isDate } from "../../core/errors.js";
import type { Storage } from "../declare/declaration.js";

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_JSON_DEPTH = 500;
// No server accepts more bytes in one value, and a driver blocks for seconds before it reports that.
const MAX_BYTES = 2 ** 30;

export function textFault(value: unknown, { decimal }: Storage): string | undefined {
  if (typeof value !== "string") return `text, not ${describeType(value)}`;
  if (!isCleanText(value)) return "text without NUL and lone surrogates";
  return decimal === true && !/^[+-]?\d+(\.\d+)?$/.test(value) ? "a decimal number as text" : undefined;
}

export function numberFault(value: unknown, { integer }: Storage): string | undefined {
  if (typeof value !== "number" || !Number.isFinite(value))
    return `a finite number, not ${numberType(value)}`;
  return integer === true && !Number.isSafeInteger(value) ? "a whole number up to 2^53 - 1" : undefined;
}

export function bigintFault(value: unknown): string | undefined {
  if (typeof value !== "bigint") return `a bigint, not ${describeType(value)}`;
  return value < MIN_INT64 || value > MAX_INT64 ? "a bigint of 64 bits" : undefined;
}

export function booleanFault(value: unknown): string | undefined {
  return typeof value === "boolean" ? undefined : `a boolean, not ${describeType(value)}`;
}

export function dateFault(value: unknown): string | undefined {
  if (!isDate(value)) return `a Date, not ${describeType(value)}`;
  const year = value.getUTCFullYear();
  if (Number.isNaN(year)) return "a valid Date";
  return year >= 1 && year <= 9999 ? undefined : "a Date in the years 1 to 9999";
}

export function bytesFault(value: unknown): string | undefined {
  if (!(value instanceof Uint8Array)) return `a Uint8Array, not ${describeType(value)}`;
  return value.length < MAX_BYTES ? undefined : "less than 1 GiB";
}

/** The fault of a list, by the fault of its items. */
export function listFault(
  value: unknown,
  faultOfItem: (item: unknown) => string | undefined,
): string | undefined {
  if (!Array.isArray(value)) return `a list, not ${describeType(value)}`;
  for (const one of value) {
    const fault = faultOfItem(one);
    if (fault !== undefined) return `a list whose items are each ${fault}`;
  }
  return undefined;
}

export function vectorFault(value: unknown, { dimensions }: Storage): string | undefined {
  if (Array.isArray(value) && value.length !== dimensions) return `a vector of ${dimensions} numbers`;
  return listFault(value, (one) => numberFault(one, { kind: "number" }));
}

/** Values that JSON keeps. An `undefined` member is dropped like an absent one. */
export function jsonFault(value: unknown, depth = 0): string | undefined {
  if (depth > MAX_JSON_DEPTH) return `JSON of at most ${MAX_JSON_DEPTH} levels`;
  if (value === null || typeof value === "boolean") return undefined;
  if (typeof value === "string")
    return isCleanText(value) ? undefined : "JSON without NUL and lone surrogates";
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `JSON, not ${numberType(value)}`;
  if (typeof value !== "object" || !isPlain(value)) return `JSON, not ${describeType(value)}`;
  for (const [key, member] of Object.entries(value)) {
    if (!isCleanText(key)) return "JSON without NUL and lone surrogates";
    if (member === undefined && !Array.isArray(value)) continue;
    const fault = jsonFault(member, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Text that every database stores unchanged: without NUL and without half of a surrogate pair. */
export function isCleanText(value: string): boolean {
  return value.isWellFormed() && !value.includes("\0");
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function numberType(value: unknown): string {
  if (typeof value !== "number") return describeType(value);
  return Number.isNaN(value) ? "NaN" : Number.isFinite(value) ? "a number" : "an infinity";
}
