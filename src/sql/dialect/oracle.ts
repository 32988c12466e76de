/**
 * Oracle Database, from 12.2. Identifiers keep their case in quotes, parameters are `:p0`, `:p1`, …: a name of the
 * user's could be a reserved word, and the driver does not tell its case. The values that the driver gets are plain
 * scalars; which SQL type each is bound as is the driver's part.
 */
import { oracleDates, plainDates } from "./dates.js";
import {
  comparisons,
  explainedBy,
  noArrayOperators,
  noDistinctOn,
  noRegex,
  noVectors,
  orderTerm,
  writtenOutLists,
} from "./forms.js";
import type { Grammar, Missing, OperatorForm, ValueCodec } from "./grammar.js";
import { jsonArray } from "./json-array.js";
import { isLargeObject, returningInto } from "./oracle-columns.js";
import { oracleDdl, quoteOracle } from "./oracle-ddl.js";
import { oracleCompound, oracleExpressions } from "./oracle-expressions.js";
import { oracleScan } from "./scan.js";
import { decimalText, jsonText, numberCodec, textCodec } from "./values.js";

const noSuchLock: Missing = { feature: "row locks other than FOR UPDATE", hint: "use forUpdate()" };

const json: ValueCodec = {
  encode: jsonText,
  decode: (value) => (typeof value === "string" ? JSON.parse(value) : undefined),
};

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
  operators: {
    ...comparisons,
    ...writtenOutLists(1_000),
    LIKE: like(" LIKE "),
    "NOT LIKE": like(" NOT LIKE "),
    ILIKE: foldedLike(" LIKE "),
    "NOT ILIKE": foldedLike(" NOT LIKE "),
    "~": noRegex,
    "~*": noRegex,
    "!~": noRegex,
    "!~*": noRegex,
    "@>": noArrayOperators,
    "<@": noArrayOperators,
    "&&": noArrayOperators,
  },
  largeObjects: {
    holds: isLargeObject,
    operators: { "=": compared("= 0"), "!=": compared("<> 0") },
    incomparable: {
      feature: "comparison of large objects",
      hint: "leave the column out of what is compared, or declare its type as VARCHAR2 or RAW",
    },
  },
  orderTerm: (column, direction, nulls) => orderTerm(column, direction, nulls, "greatest"),
  paging: [
    { part: "offset", before: " OFFSET ", after: " ROWS" },
    { part: "limit", before: " FETCH NEXT ", after: " ROWS ONLY" },
  ],
  noLimit: undefined,
  locks: { update: " FOR UPDATE", no_key_update: noSuchLock, share: noSuchLock, key_share: noSuchLock },
  rowIdentity: "ROWID",
  distinctOn: noDistinctOn,
  noVectors,
  noDecimalOrder: undefined,
  defaultRow: (column) => `(${column}) VALUES (DEFAULT)`,
  severalRows: false,
  expressions: oracleExpressions,
  compound: oracleCompound,
  onConflict: undefined,
  updateReturns: true,
  returningInto,
  values: {
    text: {
      encode: textCodec.encode,
      decode: (value, { decimal, scale }) =>
        decimal === true ? writtenOut(value, scale ?? 0) : textCodec.decode(value, { kind: "text" }),
    },
    number: numberCodec,
    bigint: { encode: (value: bigint) => value, decode: decimalText },
    boolean: { encode: (value: boolean) => (value ? 1 : 0), decode: truth },
    date: plainDates.oracle,
    bytes: {
      encode: (value: Uint8Array) => value,
      decode: (value) => (value instanceof Uint8Array ? new Uint8Array(value) : undefined),
    },
    json,
    array: jsonArray(() => oracle),
    vector: { encode: jsonText, decode: json.decode },
  },
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

// Oracle refuses an escape before anything but a wildcard and itself; elsewhere it means the character behind it.
function onlyWildcardsEscaped(pattern: unknown): string {
  return String(pattern).replace(/\\(.)/gsu, (escaped: string, char: string) =>
    /[%_\\]/.test(char) ? escaped : char,
  );
}

const truths: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [1, true],
  ["1", true],
  [true, true],
  [0, false],
  ["0", false],
  [false, false],
]);

function truth(value: unknown): boolean | undefined {
  return truths.get(value);
}

// A number's digits as the driver reads them, `.5` say, as decimals are written elsewhere: a zero before the point,
// and behind it as many digits as the column was declared with.
function writtenOut(value: unknown, scale: number): string | undefined {
  const [, sign, whole = "", fraction = ""] =
    (typeof value === "string" && /^(-?)(\d*)(?:\.(\d+))?$/.exec(value)) || [];
  if (sign === undefined || whole + fraction === "") return undefined;
  const digits = fraction.padEnd(scale, "0");
  return `${sign}${whole || "0"}${digits === "" ? "" : `.${digits}`}`;
}
