/**
 * The differences between an existing table and its declaration, both in the server's words. Constraints and indexes
 * are compared by their content, not by their names. It writes no SQL: each dialect does that.
 */
import type { ColumnInfo } from "../../declare/declaration.js";
import { saysCollation } from "../../dialect/grammar/collation.js";
import { textFor } from "../../dialect/grammar/declared.js";
import { comparedName } from "../../dialect/grammar/names.js";
import type { DeclaredTable } from "../catalog/declared-table.js";
import type { CatalogDialect } from "../catalog/dialect.js";
import { comparableText, mentions, type Renames } from "../text/expressions.js";
import {
  type CatalogCheck,
  type CatalogColumn,
  type CatalogForeignKey,
  type CatalogIndex,
  type CatalogKey,
  type CatalogTable,
  type CatalogUnknown,
  isSerial,
} from "../words/catalog.js";
import { exchange, type Replaced, withoutTwins, withoutUnchecked, withUniqueIndexes } from "./replaced.js";
import { type Part, undeclaredParts } from "./undeclared.js";

/** The differences of a column that both have. */
export interface ColumnChange {
  readonly actual: CatalogColumn;
  readonly declared: CatalogColumn;
  readonly type: boolean;
  readonly nullable: boolean;
  readonly default: boolean;
  readonly generated: boolean;
  readonly computed: boolean;
  readonly comment: boolean;
}

/** The differences between a table and its declaration. */
export interface TableDelta {
  readonly actual: CatalogTable;
  readonly declared: DeclaredTable;
  /** New names by old ones. */
  readonly renames: Renames;
  readonly added: readonly CatalogColumn[];
  readonly dropped: readonly CatalogColumn[];
  readonly changed: readonly ColumnChange[];
  readonly primaryKey: Replaced<CatalogKey>;
  readonly keys: Replaced<CatalogKey>;
  readonly foreignKeys: Replaced<CatalogForeignKey>;
  readonly checks: Replaced<CatalogCheck>;
  readonly indexes: Replaced<CatalogIndex>;
  readonly comment: boolean;
  /** The dropped parts that no declaration names. */
  readonly undeclared: ReadonlySet<Part>;
}

/** The context of a comparison. */
export interface Comparing {
  readonly dialect: CatalogDialect;
  /** Whether a type that rowtype reads correctly is a difference. */
  readonly exact: boolean;
  /** The new names of tables, and of their columns, by their current names. */
  readonly renamedTable: (schema: string | null, name: string) => string;
  readonly renamesOf: (schema: string | null, name: string) => Renames;
  /** The objects of the database that are not modelled. */
  readonly unknown: readonly CatalogUnknown[];
}

/** Compares a table with its declaration. */
export function compareTable(
  actual: CatalogTable,
  declared: DeclaredTable,
  renames: Renames,
  comparing: Comparing,
): TableDelta {
  const { dialect } = comparing;
  const wanted = declared.catalog;
  const sides = sidesOf(actual, wanted, renames, comparing);
  const delta = {
    actual,
    declared,
    renames,
    ...compareColumns(actual, declared, sides, comparing),
    ...compareKeys(actual, wanted, sides),
    foreignKeys: withoutUnchecked(compareReferences(actual, wanted, sides, comparing)),
    checks: withoutUnchecked(
      exchange(
        actual.checks,
        wanted.checks,
        ({ expression }) => sides.there.expressed(expression),
        ({ expression }) => sides.wanted.expressed(expression),
      ),
    ),
    comment: actual.comment !== wanted.comment,
  };
  const undeclared = undeclaredParts(delta, dialect, sides.wanted.nameOf);
  const { kindChecks } = dialect;
  if (kindChecks === undefined) return { ...delta, undeclared };
  const ofKinds = new Set<Part>(delta.checks.drop.filter((check) => kindChecks.isOne(check, actual)));
  return { ...delta, undeclared: new Set([...undeclared].filter((part) => !ofKinds.has(part))) };
}

/** How the names and expressions of a table are compared: columns that are renamed have their new names. */
interface Side {
  readonly nameOf: (column: string) => string;
  readonly expressed: (expression: string) => string;
}

/** A table as it exists, and as it is declared. */
interface Sides {
  readonly there: Side;
  readonly wanted: Side;
  /** The columns as the declaration spells them, by their current names. */
  readonly spelled: Renames;
}

