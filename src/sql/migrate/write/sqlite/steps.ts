/**
 * The steps of SQLite: ALTER TABLE if this version can, otherwise one rebuild of the table, in which the rows are
 * copied and indexes and triggers created again. A column to drop is still in the copy, and a separate step drops it.
 */

import type { TableDelta } from "../../diff/compare.js";
import { goingOf } from "../../diff/undeclared.js";
import type { CatalogCheck, CatalogColumn, CatalogForeignKey } from "../../words/catalog.js";
import { changeSteps, type PartSteps } from "../change-steps.js";
import type { PlanContext } from "../dialect.js";
import { type Planned, placesOf, planned, tableName, UNTOUCHED, withDependents } from "../plan.js";
import { renameColumn } from "../rename-steps.js";
import { rebuild } from "./rebuild.js";

/** The steps from a table to its declaration. */
export function changeTable(given: TableDelta, context: PlanContext, version: string): Planned[] {
  const delta = withDependents(given, { retyped: UNTOUCHED, remade: UNTOUCHED }, context);
  return changeSteps(delta, partsOf(delta, context, version), context);
}

function partsOf(delta: TableDelta, context: PlanContext, version: string): PartSteps {
  const { grammar } = context;
  const { actual, declared } = delta;
  const { old, now, after } = placesOf(delta, grammar);
  return {
    dropIndex: ({ name }, { risks, ifExists, why }) =>
      planned({
        ...old,
        phase: "drop constraints",
        kind: "drop index",
        name,
        sql: [`DROP INDEX ${ifExists}${tableName(actual.schema, name, grammar)}`],
        risks,
        why,
      }),
    renameColumn: renameColumn(delta, grammar),
    // Columns and constraints are added and changed together.
    changeColumns: () => (needsRebuild(delta, version) ? [rebuild(delta, context)] : alter(delta, context)),
    dropColumn: ({ name }, why) =>
      planned({
        ...now,
        phase: "drop columns",
        kind: "drop column",
        name,
        sql: [`ALTER TABLE ${after} DROP COLUMN ${grammar.quote(name)}`],
        lock: "writes",
        rewrites: true,
        risks: ["loses-data", "breaks-old-code"],
        why,
      }),
    addIndex: ({ name, unique }) => [
      planned({
        ...now,
        phase: "indexes",
        kind: "create index",
        name,
        sql: [declared.indexes.get(name) ?? ""],
        lock: "writes",
        risks: unique ? ["may-fail"] : [],
        why: "the index is declared but does not exist",
      }),
    ],
  };
}

/** Whether this version of SQLite can change a table only by a rebuild. */
export function needsRebuild(delta: TableDelta, version: string): boolean {
  const { changed, added, dropped, primaryKey, keys, foreignKeys, checks } = delta;
  const isNew = isAtLeast(version, [3, 53]);
  const gone = new Set(dropped.map(({ name }) => name));
  const inReferences = (key: CatalogForeignKey) =>
    key.columns.length === 1 &&
    added.some(({ name, default: said }) => name === key.columns[0] && said === null);
  return (
    changed.some(
      (one) => one.type || one.default || one.generated || one.computed || (one.nullable && !isNew),
    ) ||
    [primaryKey, keys].some(({ drop, add }) => drop.length > 0 || add.length > 0) ||
    foreignKeys.drop.length > 0 ||
    !foreignKeys.add.every(inReferences) ||
    (!isNew && (checks.drop.length > 0 || checks.add.length > 0)) ||
    checks.drop.some(({ name }) => name === null) ||
    checks.add.some(({ name }) => name === null) ||
    added.some((column) => !canBeAdded(column, delta)) ||
    // ALTER cannot drop a column from which others are computed, or a key.
    delta.actual.columns.some((column) => column.computed !== null && gone.has(column.name) && gone.size > 1)
  );
}

function canBeAdded(
  { nullable, default: said, computed, name }: CatalogColumn,
  { declared }: TableDelta,
): boolean {
  const text = declared.create.columns.find((one) => one.name === name);
  if (text === undefined || text.hasKey || computed?.stored === true) return false;
  if (computed !== null) return nullable;
  if (said === null) return nullable;
  return CONSTANT.test(said);
}

