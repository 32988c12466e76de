/**
 * The way of a column's values to the driver and back: what is refused, what form it takes. Made once for each
 * column and dialect.
 */

import { safeParse } from "zod/v4/core";
import { describeType } from "../../core/errors.js";
import { wireDecoder } from "../../schema/wire-decode.js";
import { wireEncoder } from "../../schema/wire-encode.js";
import type { ColumnInfo, Storage } from "../declaration.js";
import type { Dialect } from "../dialect/dialect.js";
import type { Grammar } from "../dialect/grammar.js";

export interface ColumnCodec {
  /** What is wrong with a value that is not null, in words without the value; undefined when nothing is. */
  readonly fault: (value: unknown) => string | undefined;
  /** The form that the driver gets, of a value without fault. */
  readonly encode: (value: unknown) => unknown;
  /** The value of a driver's answer that is not null; `undefined` where it is not what the schema says. */
  readonly decode: (value: unknown) => unknown;
}

const codecs = new WeakMap<ColumnInfo, Map<Dialect, ColumnCodec>>();

/** The codec of a column on a dialect. */
export function codecOf(column: ColumnInfo, grammar: Grammar): ColumnCodec {
  const byDialect = codecs.get(column) ?? new Map<Dialect, ColumnCodec>();
  codecs.set(column, byDialect);
  const codec = byDialect.get(grammar.dialect) ?? makeCodec(column, grammar);
  byDialect.set(grammar.dialect, codec);
  return codec;
}

function makeCodec(column: ColumnInfo, grammar: Grammar): ColumnCodec {
  const { storage } = column;
  if (storage.kind === "json") return jsonCodec(column, grammar);
  const { encode, decode } = grammar.values[storage.kind];
  const { values } = storage;
  return {
    fault: (value) => faultOf(storage, value),
    // `fault` has seen the value, so it has the type that the codec of its kind takes.
    encode: (value) => encode(value as never, storage),
    decode:
      values === undefined
        ? (value) => decode(value, storage)
        : (value) => {
            const decoded = decode(value, storage);
            return values.has(decoded) ? decoded : undefined;
          },
  };
}

// JSON may hold anything, so what comes back is validated by the schema of the column.
function jsonCodec({ schema, storage }: ColumnInfo, grammar: Grammar): ColumnCodec {
  const { encode, decode } = grammar.values.json;
  const toWire = wireEncoder(schema);
  const fromWire = wireDecoder(schema);
  const wire = (value: unknown) => (toWire === undefined ? value : toWire(value));
  return {
    fault: (value) => {
      const text = JSON.stringify(wire(value));
      if (text === undefined) return `JSON, not ${describeType(value)}`;
      return text.includes("\\u0000") ? "JSON without NUL" : undefined;
    },
    encode: (value) => encode(wire(value) as never, storage),
    decode: (value) => {
      const parsed = decode(value, storage);
      const result = safeParse(schema, fromWire === undefined ? parsed : fromWire(parsed));
      return result.success ? result.data : undefined;
    },
  };
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** What is expected instead of a value; undefined where it fits. */
function faultOf(storage: Storage, value: unknown): string | undefined {
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
      return value instanceof Uint8Array ? undefined : `a Uint8Array, not ${describeType(value)}`;
    case "array":
      return itemFault(storage.item ?? { kind: "text" }, value);
    case "vector":
      if (Array.isArray(value) && value.length !== storage.dimensions)
        return `a vector of ${storage.dimensions} numbers`;
      return itemFault({ kind: "number" }, value);
    case "json":
      return undefined;
  }
}

/** Text that every database stores unchanged: no NUL, no half of a surrogate pair. */
export function isCleanText(value: string): boolean {
  return value.isWellFormed() && !value.includes("\0");
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
  return typeof value === "number" ? (Number.isNaN(value) ? "NaN" : "an infinity") : describeType(value);
}
