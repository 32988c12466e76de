/**
 * The steps of PostgreSQL. On an existing table each holds its lock only for a moment, if there is a way: indexes
 * CONCURRENTLY, constraints NOT VALID and then VALIDATE.
 */

import type { ColumnChange, TableDelta } from "../../diff/compare.js";
import { goingOf } from "../../diff/undeclared.js";
import { constraintText, writtenConstraint } from "../../text/create-text.js";
import type { CatalogCheck, CatalogColumn, CatalogIndex, CatalogKey } from "../../words/catalog.js";
import { createTables, dropTables, setComments } from "../create-steps.js";
import { NEEDS_VALUE, needsValue } from "../needed-values.js";
import {
  type PlanContext,
  type Planned,
  planned,
  type StepWriter,
  subjectOf,
  tableName,
  touchedOf,
  withDependents,
} from "../plan.js";
import { renameColumns } from "../rename-steps.js";
import { whyDropped } from "../why.js";
import { changeColumn, SEEING_ALL_ROWS, setNotNull, stopComputing } from "./columns.js";
import { isRemade } from "./recomputed.js";
import { dropUnlisted } from "./unlisted.js";

export const postgresSteps: StepWriter = { change, create: createTables, drop: dropTables };

function change(given: TableDelta, context: PlanContext): Planned[] {
  const { grammar } = context;
  const { quote } = grammar;
  const remade = given.changed.filter(isRemade);
  const delta = withDependents(
    given,
    {
      retyped: touchedOf(given),
      remade: {
        before: new Set(remade.map(({ actual }) => actual.name)),
        after: new Set(remade.map(({ declared }) => declared.name)),
      },
    },
    context,
  );
  const { actual, declared } = delta;
  const old = { ...subjectOf(actual.schema, actual.name) };
  const now = { ...subjectOf(declared.schema, declared.catalog.name) };
  const before = tableName(actual.schema, actual.name, grammar);
  const after = tableName(declared.schema, declared.catalog.name, grammar);
  const steps: Planned[] = [];

  const drops: [Planned["phase"], Planned["kind"], readonly (CatalogKey | CatalogCheck)[]][] = [
    ["drop references", "drop foreign key", delta.foreignKeys.drop],
    ["drop constraints", "drop check", delta.checks.drop],
    ["drop constraints", "drop unique", delta.keys.drop],
    ["drop constraints", "drop primary key", delta.primaryKey.drop],
  ];
  for (const [phase, kind, keys] of drops)
    for (const key of keys) {
      const { risks, ifExists, why } = goingOf(key, delta);
      const name = key.name ?? "";
      const sql = [`ALTER TABLE ${before} DROP CONSTRAINT ${ifExists}${quote(name)}`];
      steps.push(planned({ phase, kind, ...old, name, sql, risks, why }));
    }
  for (const index of delta.indexes.drop) {
    const { risks, ifExists, why } = goingOf(index, delta);
    const { name, valid } = index;
    steps.push(
      planned({
        phase: "drop constraints",
        kind: "drop index",
        ...old,
        name,
        sql: [`DROP INDEX CONCURRENTLY ${ifExists}${tableName(actual.schema, name, grammar)}`],
        transaction: false,
        lock: "none",
        risks,
        why: valid ? why : "the index build did not finish",
      }),
    );
  }

  steps.push(...dropUnlisted(delta, context));
  steps.push(...renameColumns(delta, grammar));

  for (const column of delta.added) steps.push(...addColumn(column, delta, context));
  for (const one of delta.changed) steps.push(...stopComputing(one, delta, context));
  for (const one of delta.changed) {
    if (isRemade(one)) steps.push(...remakeColumn(one, delta, context));
    else steps.push(...changeColumn(one, delta, context));
  }
  for (const column of delta.dropped)
    steps.push(
      planned({
        // The server cannot change a column from which another is computed.
        phase: column.computed === null ? "drop columns" : "drop computed columns",
        kind: "drop column",
        ...now,
        name: column.name,
        sql: [`ALTER TABLE ${after} DROP COLUMN ${quote(column.name)}`],
        risks: ["loses-data", "breaks-old-code"],
        why: whyDropped(delta, column, grammar),
      }),
    );

  for (const key of delta.keys.add) steps.push(...addKey(key, "unique", delta, context));
  for (const key of delta.primaryKey.add) steps.push(...addKey(key, "primary key", delta, context));
  for (const index of delta.indexes.add) steps.push(addIndex(index, delta));
  for (const check of delta.checks.add)
    steps.push(
      ...addChecked(
        "check",
        check.name ?? "",
        writtenConstraint(declared.create, "check", { name: check.name })?.body ?? "",
        delta,
        context,
      ),
    );
  for (const key of delta.foreignKeys.add)
    steps.push(
      ...addChecked(
        "foreign key",
        key.name ?? "",
        writtenConstraint(declared.create, "foreign key", key)?.body ?? "",
        delta,
        context,
      ),
    );
  for (const [{ name, validated }] of delta.checks.kept)
    if (!validated) steps.push(validate("check", name ?? "", delta, context));
  for (const [{ name, validated }] of delta.foreignKeys.kept)
    if (!validated) steps.push(validate("foreign key", name ?? "", delta, context));
  steps.push(...setComments(delta, context));
  return steps;
}

