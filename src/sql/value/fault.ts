/** What is wrong with a value that is about to be sent, in words that never hold the value. */
import { describeType } from "../../core/errors.js";
import type { Storage } from "../declare/declaration.js";

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_JSON_DEPTH = 500;
// No server takes more in one value, and a driver stands still for seconds before it says so.
const MAX_BYTES = 2 ** 30;

/** What is expected instead of a value that is not null; undefined where it fits. */
export function faultOf(storage: Storage, value: unknown): string | undefined {
  if (storage.values !== undefined)
    return storage.values.has(value)
      ? undefined
      : `one of its ${storage.values.size} values, not ${describeType(value)}`;
  switch (storage.kind) {
    case "text":
      if (typeof value !== "string") return `text, not ${describeType(value)}`;
      if (!isCleanText(value)) return "text without NUL and lone surrogates";
      return storage.decimal === true && !/^[+-]?\d+(\.\d+)?$/.test(value)
        ? "a decimal number as text"
        : undefined;
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value))
        return `a finite number, not ${numberType(value)}`;
      return storage.integer === true && !Number.isSafeInteger(value)
        ? "a whole number up to 2^53 - 1"
        : undefined;
    case "bigint":
      if (typeof value !== "bigint") return `a bigint, not ${describeType(value)}`;
      return value < MIN_INT64 || value > MAX_INT64 ? "a bigint of 64 bits" : undefined;
    case "boolean":
      return typeof value === "boolean" ? undefined : `a boolean, not ${describeType(value)}`;
    case "date":
      return dateFault(value);
    case "bytes":
      if (!(value instanceof Uint8Array)) return `a Uint8Array, not ${describeType(value)}`;
      return value.length < MAX_BYTES ? undefined : "less than 1 GiB";
    case "array":
      return itemFault(storage.item ?? { kind: "text" }, value);
    case "vector":
      if (Array.isArray(value) && value.length !== storage.dimensions)
        return `a vector of ${storage.dimensions} numbers`;
      return itemFault({ kind: "number" }, value);
    case "json":
      return jsonFault(value, 0);
  }
}

/** A quick test that knows most values without fault, for those that every call binds; `faultOf` judges the others. */
export function plainTest({ kind, integer, decimal, values }: Storage): (value: unknown) => boolean {
  if (values !== undefined) return (value) => values.has(value);
  if (kind === "number") return integer === true ? Number.isSafeInteger : Number.isFinite;
  if (kind === "text" && decimal !== true) return (value) => typeof value === "string" && isCleanText(value);
  if (kind === "boolean") return (value) => typeof value === "boolean";
  return () => false;
}

/** Text that every database stores unchanged: no NUL, no half of a surrogate pair. */
export function isCleanText(value: string): boolean {
  return value.isWellFormed() && !value.includes("\0");
}

// What JSON keeps as it is. `undefined` as a member is left out, as an absent one is.
function jsonFault(value: unknown, depth: number): string | undefined {
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

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function dateFault(value: unknown): string | undefined {
  if (!(value instanceof Date)) return `a Date, not ${describeType(value)}`;
  const year = value.getUTCFullYear();
  if (Number.isNaN(year)) return "a valid Date";
  return year >= 1 && year <= 9999 ? undefined : "a Date in the years 1 to 9999";
}

function itemFault(item: Storage, value: unknown): string | undefined {
  if (!Array.isArray(value)) return `a list, not ${describeType(value)}`;
  for (const one of value) {
    const fault = faultOf(item, one);
    if (fault !== undefined) return `a list whose items are each ${fault}`;
  }
  return undefined;
}

function numberType(value: unknown): string {
  if (typeof value !== "number") return describeType(value);
  return Number.isNaN(value) ? "NaN" : Number.isFinite(value) ? "a number" : "an infinity";
}
