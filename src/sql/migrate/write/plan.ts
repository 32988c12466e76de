/** The common parts of the writers of steps: the order of steps, their names, and the effects of a changed column. */
import type { Grammar } from "../../dialect/grammar/grammar.js";
import type { DeclaredTable } from "../catalog/declared-table.js";
import type { CatalogDialect } from "../catalog/dialect.js";
import type { Casts } from "../catalog/postgres/casts.js";
import type { UnlistedPart } from "../catalog/postgres/parts.js";
import { nameIn, type Replaced, type TableDelta } from "../diff/compare.js";
import { mentions } from "../text/expressions.js";
import {
  type Catalog,
  type CatalogColumn,
  type CatalogTable,
  type CatalogView,
  keyOf,
} from "../words/catalog.js";
import type { Step } from "../words/step.js";

/** The order of steps: a part that depends on others is dropped first and created last. */
export const PHASES = [
  "drop views",
  "drop references",
  "drop constraints",
  "rename tables",
  "rename columns",
  "drop computed columns",
  "enums",
  "create tables",
  "add columns",
  "change columns",
  "drop columns",
  "compute columns",
  "keys",
  "indexes",
  "checks",
  "references",
  "drop tables",
  "drop enums",
  "create views",
  "comments",
] as const;

/** A step and its place among the others. */
export interface Planned extends Step {
  readonly phase: (typeof PHASES)[number];
}

/** The input of the writers, apart from a difference. */
export interface PlanContext {
  readonly dialect: CatalogDialect;
  readonly grammar: Grammar;
  /** Tables that have no rows: no step blocks on them. */
  readonly isEmpty: (table: CatalogTable) => boolean;
  /** The content of the database. */
  readonly catalog: Catalog;
  /** All differences, for the effects of one table on another. */
  readonly deltas: readonly TableDelta[];
  /** Whether a default calls a function that gives each row a different value. */
  readonly isVolatile: (column: CatalogColumn) => boolean;
  /** The indexes of a table that MariaDB made for its foreign keys. */
  readonly ownIndexes: (
    table: CatalogTable,
  ) => readonly { readonly name: string; readonly columns: readonly string[] }[];
  /** The indexes and constraints of a table of PostgreSQL that no declaration can say. */
  readonly unlistedParts: (table: CatalogTable) => readonly UnlistedPart[];
  /** Declared tables that exist. */
  readonly there: readonly DeclaredTable[];
  /** The views that are dropped before the tables change; declared ones are created again afterwards. */
  readonly droppedViews: ReadonlySet<CatalogView>;
  /** How PostgreSQL casts a type to another. */
  readonly casts: Casts;
  /** The version of the server, if steps depend on it. */
  readonly version: string;
}

/** A writer of steps. */
export interface StepWriter {
  /** From a table to its declaration. */
  readonly change: (delta: TableDelta, context: PlanContext) => Planned[];
  /** Creates tables that do not exist, in the order of their references. */
  readonly create: (tables: readonly DeclaredTable[], context: PlanContext) => Planned[];
  readonly drop: (tables: readonly CatalogTable[], context: PlanContext) => Planned[];
}

type Given = Pick<Planned, "phase" | "kind" | "table" | "sql" | "why"> & Partial<Step>;

/** A step with the usual properties. */
export function planned(given: Given & { readonly schema?: string | undefined }): Planned {
  const { schema, ...step } = given;
  return {
    transaction: true,
    lock: "short",
    rewrites: false,
    risks: [],
    ...step,
    ...(schema === undefined || schema === null ? {} : { schema }),
  };
}

/** The quoted name of a table in its schema. */
export function tableName(schema: string | null, name: string, { quote }: Grammar): string {
  return schema === null ? quote(name) : `${quote(schema)}.${quote(name)}`;
}

/** The table of a step, by its name before or after its renaming. */
export function subjectOf(
  schema: string | null,
  table: string,
): { readonly table: string; readonly schema?: string } {
  return schema === null ? { table } : { table, schema };
}

/** Columns, by the names in the database and in the declaration, whose type changes or that are created again. */
interface Touched {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}

