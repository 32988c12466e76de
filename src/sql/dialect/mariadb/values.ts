/** The values of each kind on MariaDB, which has no types for booleans and arrays. */
import { canonical, decimalFromText } from "../../kind/decimals.js";
import type { Indexing, ValueForms } from "../grammar/grammar.js";
import { jsonArray } from "../grammar/json-array.js";
import { bytesCodec, decimalText, jsonCodec, numberCodec, textCodec } from "../grammar/values.js";
import { MARIADB_BY_CODE_POINT } from "./collation.js";
import { mariadbDates } from "./dates.js";

// An index holds 3,072 bytes, and a character takes up to four: with this length three columns fit into a key.
const INDEXED = 255;

export const mariadbValues: ValueForms = {
  text: {
    ...textCodec,
    type: (_, indexing) => (indexing === "none" ? "longtext" : `varchar(${INDEXED})`),
  },
  number: {
    ...numberCodec,
    type: ({ integer }) => (integer === true ? "bigint" : "double"),
    parameter: ({ integer }) => (integer === true ? "SIGNED" : "DOUBLE"),
    // A number is bound as a double.
    beside: ({ integer }) => (integer === true ? "CAST({0} AS SIGNED)" : "{0}"),
  },
  bigint: {
    // As text, because the driver reads a number as a double.
    encode: (value: bigint) => value.toString(),
    decode: decimalText,
    type: () => "bigint",
    parameter: () => "SIGNED",
    // Text next to an expression of numbers would be compared as a double.
    beside: () => "CAST({0} AS SIGNED)",
  },
  boolean: {
    encode: (value: boolean) => (value ? 1 : 0),
    decode: (value) =>
      value === 1 || value === "1" ? true : value === 0 || value === "0" ? false : undefined,
    type: () => "tinyint(1)",
  },
  date: { ...mariadbDates({ kind: "date" }), type: () => "datetime(3)" },
  bytes: {
    encode: ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength),
    decode: bytesCodec.decode,
    type: (_, indexing) => (indexing === "none" ? "longblob" : `varbinary(${INDEXED})`),
  },
  // Not `json`, which refuses more than 32 levels.
  json: { ...jsonCodec, type: (_, indexing) => jsonType(indexing) },
  array: {
    ...jsonArray(() => ({ values: mariadbValues, dates: mariadbDates })),
    type: (_, indexing) => jsonType(indexing),
  },
  decimal: {
    encode: canonical,
    decode: decimalFromText,
    type: ({ precision, scale }) => `decimal(${precision}, ${scale})`,
    // Text next to a decimal would be compared as a double.
    bound: ({ scale }) => `CAST({0} AS DECIMAL(65, ${scale}))`,
  },
  vector: { ...jsonCodec, type: () => "longtext" },
};

function jsonType(indexing: Indexing): string {
  return `${indexing === "none" ? "longtext" : `varchar(${INDEXED})`} ${MARIADB_BY_CODE_POINT}`;
}
