/** The values of each kind on PostgreSQL: text in both directions, so that nothing depends on the driver's parsers. */
import type { Storage } from "../../declare/declaration.js";
import { canonical, decimalFromText } from "../../kind/decimals.js";
import type { ValueForms } from "../grammar/grammar.js";
import { decimalText, jsonText, numberCodec, textCodec } from "../grammar/values.js";
import { postgresArray } from "./array.js";
import { postgresDates } from "./dates.js";

export const postgresValues: ValueForms = {
  text: { ...textCodec, type: () => "text", parameter: () => "text" },
  number: { ...numberCodec, type: numberType, parameter: numberType },
  bigint: {
    encode: (value: bigint) => value.toString(),
    decode: decimalText,
    type: () => "bigint",
    parameter: () => "bigint",
  },
  boolean: {
    encode: (value: boolean) => value,
    decode: (value) => (value === "t" ? true : value === "f" ? false : undefined),
    type: () => "boolean",
    parameter: () => "boolean",
  },
  date: { ...postgresDates({ kind: "date" }), type: () => "timestamptz(3)", parameter: () => "timestamptz" },
  bytes: {
    encode: (value: Uint8Array) => value,
    decode: bytesFromHex,
    type: () => "bytea",
    parameter: () => "bytea",
  },
  json: { encode: jsonText, decode: parseJson, type: () => "jsonb", parameter: () => "jsonb" },
  array: {
    ...postgresArray(() => ({ values: postgresValues, dates: postgresDates })),
    type: ({ item = text }, indexing) => `${postgresValues[item.kind].type(item, indexing)}[]`,
    parameter: ({ item = text }) => `${postgresParameter(item)}[]`,
  },
  decimal: {
    encode: canonical,
    decode: decimalFromText,
    type: ({ precision, scale }) => `numeric(${precision}, ${scale})`,
    parameter: () => "numeric",
  },
  vector: {
    encode: (values: readonly number[]) => `[${values.join(",")}]`,
    decode: parseJson,
    type: ({ dimensions }) => `vector(${dimensions})`,
    parameter: () => "vector",
  },
};

const text: Storage = { kind: "text" };

/** The SQL type of a parameter for such values. */
export function postgresParameter(storage: Storage): string {
  return postgresValues[storage.kind].parameter?.(storage) ?? "text";
}

function numberType({ integer }: Storage): string {
  return integer === true ? "bigint" : "double precision";
}

function parseJson(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : undefined;
}

function bytesFromHex(value: unknown): Uint8Array | undefined {
  if (typeof value !== "string" || !value.startsWith("\\x")) return undefined;
  return new Uint8Array(Buffer.from(value.slice(2), "hex"));
}
