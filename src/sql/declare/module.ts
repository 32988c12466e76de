/**
 * A module of tables: relations name the exports of it, so that two tables may name each other. Used by
 * `repositories` and the diagrams.
 */
import { describeType, isList, listed, quoted } from "../../core/errors.js";
import { DeclarationError } from "../words/errors.js";
import { type Relation, relatedFields } from "../words/relations.js";
import type { AnyTable, ColumnInfo } from "./declaration.js";
import { readReference } from "./reference.js";
import { fieldOf } from "./relation.js";
import { checkTable, isTable } from "./table.js";

/** The tables of a module by the names of their exports. */
export type TableModule = ReadonlyMap<string, AnyTable>;

/**
 * The exports of a module that are tables.
 * @throws {DeclarationError} for what is not a module, or has an export that cannot be read.
 */
export function readModule(module: unknown, taker: string): TableModule {
  if (typeof module !== "object" || module === null || isList(module) || isTable(module))
    throw new DeclarationError(
      `${taker} takes a module of tables (import * as tables), not ${isTable(module) ? "a table" : describeType(module)}`,
    );
  const tables = new Map<string, AnyTable>();
  try {
    for (const name of Object.keys(module)) {
      const value: unknown = Reflect.get(module, name);
      if (isTable(value)) tables.set(name, value);
    }
  } catch (cause) {
    // An export that is not there yet: the modules import each other.
    throw new DeclarationError(`${taker} was given a module that cannot be read: does it import itself?`, {
      cause,
    });
  }
  return tables;
}

/**
 * Checks all relations of the tables of a module.
 * @throws {DeclarationError} for the first that cannot work.
 */
export function checkRelations(tables: TableModule): void {
  for (const table of tables.values())
    for (const [name, relation] of Object.entries(table.relations))
      checkRelation(table, relation, tables, `relation ${quoted(name)} of table ${quoted(table.name)}`);
}

function checkRelation(table: AnyTable, relation: Relation, tables: TableModule, where: string): void {
  const target = tables.get(relation.to);
  if (target === undefined)
    throw new DeclarationError(
      `${where} leads to ${quoted(relation.to)}, which is not a table of the module; tables: ${listed(tables.keys())}`,
    );
  const fields = relatedFields(relation, table, target);
  if (fields === undefined)
    throw new DeclarationError(
      `${where} leads to table ${quoted(target.name)}, whose primary key is not one field: name a key by { key }`,
    );
  const mine: Side = { table, column: fieldOf(fields.mine, table, where) };
  const theirs: Side = { table: target, column: fieldOf(fields.theirs, target, where) };
  if (mine.column.kind !== theirs.column.kind)
    throw new DeclarationError(
      `${where} compares ${quoted(fields.mine)} (${mine.column.kind}) with ${quoted(fields.theirs)} (${theirs.column.kind}) of table ${quoted(target.name)}: fields of one kind are needed`,
    );
  if (relation.kind === "one" && !isKey(theirs))
    throw new DeclarationError(
      `${where} needs a key, and ${quoted(fields.theirs)} is not a declared key of table ${quoted(target.name)}: declare it unique, or use many`,
    );
  const [holder, held] = relation.kind === "one" ? [mine, theirs] : [theirs, mine];
  const said = referenceOf(holder.column, where);
  if (said === undefined || agrees(said, holder, held, where)) return;
  throw new DeclarationError(
    `${where} relates ${quoted(holder.column.property)} to table ${quoted(held.table.name)}, and the column references ${quoted(said.table.name)} (${said.columns.join(", ")})`,
  );
}

interface Side {
  readonly table: AnyTable;
  readonly column: ColumnInfo;
}

function isKey({ table, column }: Side): boolean {
  return table.keys.some((key) => key.length === 1 && key[0] === column.property);
}

/** The target of a column's reference: the names in the database of a table and its columns. */
interface Said {
  readonly table: Pick<AnyTable, "name" | "namespace">;
  readonly columns: readonly string[];
}

function referenceOf({ references, property }: ColumnInfo, where: string): Said | undefined {
  if (references === undefined) return undefined;
  if (typeof references === "string") {
    const read = readReference(references);
    return read === undefined ? undefined : { table: read.target, columns: [read.column] };
  }
  const table: unknown = references();
  checkTable(table, `${where}: references of ${quoted(property)}`);
  return { table, columns: table.primaryKey.map((key) => table.columns[key]?.name ?? key) };
}

/**
 * Whether the references of two columns relate them: the holder references the other, the other references the holder
 * (the relation is read from the side of the key), or both reference the same.
 */
function agrees(said: Said, holder: Side, held: Side, where: string): boolean {
  if (isSaid(said, held)) return true;
  const back = referenceOf(held.column, where);
  return back !== undefined && (isSaid(back, holder) || isSame(said, back));
}

function isSaid({ table, columns }: Said, side: Side): boolean {
  return (
    table.name === side.table.name &&
    table.namespace === side.table.namespace &&
    columns.length === 1 &&
    columns[0] === side.column.name
  );
}

function isSame(a: Said, b: Said): boolean {
  return (
    a.table.name === b.table.name &&
    a.table.namespace === b.table.namespace &&
    a.columns.join("\0") === b.columns.join("\0")
  );
}
