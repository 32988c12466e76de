/**
 * The steps of MariaDB. Each writes the algorithm and the lock that it needs, so that the server refuses it if it would
 * lock the table. A step that can only copy the table is marked as blocking.
 */

import type { DeclaredTable } from "../../catalog/declared-table.js";
import { engineOf } from "../../catalog/mariadb/create.js";
import { nameIn, type TableDelta } from "../../diff/compare.js";
import { goingOf } from "../../diff/undeclared.js";
import { type ConstraintKind, constraintText, writtenConstraint } from "../../text/create-text.js";
import type { CatalogIndex } from "../../words/catalog.js";
import { MigrationError } from "../../words/errors.js";
import { type StepKind, stepWords } from "../../words/step.js";
import { createTables, dropTables } from "../create-steps.js";
import {
  type PlanContext,
  type Planned,
  planned,
  renamesInOrder,
  type StepWriter,
  subjectOf,
  tableName,
  touchedOf,
  withDependents,
} from "../plan.js";
import { whyDropped } from "../why.js";
import { addColumn, changeColumn, definitionOf, type MakeStep, textOf } from "./columns.js";
import { indexesOver, refuseHeldColumns } from "./held-columns.js";
import { KeyIndexes } from "./key-indexes.js";

export const mariadbSteps: StepWriter = {
  change,
  create: (tables, context) => createTables(tables, context).map(alone),
  drop: (tables, context) => dropTables(tables, context).map(alone),
};

// A change of the schema ends every transaction.
function alone(step: Planned): Planned {
  return { ...step, transaction: false };
}

const COPIED = "; the server copies the table, and writes wait";

const COLUMN_COMES_OR_GOES: ReadonlySet<string> = new Set(["add columns", "compute columns", "drop columns"]);

// With an index over a virtual column, the server adds and drops columns only by a copy.
function hasIndexedVirtual({ actual, keys, indexes }: TableDelta): boolean {
  const virtual = new Set(
    actual.columns.filter(({ computed }) => computed?.stored === false).map(({ name }) => name),
  );
  return [...keys.kept, ...indexes.kept].some(([{ columns }]) =>
    columns.some((column) => virtual.has(typeof column === "string" ? column : column[0])),
  );
}

// Steps that only change the catalog: an engine other than InnoDB does all others by a copy.
const CATALOG_ONLY: ReadonlySet<StepKind> = new Set([
  "rename column",
  "set default",
  "drop default",
  "comment column",
  "comment table",
]);

// The server would accept the statement and create no key.
function refuseReferences({ declared, foreignKeys }: TableDelta, engine: string): void {
  for (const { name } of foreignKeys.add) {
    const subject = { ...subjectOf(declared.schema, declared.catalog.name), name: name ?? "" };
    const step = stepWords({ kind: "add foreign key", ...subject });
    throw new MigrationError(
      "MIGRATION_REFUSED",
      `the step ${step} is refused: a table of the engine ${engine} has no foreign keys: make it one of InnoDB first, by a step of your own`,
      { step },
    );
  }
}

const NONE = { before: new Set<string>(), after: new Set<string>() };