function sidesOf(
  actual: CatalogTable,
  { columns }: CatalogTable,
  renames: Renames,
  { dialect, exact }: Comparing,
): Sides {
  const nameOf = comparedName(dialect.grammar);
  const called = (name: string) => nameOf(renames.get(name) ?? name);
  // In an expression the server spells a column as its table does, which may differ from the declaration in case.
  const spellings = new Map(columns.map(({ name }) => [nameOf(name), name]));
  const spelled: Renames = new Map(
    actual.columns.map(({ name }) => [name, spellings.get(called(name)) ?? name]),
  );
  return {
    there: { nameOf: called, expressed: (text) => comparableText(text, dialect, spelled, !exact) },
    wanted: { nameOf, expressed: (text) => comparableText(text, dialect, undefined, !exact) },
    spelled,
  };
}

function compareColumns(
  actual: CatalogTable,
  { catalog: wanted, table }: DeclaredTable,
  { there, wanted: { nameOf }, spelled }: Sides,
  comparing: Comparing,
): Pick<TableDelta, "added" | "dropped" | "changed"> {
  const byName = new Map(actual.columns.map((column) => [there.nameOf(column.name), column]));
  const infos = new Map(Object.values(table.columns).map((info) => [info.name, info]));
  const isKept = new Set(wanted.columns.map(({ name }) => nameOf(name)));
  const changed = wanted.columns.flatMap((column) => {
    const had = byName.get(nameOf(column.name));
    const info = infos.get(column.name);
    const context = { info, spelled, comparing, actual, wanted };
    return (had === undefined ? undefined : changeOf(had, column, context)) ?? [];
  });
  return {
    added: wanted.columns.filter(({ name }) => !byName.has(nameOf(name))),
    dropped: readersFirst(
      actual.columns.filter(({ name }) => !isKept.has(there.nameOf(name))),
      comparing.dialect,
    ),
    changed,
  };
}

function compareKeys(
  actual: CatalogTable,
  wanted: CatalogTable,
  sides: Sides,
): Pick<TableDelta, "primaryKey" | "keys" | "indexes"> {
  const keyIn = (side: Side) => (key: CatalogKey) => JSON.stringify(key.columns.map(side.nameOf));
  const [keyText, wantedKey] = [keyIn(sides.there), keyIn(sides.wanted)];
  const indexOf = (index: CatalogIndex) => indexText(index, sides.there);
  const wantedIndex = (index: CatalogIndex) => indexText(index, sides.wanted);
  const primaryKey = exchange(listOf(actual.primaryKey), listOf(wanted.primaryKey), keyText, wantedKey);
  const keys = withoutTwins(exchange(actual.keys, wanted.keys, keyText, wantedKey), primaryKey);
  const indexes = exchange(actual.indexes, wanted.indexes, indexOf, wantedIndex);
  const missing = new Set(indexes.add.map(wantedIndex));
  // An incomplete index is dropped if it is to be built again; one that nobody declares stays.
  const isGone = (index: CatalogIndex) => index.valid || missing.has(indexOf({ ...index, valid: true }));
  const standing = { ...indexes, drop: indexes.drop.filter(isGone) };
  return { primaryKey, ...withUniqueIndexes(keys, standing, keyText, wantedKey) };
}

function compareReferences(
  actual: CatalogTable,
  wanted: CatalogTable,
  sides: Sides,
  { renamesOf, renamedTable }: Comparing,
): Replaced<CatalogForeignKey> {
  const { nameOf } = sides.wanted;
  return exchange(
    actual.foreignKeys,
    wanted.foreignKeys,
    (key) => {
      const { schema, table, columns } = key.target;
      const renames = renamesOf(schema, table);
      const there = columns.map((name) => nameOf(renames.get(name) ?? name));
      const place = [schema, nameOf(renamedTable(schema, table)), ...there];
      return foreignKeyText(key, key.columns.map(sides.there.nameOf), place);
    },
    (key) => {
      const { schema, table, columns } = key.target;
      return foreignKeyText(key, key.columns.map(nameOf), [schema, nameOf(table), ...columns.map(nameOf)]);
    },
  );
}

/** Whether there is nothing to do. */
export function isUnchanged(delta: TableDelta): boolean {
  const { actual, declared, renames, added, dropped, changed, comment } = delta;
  const exchanges = [delta.primaryKey, delta.keys, delta.foreignKeys, delta.checks, delta.indexes];
  return (
    actual.name === declared.catalog.name &&
    !comment &&
    [added, dropped, changed].every((list) => list.length === 0) &&
    renames.size === 0 &&
    exchanges.every(({ drop, add }) => drop.length === 0 && add.length === 0) &&
    [...delta.foreignKeys.kept, ...delta.checks.kept].every(([{ validated }]) => validated)
  );
}

