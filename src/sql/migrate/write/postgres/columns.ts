/** The steps of PostgreSQL that change a column. */

import { enumOfType } from "../../catalog/enum-types.js";
import { castText } from "../../catalog/postgres/casts.js";
import type { ColumnChange, TableDelta } from "../../diff/compare.js";
import type { CatalogColumn } from "../../words/catalog.js";
import { FORMER } from "../enum-steps.js";
import { notNullCheck } from "../needed-values.js";
import { type Planned, planned, subjectOf, tableName } from "../plan.js";
import { CONVERT_BY_HAND, typeRefusal } from "../type-refusal.js";
import { EXPAND } from "../why.js";
import type { PostgresContext } from "./context.js";

/** A column that is no longer computed keeps its values. */
export function stopComputing(
  { actual, declared: column }: ColumnChange,
  { declared }: TableDelta,
  { grammar }: PostgresContext,
): Planned[] {
  if (actual.computed === null || column.computed !== null) return [];
  const table = tableName(declared.schema, declared.catalog.name, grammar);
  return [
    planned({
      ...subjectOf(declared.schema, declared.catalog.name),
      phase: "drop computed columns",
      kind: "change column",
      name: column.name,
      sql: [`ALTER TABLE ${table} ALTER COLUMN ${grammar.quote(column.name)} DROP EXPRESSION`],
      why: "the column is no longer computed, and keeps its values",
    }),
  ];
}

/**
 * The steps from a column to its declaration.
 * @throws {MigrationError} `MIGRATION_REFUSED` for a type to which the server casts no value.
 */
export function changeColumn(one: ColumnChange, delta: TableDelta, context: PostgresContext): Planned[] {
  const { actual, declared: column } = one;
  const { declared } = delta;
  const { grammar } = context;
  const base = {
    ...subjectOf(declared.schema, declared.catalog.name),
    phase: "change columns",
    name: column.name,
  } as const;
  const alter = `ALTER TABLE ${tableName(declared.schema, declared.catalog.name, grammar)}`;
  const to = `ALTER COLUMN ${grammar.quote(column.name)}`;
  const text = declared.create.columns.find(({ name }) => name === column.name);
  const said = text?.default ?? column.default;
  const steps: Planned[] = [];
  // If the type stays a whole number, the server changes the type of the identity with it.
  const dropsIdentity = actual.generated !== false && (column.generated === false || !SIZES.has(column.type));
  if (dropsIdentity)
    steps.push(
      planned({
        ...base,
        kind: "set generated",
        sql: [`${alter} ${to} DROP IDENTITY`],
        why: "the generation of the column is no longer declared",
      }),
    );
  if (one.type)
    steps.push(changeType(one, { alter, to, type: text?.type ?? column.type, said }, delta, context));
  else if (one.default)
    steps.push(
      planned({
        ...base,
        kind: column.default === null ? "drop default" : "set default",
        sql: [column.default === null ? `${alter} ${to} DROP DEFAULT` : `${alter} ${to} SET DEFAULT ${said}`],
        why: "the default changed",
      }),
    );
  if (one.nullable && column.nullable)
    steps.push(
      planned({
        ...base,
        kind: "drop not null",
        sql: [`${alter} ${to} DROP NOT NULL`],
        why: "the column may be null",
      }),
    );
  if (one.nullable && !column.nullable) steps.push(...setNotNull(column, "change columns", delta, context));
  if (column.generated !== false && (one.generated || dropsIdentity))
    steps.push(
      planned({
        ...base,
        kind: "set generated",
        sql: identity(actual, column, { alter, to, dropped: dropsIdentity }, delta, context),
        why: "the generation of the column changed",
      }),
    );
  return steps;
}