function addColumn(column: CatalogColumn, { actual, declared }: TableDelta, context: PlanContext): Planned[] {
  const { grammar, isEmpty, isVolatile } = context;
  const { quote } = grammar;
  const after = tableName(declared.schema, declared.catalog.name, grammar);
  const text = declared.create.columns.find(({ name }) => name === column.name);
  const now = subjectOf(declared.schema, declared.catalog.name);
  const isComputed = column.computed !== null;
  const fills = column.generated !== false || column.computed?.stored === true;
  const isRequired = needsValue(column);
  const volatile = column.default !== null && isVolatile(column);
  const base = { ...now, name: column.name };
  const name = quote(column.name);
  if (!volatile)
    return [
      planned({
        ...base,
        phase: isComputed ? "compute columns" : "add columns",
        kind: "add column",
        sql: [`ALTER TABLE ${after} ADD COLUMN ${name} ${text?.definition ?? column.type}`],
        lock: fills ? "all" : "short",
        rewrites: fills,
        risks: [
          ...(isRequired ? (["may-fail", "breaks-old-code"] as const) : []),
          ...(fills && !isEmpty(actual) ? (["blocks"] as const) : []),
        ],
        why: isRequired ? NEEDS_VALUE : "the column is declared but does not exist",
      }),
    ];
  const said = text?.default ?? column.default;
  const steps = [
    planned({
      ...base,
      phase: "add columns",
      kind: "add column",
      sql: [`ALTER TABLE ${after} ADD COLUMN ${name} ${text?.type ?? column.type}`],
      why: "the column is new; its default gives each row another value, so that rows are filled afterwards",
    }),
    planned({
      ...base,
      phase: "add columns",
      kind: "set default",
      sql: [`ALTER TABLE ${after} ALTER COLUMN ${name} SET DEFAULT ${said}`],
      why: "new rows get the default from now on",
    }),
    planned({
      ...base,
      phase: "add columns",
      kind: "backfill column",
      sql: [backfill(after, name)],
      transaction: false,
      lock: "none",
      why: "existing rows get the default, a few pages of the table at a time",
    }),
  ];
  return column.nullable
    ? steps
    : [...steps, ...setNotNull(column, "add columns", { actual, declared }, context)];
}

// Fills a table of any size without a long transaction: a hundred pages at a time, each committed.
function backfill(table: string, name: string): string {
  const literal = `'${table.replaceAll("'", "''")}'::regclass`;
  return `DO $rowtype$
DECLARE
  pages bigint := pg_relation_size(${literal}) / current_setting('block_size')::bigint;
BEGIN
  FOR page IN 0..pages BY 100 LOOP
    ${SEEING_ALL_ROWS.replace("SELECT", "PERFORM")};
    UPDATE ${table} SET ${name} = DEFAULT WHERE ctid >= format('(%s,0)', page)::tid
      AND ctid < format('(%s,0)', page + 100)::tid AND ${name} IS NULL;
    COMMIT;
  END LOOP;
END
$rowtype$`;
}

