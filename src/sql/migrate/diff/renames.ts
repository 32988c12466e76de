/**
 * The table and the column of a database that a declaration is about: the one with its name, or one that the
 * declaration says it was renamed from. Nothing is guessed, and nothing is asked.
 */
import { quoted } from "../../../core/errors.js";
import type { AnyTable } from "../../declare/declaration.js";
import {
  checkFormerNames,
  columnNaming,
  type Naming,
  type Renamed,
  tableNaming,
} from "../../declare/former-names.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { comparedName } from "../../dialect/grammar/names.js";
import { DeclarationError } from "../../words/errors.js";
import type { DeclaredTable } from "../catalog/declared-table.js";
import type { Renames } from "../text/expressions.js";
import type { CatalogTable } from "../words/catalog.js";
import type { DeclaredList } from "../words/declared-list.js";

/** Declared tables and the tables of the database. */
interface Pairs {
  readonly pairs: readonly (readonly [CatalogTable, DeclaredTable])[];
  /** Declared tables that do not exist. */
  readonly created: readonly DeclaredTable[];
  /** Existing tables that are not declared. */
  readonly left: readonly CatalogTable[];
}

/** How names are found. */
interface Finding {
  readonly grammar: Grammar;
  /** The name of a table as the server compares it. */
  readonly nameOfTable: (name: string) => string;
  /**
   * Whether the former name of each is certainly its current name, as for a migration that is undone. A declaration
   * only says what the current name may be.
   */
  readonly namesAreKnown: boolean;
}

/**
 * Finds the table of each declaration.
 * @throws {DeclarationError} if the database does not tell which is which.
 */
export function pairTables(
  declared: readonly DeclaredTable[],
  tables: readonly CatalogTable[],
  { nameOfTable, namesAreKnown }: Finding,
): Pairs {
  const found = new Map<DeclaredTable, CatalogTable>();
  for (const schema of new Set(declared.map((one) => one.schema))) {
    const wanted = declared.filter((one) => one.schema === schema);
    const there = new Map(
      tables.filter((one) => one.schema === schema).map((one) => [nameOfTable(one.name), one]),
    );
    const pairs = (namesAreKnown ? known : matched)<Renamed>(
      wanted.map(({ table }) => table),
      new Set(there.keys()),
      tableNaming(nameOfTable),
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

/**
 * The columns of a table that are to be renamed.
 * @throws {DeclarationError} if the database does not tell which is which.
 */
export function columnRenames(
  actual: CatalogTable,
  { name, columns }: AnyTable,
  { grammar, namesAreKnown }: Finding,
): Renames {
  const nameOf = comparedName(grammar);
  const there = new Map(actual.columns.map(({ name }) => [nameOf(name), name]));
  const infos = Object.values(columns);
  const find = namesAreKnown ? known : matched;
  const pairs = find(infos, new Set(there.keys()), columnNaming(name, nameOf));
  const renames = new Map<string, string>();
  for (const info of infos) {
    const had = there.get(pairs.get(info) ?? "");
    if (had !== undefined && nameOf(had) !== nameOf(info.name)) renames.set(had, info.name);
  }
  return renames;
}

/**
 * Refuses former names that no database could distinguish, of tables and, where case is ignored, of columns.
 * @throws {DeclarationError}
 */
export function checkRenames({ tables, external }: DeclaredList, grammar: Grammar): void {
  const nameOf = comparedName(grammar);
  for (const { name, columns } of tables)
    checkFormerNames(Object.values(columns), columnNaming(name, nameOf));
  // Tables that somebody else makes are not renamed.
  const others = [...external].map((name) => ({ name, namespace: undefined, renamedFrom: [] }));
  for (const namespace of new Set(tables.map((one) => one.namespace))) {
    const own = [...tables, ...others].filter((one) => one.namespace === namespace);
    checkFormerNames<Renamed>(own, tableNaming(nameOf));
  }
}

/**
 * The names that declarations have in a database. An existing name stays, unless a declaration whose name does not
 * exist was renamed from it: names may move up in a row, a to b and b to c.
 * @throws {DeclarationError} if the database has no start of such a row, and so does not tell whether the row has
 * moved.
 */
function matched<T extends Renamed>(
  declared: readonly T[],
  there: ReadonlySet<string>,
  { what, about, nameOf }: Naming<T>,
): ReadonlyMap<T, string> {
  const pairs = new Map<T, string>();
  const byName = new Map(declared.map((one) => [nameOf(one.name), one]));
  const formerOf = (one: T) => one.renamedFrom.map(nameOf).find((name) => there.has(name));
  const follow = (one: T, taken: string): void => {
    pairs.set(one, taken);
    const holder = byName.get(taken);
    if (holder === undefined || holder === one) return;
    const former = formerOf(holder);
    if (former === undefined)
      throw new DeclarationError(
        `${about(one)} is declared as renamed from ${quoted(taken)}, which is itself declared as renamed, but none of its former names exists: the database does not tell which ${what} is which, so take renamedFrom out of one of them`,
      );
    follow(holder, former);
  };
  for (const one of declared) {
    const former = there.has(nameOf(one.name)) ? undefined : formerOf(one);
    if (former !== undefined) follow(one, former);
  }
  const taken = new Set(pairs.values());
  for (const one of declared) {
    const name = nameOf(one.name);
    if (!pairs.has(one) && there.has(name) && !taken.has(name)) pairs.set(one, name);
  }
  return pairs;
}

// The current name is known: names may have been exchanged.
function known<T extends Renamed>(
  declared: readonly T[],
  there: ReadonlySet<string>,
  { nameOf }: Naming<T>,
): ReadonlyMap<T, string> {
  const called = declared.map((one) => [one, nameOf(one.renamedFrom[0] ?? one.name)] as const);
  return new Map(called.filter(([, name]) => there.has(name)));
}
