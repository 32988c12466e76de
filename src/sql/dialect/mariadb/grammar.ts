/**
 * MariaDB 10.6 or later. The text avoids everything whose meaning depends on a mode of the session: no backslash
 * in a literal, no `||`, no double quotes.
 */

import type { Storage } from "../../declare/declaration.js";
import {
  comparisons,
  explainedBy,
  infix,
  likePattern,
  limitOffset,
  noDistinctOn,
  noVectors,
  onlyOnPostgres,
  roundedNumbers,
  textForms,
  writtenOutLists,
} from "../grammar/forms.js";
import type { Direction, Grammar, Missing, OperatorForm } from "../grammar/grammar.js";
import { mariadbDates } from "./dates.js";
import { mariadbDdl } from "./ddl.js";
import { LOWERED, mariadbCompound, mariadbExpressions } from "./expressions.js";
import { mariadbGuard } from "./guard.js";
import { jsonTable } from "./lists.js";
import { mariadbNested } from "./nested.js";
import { mariadbRecords } from "./records.js";
import { mariadbScan } from "./scan.js";
import { allowingLongText, together, utcStatement, withSetting } from "./settings.js";
import { mariadbValues } from "./values.js";

const noLockOf: Missing = {
  feature: "row locks in queries of several tables",
  hint: "lock the rows of the table alone, and read the others after that",
};

const noSuchLock: Missing = {
  feature: "row locks other than FOR UPDATE and LOCK IN SHARE MODE",
  hint: "use forUpdate() or forShare()",
};

// Case-sensitive regardless of the collation of the column; a column that rowtype created keeps its index. 0x5C
// is the backslash: in a literal it would be one or two characters, by the mode of the session.
const EXACTLY = " COLLATE utf8mb4_nopad_bin ESCAPE 0x5C";

const KEPT = "@rowtype_kept";
const NOW = "UTC_TIMESTAMP(6) + 0";