function change(given: TableDelta, context: PlanContext): Planned[] {
  const { grammar, isEmpty } = context;
  const { quote } = grammar;
  const delta = withDependents(given, { retyped: touchedOf(given), remade: NONE }, context);
  const { actual, declared, renames } = delta;
  const old = subjectOf(actual.schema, actual.name);
  const now = subjectOf(declared.schema, declared.catalog.name);
  const before = tableName(actual.schema, actual.name, grammar);
  const after = tableName(declared.schema, declared.catalog.name, grammar);
  // Each gives its subject, its operation, its algorithm, and its risks.
  refuseHeldColumns(delta, context);
  const engine = engineOf(actual, context.catalog.unknown);
  if (engine !== undefined) refuseReferences(delta, engine);
  const onlyCopies = hasIndexedVirtual(delta);
  const step: MakeStep = (phase, kind, name, given) => {
    const isHeld =
      (engine !== undefined && !CATALOG_ONLY.has(kind)) ||
      (onlyCopies && (COLUMN_COMES_OR_GOES.has(phase) || given.algorithm === "INPLACE"));
    const does = isHeld && given.algorithm !== "COPY" ? ({ ...given, algorithm: "COPY" } as const) : given;
    const isBefore = phase === "drop references" || phase === "drop constraints";
    const lock = does.algorithm === "COPY" ? "SHARED" : "NONE";
    const copies = does.algorithm === "COPY" && does.isShort !== true;
    const isShort = does.algorithm === "INSTANT" || does.isShort === true;
    return planned({
      ...(isBefore ? old : now),
      phase,
      kind,
      ...(name === undefined ? {} : { name }),
      sql: [
        `ALTER TABLE ${isBefore ? before : after} WAIT 3 ${does.op}, ALGORITHM=${does.algorithm}, LOCK=${lock}`,
      ],
      transaction: false,
      lock: copies ? "writes" : isShort ? "short" : "none",
      rewrites: copies || does.algorithm === "INPLACE",
      risks: [...(does.risks ?? []), ...(copies && !isEmpty(actual) ? (["blocks"] as const) : [])],
      why: copies ? `${does.why}${COPIED}` : does.why,
    });
  };
  const keyIndexes = new KeyIndexes(delta, context);
  const steps: Planned[] = [];
  for (const key of delta.foreignKeys.drop) {
    const others = keyIndexes.dropKey(key);
    const { risks, ifExists, why } = goingOf(key, delta);
    steps.push(
      step("drop references", "drop foreign key", key.name ?? "", {
        op: [`DROP FOREIGN KEY ${ifExists}${quote(key.name ?? "")}`, ...others].join(", "),
        algorithm: others.length === 0 ? "INSTANT" : "NOCOPY",
        risks,
        why,
      }),
    );
  }
  const columnChecks = new Set(actual.columns.map(({ name }) => name));
  for (const check of delta.checks.drop) {
    const { name } = check;
    const { risks, ifExists, why } = goingOf(check, delta);
    const column = actual.columns.find((one) => one.name === name);
    const isOfColumn = name !== null && columnChecks.has(name) && column !== undefined;
    steps.push(
      step("drop constraints", "drop check", name ?? "", {
        op: isOfColumn
          ? `MODIFY COLUMN ${quote(name)} ${definitionOf(column)}`
          : `DROP CONSTRAINT ${ifExists}${quote(name ?? "")}`,
        algorithm: "INSTANT",
        risks,
        why,
      }),
    );
  }
  const indexes = [
    ...delta.keys.drop.map((key) => ["drop unique", key] as const),
    ...delta.indexes.drop.map((index) => ["drop index", index] as const),
  ];
  for (const [kind, index] of indexes) {
    const { risks, ifExists, why } = goingOf(index, delta);
    const name = index.name ?? "";
    const op = [...keyIndexes.dropIndex(name), `DROP INDEX ${ifExists}${quote(name)}`].join(", ");
    const algorithm = keyIndexes.dropAlgorithm(name);
    steps.push(step("drop constraints", kind, name, { op, algorithm, risks, why }));
  }
  for (const [from, to] of renamesInOrder(renames, nameIn(grammar)))
    steps.push(
      step("rename columns", "rename column", from, {
        op: `RENAME COLUMN ${quote(from)} TO ${quote(to)}`,
        algorithm: "INSTANT",
        risks: ["breaks-old-code"],
        why: `the declaration says that the column was renamed to ${to}`,
      }),
    );
  for (const column of delta.added) steps.push(...addColumn(column, delta, step, grammar));
  for (const one of delta.changed) steps.push(...changeColumn(one, delta, step, grammar));
  for (const column of delta.dropped)
    steps.push(
      step("drop columns", "drop column", column.name, {
        op: `DROP COLUMN ${quote(column.name)}`,
        // An index that no step drops is dropped with it.
        algorithm: indexesOver(column.name, delta, context).length > 0 ? "NOCOPY" : "INSTANT",
        risks: ["loses-data", "breaks-old-code"],
        why: whyDropped(delta, column, grammar),
      }),
    );
  steps.push(...changeKeys(delta, step, keyIndexes, quote));
  for (const index of delta.indexes.add)
    if (!keyIndexes.has(index)) steps.push(addIndex(index, delta, context));
  for (const { name } of delta.checks.add)
    steps.push(
      step("checks", "add check", name ?? "", {
        op: `ADD ${written(declared, "check", { name }, quote)}`,
        algorithm: "COPY",
        risks: ["may-fail", "breaks-old-code"],
        why: "it is declared but does not exist",
      }),
    );
  for (const key of delta.foreignKeys.add)
    steps.push(
      step("references", "add foreign key", key.name ?? "", {
        op: `ADD ${written(declared, "foreign key", key, quote)}`,
        algorithm: "COPY",
        risks: ["may-fail", "breaks-old-code"],
        why: "it is declared but does not exist",
      }),
    );
  if (delta.comment)
    steps.push(
      step("comments", "comment table", undefined, {
        op: `COMMENT=${textOf(declared.catalog.comment ?? "")}`,
        algorithm: "INSTANT",
        why: "the comment changed",
      }),
    );
  return steps;
}

