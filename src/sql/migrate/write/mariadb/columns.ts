/** The steps of MariaDB that add or change a column. */
import type { Grammar } from "../../../dialect/grammar/grammar.js";
import { beginningOf } from "../../../dialect/grammar/names.js";
import type { DeclaredTable } from "../../catalog/declared-table.js";
import type { ColumnChange, TableDelta } from "../../diff/compare.js";
import type { ColumnText } from "../../text/create-text.js";
import { mentions } from "../../text/expressions.js";
import { mariadbText } from "../../text/mariadb.js";
import type { CatalogColumn } from "../../words/catalog.js";
import { MigrationError } from "../../words/errors.js";
import { type StepKind, stepWords } from "../../words/step.js";
import { NEEDS_VALUE, needsValue, notNullCheck } from "../needed-values.js";
import { type Planned, subjectOf } from "../plan.js";
import { typeRefusal } from "../type-refusal.js";
import { EXPAND } from "../why.js";
import { conversionOf } from "./conversion.js";
import type { Algorithm, MakeStep } from "./make-step.js";

/** The steps that add a column. */
export function addColumn(
  column: CatalogColumn,
  { declared }: TableDelta,
  step: MakeStep,
  grammar: Grammar,
): Planned[] {
  const { quote } = grammar;
  const text = declared.create.columns.find(({ name }) => name === column.name);
  // The server has its own defaults: the empty date for a column that is written at updates.
  if (text !== undefined && needsValue({ ...column, default: text.default ?? null }))
    return addNeeded(text, column, declared, step, grammar);
  const isConstant = column.default === null || CONSTANT.test(column.default);
  const copies = column.generated !== false || column.computed?.stored === true || !isConstant;
  // An identity must be a key from its first moment.
  const key = column.generated === false || declared.catalog.primaryKey?.columns[0] !== column.name;
  const also = key ? "" : `, ADD PRIMARY KEY (${declared.catalog.primaryKey?.columns.map(quote).join(", ")})`;
  return [
    step(column.computed === null ? "add columns" : "compute columns", "add column", column.name, {
      op: `ADD COLUMN ${quote(column.name)} ${text?.definition ?? column.type}${also}`,
      algorithm: copies ? "COPY" : "INSTANT",
      why: "the column is declared but does not exist",
    }),
  ];
}

// The server gives existing rows the empty value of the type, which nobody wrote. With a temporary check the first row
// makes the step fail, and a table without rows is changed at once.
function addNeeded(
  { name, nullable, definition }: ColumnText,
  { type }: CatalogColumn,
  { catalog }: DeclaredTable,
  step: MakeStep,
  grammar: Grammar,
): Planned[] {
  const { quote } = grammar;
  const column = quote(name);
  const check = quote(notNullCheck(catalog.name, name, grammar));
  return [
    step("add columns", "add column", name, {
      op: `ADD COLUMN ${column} ${nullable}, ADD CONSTRAINT ${check} CHECK (${column} IS NOT NULL)`,
      algorithm: "COPY",
      isShort: true,
      risks: ["may-fail", "breaks-old-code"],
      why: NEEDS_VALUE,
    }),
    step("add columns", "set not null", name, {
      op: `MODIFY COLUMN ${column} ${definition}, DROP CONSTRAINT IF EXISTS ${check}`,
      algorithm: notNullBy(type),
      isShort: true,
      why: "every row has a value",
    }),
  ];
}

// In place, the server would need a constant for NULL, which it does not have for the kind of an instant.
function notNullBy(type: string): Algorithm {
  return type.startsWith("timestamp") ? "COPY" : "INPLACE";
}

const CONSTANT = /^(?:-?\d|'|_utf8mb4|NULL$|x')/i;

/**
 * The steps from a column to its declaration.
 * @throws {MigrationError} `MIGRATION_REFUSED` if the server would change the values.
 */
