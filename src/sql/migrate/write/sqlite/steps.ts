/**
 * The steps of SQLite: ALTER TABLE if this version can, otherwise one rebuild of the table, in which the rows are
 * copied and indexes and triggers created again. A column to drop is still in the copy, and a separate step drops it.
 */

import type { TableDelta } from "../../diff/compare.js";
import { goingOf } from "../../diff/undeclared.js";
import type { CatalogColumn, CatalogForeignKey } from "../../words/catalog.js";
import { createTables, dropTables } from "../create-steps.js";
import {
  type PlanContext,
  type Planned,
  planned,
  type StepWriter,
  subjectOf,
  tableName,
  withDependents,
} from "../plan.js";
import { renameColumns } from "../rename-steps.js";
import { whyDropped } from "../why.js";
import { rebuild } from "./rebuild.js";

export const sqliteSteps: StepWriter = { change, create: createTables, drop: dropTables };

const NONE = { before: new Set<string>(), after: new Set<string>() };

function change(given: TableDelta, context: PlanContext): Planned[] {
  const { grammar } = context;
  const { quote } = grammar;
  const delta = withDependents(given, { retyped: NONE, remade: NONE }, context);
  const { actual, declared } = delta;
  const old = subjectOf(actual.schema, actual.name);
  const now = subjectOf(declared.schema, declared.catalog.name);
  const after = tableName(declared.schema, declared.catalog.name, grammar);
  const steps: Planned[] = [];
  for (const index of delta.indexes.drop) {
    const { name } = index;
    const { risks, ifExists, why } = goingOf(index, delta);
    steps.push(
      planned({
        ...old,
        phase: "drop constraints",
        kind: "drop index",
        name,
        sql: [`DROP INDEX ${ifExists}${tableName(actual.schema, name, grammar)}`],
        risks,
        why,
      }),
    );
  }
  steps.push(...renameColumns(delta, grammar));
  steps.push(...(needsRebuild(delta, context) ? [rebuild(delta, context)] : alter(delta, context)));
  for (const column of delta.dropped)
    steps.push(
      planned({
        ...now,
        phase: "drop columns",
        kind: "drop column",
        name: column.name,
        sql: [`ALTER TABLE ${after} DROP COLUMN ${quote(column.name)}`],
        lock: "writes",
        rewrites: true,
        risks: ["loses-data", "breaks-old-code"],
        why: whyDropped(delta, column, grammar),
      }),
    );
  for (const { name, unique } of delta.indexes.add)
    steps.push(
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
    );
  return steps;
}

/** Whether this version of SQLite can change a table only by a rebuild. */
export function needsRebuild(delta: TableDelta, { version }: Pick<PlanContext, "version">): boolean {
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
  const { quote } = grammar;
  const { declared, added, changed, checks, foreignKeys } = delta;
  const now = subjectOf(declared.schema, declared.catalog.name);
  const table = `ALTER TABLE ${tableName(declared.schema, declared.catalog.name, grammar)}`;
  const bodyOf = (name: string | null) =>
    declared.create.constraints.find((one) => one.name === name)?.body ?? "";
  return [
    ...checks.drop.map((check) =>
      planned({
        ...now,
        phase: "add columns",
        kind: "drop check",
        name: check.name ?? "",
        sql: [`${table} DROP CONSTRAINT ${quote(check.name ?? "")}`],
        risks: goingOf(check, delta).risks,
        why: goingOf(check, delta).why,
      }),
    ),
    ...added.map((column) => {
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
    }),
    ...changed
      .filter(({ nullable }) => nullable)
      .map(({ declared: column }) =>
        planned({
          ...now,
          phase: "change columns",
          kind: column.nullable ? "drop not null" : "set not null",
          name: column.name,
          sql: [`${table} ALTER COLUMN ${quote(column.name)} ${column.nullable ? "DROP" : "SET"} NOT NULL`],
          lock: column.nullable ? "short" : "writes",
          risks: column.nullable ? [] : ["may-fail", "breaks-old-code"],
          why: column.nullable
            ? "the column may be null"
            : "the column may not be null; a row without a value fails the step",
        }),
      ),
    ...checks.add.map(({ name }) =>
      planned({
        ...now,
        phase: "checks",
        kind: "add check",
        name: name ?? "",
        sql: [`${table} ADD CONSTRAINT ${quote(name ?? "")} ${bodyOf(name)}`],
        lock: "writes",
        risks: ["may-fail", "breaks-old-code"],
        why: "the check is declared but does not exist; a row that breaks it fails the step",
      }),
    ),
  ];
}

function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split(".").map(Number);
  for (const [i, number] of least.entries()) {
    const part = parts[i] ?? 0;
    if (part !== number) return part > number;
  }
  return true;
}
