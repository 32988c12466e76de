/**
 * The rebuild of a table on SQLite (https://sqlite.org/lang_altertable.html#making_other_kinds_of_table_schema_changes):
 * a new table, the rows copied, the old one dropped, the new one renamed. References to the table stay unchanged,
 * because foreign keys are off then: the runner of the step turns them off before BEGIN, and checks them before COMMIT.
 */

import { quoted } from "../../../../core/errors.js";
import { doubleQuoted } from "../../../dialect/grammar/names.js";
import { DESCENDING_KEY } from "../../catalog/sqlite/row-id.js";
import type { TableDelta } from "../../diff/compare.js";
import type { CreateText } from "../../text/create-text.js";
import { mentions } from "../../text/expressions.js";
import { sqliteRules, tokensOf } from "../../text/sql-cursor.js";
import { sqliteText } from "../../text/sqlite.js";
import type { CatalogColumn, CatalogTable } from "../../words/catalog.js";
import { MigrationError } from "../../words/errors.js";
import type { Risk } from "../../words/step.js";
import { stepWords } from "../../words/step.js";
import type { PlanContext } from "../dialect.js";
import { NEEDS_VALUE, needsValue } from "../needed-values.js";
import { type Planned, planned, subjectOf, tableName } from "../plan.js";
import { type Copied, converted } from "./copy.js";

/** The one step that gives the table its declared form; columns that are to be dropped stay in it. */
export function rebuild(delta: TableDelta, context: PlanContext): Planned {
  const { grammar } = context;
  const { actual, declared, changed } = delta;
  const { quote } = grammar;
  const { schema, catalog } = declared;
  refuseViews(delta, context);
  refuseClauses(delta, context);
  const table = tableName(schema, catalog.name, grammar);
  const newName = `rowtype_new_${catalog.name}`;
  const made = tableName(schema, newName, grammar);
  const conversions = changed
    .filter(({ type, declared: { computed } }) => type && computed === null)
    .map((one) => converted(one, delta, quote));
  const values = copiedValues(delta, conversions, quote);
  const options = context.catalog.unknown
    .filter((one) => one.kind === "table option" && one.table === actual.name && one.schema === actual.schema)
    .map(({ name }) => ` ${name}`);
  const items = itemsOf(declared.create, delta, quote);
  const sequence = actual.columns.some(({ generated }) => generated !== false);
  const keepsSequence = sequence && catalog.columns.some(({ generated }) => generated !== false);
  const others = otherTriggers(delta, context);
  const sql = [
    ...others.map(({ name }) => `DROP TRIGGER ${tableName(schema, name, grammar)}`),
    `CREATE TABLE ${made} (\n  ${items.join(",\n  ")}\n)${options.join(",")}`,
    ...(values.length === 0
      ? []
      : [
          `INSERT INTO ${made} (${values.map(({ name }) => name).join(", ")}) SELECT ${values.map(({ value }) => value).join(", ")} FROM ${table}`,
        ]),
    ...(keepsSequence ? sequenceOf(schema, catalog.name, newName) : []),
    `DROP TABLE ${table}`,
    `ALTER TABLE ${made} RENAME TO ${quote(catalog.name)}`,
    ...delta.indexes.kept.map(([, { name }]) => declared.indexes.get(name) ?? ""),
    ...belongings(delta, context),
    ...others.map(({ definition }) => definition ?? ""),
  ];
  return planned({
    ...subjectOf(schema, catalog.name),
    phase: "change columns",
    kind: "rebuild table",
    sql,
    lock: "writes",
    rewrites: true,
    risks: risksOf(delta, conversions),
    why: whyRebuilt(delta, conversions),
  });
}

/** A column of the new table, and the value that each row gets; both as they are written. */
interface CopiedValue {
  readonly name: string;
  readonly value: string;
}

function copiedValues(
  delta: TableDelta,
  conversions: readonly Copied[],
  quote: (name: string) => string,
): CopiedValue[] {
  const { actual, declared, renames, dropped } = delta;
  const before = new Set(actual.columns.map(({ name }) => (renames.get(name) ?? name).toLowerCase()));
  const copiedAs = (column: CatalogColumn) =>
    conversions.find((one) => one.column === column)?.expression ?? quote(column.name);
  const copied = [
    ...declared.catalog.columns.filter(
      ({ name, computed }) => computed === null && before.has(name.toLowerCase()),
    ),
    ...dropped.filter(({ computed }) => computed === null),
  ].map((column) => ({ name: quote(column.name), value: copiedAs(column) }));
  const rowId = rowIdWithoutValues(delta, quote, copiedAs);
  return rowId === undefined ? copied : [...copied.filter(({ name }) => name !== rowId.name), rowId];
}