/** The difference, in which everything that depends on such columns is dropped and created again. */
export function withDependents(
  delta: TableDelta,
  { retyped, remade }: { readonly retyped: Touched; readonly remade: Touched },
  { deltas, dialect }: Pick<PlanContext, "deltas" | "dialect">,
): TableDelta {
  const before = new Set([...retyped.before, ...remade.before]);
  const said = (text: string | null) => text !== null && mentions(text, before, dialect);
  const isRemade = (columns: readonly string[]) => columns.some((name) => remade.before.has(name));
  const nameOf = nameIn(dialect.grammar);
  const isTarget = (schema: string | null, table: string, columns: readonly string[]) => {
    const target = deltas.find(
      ({ declared }) => declared.schema === schema && nameOf(declared.catalog.name) === nameOf(table),
    );
    if (target === undefined) return false;
    const touched = touchedOf(target);
    const lost = [...target.keys.drop, ...target.primaryKey.drop];
    return (
      columns.some((name) => touched.after.has(name)) ||
      lost.some((key) => key.columns.every((name) => columns.includes(target.renames.get(name) ?? name)))
    );
  };
  return {
    ...delta,
    keys: moved(delta.keys, ([key]) => isRemade(key.columns)),
    primaryKey: moved(delta.primaryKey, ([key]) => isRemade(key.columns)),
    checks: moved(delta.checks, ([check]) => said(check.expression)),
    indexes: moved(
      delta.indexes,
      ([index]) =>
        said(index.expression) ||
        said(index.where) ||
        isRemade(index.columns.map((column) => (typeof column === "string" ? column : column[0]))),
    ),
    foreignKeys: moved(
      delta.foreignKeys,
      ([key, wanted]) =>
        key.columns.some((name) => before.has(name)) ||
        isTarget(wanted.target.schema, wanted.target.table, wanted.target.columns),
    ),
  };
}

/** The columns whose type changes. */
export function touchedOf({ changed }: TableDelta): Touched {
  const retyped = changed.filter(({ type, computed }) => type || computed);
  return {
    before: new Set(retyped.map(({ actual }) => actual.name)),
    after: new Set(retyped.map(({ declared }) => declared.name)),
  };
}

function moved<T>(
  { drop, add, kept }: Replaced<T>,
  isMoved: (pair: readonly [T, T]) => boolean,
): Replaced<T> {
  const again = kept.filter(isMoved);
  return {
    drop: [...drop, ...again.map(([actual]) => actual)],
    add: [...add, ...again.map(([, declared]) => declared)],
    kept: kept.filter((pair) => !again.includes(pair)),
  };
}

/** Renamings in an order in which no name is taken; a circle uses a temporary name. */
export function renamesInOrder(
  renames: ReadonlyMap<string, string>,
  nameOf: (name: string) => string,
): readonly (readonly [string, string])[] {
  const left = new Map(renames);
  const order: [string, string][] = [];
  while (left.size > 0) {
    const held = new Set([...left.keys()].map(nameOf));
    const free = [...left].find(([from, to]) => nameOf(from) === nameOf(to) || !held.has(nameOf(to)));
    const [from, to] = free ?? [...left][0] ?? ["", ""];
    left.delete(from);
    if (free !== undefined) order.push([from, to]);
    else {
      order.push([from, `${from}__renamed`]);
      left.set(`${from}__renamed`, to);
    }
  }
  return order;
}

/** Tables in an order in which referenced tables come first; tables in a circle keep the given order. */
export function inReferenceOrder(tables: readonly CatalogTable[]): CatalogTable[] {
  const byName = new Map(tables.map((table) => [keyOf(table.schema, table.name), table]));
  const ordered = new Set<CatalogTable>();
  const seen = new Set<CatalogTable>();
  const visit = (table: CatalogTable): void => {
    if (seen.has(table)) return;
    seen.add(table);
    for (const { target } of table.foreignKeys) {
      const other = byName.get(keyOf(target.schema, target.table));
      if (other !== undefined) visit(other);
    }
    ordered.add(table);
  };
  for (const table of tables) visit(table);
  return [...ordered];
}
