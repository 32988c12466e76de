/**
 * The table of value kinds: what is the same for a kind on every dialect. Their operators, which the compiler reads, are
 * in `words/kinds.ts`; their codecs and column types are in the `…-values.ts` of each dialect.
 */

import { describeType } from "../../core/errors.js";
import type { Storage } from "../declare/declaration.js";
import type { Kind } from "../words/kinds.js";
import { decimalFault, decimalFromText, zeroDecimal } from "./decimals.js";
import {
  bigintFault,
  booleanFault,
  bytesFault,
  dateFault,
  isCleanText,
  jsonFault,
  listFault,
  numberFault,
  textFault,
  vectorFault,
} from "./faults.js";

/** One kind of values. */
interface ValueKind {
  /** The expected value, in words, for a value that is not null; undefined if it fits. */
  readonly fault: (value: unknown, storage: Storage) => string | undefined;
  /** A quick test that knows most values without fault, for kinds that every call binds. */
  readonly plain?: (storage: Storage) => ((value: unknown) => boolean) | undefined;
  /** Whether a driver must return whole numbers exactly. */
  readonly exact?: true;
  /** Their form in a JSON list, if JSON has none or `JSON.parse` does not keep it. */
  readonly inJson?: JsonForm;
  /** The value of a text in a JSON list, if it differs from the one that the codec of the dialect reads. */
  readonly ofJsonText?: (text: string, storage: Storage) => unknown;
  /** Zero, which an aggregate of no values returns in place of NULL. */
  readonly zero?: (storage: Storage) => number | bigint | string;
  /** Their type in diagrams. */
  readonly typeName: (storage: Storage) => string;
}

/** Values as text in JSON. */
interface JsonForm {
  readonly encode: (value: never) => string;
  /** The value of the text; without it the codec of the dialect reads the text. */
  readonly decode?: (text: string) => unknown;
}

const kinds: { readonly [K in Kind]: ValueKind } = {
  text: {
    fault: textFault,
    plain: ({ decimal }) =>
      decimal === true ? undefined : (value) => typeof value === "string" && isCleanText(value),
    typeName: () => "text",
  },
  number: {
    fault: numberFault,
    zero: () => 0,
    plain: ({ integer }) => (integer === true ? Number.isSafeInteger : Number.isFinite),
    typeName: ({ integer }) => (integer === true ? "integer" : "number"),
  },
  bigint: {
    fault: bigintFault,
    exact: true,
    zero: () => 0n,
    inJson: { encode: (value: bigint) => String(value) },
    typeName: () => "bigint",
  },
  boolean: {
    fault: booleanFault,
    plain: () => (value) => typeof value === "boolean",
    typeName: () => "boolean",
  },
  date: { fault: dateFault, typeName: () => "timestamp" },
  bytes: {
    fault: bytesFault,
    inJson: {
      encode: (value: Uint8Array) => Buffer.from(value).toString("base64"),
      decode: (text) => new Uint8Array(Buffer.from(text, "base64")),
    },
    typeName: () => "bytes",
  },
  array: {
    fault: (value, { item = text }) => listFault(value, (one) => faultOf(item, one)),
    typeName: ({ item = text }) => `${typeNameOf(item)}[]`,
  },
  json: { fault: (value) => jsonFault(value), typeName: () => "json" },
  decimal: {
    fault: decimalFault,
    exact: true,
    ofJsonText: decimalFromText,
    zero: zeroDecimal,
    typeName: ({ precision, scale }) => `decimal(${precision},${scale})`,
  },
  vector: { fault: vectorFault, typeName: ({ dimensions }) => `vector(${dimensions})` },
};

const text: Storage = { kind: "text" };

/** The entry of a kind. */
export function kindOf({ kind }: Pick<Storage, "kind">): ValueKind {
  return kinds[kind];
}

/** The expected value, in words, for a value that is not null; undefined if it fits. */
export function faultOf(storage: Storage, value: unknown): string | undefined {
  const { values } = storage;
  if (values === undefined) return kinds[storage.kind].fault(value, storage);
  return values.has(value) ? undefined : `one of its ${values.size} values, not ${describeType(value)}`;
}

/** A quick test that knows most values without fault, for those that every call binds; `faultOf` checks the others. */
export function plainTest(storage: Storage): (value: unknown) => boolean {
  const { kind, values } = storage;
  if (values !== undefined) return (value) => values.has(value);
  return kinds[kind].plain?.(storage) ?? (() => false);
}

/** The type of a column in diagrams. */
export function typeNameOf(storage: Storage): string {
  return kinds[storage.kind].typeName(storage);
}
