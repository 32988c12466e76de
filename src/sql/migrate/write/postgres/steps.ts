/**
 * The steps of PostgreSQL. On an existing table each holds its lock only for a moment, if there is a way: indexes
 * CONCURRENTLY, constraints NOT VALID and then VALIDATE.
 */

import type { ColumnChange, TableDelta } from "../../diff/compare.js";
import type { Going } from "../../diff/undeclared.js";
import { constraintText, writtenConstraint } from "../../text/create-text.js";
import type { CatalogCheck, CatalogColumn, CatalogIndex, CatalogKey } from "../../words/catalog.js";
import type { StepKind } from "../../words/step.js";
import { changeSteps, type PartSteps } from "../change-steps.js";
import { setComments } from "../create-steps.js";
import { NEEDS_VALUE, needsValue } from "../needed-values.js";
import {
  type Places,
  type Planned,
  placesOf,
  planned,
  subjectOf,
  tableName,
  touchedOf,
  withDependents,
} from "../plan.js";
import { renameColumn } from "../rename-steps.js";
import { changeColumn, SEEING_ALL_ROWS, setNotNull, stopComputing } from "./columns.js";
import type { PostgresContext } from "./context.js";
import { isRemade } from "./recomputed.js";
import { dropUnlisted } from "./unlisted.js";

/** The steps from a table to its declaration. */
export function changeTable(given: TableDelta, context: PostgresContext): Planned[] {
  const remade = given.changed.filter(isRemade);
  const touched = {
    retyped: touchedOf(given),
    remade: {
      before: new Set(remade.map(({ actual }) => actual.name)),
      after: new Set(remade.map(({ declared }) => declared.name)),
    },
  };
  const delta = withDependents(given, touched, context);
  return changeSteps(delta, partsOf(delta, context), context);
}

function partsOf(delta: TableDelta, context: PostgresContext): PartSteps {
  const { grammar } = context;
  const { changed } = delta;
  const { create } = delta.declared;
  const places = placesOf(delta, grammar);
  const { now, after } = places;
  const drop = (phase: Planned["phase"], kind: StepKind) => (part: CatalogKey | CatalogCheck, going: Going) =>
    dropConstraint({ phase, kind, name: part.name ?? "" }, going, places, grammar.quote);
  return {
    dropForeignKey: drop("drop references", "drop foreign key"),
    dropCheck: drop("drop constraints", "drop check"),
    dropUnique: drop("drop constraints", "drop unique"),
    dropPrimaryKey: drop("drop constraints", "drop primary key"),
    dropIndex: (index, going) => dropIndex(index, going, delta, context),
    dropUnlisted: () => dropUnlisted(delta, context),
    renameColumn: renameColumn(delta, grammar),
    addColumn: (column) => addColumn(column, delta, context),
    changeColumns: () => [
      ...changed.flatMap((one) => stopComputing(one, delta, context)),
      ...changed.flatMap((one) => (isRemade(one) ? remakeColumn : changeColumn)(one, delta, context)),
    ],
    dropColumn: ({ name, computed }, why) =>
      planned({
        // The server cannot change a column from which another is computed.
        phase: computed === null ? "drop columns" : "drop computed columns",
        kind: "drop column",
        ...now,
        name,
        sql: [`ALTER TABLE ${after} DROP COLUMN ${grammar.quote(name)}`],
        risks: ["loses-data", "breaks-old-code"],
        why,
      }),
    changeKeys: () => [
      ...delta.keys.add.flatMap((key) => addKey(key, "unique", delta, context)),
      ...delta.primaryKey.add.flatMap((key) => addKey(key, "primary key", delta, context)),
    ],
    addIndex: (index) => [addIndex(index, delta)],
    addCheck: ({ name }) =>
      addChecked("check", name, writtenConstraint(create, "check", { name }), delta, context),
    addForeignKey: (key) =>
      addChecked("foreign key", key.name, writtenConstraint(create, "foreign key", key), delta, context),
    validate: (kind, name) => validate(kind, name, delta, context),
    comment: () => setComments(delta, context),
  };
}