export function changeColumn(
  one: ColumnChange,
  delta: TableDelta,
  step: MakeStep,
  grammar: Grammar,
): Planned[] {
  const { declared: column } = one;
  const { quote } = grammar;
  const asked = one.type ? askRows(one, delta, step, grammar) : undefined;
  const change = (it: ColumnChange) => [
    ...(asked === undefined ? [] : [asked.step]),
    changeAtOnce(it, delta, step, quote, asked?.check),
  ];
  const becomesKey = delta.primaryKey.add.some(({ columns: [first] }) => first === column.name);
  if (!one.generated || column.generated === false || !becomesKey) return change(one);
  // The server numbers only an existing key.
  const plain = { ...one, declared: { ...column, generated: false }, generated: false } as const;
  const isOther = plain.type || plain.nullable || plain.default || plain.computed || plain.comment;
  const numbered = step("indexes", "set generated", column.name, {
    op: `MODIFY COLUMN ${quote(column.name)} ${definitionOf(column)}`,
    algorithm: "COPY",
    why: "the generation of the column changed",
  });
  return isOther ? [...change(plain), numbered] : [numbered];
}

// The server converts a value without a counterpart to one that nobody wrote: a temporary check fails instead.
function askRows(
  one: ColumnChange,
  { declared }: TableDelta,
  step: MakeStep,
  grammar: Grammar,
): { readonly step: Planned; readonly check: string } | undefined {
  const { actual, declared: column } = one;
  if (actual.computed !== null || column.computed !== null) return undefined;
  const info = Object.values(declared.table.columns).find(({ name }) => name === column.name);
  const conversion = conversionOf(one, info);
  if ("refused" in conversion) throw typeRefusal(declared, column, conversion.refused);
  if (conversion.condition === undefined) return undefined;
  const { quote } = grammar;
  const check = convertibleCheck(declared.catalog.name, column.name, grammar);
  return {
    check: quote(check),
    step: step("change columns", "add check", check, {
      op: `ADD CONSTRAINT ${quote(check)} CHECK (${conversion.condition(quote(column.name))})`,
      algorithm: "COPY",
      risks: ["may-fail", "breaks-old-code"],
      why: `a value that is not one of the type ${column.type} fails the step and changes no row; the next step drops this check`,
    }),
  };
}

function convertibleCheck(table: string, column: string, { maxNameBytes }: Grammar): string {
  const end = "_convertible";
  return beginningOf(`${table}_${column}`, maxNameBytes - end.length) + end;
}

/** @param asked the quoted name of the check that goes with it. */
function changeAtOnce(
  one: ColumnChange,
  delta: TableDelta,
  step: MakeStep,
  quote: (name: string) => string,
  asked: string | undefined,
): Planned {
  const { actual, declared: column } = one;
  const name = quote(column.name);
  const text = delta.declared.create.columns.find((it) => it.name === column.name);
  if (one.computed && (actual.computed?.stored !== false || column.computed?.stored !== false))
    return changeComputed(one, delta, step, { name, definition: text?.definition ?? column.type });
  const onlyDefault =
    one.default && !one.type && !one.nullable && !one.generated && !one.comment && !one.computed;
  if (onlyDefault && !/ ON UPDATE /i.test(`${actual.default}${column.default}`))
    return changeDefault(column, step, { name, said: text?.default });
  const isLonger = !one.type || (lengthens(actual, column) && keepsRows(actual, column));
  const kept = delta.checks.kept.find(([check]) => check.name === actual.name);
  const check = kept === undefined ? "" : ` CHECK (${kept[0].expression})`;
  const isWider = !one.type || lengthens(actual, column) || widens(actual.type, column.type);
  const isKept = isWider || keepsTexts(actual, column);
  const copies = !isLonger || one.generated || (one.computed && isIndexed(actual, delta));
  const isWhole = delta.declared.catalog.columns.includes(column);
  const definition = text === undefined || !isWhole ? definitionOf(column) : text.definition;
  return step("change columns", kindOf(one), column.name, {
    op: `MODIFY COLUMN ${name} ${definition}${check}${asked === undefined ? "" : `, DROP CONSTRAINT IF EXISTS ${asked}`}`,
    algorithm: copies ? "COPY" : one.nullable ? notNullBy(column.type) : "INSTANT",
    risks: [
      ...(isKept ? [] : (["loses-data"] as const)),
      ...((one.nullable && !column.nullable) || !isWider ? (["may-fail"] as const) : []),
      ...(one.type || (one.nullable && !column.nullable) ? (["breaks-old-code"] as const) : []),
    ],
    why: one.type
      ? `the type is ${column.type}, not ${actual.type}${isLonger ? "" : `; ${EXPAND}`}`
      : "the definition of the column changed",
  });
}