/** NOT NULL by a check that is validated while others write, and that the server then trusts. */
export function setNotNull(
  column: CatalogColumn,
  phase: Planned["phase"],
  { declared }: Pick<TableDelta, "actual" | "declared">,
  { grammar }: PostgresContext,
): Planned[] {
  const { quote } = grammar;
  const after = tableName(declared.schema, declared.catalog.name, grammar);
  const now = subjectOf(declared.schema, declared.catalog.name);
  const check = notNullCheck(declared.catalog.name, column.name, grammar);
  const name = quote(column.name);
  const alter = `ALTER TABLE ${after}`;
  return [
    planned({
      ...now,
      phase,
      kind: "add check",
      name: check,
      sql: [`${alter} ADD CONSTRAINT ${quote(check)} CHECK (${name} IS NOT NULL) NOT VALID`],
      risks: ["breaks-old-code"],
      why: "new rows need a value from now on",
    }),
    planned({
      ...now,
      phase,
      kind: "validate check",
      name: check,
      sql: [`${alter} VALIDATE CONSTRAINT ${quote(check)}`],
      transaction: false,
      lock: "none",
      risks: ["may-fail"],
      why: "existing rows are read while others write; a row without a value fails the step",
    }),
    planned({
      ...now,
      phase,
      kind: "set not null",
      name: column.name,
      sql: [`${alter} ALTER COLUMN ${name} SET NOT NULL`, `${alter} DROP CONSTRAINT ${quote(check)}`],
      risks: ["breaks-old-code"],
      why: "the server trusts the check and reads no row",
    }),
  ];
}

function identity(
  actual: CatalogColumn,
  { name, generated }: CatalogColumn,
  { alter, to, dropped }: { readonly alter: string; readonly to: string; readonly dropped: boolean },
  { declared }: TableDelta,
  { grammar }: PostgresContext,
): string[] {
  const how = generated === "always" ? "ALWAYS" : "BY DEFAULT";
  if (actual.generated !== false && !dropped) return [`${alter} ${to} SET GENERATED ${how}`];
  const table = tableName(declared.schema, declared.catalog.name, grammar);
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
  return [
    `${alter} ${to} ADD GENERATED ${how} AS IDENTITY`,
    SEEING_ALL_ROWS,
    `SELECT setval(pg_get_serial_sequence(${text(table)}, ${text(name)}), coalesce(max(${grammar.quote(name)}), 0) + 1, false) FROM ${table}`,
  ];
}

/** Until the end of the transaction, a query fails if row security would hide rows from it. */
export const SEEING_ALL_ROWS = "SELECT set_config('row_security', 'off', true)";

interface TypeTexts {
  readonly alter: string;
  readonly to: string;
  readonly type: string;
  readonly said: string | null;
}

// The default is set again, because the server keeps it as it was read for the former type. The default of a serial,
// which no declaration says, stays.
function changeType(
  { actual, declared: column, default: isOther }: ColumnChange,
  { alter, to, type, said }: TypeTexts,
  { declared, actual: table }: TableDelta,
  { isEmpty, grammar, catalog, casts }: PostgresContext,
): Planned {
  const isWider = widens(actual.type, column.type);
  const rewrites = !keepsRows(actual, column);
  // Between two enum types the server can cast only through the text of their members.
  const isFormer = FORMER.test(actual.type);
  const isEnum = isFormer || enumOfType(actual.type, catalog.enums) !== undefined;
  const cast = isEnum ? "direct" : casts(actual.type, column.type);
  if (cast === "none")
    throw typeRefusal(
      declared,
      column,
      `the server has no cast from ${actual.type} to ${column.type}: ${CONVERT_BY_HAND}`,
    );
  const name = grammar.quote(column.name);
  const value = isEnum
    ? `${name}::text${column.type.endsWith("[]") ? "[]" : ""}::${column.type}`
    : castText(name, actual.type, column.type, cast);
  const using = isWider || isLengthOnly(actual.type, column.type) ? "" : ` USING ${value}`;
  const isSerial = actual.default !== null && column.default === null && !isOther;
  const sequence = isSerial && isWider ? sequenceOf(actual.default) : undefined;
  const parts = [
    ...(actual.default === null || isSerial ? [] : [`${to} DROP DEFAULT`]),
    `${to} TYPE ${type}${using}`,
    ...(column.default === null ? [] : [`${to} SET DEFAULT ${said}`]),
  ];
  return planned({
    ...subjectOf(declared.schema, declared.catalog.name),
    phase: "change columns",
    kind: "change type",
    name: column.name,
    sql: [
      `${alter} ${parts.join(", ")}`,
      ...(sequence === undefined ? [] : [`ALTER SEQUENCE ${sequence} AS ${column.type}`]),
    ],
    lock: rewrites ? "all" : "short",
    rewrites,
    risks: [
      // A value whose member no longer exists makes the step fail: nothing is cut.
      ...(isWider || isFormer ? [] : (["loses-data"] as const)),
      ...(isWider ? [] : (["may-fail"] as const)),
      ...(rewrites && !isEmpty(table) ? (["blocks"] as const) : []),
      "breaks-old-code",
    ],
    why: `the type is ${column.type}, not ${actual.type}${rewrites ? `; ${EXPAND}` : ""}`,
  });
}