function changeKeys(
  delta: TableDelta,
  step: MakeStep,
  keyIndexes: KeyIndexes,
  quote: (name: string) => string,
): Planned[] {
  const { primaryKey, keys, added } = delta;
  const [gone] = primaryKey.drop;
  const [come] = primaryKey.add;
  const isMade =
    come !== undefined &&
    added.some(({ name, generated }) => generated !== false && name === come.columns[0]);
  const steps: Planned[] = [];
  if (gone !== undefined && come === undefined)
    steps.push(
      step("drop constraints", "drop primary key", gone.name ?? "PRIMARY", {
        op: [...keyIndexes.dropPrimary(undefined, delta), "DROP PRIMARY KEY"].join(", "),
        algorithm: "COPY",
        risks: goingOf(gone, delta).risks,
        why: goingOf(gone, delta).why,
      }),
    );
  if (come !== undefined && !isMade)
    steps.push(
      step("keys", "add primary key", come.name ?? "PRIMARY", {
        op: [
          ...(gone === undefined ? [] : [...keyIndexes.dropPrimary(come.columns, delta), "DROP PRIMARY KEY"]),
          `ADD PRIMARY KEY (${come.columns.map(quote).join(", ")})`,
        ].join(", "),
        algorithm: "INPLACE",
        risks: ["may-fail"],
        why: "it is declared but does not exist; two rows with the same value fail the step",
      }),
    );
  for (const { name, columns } of keys.add)
    steps.push(
      step("keys", "add unique", name ?? "", {
        op: `ADD UNIQUE INDEX ${quote(name ?? "")} (${columns.map(quote).join(", ")})`,
        algorithm: keyIndexes.makesRowKey(columns, delta) ? "INPLACE" : "NOCOPY",
        risks: ["may-fail"],
        why: "it is declared but does not exist; two rows with the same value fail the step",
      }),
    );
  return steps;
}

function addIndex(
  { name, unique }: CatalogIndex,
  { actual, declared: { indexes, schema, catalog } }: TableDelta,
  context: PlanContext,
): Planned {
  const sql = indexes.get(name) ?? "";
  const waiting = sql.replace(/\)( USING \w+)?$/, ") WAIT 3$1");
  const copies = engineOf(actual, context.catalog.unknown) !== undefined;
  const locks = copies || /^CREATE (?:FULLTEXT|SPATIAL) /.test(sql);
  const algorithm = copies ? "COPY" : locks ? "INPLACE" : "NOCOPY";
  const blocks = locks && !(copies && context.isEmpty(actual));
  return planned({
    ...subjectOf(schema, catalog.name),
    phase: "indexes",
    kind: "create index",
    name,
    sql: [`${waiting} ALGORITHM=${algorithm} LOCK=${locks ? "SHARED" : "NONE"}`],
    transaction: false,
    lock: locks ? "writes" : "none",
    rewrites: copies,
    risks: [...(unique ? (["may-fail"] as const) : []), ...(blocks ? (["blocks"] as const) : [])],
    why: `the index is declared but does not exist${copies ? COPIED : ""}`,
  });
}

function written(
  { create }: DeclaredTable,
  kind: ConstraintKind,
  said: { readonly name: string | null; readonly columns?: readonly string[] },
  quote: (name: string) => string,
): string {
  const found = writtenConstraint(create, kind, said);
  return found === undefined ? "" : constraintText(found, quote);
}
