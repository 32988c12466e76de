/** SQLite. It stores only numbers, text and blobs: the other kinds have their own form here. */

import {
  comparisons,
  likePattern,
  limitOffset,
  noDistinctOn,
  noLocks,
  noVectors,
  onConflict,
  onlyOnPostgres,
  orderTerm,
  textForms,
} from "../grammar/forms.js";
import type { Grammar, OperatorForm } from "../grammar/grammar.js";
import { jsonList } from "../grammar/json-array.js";
import { doubleQuoted } from "../grammar/names.js";
import { sqliteDates } from "./dates.js";
import { sqliteDdl } from "./ddl.js";
import { sqliteCompound, sqliteExpressions } from "./expressions.js";
import { sqliteNested } from "./nested.js";
import { sqliteRecords } from "./records.js";
import { sqliteScan } from "./scan.js";
import { sqliteValues } from "./values.js";

// LIKE ignores the case of ASCII letters.
const foldedLike: OperatorForm = { open: "", between: " LIKE ", close: " ESCAPE '\\'" };

export const sqlite: Grammar = {
  dialect: "sqlite",
  quote: doubleQuoted,
  placeholder: () => "?",
  sharesPlaceholders: false,
  // Numbers with so many digits always fit into 64 bits.
  unitDigits: 18,
  maxParams: 32_766,
  // The limit is 1,000; the surrounding functions take a part of it.
  mostDepth: 500,
  mostSought: 8,
  maxNameBytes: 1_000,
  foldsNames: true,
  quotesInNames: true,
  emptyTextIsNull: false,
  hasArrays: false,
  operators: {
    ...comparisons,
    // One parameter for a list of any length, so that the text and the prepared statement stay the same.
    IN: { open: "", between: " IN (SELECT value FROM json_each(", close: "))" },
    "NOT IN": { open: "", between: " NOT IN (SELECT value FROM json_each(", close: "))" },
    // LIKE ignores ASCII case here, GLOB does not.
    LIKE: { open: "", between: " GLOB ", close: "", bind: globOfLike },
    "NOT LIKE": { open: "", between: " NOT GLOB ", close: "", bind: globOfLike },
    ILIKE: foldedLike,
    "NOT ILIKE": { open: "", between: " NOT LIKE ", close: " ESCAPE '\\'" },
    ...textForms(
      {
        form: { open: "", between: " GLOB ", close: "" },
        any: "*",
        escaped: (text) => text.replace(/[*?[]/g, "[$&]"),
      },
      likePattern(foldedLike),
    ),
    ...onlyOnPostgres,
  },
  recursion: {
    word: "RECURSIVE ",
    next: "CASE WHEN {f} >= {most} THEN rowtype_too_deep({f}) ELSE {f} + 1 END",
  },
  largeObjects: undefined,
  orderTerm: (column, direction, nulls) => orderTerm(column, direction, nulls, "least"),
  paging: limitOffset,
  noLimit: "-1",
  locks: { update: noLocks, no_key_update: noLocks, share: noLocks, key_share: noLocks },
  lockOf: noLocks,
  mostTables: 64,
  rowIdentity: undefined,
  distinctOn: noDistinctOn,
  noVectors,
  noDecimalOrder: {
    feature: "ordering decimals that are stored as text",
    hint: "declare the column as z.number() or z.bigint(), or compare with = and != only",
  },
  // Numbers are doubles, whatever type is declared.
  unclearOrder: () => undefined,
  defaultRow: () => "DEFAULT VALUES",
  severalRows: true,
  failureEndsTransaction: false,
  returningInto: undefined,
  // DEFAULT VALUES takes no clause.
  onConflict: {
    ...onConflict,
    defaultRow: (column, value) => `(${column}) VALUES (${value})`,
    afterFrom: " WHERE 1",
  },
  readAtOnce: "AS MATERIALIZED",
  lostNames: new Set(['"true"', '"false"']),
  updateReturns: true,
  expressions: sqliteExpressions,
  compound: sqliteCompound,
  nested: sqliteNested,
  values: sqliteValues,
  records: sqliteRecords,
  dates: sqliteDates,
  encodeList: jsonList,
  explain: { before: "EXPLAIN QUERY PLAN ", after: undefined, text: planText },
  scan: sqliteScan,
  ddl: sqliteDdl,
};

/** The steps of a plan, one on each line, indented below the step that they belong to. */
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

/** Converts a LIKE pattern (`%`, `_`, `\` escapes) to the GLOB pattern that matches the same text, case-sensitive. */
function globOfLike(pattern: unknown): string {
  const text = String(pattern);
  // Most patterns have only `%`, which needs no check of each character.
  if (!/[\\_*?[]/.test(text)) return text.replaceAll("%", "*");
  return text.replace(/\\(.)|[%_*?[]/gsu, (token, escaped?: string) => {
    const char = escaped ?? token;
    if (escaped === undefined && char === "%") return "*";
    if (escaped === undefined && char === "_") return "?";
    return char === "*" || char === "?" || char === "[" ? `[${char}]` : char;
  });
}