function whyRebuilt(delta: TableDelta, conversions: readonly Copied[]): string {
  const { changed, added } = delta;
  const notes = [
    ...conversions.flatMap(({ note }) => note ?? []),
    ...added.filter(needsValue).map(({ name }) => `${name}: ${NEEDS_VALUE}`),
    ...undeclaredIn(delta).map(
      (part) => `${part} is not declared and is dropped: declare it, or allow the step`,
    ),
  ].map((note) => `; ${note}`);
  const names = [...changed.map(({ declared: { name } }) => name), ...added.map(({ name }) => name)];
  const what =
    names.length === 0 ? "these constraints" : `these columns (${names.join(", ")}) or constraints`;
  return `SQLite cannot change ${what} of a table that is there${notes.join("")}`;
}

// SQLite numbers the rows if its row id, an INTEGER that is the key, has no value. A text in place of NULL fails it.
function rowIdWithoutValues(
  { actual, declared, added, changed }: TableDelta,
  quote: (name: string) => string,
  copiedAs: (column: CatalogColumn) => string,
): CopiedValue | undefined {
  const column = rowIdOf(declared.catalog);
  if (column === undefined) return undefined;
  const name = quote(column.name);
  if (added.includes(column)) return needsValue(column) ? { name, value: "''" } : undefined;
  const had = changed.find((one) => one.declared === column)?.actual;
  return had?.nullable === true && had !== rowIdOf(actual)
    ? { name, value: `ifnull(${copiedAs(column)}, '')` }
    : undefined;
}

function rowIdOf({ columns, primaryKey }: CatalogTable): CatalogColumn | undefined {
  const [name, ...more] = primaryKey?.columns ?? [];
  return more.length > 0 ? undefined : columns.find((one) => one.name === name && one.type === "INTEGER");
}

function itemsOf(
  { items, columns }: CreateText,
  delta: TableDelta,
  quote: (name: string) => string,
): string[] {
  const { actual, renames, changed, dropped } = delta;
  const before = new Map(
    actual.columns.map((column) => [(renames.get(column.name) ?? column.name).toLowerCase(), column]),
  );
  const retyped = new Set(
    changed.filter(({ type, generated }) => type || generated).map(({ declared }) => declared.name),
  );
  // A key column that allows NULL is not a difference, and stays: there may be such rows.
  const hasNull = keysWithNull(delta);
  const isColumn = (text: string) =>
    columns.find(({ name }) => text.startsWith(`${quote(name)} `) || text === quote(name));
  const written = items.map(({ text, constraint }) => {
    const column = constraint === undefined ? isColumn(text) : undefined;
    const had = column === undefined ? undefined : before.get(column.name.toLowerCase());
    if (column === undefined || had === undefined) return text;
    const said = hasNull.has(column.name) ? withoutNotNull(text) : text;
    if (retyped.has(column.name)) return said;
    // A type that rowtype would not create, but that fits, stays.
    const start = `${quote(column.name)} ${column.type}`;
    const kept =
      said.startsWith(start) && !column.hasKey
        ? `${quote(column.name)} ${had.type}${said.slice(start.length)}`
        : said;
    return had.collation !== null && !/\bcollate\b/i.test(kept)
      ? `${kept} COLLATE ${quote(had.collation)}`
      : kept;
  });
  const going = dropped.map(({ name, type, computed }) => {
    const said = computed === null ? "" : ` AS (${computed.expression})${computed.stored ? " STORED" : ""}`;
    return `${quote(name)} ${type}${said}`.trimEnd();
  });
  const at = items.findIndex(({ constraint }) => constraint !== undefined);
  return at < 0 ? [...written, ...going] : [...written.slice(0, at), ...going, ...written.slice(at)];
}

function keysWithNull({ actual, declared, renames, changed }: TableDelta): ReadonlySet<string> {
  const tightened = new Set(changed.filter(({ nullable }) => nullable).map((one) => one.declared.name));
  const wanted = new Map(declared.catalog.columns.map((column) => [column.name, column]));
  return new Set(
    actual.columns
      .filter(({ nullable, generated }) => nullable && generated === false)
      .map(({ name }) => renames.get(name) ?? name)
      .filter((name) => wanted.get(name)?.nullable === false && !tightened.has(name)),
  );
}

function withoutNotNull(text: string): string {
  const tokens = tokensOf(text, sqliteRules);
  const at = tokens.findIndex(
    (token, i) =>
      token.kind === "word" && /^not$/i.test(token.text) && /^null$/i.test(tokens[i + 1]?.text ?? ""),
  );
  const [not, end] = [tokens[at], tokens[at + 1]];
  if (not === undefined || end === undefined) return text;
  return `${text.slice(0, not.start).trimEnd()}${text.slice(end.end)}`;
}