// Drops it before the columns that it reads change, and creates it after.
function remakeColumn(
  { actual, declared: column, type, computed }: ColumnChange,
  delta: TableDelta,
  context: PlanContext,
): Planned[] {
  const { grammar, isEmpty } = context;
  const { declared } = delta;
  const alter = `ALTER TABLE ${tableName(declared.schema, declared.catalog.name, grammar)}`;
  const text = declared.create.columns.find(({ name }) => name === column.name);
  const name = grammar.quote(column.name);
  const base = {
    ...subjectOf(declared.schema, declared.catalog.name),
    kind: "recompute column",
    name: column.name,
  } as const;
  const wasComputed = actual.computed !== null;
  const isSaidSo = type || (computed && actual.computed?.expression !== column.computed?.expression);
  const why = wasComputed
    ? `the column is ${isSaidSo ? "computed otherwise" : "computed from one whose type changes"}, and is made again`
    : "the column is to be computed, and its values are lost";
  return [
    planned({
      ...base,
      phase: wasComputed ? "drop computed columns" : "compute columns",
      sql: [`${alter} DROP COLUMN ${name}`],
      risks: [...(wasComputed ? [] : (["loses-data"] as const)), "breaks-old-code"],
      why,
    }),
    planned({
      ...base,
      phase: "compute columns",
      sql: [`${alter} ADD COLUMN ${name} ${text?.definition ?? column.type}`],
      lock: "all",
      rewrites: true,
      risks: [...(isEmpty(delta.actual) ? [] : (["blocks"] as const)), "breaks-old-code"],
      why: `${why}; the server computes its values again`,
    }),
  ];
}

function addKey(
  { name, columns }: CatalogKey,
  kind: "unique" | "primary key",
  { declared }: TableDelta,
  { grammar }: PlanContext,
): Planned[] {
  const { quote } = grammar;
  const after = tableName(declared.schema, declared.catalog.name, grammar);
  const now = subjectOf(declared.schema, declared.catalog.name);
  const called = name ?? "";
  return [
    planned({
      ...now,
      phase: "keys",
      kind: "create index",
      name: called,
      sql: [
        `CREATE UNIQUE INDEX CONCURRENTLY ${quote(called)} ON ${after} (${columns.map(quote).join(", ")})`,
      ],
      transaction: false,
      lock: "none",
      risks: ["may-fail"],
      why: "the index of the key is built while others write; two rows with the same value fail the step",
    }),
    planned({
      ...now,
      phase: "keys",
      kind: `add ${kind}`,
      name: called,
      sql: [
        `ALTER TABLE ${after} ADD CONSTRAINT ${quote(called)} ${kind.toUpperCase()} USING INDEX ${quote(called)}`,
      ],
      why: "the index becomes the key",
    }),
  ];
}

function addIndex({ name, unique }: CatalogIndex, { declared }: TableDelta): Planned {
  const sql = declared.indexes.get(name) ?? "";
  return planned({
    ...subjectOf(declared.schema, declared.catalog.name),
    phase: "indexes",
    kind: "create index",
    name,
    sql: [sql.replace(/^(CREATE (?:UNIQUE )?INDEX) /, "$1 CONCURRENTLY ")],
    transaction: false,
    lock: "none",
    risks: unique ? ["may-fail"] : [],
    why: "the index is declared but does not exist; it is built while others write",
  });
}

function addChecked(
  kind: "check" | "foreign key",
  name: string,
  body: string,
  delta: TableDelta,
  context: PlanContext,
): Planned[] {
  const { declared } = delta;
  const { grammar } = context;
  const after = tableName(declared.schema, declared.catalog.name, grammar);
  const text = constraintText({ kind, name, columns: [], body }, grammar.quote);
  return [
    planned({
      ...subjectOf(declared.schema, declared.catalog.name),
      phase: kind === "check" ? "checks" : "references",
      kind: `add ${kind}`,
      name,
      sql: [`ALTER TABLE ${after} ADD ${text} NOT VALID`],
      risks: ["breaks-old-code"],
      why: "new rows are checked from now on",
    }),
    validate(kind, name, delta, context),
  ];
}

function validate(
  kind: "check" | "foreign key",
  name: string,
  { declared }: TableDelta,
  { grammar }: PlanContext,
): Planned {
  const after = tableName(declared.schema, declared.catalog.name, grammar);
  return planned({
    ...subjectOf(declared.schema, declared.catalog.name),
    phase: kind === "check" ? "checks" : "references",
    kind: `validate ${kind}`,
    name,
    sql: [`ALTER TABLE ${after} VALIDATE CONSTRAINT ${grammar.quote(name)}`],
    transaction: false,
    lock: "none",
    risks: ["may-fail"],
    why: "existing rows are read while others write; a row that breaks the constraint fails the step",
  });
}
