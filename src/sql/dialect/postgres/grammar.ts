/** PostgreSQL. Values are sent and returned as text, so that nothing depends on the driver's type parsers. */

import {
  comparisons,
  explainedBy,
  infix,
  likePattern,
  limitOffset,
  onConflict,
  orderTerm,
  roundedNumbers,
  textForms,
} from "../grammar/forms.js";
import type { Grammar, OperatorForm } from "../grammar/grammar.js";
import { doubleQuoted } from "../grammar/names.js";
import { postgresDates } from "./dates.js";
import { postgresDdl } from "./ddl.js";
import { FOLDING, postgresCompound, postgresExpressions } from "./expressions.js";
import { postgresGuard } from "./guard.js";
import { postgresNested } from "./nested.js";
import { postgresRecords } from "./records.js";
import { postgresScan } from "./scan.js";
import { postgresValues } from "./values.js";

export const postgres: Grammar = {
  dialect: "postgres",
  quote: doubleQuoted,
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
  recursion: {
    word: "RECURSIVE ",
    next: "CASE WHEN {f} >= {most} THEN CAST('rowtype recursion limit ' || {f} AS integer) ELSE {f} + 1 END",
  },
  largeObjects: undefined,
  // cardinality_violation
  refusesTwice: "21000",
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
  fullJoin: {
    feature: "full joins without an equality",
    hint: "let the condition demand that a field of one side equals one of the other",
    needsEquality: true,
  },
  rowIdentity: undefined,
  distinctOn: "native",
  noVectors: undefined,
  noDecimalOrder: undefined,
  unclearOrder: roundedNumbers,
  defaultRow: () => "DEFAULT VALUES",
  severalRows: true,
  failureEndsTransaction: true,
  expressions: postgresExpressions,
  compound: postgresCompound,
  nested: postgresNested,
  onConflict,
  updateReturns: true,
  returningInto: undefined,
  guard: postgresGuard,
  values: postgresValues,
  records: postgresRecords,
  dates: postgresDates,
  encodeList: (values) => values,
  explain: explainedBy("EXPLAIN "),
  scan: postgresScan,
  ddl: postgresDdl,
};

// Folds all letters regardless of the collation of the column; the collation "C" folds ASCII letters only.
function folded(operator: string): OperatorForm {
  const { open, between } = infix(operator);
  const onExpression = { open: `(${open}`, between: `) ${FOLDING}${between}`, close: "" };
  return { open, between, close: ` ${FOLDING}`, onExpression };
}