/** The sequence of a serial, as the server writes its name: its maximum is that of the former type. */
function sequenceOf(said: string): string | undefined {
  return /^nextval\('((?:[^']|'')+)'::regclass\)$/.exec(said)?.[1]?.replaceAll("''", "'");
}

const SIZES: ReadonlyMap<string, number> = new Map([
  ["smallint", 1],
  ["integer", 2],
  ["bigint", 3],
]);

/** Whether every value of a type is also a value of the other. */
function widens(from: string, to: string): boolean {
  if (from === to) return true;
  const [a, b] = [readType(from), readType(to)];
  const sizes = [SIZES.get(from), SIZES.get(to)];
  if (sizes[0] !== undefined && sizes[1] !== undefined) return sizes[0] <= sizes[1];
  if (sizes[0] !== undefined && (to === "numeric" || to === "text")) return true;
  if ((a.name === "numeric" || from === "boolean" || from === "uuid") && to === "text") return true;
  if (from === "real" && to === "double precision") return true;
  if (a.name === "character varying") {
    if (to === "text" || to === "character varying") return true;
    return (
      b.name === "character varying" &&
      a.args[0] !== undefined &&
      b.args[0] !== undefined &&
      a.args[0] <= b.args[0]
    );
  }
  if (from === "text" && to === "character varying") return true;
  if (a.name === "numeric" && b.name === "numeric") return isWiderNumeric(a.args, b.args);
  if (a.name === b.name && /^timestamp|^time/.test(a.name)) return (a.args[0] ?? 6) <= (b.args[0] ?? 6);
  return false;
}

function isWiderNumeric(a: readonly number[], b: readonly number[]): boolean {
  const [digits, scale = 0] = b;
  if (digits === undefined) return true;
  const [had, hadScale = 0] = a;
  return had !== undefined && scale >= hadScale && digits - scale >= had - hadScale;
}

// Whether no row is written again: https://www.postgresql.org/docs/current/sql-altertable.html, and as measured.
function keepsRows(actual: CatalogColumn, declared: CatalogColumn): boolean {
  const [from, to] = [actual.type, declared.type];
  if (!widens(from, to)) return from === to;
  if (!isLengthOnly(from, to) && to === "text") return false;
  const [a, b] = [readType(from), readType(to)];
  if (a.name === "character varying" || from === "text") return true;
  if (a.name === "numeric" && b.name === "numeric") return b.args.length === 0 || a.args[1] === b.args[1];
  return from === to || a.name === b.name;
}

// Between these types the server refuses values that do not fit; a cast would cut them.
function isLengthOnly(from: string, to: string): boolean {
  const names = [from, to].map((type) => readType(type).name);
  return names.every((name) => name === "character varying" || name === "text");
}

function readType(type: string): { readonly name: string; readonly args: readonly number[] } {
  const [, args = ""] = /\(([\d, ]*)\)/.exec(type) ?? [];
  return { name: type.replace(/\s*\([\d, ]*\)/, ""), args: args === "" ? [] : args.split(",").map(Number) };
}
