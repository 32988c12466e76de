/** PostgreSQL. Values are sent and returned as text, so that nothing depends on the driver's type parsers. */

import type { AnyTable } from "../declare/declaration.js";
import { postgresByCodePoint } from "./collation.js";
import { isZoneless, postgresDates } from "./dates.js";
import { columnName } from "./declared.js";
import {
  comparisons,
  existence,
  explainedBy,
  infix,
  likePattern,
  limitOffset,
  onConflict,
  orderTerm,
  textForms,
} from "./forms.js";
import type { Grammar, NameTaken, OperatorForm } from "./grammar.js";
import { isSameKey } from "./names.js";
import { FOLDING, postgresCompound, postgresExpressions } from "./postgres-expressions.js";
import { postgresValues } from "./postgres-values.js";
import { postgresScan } from "./scan.js";

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
  hasArrays: true,
  operators: {
    ...comparisons,
    IN: { open: "", between: " = ANY(", close: ")" },
    "NOT IN": { open: "", between: " <> ALL(", close: ")" },
    LIKE: infix("LIKE"),
    "NOT LIKE": infix("NOT LIKE"),
    ILIKE: folded("ILIKE"),
    "NOT ILIKE": folded("NOT ILIKE"),
    ...textForms(likePattern(infix("LIKE")), likePattern(folded("ILIKE"))),
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
  lockOf: (table) => ` OF ${table}`,
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
  values: postgresValues,
  dates: postgresDates,
  encodeList: (values) => values,
  explain: explainedBy("EXPLAIN "),
  scan: postgresScan,
  ddl: {
    byCodePoint: (type, { kind, item }) =>
      kind === "text" || item?.kind === "text" ? postgresByCodePoint(type) : type,
    decimal: undefined,
    identity: (always) => `GENERATED ${always ? "ALWAYS" : "BY DEFAULT"} AS IDENTITY`,
    identityIsKey: false,
    // Without a time zone it would be the local time of the session.
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

// Tables and indexes share the names of a schema; the server generates these names of keys.
function relationNames(table: AnyTable): NameTaken[] {
  const { name, primaryKey, keys } = table;
  const names = keys.map((key) =>
    isSameKey(key, primaryKey)
      ? `${name}_pkey`
      : `${name}_${key.map((property) => columnName(table, property)).join("_")}_key`,
  );
  return [name, ...names].map((taken) => ({ name: taken }));
}

// Folds all letters regardless of the collation of the column; the collation "C" folds ASCII letters only.
function folded(operator: string): OperatorForm {
  const { open, between } = infix(operator);
  const onExpression = { open: `(${open}`, between: `) ${FOLDING}${between}`, close: "" };
  return { open, between, close: ` ${FOLDING}`, onExpression };
}

const NOW = /^\s*\(?\s*(?:(?:current_timestamp|localtimestamp)(?:\s*\(\s*\d\s*\))?|now\s*\(\s*\))\s*\)?\s*$/i;
