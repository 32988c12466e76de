/** PostgreSQL. Values travel as text in both directions, so that nothing depends on a driver's type parsers. */
import type { AnyTable, Storage } from "../declare/declaration.js";
import { postgresByCodePoint } from "./collation.js";
import { isZoneless, plainDates, postgresDates } from "./dates.js";
import { comparisons, existence, explainedBy, infix, limitOffset, onConflict, orderTerm } from "./forms.js";
import type { Grammar, NameTaken, OperatorForm, ValueCodec } from "./grammar.js";
import { isSameKey } from "./names.js";
import { postgresArray } from "./postgres-array.js";
import { FOLDING, postgresCompound, postgresExpressions } from "./postgres-expressions.js";
import { postgresScan } from "./scan.js";
import { decimalText, jsonText, numberCodec, textCodec } from "./values.js";

const json: ValueCodec = { encode: jsonText, decode: (value) => parseJson(value) };

export const postgres: Grammar = {
  dialect: "postgres",
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: (position) => `$${position}`,
  sharesPlaceholders: true,
  maxParams: 65_535,
  maxNameBytes: 63,
  foldsNames: false,
  quotesInNames: true,
  emptyTextIsNull: false,
  operators: {
    ...comparisons,
    IN: { open: "", between: " = ANY(", close: ")" },
    "NOT IN": { open: "", between: " <> ALL(", close: ")" },
    LIKE: infix("LIKE"),
    "NOT LIKE": infix("NOT LIKE"),
    ILIKE: folded("ILIKE"),
    "NOT ILIKE": folded("NOT ILIKE"),
    "~": infix("~"),
    "~*": folded("~*"),
    "!~": infix("!~"),
    "!~*": folded("!~*"),
    "@>": infix("@>"),
    "<@": infix("<@"),
    "&&": infix("&&"),
  },
  largeObjects: undefined,
  orderTerm: (column, direction, nulls) => orderTerm(column, direction, nulls, "greatest"),
  paging: limitOffset,
  noLimit: undefined,
  locks: {
    update: " FOR UPDATE",
    no_key_update: " FOR NO KEY UPDATE",
    share: " FOR SHARE",
    key_share: " FOR KEY SHARE",
  },
  rowIdentity: undefined,
  distinctOn: "native",
  noVectors: undefined,
  noDecimalOrder: undefined,
  defaultRow: () => "DEFAULT VALUES",
  severalRows: true,
  expressions: postgresExpressions,
  compound: postgresCompound,
  onConflict,
  updateReturns: true,
  returningInto: undefined,
  values: {
    text: textCodec,
    number: numberCodec,
    bigint: { encode: (value: bigint) => value.toString(), decode: decimalText },
    boolean: {
      encode: (value: boolean) => value,
      decode: (value) => (value === "t" ? true : value === "f" ? false : undefined),
    },
    date: plainDates.postgres,
    bytes: { encode: (value: Uint8Array) => value, decode: bytesFromHex },
    json,
    array: postgresArray(() => postgres),
    vector: { encode: (values: readonly number[]) => `[${values.join(",")}]`, decode: parseJson },
  },
  dates: postgresDates,
  encodeList: (values) => values,
  explain: explainedBy("EXPLAIN "),
  scan: postgresScan,
  ddl: {
    type: (storage) => columnType(storage),
    byCodePoint: (type, { kind, item }) =>
      kind === "text" || item?.kind === "text" ? postgresByCodePoint(type) : type,
    decimal: undefined,
    identity: (always) => `GENERATED ${always ? "ALWAYS" : "BY DEFAULT"} AS IDENTITY`,
    identityIsKey: false,
    // Without a zone it would be the time of the session's.
    defaultExpression: (expression, storage) =>
      isZoneless(storage) && NOW.test(expression) ? "(CURRENT_TIMESTAMP AT TIME ZONE 'UTC')" : expression,
    checkExpression: (expression) => expression,
    kindCheck: () => undefined,
    keyName: () => undefined,
    qualifies: { index: false, indexed: true, referenced: true },
    indexNamesOf: "schema",
    namesTaken: relationNames,
    ...existence,
  },
};

// Tables and indexes are relations of one schema; the server makes up these names of keys.
function relationNames({ name, primaryKey, keys, columns }: AnyTable): NameTaken[] {
  const names = keys.map((key) =>
    isSameKey(key, primaryKey)
      ? `${name}_pkey`
      : `${name}_${key.map((property) => columns[property]?.name ?? property).join("_")}_key`,
  );
  return [name, ...names].map((taken) => ({ name: taken }));
}

// Folds all letters whatever the collation of the column, which folds those of ASCII alone where it is "C".
function folded(operator: string): OperatorForm {
  return { ...infix(operator), close: ` ${FOLDING}` };
}

const NOW = /^\s*\(?\s*(?:(?:current_timestamp|localtimestamp)(?:\s*\(\s*\d\s*\))?|now\s*\(\s*\))\s*\)?\s*$/i;

const types: { readonly [K in Exclude<Storage["kind"], "number" | "array" | "vector">]: string } = {
  text: "text",
  bigint: "bigint",
  boolean: "boolean",
  date: "timestamptz(3)",
  bytes: "bytea",
  json: "jsonb",
};

function columnType(storage: Storage): string {
  switch (storage.kind) {
    case "number":
      return storage.integer === true ? "bigint" : "double precision";
    case "array":
      return `${columnType(storage.item ?? { kind: "text" })}[]`;
    case "vector":
      return `vector(${storage.dimensions})`;
    default:
      return types[storage.kind];
  }
}

function parseJson(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : undefined;
}

function bytesFromHex(value: unknown): Uint8Array | undefined {
  if (typeof value !== "string" || !value.startsWith("\\x")) return undefined;
  return new Uint8Array(Buffer.from(value.slice(2), "hex"));
}