/** The column of a table by its name. */
export function columnOf({ columns }: CatalogTable, name: string): CatalogColumn | undefined {
  return columns.find((column) => column.name === name);
}

// A computed column is dropped before the columns that it reads.
function readersFirst(columns: readonly CatalogColumn[], dialect: CatalogDialect): readonly CatalogColumn[] {
  const ordered = new Set<CatalogColumn>();
  const visit = (column: CatalogColumn): void => {
    for (const reader of columns)
      if (reader !== column && !ordered.has(reader) && reads(reader, column, dialect)) visit(reader);
    ordered.add(column);
  };
  for (const column of columns) visit(column);
  return [...ordered];
}

function reads({ computed }: CatalogColumn, { name }: CatalogColumn, dialect: CatalogDialect): boolean {
  return computed !== null && mentions(computed.expression, new Set([name]), dialect);
}

interface ColumnContext {
  readonly info: ColumnInfo | undefined;
  /** The columns as the declaration spells them, by their current names. */
  readonly spelled: Renames;
  readonly comparing: Comparing;
  readonly actual: CatalogTable;
  readonly wanted: CatalogTable;
}

function changeOf(
  actual: CatalogColumn,
  declared: CatalogColumn,
  { info, spelled, comparing: { dialect, exact, unknown }, actual: table, wanted }: ColumnContext,
): ColumnChange | undefined {
  const expressed = (text: string | null | undefined, names?: Renames) =>
    text === null || text === undefined ? null : comparableText(text, dialect, names, !exact);
  const numbersByDefault = !exact && declared.generated !== false && isSerial(actual);
  const numbersRows =
    !exact && declared.generated !== false && dialect.numbersRows?.(table, actual, unknown) === true;
  // No declaration says that a column of a key can be null.
  const isInKey =
    dialect.nullInKeys &&
    table.primaryKey?.columns.includes(actual.name) === true &&
    wanted.primaryKey?.columns.includes(declared.name) === true;
  const { meaningOf } = dialect.kindChecks ?? {};
  const meansOther = meaningOf !== undefined && meaningOf(table, actual) !== meaningOf(wanted, declared);
  const change = {
    actual,
    declared,
    type: meansOther || typeDiffers(actual, declared, info, { dialect, exact }),
    nullable: actual.nullable !== declared.nullable && !(isInKey && !declared.nullable),
    default: !numbersByDefault && expressed(actual.default, spelled) !== expressed(declared.default),
    generated: !numbersByDefault && !numbersRows && actual.generated !== declared.generated,
    computed:
      expressed(actual.computed?.expression, spelled) !== expressed(declared.computed?.expression) ||
      actual.computed?.stored !== declared.computed?.stored,
    comment: actual.comment !== declared.comment,
  };
  const differs =
    change.type || change.nullable || change.default || change.generated || change.computed || change.comment;
  return differs ? change : undefined;
}

function typeDiffers(
  actual: CatalogColumn,
  declared: CatalogColumn,
  info: ColumnInfo | undefined,
  { dialect, exact }: Pick<Comparing, "dialect" | "exact">,
): boolean {
  const isSameType = actual.type === declared.type;
  const said = info === undefined ? undefined : textFor(info.type, dialect.name);
  if (exact || info === undefined) return !isSameType || actual.collation !== declared.collation;
  const saysIt = saysCollation(`${said ?? ""} ${info.constraints ?? ""}`);
  if (saysIt && actual.collation !== declared.collation) return true;
  if (isSameType) return false;
  return said !== undefined || !dialect.holds(actual, info.storage);
}

function indexText(
  { unique, columns, expression, where, using, valid }: CatalogIndex,
  { nameOf, expressed }: Side,
): string {
  const named = columns.map((column) =>
    typeof column === "string" ? nameOf(column) : [nameOf(column[0]), column[1]],
  );
  const said = [expression, where].map((text) => (text === null ? null : expressed(text)));
  return JSON.stringify([unique, valid, named, ...said, using]);
}

function foreignKeyText(
  { onDelete, onUpdate, deferrable }: CatalogForeignKey,
  columns: readonly string[],
  target: readonly (string | null)[],
): string {
  return JSON.stringify([columns, target, onDelete, onUpdate, deferrable]);
}

function listOf<T>(one: T | null): readonly T[] {
  return one === null ? [] : [one];
}