// A column that becomes computed, or is no longer, or whose values the server keeps.
function changeComputed(
  { actual, declared: column }: ColumnChange,
  delta: TableDelta,
  step: MakeStep,
  { name, definition }: { readonly name: string; readonly definition: string },
): Planned {
  const wasComputed = actual.computed !== null;
  if (actual.computed?.stored === false && column.computed === null) throw keepsNoValues(column, delta);
  if (column.computed === null)
    return step("change columns", "change column", column.name, {
      op: `MODIFY COLUMN ${name} ${definition}`,
      algorithm: "COPY",
      why: "the column is no longer computed",
    });
  // A column cannot be dropped if another is computed from it.
  const gone = new Set(delta.dropped.map((dropped) => dropped.name));
  const isBeforeDrops = wasComputed && mentions(actual.computed.expression, gone, mariadbText);
  return step(isBeforeDrops ? "change columns" : "compute columns", "recompute column", column.name, {
    op: `DROP COLUMN ${name}, ADD COLUMN ${name} ${definition}`,
    algorithm: "COPY",
    risks: wasComputed ? ["breaks-old-code"] : ["loses-data", "breaks-old-code"],
    why: wasComputed
      ? "the expression of the column changed"
      : "the column is to be computed, and its values are lost",
  });
}

/** @param text its quoted name, and the default as it is declared. */
function changeDefault(
  column: CatalogColumn,
  step: MakeStep,
  { name, said }: { readonly name: string; readonly said: string | undefined },
): Planned {
  const isDropped = column.default === null;
  return step("change columns", isDropped ? "drop default" : "set default", column.name, {
    op: isDropped
      ? `ALTER COLUMN ${name} DROP DEFAULT`
      : `ALTER COLUMN ${name} SET DEFAULT ${inParentheses(said ?? column.default)}`,
    algorithm: "INSTANT",
    why: "the default changed",
  });
}

/** The kind of a step that changes several properties of a column: the first of them. */
function kindOf(one: ColumnChange): StepKind {
  if (one.type) return "change type";
  if (one.nullable) return one.declared.nullable ? "drop not null" : "set not null";
  if (one.generated) return "set generated";
  if (one.computed) return "recompute column";
  return one.default ? "set default" : "comment column";
}

// The server cannot change a column of that kind to another (error 1907).
function keepsNoValues({ name }: CatalogColumn, { declared }: TableDelta): MigrationError {
  const { schema, catalog } = declared;
  const step = stepWords({ kind: "change column", ...subjectOf(schema, catalog.name), name });
  return new MigrationError(
    "MIGRATION_REFUSED",
    `the step ${step} is refused: a virtual column has no values to keep on MariaDB: add a plain column, fill it from this one, then drop this one`,
    { step },
  );
}

function isIndexed({ name }: CatalogColumn, { keys, indexes }: TableDelta): boolean {
  const has = ({ columns }: { readonly columns: readonly (string | readonly [string, string])[] }) =>
    columns.some((column) => (typeof column === "string" ? column : column[0]) === name);
  return [...keys.kept, ...indexes.kept].some(([one]) => has(one));
}

