/** Whether a relation and the declared references agree: a relation that leads elsewhere is nearly always a mistake. */
import { quoted } from "../../core/errors.js";
import { DeclarationError } from "../words/errors.js";
import type { AnyTable, ColumnInfo, ForeignKeyInfo } from "./declaration.js";
import { readReference } from "./reference.js";
import { checkTable } from "./table.js";

/** One side of a relation: its columns in the order of the pairs. */
export interface RelationSide {
  readonly table: AnyTable;
  readonly columns: readonly ColumnInfo[];
}

/**
 * Checks the references of the columns that hold a key against the table that a relation finds by them.
 * @throws {DeclarationError} if they refer elsewhere.
 */
export function checkReferences(holder: RelationSide, held: RelationSide, where: string): void {
  const keys = holder.table.foreignKeys.filter((key) => isOf(key, holder));
  if (keys.some((key) => agreesWhole(key, holder, held, where))) return;
  const [key] = keys;
  if (key !== undefined && holder.columns.length > 1) {
    const said = saidBy(key, where);
    throw elsewhere(holder.columns, held, said, "the foreign key", where);
  }
  for (const [i, column] of holder.columns.entries()) {
    const other = held.columns[i];
    const said = referenceOf(column, where);
    if (said === undefined || other === undefined) continue;
    if (!agrees(said, { table: holder.table, column }, { table: held.table, column: other }, where))
      throw elsewhere([column], held, said, "the column", where);
  }
}

function elsewhere(
  columns: readonly ColumnInfo[],
  held: RelationSide,
  said: Said,
  what: string,
  where: string,
): DeclarationError {
  const fields = columns.map(({ property }) => quoted(property)).join(", ");
  return new DeclarationError(
    `${where} relates ${fields} to table ${quoted(held.table.name)}, and ${what} references ${quoted(said.table.name)} (${said.columns.join(", ")})`,
  );
}

/** Whether a foreign key has exactly these columns. */
function isOf({ columns }: ForeignKeyInfo, side: RelationSide): boolean {
  const own = side.columns.map(({ property }) => property);
  return own.length === columns.length && own.every((property) => columns.includes(property));
}

/** Whether a foreign key pairs the columns as the relation does. */
function agreesWhole(key: ForeignKeyInfo, holder: RelationSide, held: RelationSide, where: string): boolean {
  const { table, properties } = saidBy(key, where);
  if (table.name !== held.table.name || table.namespace !== held.table.namespace) return false;
  return holder.columns.every(
    ({ property }, i) => properties[key.columns.indexOf(property)] === held.columns[i]?.property,
  );
}

/** The target of a reference: the names in the database of a table and its columns. */
interface Said {
  readonly table: Pick<AnyTable, "name" | "namespace">;
  readonly columns: readonly string[];
}

function saidBy(
  { references, target }: ForeignKeyInfo,
  where: string,
): Said & { readonly properties: readonly string[] } {
  const table: unknown = references();
  checkTable(table, `${where}: references of a foreign key`);
  const properties = target ?? table.primaryKey;
  return { table, properties, columns: namesIn(table, properties) };
}

function referenceOf({ references, property }: ColumnInfo, where: string): Said | undefined {
  if (references === undefined) return undefined;
  if (typeof references === "string") {
    const read = readReference(references);
    return read === undefined ? undefined : { table: read.target, columns: [read.column] };
  }
  const table: unknown = references();
  checkTable(table, `${where}: references of ${quoted(property)}`);
  return { table, columns: namesIn(table, table.primaryKey) };
}

function namesIn({ columns }: AnyTable, properties: readonly string[]): readonly string[] {
  return properties.map((property) => columns[property]?.name ?? property);
}

/** A column of one side. */
interface OneSide {
  readonly table: AnyTable;
  readonly column: ColumnInfo;
}

/**
 * Whether the references of two columns relate them: the holder references the other, the other references the holder
 * (the relation is read from the side of the key), or both reference the same.
 */
function agrees(said: Said, holder: OneSide, held: OneSide, where: string): boolean {
  if (isSaid(said, held)) return true;
  const back = referenceOf(held.column, where);
  return back !== undefined && (isSaid(back, holder) || isSame(said, back));
}

function isSaid({ table, columns }: Said, side: OneSide): boolean {
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
