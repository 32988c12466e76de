/**
 * Oracle Database 12.2 or later. Identifiers are quoted and keep their case. Parameters are `:p0`, `:p1`, …,
 * because a name of the user could be a reserved word, and the driver ignores its case. The driver receives
 * plain scalars, and chooses the SQL type of each.
 */

import {
  comparisons,
  explainedBy,
  likePattern,
  noDistinctOn,
  noVectors,
  onlyOnPostgres,
  orderTerm,
  roundedNumbers,
  textForms,
  writtenOutLists,
} from "../grammar/forms.js";
import type { Grammar, Missing, OperatorForm } from "../grammar/grammar.js";
import { isLargeObject, returningInto } from "./columns.js";
import { oracleDates } from "./dates.js";
import { oracleDdl, quoteOracle } from "./ddl.js";
import { oracleCompound, oracleExpressions } from "./expressions.js";
import { oracleNested } from "./nested.js";
import { oracleScan } from "./scan.js";
import { oracleValues } from "./values.js";

const noSuchLock: Missing = { feature: "row locks other than FOR UPDATE", hint: "use forUpdate()" };

export const oracle: Grammar = {
  dialect: "oracle",
  quote: quoteOracle,
  placeholder: (position) => `:p${position - 1}`,
  sharesPlaceholders: true,
  maxParams: 65_535,
  maxNameBytes: 128,
  foldsNames: false,
  quotesInNames: false,
  emptyTextIsNull: true,
  hasArrays: false,
  operators: {
    ...comparisons,
    ...writtenOutLists(1_000),
    LIKE: like(" LIKE "),
    "NOT LIKE": like(" NOT LIKE "),
    ILIKE: foldedLike(" LIKE "),
    "NOT ILIKE": foldedLike(" NOT LIKE "),
    ...textForms(likePattern(like(" LIKE ")), likePattern(foldedLike(" LIKE "))),
    ...onlyOnPostgres,
  },
  recursion: {
    word: "",
    next: "CASE WHEN {f} >= {most} THEN CAST('rowtype recursion limit ' || {f} AS NUMBER) ELSE {f} + 1 END",
  },
  largeObjects: {
    holds: isLargeObject,
    operators: { "=": compared("= 0"), "!=": compared("<> 0") },
    incomparable: {
      feature: "comparison of large objects",
      hint: "leave the column out of the comparison, or declare its type as VARCHAR2 or RAW",
    },
  },
  orderTerm: (column, direction, nulls) => orderTerm(column, direction, nulls, "greatest"),
  paging: [
    { part: "offset", before: " OFFSET ", after: " ROWS" },
    { part: "limit", before: " FETCH NEXT ", after: " ROWS ONLY" },
  ],
  noLimit: undefined,
  locks: { update: " FOR UPDATE", no_key_update: noSuchLock, share: noSuchLock, key_share: noSuchLock },
  lockOf: (_, column) => ` OF ${column}`,
  rowIdentity: "ROWID",
  distinctOn: noDistinctOn,
  noVectors,
  noDecimalOrder: undefined,
  unclearOrder: roundedNumbers,
  defaultRow: (column) => `(${column}) VALUES (DEFAULT)`,
  severalRows: false,
  failureEndsTransaction: false,
  expressions: oracleExpressions,
  compound: oracleCompound,
  nested: oracleNested,
  onConflict: undefined,
  merges: true,
  updateReturns: true,
  returningInto,
  values: oracleValues,
  dates: oracleDates,
  encodeList: (values) => values,
  explain: explainedBy("EXPLAIN PLAN FOR ", "SELECT PLAN_TABLE_OUTPUT FROM TABLE(DBMS_XPLAN.DISPLAY())"),
  scan: oracleScan,
  ddl: oracleDdl,
};

function compared(result: string): OperatorForm {
  return { open: "DBMS_LOB.COMPARE(", between: ", ", close: `) ${result}` };
}

function like(operator: string): OperatorForm {
  return {
    open: "",
    between: operator,
    close: " ESCAPE '\\'",
    bind: onlyWildcardsEscaped,
    refusesEmpty: true,
  };
}

function foldedLike(operator: string): OperatorForm {
  return { ...like(operator), open: "LOWER(", between: `)${operator}LOWER(`, close: ") ESCAPE '\\'" };
}

// Oracle refuses an escape before anything but a wildcard and itself; elsewhere it stands for the next
// character.
function onlyWildcardsEscaped(pattern: unknown): string {
  return String(pattern).replace(/\\(.)/gsu, (escaped: string, char: string) =>
    /[%_\\]/.test(char) ? escaped : char,
  );
}
