/** The common parts of the writers of steps: the order of steps, their names, and the effects of a changed column. */
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { comparedName } from "../../dialect/grammar/names.js";
import type { CatalogDialect } from "../catalog/dialect.js";
import type { TableDelta } from "../diff/compare.js";
import type { Replaced } from "../diff/replaced.js";
import { mentions } from "../text/expressions.js";
import { type CatalogTable, keyOf } from "../words/catalog.js";
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

/** The names of a table that changes: before and after its renaming, as subjects of steps and quoted. */
export interface Places {
  readonly old: ReturnType<typeof subjectOf>;
  readonly now: ReturnType<typeof subjectOf>;
  readonly before: string;
  readonly after: string;
}

/** The names of a table that changes. */
export function placesOf({ actual, declared }: TableDelta, grammar: Grammar): Places {
  const { schema, catalog } = declared;
  return {
    old: subjectOf(actual.schema, actual.name),
    now: subjectOf(schema, catalog.name),
    before: tableName(actual.schema, actual.name, grammar),
    after: tableName(schema, catalog.name, grammar),
  };
}

/** No columns. */
export const UNTOUCHED: TouchedColumns = { before: new Set(), after: new Set() };

/** Columns, by the names in the database and in the declaration, whose type changes or that are created again. */
interface TouchedColumns {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}

/** The difference, in which everything that depends on such columns is dropped and created again. */
export function withDependents(
  delta: TableDelta,
  { retyped, remade }: { readonly retyped: TouchedColumns; readonly remade: TouchedColumns },
  { deltas, dialect }: { readonly deltas: readonly TableDelta[]; readonly dialect: CatalogDialect },
): TableDelta {
  const before = new Set([...retyped.before, ...remade.before]);
  const said = (text: string | null) => text !== null && mentions(text, before, dialect);
  const isRemade = (columns: readonly string[]) => columns.some((name) => remade.before.has(name));
  const nameOf = comparedName(dialect.grammar);
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
export function touchedOf({ changed }: TableDelta): TouchedColumns {
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