function dropConstraint(
  { phase, kind, name }: Pick<Planned, "phase" | "kind"> & { readonly name: string },
  { risks, ifExists, why }: Going,
  { old, before }: Places,
  quote: (name: string) => string,
): Planned {
  const sql = [`ALTER TABLE ${before} DROP CONSTRAINT ${ifExists}${quote(name)}`];
  return planned({ phase, kind, ...old, name, sql, risks, why });
}

function dropIndex(
  { name, valid }: CatalogIndex,
  { risks, ifExists, why }: Going,
  { actual }: TableDelta,
  { grammar }: PostgresContext,
): Planned {
  return planned({
    phase: "drop constraints",
    kind: "drop index",
    ...subjectOf(actual.schema, actual.name),
    name,
    sql: [`DROP INDEX CONCURRENTLY ${ifExists}${tableName(actual.schema, name, grammar)}`],
    transaction: false,
    lock: "none",
    risks,
    why: valid ? why : "the index build did not finish",
  });
}

function addColumn(column: CatalogColumn, delta: TableDelta, context: PostgresContext): Planned[] {
  const { grammar, isEmpty, isVolatile } = context;
  const { actual, declared } = delta;
  if (column.default !== null && isVolatile(column)) return addFilled(column, delta, context);
  const { now, after } = placesOf(delta, grammar);
  const text = declared.create.columns.find(({ name }) => name === column.name);
  const fills = column.generated !== false || column.computed?.stored === true;
  const isRequired = needsValue(column);
  return [
    planned({
      ...now,
      name: column.name,
      phase: column.computed === null ? "add columns" : "compute columns",
      kind: "add column",
      sql: [
        `ALTER TABLE ${after} ADD COLUMN ${grammar.quote(column.name)} ${text?.definition ?? column.type}`,
      ],
      lock: fills ? "all" : "short",
      rewrites: fills,
      risks: [
        ...(isRequired ? (["may-fail", "breaks-old-code"] as const) : []),
        ...(fills && !isEmpty(actual) ? (["blocks"] as const) : []),
      ],
      why: isRequired ? NEEDS_VALUE : "the column is declared but does not exist",
    }),
  ];
}

// The default gives each row another value, so that the server would write all rows at once.
function addFilled(column: CatalogColumn, delta: TableDelta, context: PostgresContext): Planned[] {
  const { grammar } = context;
  const { now, after } = placesOf(delta, grammar);
  const text = delta.declared.create.columns.find(({ name }) => name === column.name);
  const base = { ...now, name: column.name, phase: "add columns" } as const;
  const name = grammar.quote(column.name);
  const steps = [
    planned({
      ...base,
      kind: "add column",
      sql: [`ALTER TABLE ${after} ADD COLUMN ${name} ${text?.type ?? column.type}`],
      why: "the column is new; its default gives each row a different value, so existing rows are filled afterwards",
    }),
    planned({
      ...base,
      kind: "set default",
      sql: [`ALTER TABLE ${after} ALTER COLUMN ${name} SET DEFAULT ${text?.default ?? column.default}`],
      why: "new rows get the default from now on",
    }),
    planned({
      ...base,
      kind: "backfill column",
      sql: [backfill(after, name)],
      transaction: false,
      lock: "none",
      why: "existing rows get the default, a few pages of the table at a time",
    }),
  ];
  return column.nullable ? steps : [...steps, ...setNotNull(column, "add columns", delta, context)];
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
  context: PostgresContext,
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
    ? `${isSaidSo ? "the expression of the column changed" : "a column that it is computed from changes its type"}, so it is made again`
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
  { grammar }: PostgresContext,
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
  said: string | null,
  written: ReturnType<typeof writtenConstraint>,
  delta: TableDelta,
  context: PostgresContext,
): Planned[] {
  const { declared } = delta;
  const { grammar } = context;
  const name = said ?? "";
  const after = tableName(declared.schema, declared.catalog.name, grammar);
  const text = constraintText({ kind, name, columns: [], body: written?.body ?? "" }, grammar.quote);
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
  { grammar }: PostgresContext,
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