function inParentheses(text: string): string {
  return /^\(|^'|^-?\d/.test(text) ? text : `(${text})`;
}

/** A column as the server prints it, without a check. */
export function definitionOf({
  type,
  collation,
  nullable,
  default: said,
  generated,
  computed,
  comment,
}: CatalogColumn): string {
  return [
    type,
    ...(collation === null ? [] : [`COLLATE ${collation}`]),
    ...(computed === null
      ? []
      : [`GENERATED ALWAYS AS (${computed.expression}) ${computed.stored ? "STORED" : "VIRTUAL"}`]),
    ...(computed === null ? [nullable ? "NULL" : "NOT NULL"] : []),
    ...(said === null ? [] : [`DEFAULT ${inParentheses(said)}`]),
    ...(generated === false ? [] : ["AUTO_INCREMENT"]),
    ...(comment === null ? [] : [`COMMENT ${textOf(comment)}`]),
  ].join(" ");
}

const LENGTH = /^(varchar|char|varbinary)\((\d+)\)$/;
const MEMBERS = /^enum\((.*)\)$/s;

// A longer text, or an enum with further members at the end.
function lengthens(from: CatalogColumn, to: CatalogColumn): boolean {
  if (from.collation !== to.collation) return false;
  const [had, has] = [MEMBERS.exec(from.type)?.[1], MEMBERS.exec(to.type)?.[1]];
  if (had !== undefined && has !== undefined) return has.startsWith(`${had},'`);
  const [a, b] = [LENGTH.exec(from.type), LENGTH.exec(to.type)];
  return a !== null && b !== null && a[1] === b[1] && Number(a[2]) <= Number(b[2]);
}

/**
 * Whether each text stays as it is, or fails the step: members in another order, another collation or character set. A
 * unique key may take two texts for one under another collation.
 */
function keepsTexts(from: CatalogColumn, to: CatalogColumn): boolean {
  const [had, has] = [from, to].map(({ type }) => (MEMBERS.test(type) ? type.match(MEMBER) : undefined));
  if (had && has) return had.every((member) => has.includes(member));
  return from.type === to.type || lengthens({ ...from, collation: to.collation }, to);
}

const MEMBER = /'(?:[^']|'')*'/g;

/** Up to so many members, or bytes of a text, the server keeps the number or the length in one byte. */
const ONE_BYTE = 255;

// The server writes no row again while the length of a value, or the number of a member, takes as many bytes as before.
function keepsRows(from: CatalogColumn, to: CatalogColumn): boolean {
  const [a, b] = [LENGTH.exec(from.type), LENGTH.exec(to.type)];
  if (a === null || b === null)
    return [from, to].every(({ type }) => (type.match(MEMBER) ?? []).length <= ONE_BYTE);
  if (a[1] === "char") return false;
  const [least, most] = bytesOf(from);
  const [chars, longer] = [Number(a[2]), Number(b[2])];
  return longer * most <= ONE_BYTE || chars * least > ONE_BYTE;
}

/** The least and the most bytes of a character; without a collation it has that of the table. */
function bytesOf({ type, collation }: CatalogColumn): readonly [number, number] {
  if (type.startsWith("varbinary")) return [1, 1];
  if (collation === null) return [1, 4];
  const bytes = collation.startsWith("utf8mb4") ? 4 : /^utf8/.test(collation) ? 3 : 1;
  return [bytes, bytes];
}

const WHOLE: ReadonlyMap<string, number> = new Map([
  ["tinyint", 1],
  ["smallint", 2],
  ["mediumint", 3],
  ["int", 4],
  ["bigint", 8],
]);

const TEXTS = /^(?:char|varchar|tinytext|text|mediumtext)\b/;
const EXACT = /^decimal\((\d+),(\d+)\)$/;

function widens(from: string, to: string): boolean {
  const [a, b] = [from, to].map((type) => WHOLE.get(/^\w+/.exec(type)?.[0] ?? ""));
  if (a !== undefined && b !== undefined) return a <= b && /unsigned/.test(from) === /unsigned/.test(to);
  if (to === "longtext") return TEXTS.test(from) || a !== undefined || EXACT.test(from);
  const [digits, wider] = [EXACT.exec(from), EXACT.exec(to)].map((found) => found?.slice(1).map(Number));
  if (digits === undefined || wider === undefined) return false;
  const [[precision = 0, scale = 0], [most = 0, places = 0]] = [digits, wider];
  return places >= scale && most - places >= precision - scale;
}

/** A text as a literal of one line, in the default mode of a session. */
export function textOf(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("'", "''");
  return `'${escaped.replaceAll("\n", "\\n").replaceAll("\r", "\\r")}'`;
}
