/** The values of each kind on Oracle. The driver gets plain scalars and chooses the SQL type of each. */
import { canonical, decimalFromText, lastDigit } from "../../kind/decimals.js";
import type { Indexing, ValueForms } from "../grammar/grammar.js";
import { jsonArray } from "../grammar/json-array.js";
import { bytesCodec, decimalText, jsonCodec, numberCodec, textCodec } from "../grammar/values.js";
import { oracleDates } from "./dates.js";

// An index entry takes about 6,400 bytes in a block of 8 KiB, and a character up to four.
const LENGTHS: { readonly [I in Indexing]: number } = { none: 4000, alone: 1000, "with others": 255 };

const textType = (indexing: Indexing): string => `VARCHAR2(${LENGTHS[indexing]} CHAR)`;
const jsonType = (indexing: Indexing): string => (indexing === "none" ? "CLOB" : textType(indexing));

export const oracleValues: ValueForms = {
  text: {
    encode: textCodec.encode,
    decode: (value, { decimal, scale }) =>
      decimal === true ? writtenOut(value, scale ?? 0) : textCodec.decode(value, { kind: "text" }),
    type: (_, indexing) => textType(indexing),
  },
  number: {
    ...numberCodec,
    type: ({ integer }) => (integer === true ? "NUMBER(19)" : "BINARY_DOUBLE"),
    parameter: ({ integer }) => (integer === true ? "NUMBER" : "BINARY_DOUBLE"),
  },
  bigint: {
    encode: (value: bigint) => value,
    decode: decimalText,
    type: () => "NUMBER(19)",
    parameter: () => "NUMBER",
  },
  boolean: {
    encode: (value: boolean) => (value ? 1 : 0),
    decode: (value) => truths.get(value),
    type: () => "NUMBER(1)",
  },
  date: {
    ...oracleDates({ kind: "date" }),
    // A type with its own offset cannot be a key; one without is stored in the time zone of the database.
    type: (_, indexing) => `TIMESTAMP(3) WITH ${indexing === "none" ? "" : "LOCAL "}TIME ZONE`,
  },
  bytes: {
    ...bytesCodec,
    type: (_, indexing) => (indexing === "none" ? "BLOB" : `RAW(${LENGTHS[indexing]})`),
  },
  json: { ...jsonCodec, type: (_, indexing) => jsonType(indexing) },
  array: {
    ...jsonArray(() => ({ values: oracleValues, dates: oracleDates })),
    type: (_, indexing) => jsonType(indexing),
  },
  decimal: {
    encode: canonical,
    decode: decimalFromText,
    type: ({ precision, scale }) => `NUMBER(${precision}, ${scale})`,
    // The decimal point of a text depends on the session, so only digits become a number.
    bound: ({ scale = 0 }) =>
      scale === 0 ? "CAST({0} AS NUMBER)" : `CAST(REPLACE({0}, '.', '') AS NUMBER) * ${lastDigit(scale)}`,
  },
  vector: { ...jsonCodec, type: ({ dimensions }) => `VECTOR(${dimensions})` },
};

const truths: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [1, true],
  ["1", true],
  [true, true],
  [0, false],
  ["0", false],
  [false, false],
]);

/**
 * The digits of a number from the driver, for example `.5`, in the form that decimals have elsewhere: a zero before the
 * point, and after it as many digits as the column declares.
 */
function writtenOut(value: unknown, scale: number): string | undefined {
  const [, sign, whole = "", fraction = ""] =
    (typeof value === "string" && /^(-?)(\d*)(?:\.(\d+))?$/.exec(value)) || [];
  if (sign === undefined || whole + fraction === "") return undefined;
  const digits = fraction.padEnd(scale, "0");
  return `${sign}${whole || "0"}${digits === "" ? "" : `.${digits}`}`;
}
