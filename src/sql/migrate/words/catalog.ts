/**
 * The catalog of a database as plain data: its tables, in the server's own words. The readers of each dialect create
 * it, `introspect` returns it to users, and `diff` compares two of them.
 */
import type { Dialect } from "../../words/dialect.js";

/** The tables, views, enums and other objects of a database. Every list is sorted by name. */
export interface Catalog {
  readonly dialect: Dialect;
  readonly tables: readonly CatalogTable[];
  readonly views: readonly CatalogView[];
  readonly enums: readonly CatalogEnum[];
  /** Objects that are not modelled: they are never changed or dropped. */
  readonly unknown: readonly CatalogUnknown[];
}

/** A table. */
export interface CatalogTable {
  readonly name: string;
  /** The SQL schema; `null` for the one that unqualified names refer to. */
  readonly schema: string | null;
  readonly columns: readonly CatalogColumn[];
  readonly primaryKey: CatalogKey | null;
  /** The unique constraints. */
  readonly keys: readonly CatalogKey[];
  readonly foreignKeys: readonly CatalogForeignKey[];
  readonly checks: readonly CatalogCheck[];
  /** The indexes that belong to no key. */
  readonly indexes: readonly CatalogIndex[];
  readonly comment: string | null;
}

/** A column of a table. */
export interface CatalogColumn {
  readonly name: string;
  /** As the server prints it: `numeric(12,2)`. */
  readonly type: string;
  /** The collation, if the column names one. */
  readonly collation: string | null;
  readonly nullable: boolean;
  /** The expression, as the server prints it. */
  readonly default: string | null;
  /** Whether it is an identity: set by the database only, or also by an insert. */
  readonly generated: false | "always" | "byDefault";
  readonly computed: { readonly expression: string; readonly stored: boolean } | null;
  readonly comment: string | null;
}

/** Whether a column takes the numbers of a sequence by its default, as `serial` declares it. */
export function isSerial({ default: said }: CatalogColumn): boolean {
  return said !== null && /^nextval\(/.test(said);
}

/** A primary key or a unique constraint. */
export interface CatalogKey {
  /** `null` if the database has none. */
  readonly name: string | null;
  readonly columns: readonly string[];
}

/** A reference to a key of a table. */
export interface CatalogForeignKey extends CatalogKey {
  readonly target: {
    readonly schema: string | null;
    readonly table: string;
    readonly columns: readonly string[];
  };
  readonly onDelete: ReferenceAction;
  readonly onUpdate: ReferenceAction;
  readonly deferrable: false | "initially immediate" | "initially deferred";
  /** Whether the rows were checked. */
  readonly validated: boolean;
}

/** The effect of a change of the referenced row. */
export type ReferenceAction = "no action" | "restrict" | "cascade" | "set null" | "set default";

/** A condition that every row of a table meets. */
export interface CatalogCheck {
  readonly name: string | null;
  readonly expression: string;
  readonly validated: boolean;
}

/** An index of columns, or of one expression: any other is `unknown`. */
export interface CatalogIndex {
  readonly name: string;
  readonly unique: boolean;
  /** A column in descending order is a pair, as in a declaration; empty for an expression. */
  readonly columns: readonly (string | readonly [column: string, direction: "desc"])[];
  readonly expression: string | null;
  /** The condition of a partial index. */
  readonly where: string | null;
  /** The method, if it is not the ordinary one: `gin`. */
  readonly using: string | null;
  /** Whether it can be used: building it while others write may fail and leave an incomplete one. */
  readonly valid: boolean;
}

/** A view. */
export interface CatalogView {
  readonly name: string;
  readonly schema: string | null;
  readonly columns: readonly Pick<CatalogColumn, "name" | "type" | "nullable">[];
  /** The query, as the server prints it. */
  readonly definition: string;
  readonly comment: string | null;
}

/** An enum type of PostgreSQL. */
export interface CatalogEnum {
  readonly name: string;
  readonly schema: string | null;
  /** In their order. */
  readonly values: readonly string[];
}

/** Something that is not modelled. */
export interface CatalogUnknown {
  /** `trigger`, `policy`, `materialized view`, … */
  readonly kind: string;
  readonly schema: string | null;
  /** The table that it belongs to. */
  readonly table: string | null;
  readonly name: string;
  /** Its text, if the server gives one. */
  readonly definition: string | null;
}

/** The order of a table's columns: by name in the catalog for users, and in the table's order for `pull`. */
export type ColumnOrder = "by name" | "as they stand";

/** The catalog with every list sorted by name, and frozen throughout. */
export function sortedCatalog(
  { dialect, tables, views, enums, unknown }: Catalog,
  order: ColumnOrder = "by name",
): Catalog {
  return deepFrozen<Catalog>({
    dialect,
    tables: sorted(tables, qualified).map((table) => sortedTable(table, order)),
    views: sorted(views, qualified),
    enums: sorted(enums, qualified),
    unknown: sorted(unknown, ({ kind, schema, table, name }) => [schema, table, kind, name]),
  });
}

function sortedTable(table: CatalogTable, order: ColumnOrder): CatalogTable {
  const { columns, keys, foreignKeys, checks, indexes } = table;
  return {
    ...table,
    columns: order === "by name" ? sorted(columns, ({ name }) => [name]) : columns,
    keys: sorted(keys, (key) => [key.name, ...key.columns]),
    foreignKeys: sorted(foreignKeys, (key) => [key.name, ...key.columns]),
    checks: sorted(checks, ({ name, expression }) => [name, expression]),
    indexes: sorted(indexes, ({ name }) => [name]),
  };
}

function qualified({ schema, name }: { readonly schema: string | null; readonly name: string }) {
  return [schema, name];
}

// By code point, so that the order is the same on every machine.
function sorted<T>(list: readonly T[], by: (one: T) => readonly (string | null)[]): T[] {
  return list
    .map((one) => ({ one, key: by(one).map((part) => part ?? "") }))
    .sort((a, b) => compared(a.key, b.key))
    .map(({ one }) => one);
}

function compared(a: readonly string[], b: readonly string[]): number {
  for (const [i, one] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    if (one !== other) return one < other ? -1 : 1;
  }
  return a.length - b.length;
}

function deepFrozen<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const part of Object.values(value)) deepFrozen(part);
  return Object.freeze(value);
}

/** The table that a foreign key refers to; undefined if the catalog does not have it. */
export function targetOf({ target }: CatalogForeignKey, { tables }: Catalog): CatalogTable | undefined {
  return tables.find(({ name, schema }) => name === target.table && schema === target.schema);
}

/** The key of a table, a view or a type in a map: its schema and its name. */
export function keyOf(schema: string | null, name: string): string {
  return JSON.stringify([schema, name]);
}