export const mariadb: Grammar = {
  dialect: "mariadb",
  quote,
  placeholder: () => "?",
  sharesPlaceholders: false,
  maxParams: 65_535,
  // Well below `max_allowed_packet`, which is 16 MiB by default.
  mostBytes: 8 * 2 ** 20,
  maxNameBytes: 64,
  // The catalog of the server stores a character in at most three bytes.
  refusedNames: {
    are: /[\u{10000}-\u{10ffff}]|[ \t\n\v\f\r]$/u,
    must: "has characters up to U+FFFF and no blank at its end",
  },
  foldsNames: true,
  // 1,024 bytes of a sort key, four of which stand for a character, and four for the length of bytes
  // (https://mariadb.com/docs/server/server-management/variables-and-modes/server-system-variables#max_sort_length).
  mostOrdered: { characters: 255, bytes: 1_019 },
  quotesInNames: true,
  emptyTextIsNull: false,
  hasArrays: false,
  operators: {
    ...comparisons,
    // With placeholders: a list as a JSON table would prevent the use of indexes in updates and removals.
    ...writtenOutLists(Number.POSITIVE_INFINITY),
    LIKE: like("LIKE"),
    "NOT LIKE": like("NOT LIKE"),
    ILIKE: foldedLike("LIKE"),
    "NOT ILIKE": foldedLike("NOT LIKE"),
    ...textForms(likePattern(like("LIKE")), likePattern(foldedLike("LIKE"))),
    ...onlyOnPostgres,
  },
  recursion: {
    word: "RECURSIVE ",
    next: "CASE WHEN {f} >= {most} THEN ({f} + 1) * 9223372036854770001 ELSE {f} + 1 END",
    allowing: (sql, levels) => withSetting(`max_recursive_iterations = ${levels + 1}`, sql),
  },
  largeObjects: undefined,
  orderTerm,
  paging: limitOffset,
  noLimit: "18446744073709551615",
  dissolvesTables: true,
  locks: {
    update: " FOR UPDATE",
    no_key_update: noSuchLock,
    share: " LOCK IN SHARE MODE",
    key_share: noSuchLock,
  },
  lockOf: noLockOf,
  fullJoin: {
    feature: "full joins",
    hint: "read ours by a left join (leftJoin), and theirs without ours by an anti-join (whereNotExists)",
  },
  mostTables: 61,
  rowIdentity: undefined,
  distinctOn: noDistinctOn,
  ordersDistinctByName: true,
  noConstantDistinct: {
    feature: "an offset of distinct rows that read no field",
    hint: "select a field, or leave out the offset",
  },
  noVectors,
  noDecimalOrder: undefined,
  unclearOrder,
  defaultRow: () => "() VALUES ()",
  severalRows: true,
  failureEndsTransaction: false,
  expressions: mariadbExpressions,
  compound: mariadbCompound,
  nested: mariadbNested,
  // The clause applies to every key. If the existing row does not have the named key, the first assignment
  // fails; if it has, the assignment changes nothing.
  onConflict: {
    nothing: undefined,
    // A kept row puts the time of its statement into a variable, and the returned value of the row removes it again. So
    // a statement that fails halfway leaves no value that another statement would take for its own.
    keeping: {
      clause: (key, column) =>
        onDuplicate(key, (first) => `IF((${KEPT} := ${NOW}) > 0, ${first}, ${first})`, column),
      // The first part, which is 0, creates the variable: one that does not exist when the text is read is NULL
      // throughout. Without the cast, the type would be that of the value which the variable had then.
      stored: `IF(FALSE, ${KEPT} := 0, 0) + IF(CAST(${KEPT} AS DECIMAL(20, 6)) = ${NOW}, (${KEPT} := 0) * 0, 1)`,
    },
    update: (key) => `${onDuplicate(key)}, `,
    proposed: (column) => `VALUES(${column})`,
    namesKey: false,
  },
  assignsTogether: together,
  updateReturns: false,
  returningInto: undefined,
  guard: mariadbGuard,
  values: mariadbValues,
  records: mariadbRecords,
  dates: mariadbDates,
  utc: utcStatement,
  allowingLongText,
  listTable: jsonTable,
  encodeList: (values) => values,
  explain: explainedBy("EXPLAIN FORMAT=JSON "),
  scan: mariadbScan,
  ddl: mariadbDdl,
};

function quote(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}

function like(operator: string): OperatorForm {
  return { ...infix(operator), close: EXACTLY };
}

function foldedLike(operator: string): OperatorForm {
  const [before = "", after = ""] = LOWERED.split("{f}");
  return { open: before, between: `${after} ${operator} ${before}`, close: `${after} ESCAPE 0x5C` };
}

function onDuplicate(
  key: readonly string[],
  same: (column: string) => string = (column) => column,
  column = "",
): string {
  const isSame = key.map((one) => `${one} = VALUES(${one})`).join(" AND ");
  const [first] = key;
  if (first === undefined) return ` ON DUPLICATE KEY UPDATE ${column} = ${same(column)}`;
  // A subquery that returns two rows where one is allowed, so that it fails.
  const failing = `(SELECT ${first} UNION ALL SELECT ${first})`;
  return ` ON DUPLICATE KEY UPDATE ${first} = IF(${isSame}, ${same(first)}, ${failing})`;
}

// A float never equals the number that is read from it, and an enum is ordered by its index, but compared as text.
function unclearOrder(type: string, storage: Storage): Missing | undefined {
  if (!/^\s*(?:float|enum|set)\b/i.test(type)) return roundedNumbers(type, storage);
  return { feature: "pages ordered by a FLOAT, an ENUM or a SET", hint: "order by a field of another type" };
}

// NULL is the least value, and there are no keywords for its position: an additional term determines it.
function orderTerm(column: string, direction: Direction, nulls: "first" | "last" | undefined): string {
  const term = `${column} ${direction === "desc" ? "DESC" : "ASC"}`;
  const natural = direction === "asc" ? "first" : "last";
  if (nulls === undefined || nulls === natural) return term;
  return `${column} IS NULL${nulls === "first" ? " DESC" : ""}, ${term}`;
}
