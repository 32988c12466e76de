/** The values of each kind on SQLite, which stores only numbers, text and blobs: the other kinds have their own form. */
import { fromUnits, toUnits } from "../../kind/decimals.js";
import type { ValueForms } from "../grammar/grammar.js";
import { jsonArray } from "../grammar/json-array.js";
import { bytesCodec, decimalText, jsonCodec, numberCodec, textCodec } from "../grammar/values.js";
import { sqliteDates } from "./dates.js";
import { wideIntegers } from "./expressions.js";

export const sqliteValues: ValueForms = {
  text: { ...textCodec, type: () => "TEXT" },
  number: { ...numberCodec, type: ({ integer }) => (integer === true ? "INTEGER" : "REAL") },
  bigint: { encode: (value: bigint) => value, decode: decimalText, type: () => "INTEGER" },
  wide: wideIntegers,
  boolean: {
    encode: (value: boolean) => (value ? 1 : 0),
    // A bigint if the statement also has bigint columns.
    decode: (value) => (value === 1 || value === 1n ? true : value === 0 || value === 0n ? false : undefined),
    // Numbers, as in an INTEGER; a migration to another type must know what they mean.
    type: () => "BOOLEAN",
  },
  date: { ...sqliteDates({ kind: "date" }), type: () => "TEXT" },
  bytes: { ...bytesCodec, type: () => "BLOB" },
  json: { ...jsonCodec, type: () => "TEXT" },
  array: { ...jsonArray(() => ({ values: sqliteValues, dates: sqliteDates })), type: () => "TEXT" },
  // Whole numbers of the last digit.
  decimal: { encode: toUnits, decode: fromUnits, type: () => "INTEGER" },
  vector: { ...jsonCodec, type: () => "TEXT" },
};
