/** The lines of a diagram: references of columns and relations of tables, each drawn once. */

import type { AnyTable, ColumnInfo, EnumType, ReferentialAction } from "../declare/declaration.js";
import { isEnumType } from "../declare/enum-type.js";
import { readModule, type TableModule } from "../declare/module.js";
import { readReference } from "../declare/reference.js";
import { isTable } from "../declare/table.js";
import { columnName } from "../dialect/grammar/declared.js";
import { betweenOf, type FieldPair, relatedFields } from "../words/relations.js";
import { checkDeclared } from "./declared.js";

/** The tables of a diagram, and the tables that their relations lead to. */
interface Drawn {
  readonly tables: readonly AnyTable[];
  readonly enums: readonly EnumType[];
  readonly names: TableModule;
}

/** Columns that hold the values of others, most often one. */
interface ColumnLink {
  readonly table: AnyTable;
  readonly columns: readonly ColumnInfo[];
  readonly target: Pick<AnyTable, "name" | "namespace">;
  readonly targetColumns: readonly string[];
  readonly onDelete?: ReferentialAction | undefined;
  readonly onUpdate?: ReferentialAction | undefined;
  /** At most one row of the table has a value: a `one` reads the link from the side of the key. */
  readonly isOne: boolean;
  /** The relations that read the link, from either side. */
  readonly relations: readonly string[];
}

/**
 * The input of a diagram: tables, or a module of them.
 * @throws {DeclarationError} for anything else.
 */
export function drawnTables(given: readonly unknown[], taker: string): Drawn {
  const [module] = given;
  if (given.length === 1 && typeof module === "object" && !isTable(module) && !isEnumType(module)) {
    const names = readModule(module, taker);
    return {
      tables: [...new Set(names.values())],
      enums: Object.values(module ?? {}).filter(isEnumType),
      names,
    };
  }
  for (const one of given) checkDeclared(one, taker);
  const tables = given.filter(isTable);
  return {
    tables,
    enums: given.filter(isEnumType),
    names: new Map(tables.map((table) => [table.name, table])),
  };
}

/** The links of the tables: references in the order of the columns, then the relations without one. */
export function linksOf({ tables, names }: Drawn): readonly ColumnLink[] {
  const links = new Map<string, ColumnLink>();
  for (const table of tables)
    for (const link of referencesOf(table)) if (!links.has(keyOf(link))) links.set(keyOf(link), link);
  for (const table of tables)
    for (const link of relationsOf(table, names)) {
      const known = links.get(keyOf(link));
      const isOne = link.isOne || known?.isOne === true;
      const relations = [...(known?.relations ?? []), ...link.relations];
      links.set(keyOf(link), { ...(known ?? link), isOne, relations });
    }
  return [...links.values()];
}

function keyOf({ table, columns, target, targetColumns }: ColumnLink): string {
  return JSON.stringify([
    table.namespace,
    table.name,
    target.namespace,
    target.name,
    // The same pairs in any order are one link.
    columns.map(({ name }, i) => JSON.stringify([name, targetColumns[i]])).sort(),
  ]);
}

function referencesOf(table: AnyTable): ColumnLink[] {
  const ofColumns = Object.values(table.columns).flatMap((column): ColumnLink[] => {
    const { references, onDelete, onUpdate } = column;
    if (references === undefined) return [];
    const link = { table, columns: [column], isOne: false, relations: [], onDelete, onUpdate };
    if (typeof references === "string") {
      const said = readReference(references);
      return said === undefined ? [] : [{ ...link, target: said.target, targetColumns: [said.column] }];
    }
    const target = references();
    const [key] = target.primaryKey;
    return [{ ...link, target, targetColumns: [key === undefined ? "id" : columnName(target, key)] }];
  });
  const ofTable = table.foreignKeys.map((key): ColumnLink => {
    const { onDelete, onUpdate } = key;
    const target = key.references();
    const columns = key.columns.flatMap((property) => table.columns[property] ?? []);
    const targetColumns = (key.target ?? target.primaryKey).map((property) => columnName(target, property));
    return { table, columns, target, targetColumns, isOne: false, relations: [], onDelete, onUpdate };
  });
  return [...ofColumns, ...ofTable];
}

// Leaves out relations to tables that are not drawn, and relations that `repositories` would refuse.
function relationsOf(table: AnyTable, names: TableModule): ColumnLink[] {
  return Object.entries(table.relations).flatMap(([name, relation]): readonly ColumnLink[] => {
    const target = names.get(relation.to);
    if (target === undefined) return [];
    const relations = [name];
    if (relation.kind === "many" && relation.through !== undefined) {
      // It reads two links, those of the table between. It is drawn on the one that leads to this table.
      const between = betweenOf(relation, table, target, names);
      if (typeof between === "string") return [];
      return linkOf(between.table, table, between.near.map(turned), { isOne: false, relations });
    }
    const pairs = relatedFields(relation, table, target);
    if (pairs === undefined) return [];
    // A `one` by our own key reads the link from the side of the key: the other table holds the key's values.
    const isOne = relation.kind === "one" && relation.key !== undefined && isPrimary(table, pairs);
    return relation.kind === "many" || isOne
      ? linkOf(target, table, pairs.map(turned), { isOne, relations })
      : linkOf(table, target, pairs, { isOne, relations });
  });
}

function turned({ mine, theirs }: FieldPair): FieldPair {
  return { mine: theirs, theirs: mine };
}

/** The link of a table that holds the values of another, if both have the fields. */
function linkOf(
  table: AnyTable,
  target: AnyTable,
  pairs: readonly FieldPair[],
  read: Pick<ColumnLink, "isOne" | "relations">,
): readonly ColumnLink[] {
  const columns = pairs.flatMap(({ mine }) => table.columns[mine] ?? []);
  const targetColumns = pairs.flatMap(({ theirs }) => target.columns[theirs]?.name ?? []);
  const isWhole = columns.length === pairs.length && targetColumns.length === pairs.length;
  return isWhole ? [{ table, columns, target, targetColumns, ...read }] : [];
}

function isPrimary({ primaryKey }: AnyTable, pairs: readonly FieldPair[]): boolean {
  return primaryKey.length === pairs.length && pairs.every(({ mine }) => primaryKey.includes(mine));
}
