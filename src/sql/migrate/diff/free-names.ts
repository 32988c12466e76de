/**
 * Names of constraints and indexes that are already taken: a renamed table or column keeps the names of its
 * constraints, and a new one with the former name gets a hash at the end of its name.
 */
import { createHash } from "node:crypto";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { beginningOf, comparedName } from "../../dialect/grammar/names.js";
import type { DeclaredTable } from "../catalog/declared-table.js";
import type { CreateText } from "../text/create-text.js";
import type { Catalog, CatalogTable } from "../words/catalog.js";
import type { TableDelta } from "./compare.js";
import type { Replaced } from "./replaced.js";

/** A difference in which no added name is taken. */
export function withFreeNames(delta: TableDelta, catalog: Catalog, grammar: Grammar): TableDelta {
  const { primaryKey, keys, indexes, foreignKeys, checks, declared, actual } = delta;
  const nameOf = comparedName(grammar);
  const own = new Set(
    [primaryKey, keys, indexes, foreignKeys, checks].flatMap(({ kept }: Replaced<Named>) =>
      kept.flatMap(([one]) => (one.name === null ? [] : [nameOf(one.name)])),
    ),
  );
  const wanted = ({ add, kept }: Replaced<Named>) => [
    ...add.map(({ name }) => name),
    ...kept.filter(([a, b]) => a.name !== b.name).map(([, { name }]) => name),
  ];
  const names = {
    indexes: [primaryKey, keys, indexes].flatMap(wanted),
    references: wanted(foreignKeys),
    checks: wanted(checks),
  };
  const renames = renamesOf(names, { own, elsewhere: namesIn(catalog, grammar, actual) }, grammar);
  if (renames.size === 0) return delta;
  const called = <T extends Named>(exchange: Replaced<T>): Replaced<T> => ({
    ...exchange,
    add: exchange.add.map((one) => renamed(one, renames)),
    kept: exchange.kept.map(([one, other]) => [one, renamed(other, renames)] as const),
  });
  return {
    ...delta,
    declared: renamedTable(declared, renames, grammar),
    primaryKey: called(primaryKey),
    keys: called(keys),
    indexes: called(indexes),
    foreignKeys: called(foreignKeys),
    checks: called(checks),
  };
}

/** A new table in which no name is taken. */
export function withFreeNamesOfNew(
  declared: DeclaredTable,
  catalog: Catalog,
  grammar: Grammar,
): DeclaredTable {
  const { primaryKey, keys, indexes, foreignKeys } = declared.catalog;
  const ofAll = (list: readonly Named[]) => list.map(({ name }) => name);
  const names = {
    indexes: ofAll([...(primaryKey === null ? [] : [primaryKey]), ...keys, ...indexes]),
    references: ofAll(foreignKeys),
    checks: [],
  };
  const elsewhere = namesIn(catalog, grammar, undefined);
  const renames = renamesOf(names, { own: new Set(), elsewhere }, grammar);
  return renames.size === 0 ? declared : renamedTable(declared, renames, grammar);
}

/** The names that constraints and indexes of a table need; null for those without one. */
interface Wanted {
  readonly indexes: readonly (string | null)[];
  readonly references: readonly (string | null)[];
  readonly checks: readonly (string | null)[];
}

/** The names that are taken: by the parts that the table keeps, and by other tables. */
interface Taken {
  readonly own: ReadonlySet<string>;
  readonly elsewhere: Elsewhere;
}

interface Elsewhere {
  readonly indexes: ReadonlySet<string>;
  readonly references: ReadonlySet<string>;
}

interface Named {
  readonly name: string | null;
}

/** The names that other tables make unavailable: those of indexes, and those of references. */
function namesIn({ tables, views }: Catalog, grammar: Grammar, except: CatalogTable | undefined): Elsewhere {
  const isShared = (part: "index" | "key" | "foreign key") =>
    grammar.ddl.nameSpaces.some(({ of, parts }) => of === "schema" && parts.includes(part));
  const nameOf = comparedName(grammar);
  const others = tables.filter((table) => table !== except);
  const set = (lists: readonly (readonly Named[])[]) =>
    new Set(lists.flat().flatMap(({ name }) => (name === null ? [] : [nameOf(name)])));
  return {
    indexes: set([
      // An index that needs a name of its own in the schema shares the names of tables and views.
      ...(isShared("index") ? [tables, views, ...others.map((one) => one.indexes)] : []),
      ...(isShared("key")
        ? others.flatMap((one) => [one.keys, one.primaryKey === null ? [] : [one.primaryKey]])
        : []),
    ]),
    references: set(isShared("foreign key") ? others.map((one) => one.foreignKeys) : []),
  };
}

/** A new name for each that is taken. */
function renamesOf(wanted: Wanted, { own, elsewhere }: Taken, grammar: Grammar): ReadonlyMap<string, string> {
  const nameOf = comparedName(grammar);
  const taken = new Set<string>();
  const look = (names: readonly (string | null)[], others: ReadonlySet<string>) => {
    for (const name of names)
      if (name !== null && (own.has(nameOf(name)) || others.has(nameOf(name)))) taken.add(name);
  };
  look(wanted.indexes, elsewhere.indexes);
  look(wanted.references, elsewhere.references);
  look(wanted.checks, new Set());
  const all = new Set([...own, ...elsewhere.indexes, ...elsewhere.references]);
  const renames = new Map<string, string>();
  for (const name of taken)
    for (let i = 0; !renames.has(name); i++) {
      const hash = createHash("sha256").update(`${name}\0${i}`).digest("hex").slice(0, 8);
      const other = `${beginningOf(name, grammar.maxNameBytes - 9)}_${hash}`;
      if (!all.has(nameOf(other))) renames.set(name, other);
    }
  return renames;
}

function renamed<T extends Named>(one: T, renames: ReadonlyMap<string, string>): T {
  const name = one.name === null ? undefined : renames.get(one.name);
  return name === undefined ? one : { ...one, name };
}

function renamedTable(
  declared: DeclaredTable,
  renames: ReadonlyMap<string, string>,
  { quote }: Grammar,
): DeclaredTable {
  const { catalog, create, indexes } = declared;
  const all = <T extends Named>(list: readonly T[]) => list.map((one) => renamed(one, renames));
  return {
    ...declared,
    catalog: {
      ...catalog,
      primaryKey: catalog.primaryKey === null ? null : renamed(catalog.primaryKey, renames),
      keys: all(catalog.keys),
      foreignKeys: all(catalog.foreignKeys),
      checks: all(catalog.checks),
      indexes: all(catalog.indexes),
    },
    create: renamedText(create, renames, quote),
    indexes: new Map(
      [...indexes].map(([name, sql]) => {
        const other = renames.get(name);
        return other === undefined ? [name, sql] : [other, sql.replace(quote(name), () => quote(other))];
      }),
    ),
  };
}

function renamedText(
  create: CreateText,
  renames: ReadonlyMap<string, string>,
  quote: (name: string) => string,
): CreateText {
  const constraintOf = <C extends { readonly name: string | undefined }>(one: C): C => {
    const name = one.name === undefined ? undefined : renames.get(one.name);
    return name === undefined ? one : { ...one, name };
  };
  return {
    ...create,
    constraints: create.constraints.map(constraintOf),
    items: create.items.map(({ text, constraint }) => {
      if (constraint === undefined) return { text, constraint };
      const { name } = constraintOf(constraint);
      const isRenamed = name !== undefined && name !== constraint.name;
      const said = isRenamed ? text.replace(quote(constraint.name ?? ""), () => quote(name)) : text;
      return { text: said, constraint: constraintOf(constraint) };
    }),
  };
}