function sequenceOf(schema: string | null, name: string, newName: string): string[] {
  const sequences = schema === null ? "sqlite_sequence" : `${doubleQuoted(schema)}.sqlite_sequence`;
  const [from, to] = [name, newName].map((text) => `'${text.replaceAll("'", "''")}'`);
  return [
    `DELETE FROM ${sequences} WHERE name = ${to}`,
    `INSERT INTO ${sequences} (name, seq) SELECT ${to}, seq FROM ${sequences} WHERE name = ${from}`,
  ];
}

// Triggers and unmodelled indexes are dropped with the table and created again by their own text.
function belongings(delta: TableDelta, context: PlanContext): string[] {
  const { actual, declared } = delta;
  const own = context.catalog.unknown.filter(
    ({ kind, table, schema }) =>
      (kind === "trigger" || kind === "index") && table === actual.name && schema === actual.schema,
  );
  for (const { kind, name, definition } of own) {
    const text = definition ?? "";
    const lost = [...delta.renames.keys(), ...delta.dropped.map((column) => column.name)];
    const isChanged = actual.name !== declared.catalog.name || mentions(text, new Set(lost), sqliteText);
    if (isChanged && lost.length + (actual.name === declared.catalog.name ? 0 : 1) > 0)
      throw refusal(
        delta,
        `${kind} ${JSON.stringify(name)} names what is renamed or dropped: drop it first, and create it again afterwards`,
      );
  }
  return own.map(({ definition }) => definition ?? "");
}

// Triggers of other tables that name this one: while it does not exist, no table can be renamed.
function otherTriggers({ actual }: TableDelta, { catalog }: PlanContext) {
  return catalog.unknown.filter(
    ({ kind, table, schema, definition }) =>
      kind === "trigger" &&
      table !== actual.name &&
      schema === actual.schema &&
      mentions(definition ?? "", new Set([actual.name]), sqliteText),
  );
}

function refuseViews(delta: TableDelta, { catalog, droppedViews }: PlanContext): void {
  const { actual } = delta;
  for (const view of catalog.views) {
    if (view.schema !== actual.schema || droppedViews.has(view)) continue;
    if (mentions(view.definition, new Set([actual.name]), sqliteText))
      throw refusal(
        delta,
        `view ${JSON.stringify(view.name)} depends on it: declare the view, or drop it first`,
      );
  }
}

// No declaration says them, so the new table would not have them.
function refuseClauses(delta: TableDelta, { catalog }: PlanContext): void {
  const { actual } = delta;
  for (const { kind, name, table, schema } of catalog.unknown)
    if (CLAUSES.has(kind) && table === actual.name && schema === actual.schema)
      throw refusal(delta, `the table has ${name}, which no declaration can say: write the rebuild by hand`);
}

const CLAUSES: ReadonlySet<string> = new Set(["conflict clause", "key collation", DESCENDING_KEY]);

function refusal({ declared }: TableDelta, why: string): MigrationError {
  const { schema, catalog } = declared;
  const step = stepWords({ kind: "rebuild table", ...subjectOf(schema, catalog.name) });
  return new MigrationError("MIGRATION_REFUSED", `the step ${step} is refused: ${why}`, { step });
}

// Separate steps drop the indexes.
function undeclaredIn({ undeclared, primaryKey, keys, foreignKeys, checks }: TableDelta): readonly string[] {
  const parts = [
    ...primaryKey.drop.map((part) => ["primary key", part, part.columns.join(", ")] as const),
    ...keys.drop.map((part) => ["unique", part, part.columns.join(", ")] as const),
    ...foreignKeys.drop.map((part) => ["foreign key", part, part.columns.join(", ")] as const),
    ...checks.drop.map((part) => ["check", part, part.expression] as const),
  ];
  return parts
    .filter(([, part]) => undeclared.has(part))
    .map(([kind, { name }, of]) => (name === null ? `${kind} (${of})` : `${kind} ${quoted(name)}`));
}

function risksOf(delta: TableDelta, conversions: readonly Copied[]): Risk[] {
  const { changed, added, foreignKeys, checks, keys, primaryKey } = delta;
  const loses =
    conversions.some((one) => one.loses) ||
    changed.some(
      ({ actual, declared, computed }) => computed && actual.computed === null && declared.computed !== null,
    );
  const mayFail = conversions.some((one) => one.mayFail);
  const isRequired = added.some(needsValue);
  const tightens = changed.some(({ nullable, declared }) => nullable && !declared.nullable);
  const adds = [foreignKeys, checks, keys, primaryKey].some(({ add }) => add.length > 0);
  const breaks = isRequired || tightens || adds || changed.some(({ type }) => type);
  return [
    ...(loses ? (["loses-data"] as const) : []),
    ...(undeclaredIn(delta).length > 0 ? (["undeclared"] as const) : []),
    ...(isRequired || tightens || adds || loses || mayFail ? (["may-fail"] as const) : []),
    ...(breaks ? (["breaks-old-code"] as const) : []),
  ];
}