// A file contains a literal with a line break as an expression.
const CONSTANT = /^(?:'(?:[^'\n\r]|'')*'|[-+]?\d[\w.]*|null|true|false|x'[0-9a-f]*')$/i;

// Without a rebuild: each change as a separate ALTER TABLE.
function alter(delta: TableDelta, { grammar }: PlanContext): Planned[] {
  const { added, changed, checks } = delta;
  const { now, after } = placesOf(delta, grammar);
  const place: AlteredTable = { delta, now, table: `ALTER TABLE ${after}`, quote: grammar.quote };
  return [
    ...checks.drop.map((check) => dropCheck(check, place)),
    ...added.map((column) => addColumn(column, place)),
    ...changed.filter(({ nullable }) => nullable).map((one) => changeNull(one.declared, place)),
    ...checks.add.map((check) => addCheck(check, place)),
  ];
}

/** The table of an ALTER TABLE. */
interface AlteredTable {
  readonly delta: TableDelta;
  readonly now: Pick<Planned, "table" | "schema">;
  /** The beginning of the statement. */
  readonly table: string;
  readonly quote: (name: string) => string;
}

function dropCheck(check: CatalogCheck, { delta, now, table, quote }: AlteredTable): Planned {
  const { risks, why } = goingOf(check, delta);
  const name = check.name ?? "";
  const sql = [`${table} DROP CONSTRAINT ${quote(name)}`];
  return planned({ ...now, phase: "add columns", kind: "drop check", name, sql, risks, why });
}

function addColumn(column: CatalogColumn, { delta, now, table, quote }: AlteredTable): Planned {
  const { declared, foreignKeys } = delta;
  const text = declared.create.columns.find(({ name }) => name === column.name);
  const key = foreignKeys.add.find(({ columns }) => columns[0] === column.name);
  const said = declared.create.constraints.find(
    (one) => one.kind === "foreign key" && one.columns.join("\0") === column.name,
  );
  const named = said?.name === undefined ? "" : ` CONSTRAINT ${quote(said.name)}`;
  const refers =
    key === undefined || said === undefined
      ? ""
      : `${named} ${said.body.replace(/^.*?(?=\bREFERENCES\b)/s, "")}`;
  return planned({
    ...now,
    phase: column.computed === null ? "add columns" : "compute columns",
    kind: "add column",
    name: column.name,
    sql: [`${table} ADD COLUMN ${quote(column.name)} ${text?.definition ?? column.type}${refers}`],
    why: "the column is declared but does not exist",
  });
}

function changeNull({ name, nullable }: CatalogColumn, { now, table, quote }: AlteredTable): Planned {
  return planned({
    ...now,
    phase: "change columns",
    kind: nullable ? "drop not null" : "set not null",
    name,
    sql: [`${table} ALTER COLUMN ${quote(name)} ${nullable ? "DROP" : "SET"} NOT NULL`],
    lock: nullable ? "short" : "writes",
    risks: nullable ? [] : ["may-fail", "breaks-old-code"],
    why: nullable
      ? "the column may be null"
      : "the column may not be null; a row without a value fails the step",
  });
}

function addCheck({ name: said }: CatalogCheck, { delta, now, table, quote }: AlteredTable): Planned {
  const name = said ?? "";
  const body = delta.declared.create.constraints.find((one) => one.name === said)?.body ?? "";
  return planned({
    ...now,
    phase: "checks",
    kind: "add check",
    name,
    sql: [`${table} ADD CONSTRAINT ${quote(name)} ${body}`],
    lock: "writes",
    risks: ["may-fail", "breaks-old-code"],
    why: "the check is declared but does not exist; a row that breaks it fails the step",
  });
}

function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split(".").map(Number);
  for (const [i, number] of least.entries()) {
    const part = parts[i] ?? 0;
    if (part !== number) return part > number;
  }
  return true;
}
