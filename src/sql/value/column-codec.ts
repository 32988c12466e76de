/** Encodes and decodes the values of a column, and decides which are refused. Made once for each column and dialect. */
import type { $ZodType } from "zod/v4/core";
import { afterOverwrites } from "../../schema/overwrites.js";
import { wireDecoder } from "../../schema/wire-decode.js";
import { wireEncoder } from "../../schema/wire-encode.js";
import type { Storage } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { valueCodec } from "../dialect/grammar/value-codec.js";
import { faultOf, kindOf, plainTest } from "../kind/kinds.js";
import type { Dialect } from "../words/dialect.js";
import { validated } from "./validate.js";

export interface ColumnCodec {
  /** The fault of a value that is not null, as a message without the value; undefined if there is none. */
  readonly fault: (value: unknown) => string | undefined;
  /** The driver's form of a value without a fault. */
  readonly encode: (value: unknown) => unknown;
  /** The decoded form of a driver's value that is not null; `undefined` if it does not fit the schema. */
  readonly decode: (value: unknown) => unknown;
  /** Whether the driver must return whole numbers exactly. */
  readonly exact?: boolean;
  /** The digits after the decimal point of an exact decimal. */
  readonly scale?: number | undefined;
}

/** A column or an expression. Only JSON needs a schema. */
export interface Stored {
  readonly storage: Storage;
  readonly schema?: $ZodType | undefined;
}

const codecs = new WeakMap<Stored, Map<Dialect, ColumnCodec>>();

/** The codec of a column or expression on a dialect. */
export function codecOf(column: Stored, grammar: Grammar): ColumnCodec {
  const byDialect = codecs.get(column) ?? new Map<Dialect, ColumnCodec>();
  codecs.set(column, byDialect);
  const codec = byDialect.get(grammar.dialect) ?? makeCodec(column, grammar);
  byDialect.set(grammar.dialect, codec);
  return codec;
}

function makeCodec({ storage: stored, schema }: Stored, grammar: Grammar): ColumnCodec {
  const storage = withinDigits(stored, grammar);
  if (storage.kind === "json" && schema !== undefined) return jsonCodec(storage, schema, grammar);
  const { encode, decode: decodeAny } = valueCodec(storage, grammar);
  const decode =
    decodeAny.length < 2
      ? (decodeAny as (value: unknown) => unknown)
      : (value: unknown) => decodeAny(value, storage);
  const { values } = storage;
  const emptyIsNull = grammar.emptyTextIsNull && storage.kind === "text";
  const isPlain = plainTest(storage);
  return {
    exact: kindOf(storage).exact === true,
    scale: storage.kind === "decimal" ? storage.scale : undefined,
    fault: emptyIsNull
      ? (value) => (value === "" ? 'text with a character: here "" is NULL' : faultOf(storage, value))
      : (value) => (isPlain(value) ? undefined : faultOf(storage, value)),
    // `fault` has checked the value, so it has the type that the codec of its kind expects.
    encode:
      encode.length < 2
        ? (encode as (value: unknown) => unknown)
        : (value) => encode(value as never, storage),
    decode:
      values === undefined
        ? decode
        : (value) => {
            const decoded = decode(value);
            return values.has(decoded) ? decoded : undefined;
          },
  };
}

// A sum has as many digits as the dialect allows.
function withinDigits(storage: Storage, { unitDigits: most }: Grammar): Storage {
  const { kind, precision = 0 } = storage;
  return kind !== "decimal" || most === undefined || precision <= most
    ? storage
    : { ...storage, precision: most };
}

// JSON may have any content. Therefore the decoded value is validated by the schema of the column. Overwrites of a
// value were applied before it was stored.
function jsonCodec(storage: Storage, declared: $ZodType, grammar: Grammar): ColumnCodec {
  const schema = afterOverwrites(declared);
  const { encode, decode } = grammar.values.json;
  const toWire = wireEncoder(schema) ?? ((value: unknown) => value);
  const fromWire = wireDecoder(schema) ?? ((value: unknown) => value);
  const written = (value: unknown) => {
    try {
      return { value: toWire(value) };
    } catch {
      // A value that no schema has validated may be of any type.
      return undefined;
    }
  };
  return {
    fault: (value) => {
      const wire = written(value);
      return wire === undefined ? "a value that its codecs can write" : faultOf(storage, wire.value);
    },
    encode: (value) => encode(toWire(value) as never, storage),
    decode: (value) => {
      const result = validated(schema, fromWire(decode(value, storage)));
      return result.success ? result.data : undefined;
    },
  };
}
