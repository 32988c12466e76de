/** Names of tables and columns as a dialect writes them, and which of them it cannot keep apart. */
import type { AnyTable } from "../declaration.js";
import type { Grammar } from "./grammar.js";

/** A table's name in quotes, with its SQL schema. */
export function qualifiedName({ name, namespace }: AnyTable, { quote }: Grammar): string {
  return namespace === undefined ? quote(name) : `${quote(namespace)}.${quote(name)}`;
}

/** What is wrong with the names of a table on a dialect: too long, or equal but for case where that does not count. */
export function nameFault(table: AnyTable, { maxNameBytes, foldsNames }: Grammar): string | undefined {
  const columns = Object.values(table.columns).map(({ name }) => name);
  const long = [table.name, ...columns].find((name) => Buffer.byteLength(name) > maxNameBytes);
  if (long !== undefined) return `names of more than ${maxNameBytes} bytes`;
  if (foldsNames && new Set(columns.map((name) => name.toLowerCase())).size < columns.length)
    return "columns whose names differ only in case";
  return undefined;
}
