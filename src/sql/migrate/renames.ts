/**
 * Which table and which column of a database a declaration is about: that of its name, or one that the declaration says
 * it was renamed from. Nothing is guessed, and nothing is asked.
 */
import type { AnyTable } from "../declare/declaration.js";
import type { Dialect } from "../words/dialect.js";
import type { CatalogTable } from "./catalog.js";
import { nameIn } from "./compare.js";
import type { DeclaredTable } from "./declared.js";
import type { Renames } from "./expressions.js";

/** Declared tables beside those of the database. */
export interface Pairs {
  readonly pairs: readonly (readonly [CatalogTable, DeclaredTable])[];
  /** Declared, and not there. */
  readonly created: readonly DeclaredTable[];
  /** There, and not declared. */
  readonly left: readonly CatalogTable[];
}

/** Finds the table of each declaration. */
export function pairTables(
  declared: readonly DeclaredTable[],
  tables: readonly CatalogTable[],
  dialect: Dialect,
): Pairs {
  const nameOf = nameIn(dialect);
  const found = new Map<DeclaredTable, CatalogTable>();
  for (const schema of new Set(declared.map((one) => one.schema))) {
    const wanted = declared.filter((one) => one.schema === schema);
    const there = new Map(
      tables.filter((one) => one.schema === schema).map((one) => [nameOf(one.name), one]),
    );
    const pairs = matched(
      wanted.map(({ table }) => table),
      new Set(there.keys()),
      nameOf,
    );
    for (const one of wanted) {
      const name = pairs.get(one.table);
      const table = name === undefined ? undefined : there.get(name);
      if (table !== undefined) found.set(one, table);
    }
  }
  const taken = new Set(found.values());
  return {
    pairs: declared.flatMap((one) => {
      const table = found.get(one);
      return table === undefined ? [] : [[table, one] as const];
    }),
    created: declared.filter((one) => !found.has(one)),
    left: tables.filter((one) => !taken.has(one)),
  };
}

/** The columns of a table that are to be renamed. */
export function columnRenames(actual: CatalogTable, { columns }: AnyTable, dialect: Dialect): Renames {
  const nameOf = nameIn(dialect);
  const there = new Map(actual.columns.map(({ name }) => [nameOf(name), name]));
  const infos = Object.values(columns);
  const pairs = matched(infos, new Set(there.keys()), nameOf);
  const renames = new Map<string, string>();
  for (const info of infos) {
    const had = there.get(pairs.get(info) ?? "");
    if (had !== undefined && nameOf(had) !== nameOf(info.name)) renames.set(had, info.name);
  }
  return renames;
}

interface Named {
  readonly name: string;
  readonly renamedFrom: readonly string[];
}

// A name that another declaration takes as its former one counts as free: names may move up in a row.
function matched<T extends Named>(
  declared: readonly T[],
  there: ReadonlySet<string>,
  nameOf: (name: string) => string,
): ReadonlyMap<T, string> {
  const pairs = new Map<T, string>();
  const free = new Set(there);
  const byName = new Map(declared.map((one) => [nameOf(one.name), one]));
  // A former name may be taken unless a declaration holds it that has no former name of its own to go to.
  const isOpen = (name: string) => {
    const holder = byName.get(name);
    return (
      free.has(name) && (holder === undefined || holder.renamedFrom.some((one) => there.has(nameOf(one))))
    );
  };
  for (const one of declared) {
    if (there.has(nameOf(one.name))) continue;
    visit(one);
  }
  for (const one of declared)
    if (!pairs.has(one) && free.has(nameOf(one.name))) {
      pairs.set(one, nameOf(one.name));
      free.delete(nameOf(one.name));
    }
  return pairs;

  function visit(one: T): void {
    const former = one.renamedFrom.map(nameOf).find(isOpen);
    if (former === undefined) return;
    pairs.set(one, former);
    free.delete(former);
    const holder = byName.get(former);
    if (holder !== undefined && !pairs.has(holder)) visit(holder);
  }
}
