/** SQLite. It stores numbers, text and blobs only: the other kinds have a form of their own here. */
import type { Storage } from "../declare/declaration.js";
import { isEpoch, plainDates, sqliteDates } from "./dates.js";
import {
  comparisons,
  existence,
  limitOffset,
  noArrayOperators,
  noDistinctOn,
  noLocks,
  noRegex,
  noVectors,
  onConflict,
  orderTerm,
} from "./forms.js";
import type { Grammar, ValueCodec } from "./grammar.js";
import { jsonArray, jsonList } from "./json-array.js";
import { sqliteScan } from "./scan.js";
import { sqliteCompound, sqliteExpressions, wideIntegers } from "./sqlite-expressions.js";
import { decimalText, jsonText, numberCodec, textCodec } from "./values.js";

const json: ValueCodec = {
  encode: jsonText,
  decode: (value) => (typeof value === "string" ? JSON.parse(value) : undefined),
};

export const sqlite: Grammar = {
  dialect: "sqlite",
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: () => "?",
  sharesPlaceholders: false,
  maxParams: 32_766,
  // The limit is 1,000, of which functions around and inside take some.
  mostDepth: 500,
  maxNameBytes: 1_000,
  foldsNames: true,
  quotesInNames: true,
  emptyTextIsNull: false,
  operators: {
    ...comparisons,
    // One parameter for a list of any length: the text stays the same, and so does the prepared statement.
    IN: { open: "", between: " IN (SELECT value FROM json_each(", close: "))" },
    "NOT IN": { open: "", between: " NOT IN (SELECT value FROM json_each(", close: "))" },
    // LIKE folds ASCII case here, GLOB does not.
    LIKE: { open: "", between: " GLOB ", close: "", bind: globOfLike },
    "NOT LIKE": { open: "", between: " NOT GLOB ", close: "", bind: globOfLike },
    ILIKE: { open: "", between: " LIKE ", close: " ESCAPE '\\'" },
    "NOT ILIKE": { open: "", between: " NOT LIKE ", close: " ESCAPE '\\'" },
    "~": noRegex,
    "~*": noRegex,
    "!~": noRegex,
    "!~*": noRegex,
    "@>": noArrayOperators,
    "<@": noArrayOperators,
    "&&": noArrayOperators,
  },
  largeObjects: undefined,
  orderTerm: (column, direction, nulls) => orderTerm(column, direction, nulls, "least"),
  paging: limitOffset,
  noLimit: "-1",
  locks: { update: noLocks, no_key_update: noLocks, share: noLocks, key_share: noLocks },
  rowIdentity: undefined,
  distinctOn: noDistinctOn,
  noVectors,
  noDecimalOrder: {
    feature: "order of decimals kept as text",
    hint: "declare the column as z.number() or z.bigint(), or compare with = and != only",
  },
  defaultRow: () => "DEFAULT VALUES",
  severalRows: true,
  returningInto: undefined,
  onConflict,
  updateReturns: true,
  expressions: sqliteExpressions,
  compound: sqliteCompound,
  values: {
    text: textCodec,
    number: numberCodec,
    bigint: { encode: (value: bigint) => value, decode: decimalText },
    wide: wideIntegers,
    boolean: {
      encode: (value: boolean) => (value ? 1 : 0),
      // A bigint where the statement also has columns of bigints.
      decode: (value) =>
        value === 1 || value === 1n ? true : value === 0 || value === 0n ? false : undefined,
    },
    date: plainDates.sqlite,
    bytes: {
      encode: (value: Uint8Array) => value,
      decode: (value) => (value instanceof Uint8Array ? new Uint8Array(value) : undefined),
    },
    json,
    array: jsonArray(() => sqlite),
    vector: { encode: jsonText, decode: json.decode },
  },
  dates: sqliteDates,
  encodeList: jsonList,
  explain: { before: "EXPLAIN QUERY PLAN ", after: undefined, text: planText },
  scan: sqliteScan,
  ddl: {
    type: (storage) =>
      types[storage.kind === "number" && storage.integer === true ? "integer" : storage.kind],
    // As SQLite compares text by itself.
    byCodePoint: (type) => type,
    decimal: "TEXT",
    identity: () => "PRIMARY KEY AUTOINCREMENT",
    identityIsKey: true,
    defaultExpression: (expression, storage) => {
      if (!/^\s*\(?\s*current_timestamp\s*\)?\s*$/i.test(expression)) return `(${expression})`;
      return isEpoch(storage)
        ? "(CAST(round(unixepoch('now', 'subsec') * 1000) AS INTEGER))"
        : "(strftime('%Y-%m-%d %H:%M:%f', 'now'))";
    },
    checkExpression: (expression) => expression,
    kindCheck: () => undefined,
    keyName: () => undefined,
    // An index lives beside its table, and so does a table that is referred to: neither may be named otherwise.
    qualifies: { index: true, indexed: false, referenced: false },
    indexNamesOf: "schema",
    namesTaken: () => [],
    ...existence,
  },
};

const types: { readonly [K in Storage["kind"] | "integer"]: string } = {
  integer: "INTEGER",
  text: "TEXT",
  number: "REAL",
  bigint: "INTEGER",
  boolean: "INTEGER",
  date: "TEXT",
  bytes: "BLOB",
  json: "TEXT",
  array: "TEXT",
  vector: "TEXT",
};

/** Each step of a plan on a line, below the step that it is a part of. */
function planText(rows: readonly (readonly unknown[])[]): string {
  const depths = new Map<unknown, number>();
  const lines = rows.map((row) => {
    const [id, parent] = row;
    const depth = (depths.get(parent) ?? -1) + 1;
    depths.set(id, depth);
    return `${"  ".repeat(depth)}${row.at(-1)}`;
  });
  return lines.join("\n");
}

/** A LIKE pattern (`%`, `_`, `\` escapes) as the GLOB pattern that matches the same text, case and all. */
function globOfLike(pattern: unknown): string {
  const text = String(pattern);
  // Most patterns hold nothing but `%`, which needs no look at each character.
  if (!/[\\_*?[]/.test(text)) return text.replaceAll("%", "*");
  return text.replace(/\\(.)|[%_*?[]/gsu, (token, escaped?: string) => {
    const char = escaped ?? token;
    if (escaped === undefined && char === "%") return "*";
    if (escaped === undefined && char === "_") return "?";
    return char === "*" || char === "?" || char === "[" ? `[${char}]` : char;
  });
}
