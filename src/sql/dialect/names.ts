/** Names of tables and columns as a dialect writes them, and what of a table it cannot have. */
import type { AnyTable } from "../declare/declaration.js";
import type { Grammar, Missing } from "./grammar.js";

/** A table's name in quotes, with its SQL schema. */
export function qualifiedName(
  { name, namespace }: Pick<AnyTable, "name" | "namespace">,
  { quote }: Grammar,
): string {
  return namespace === undefined ? quote(name) : `${quote(namespace)}.${quote(name)}`;
}

/** What of a table the dialect cannot have, whatever is asked of it. */
export function tableFault(table: AnyTable, grammar: Grammar): Missing | undefined {
  const feature = nameFault(table, grammar);
  if (feature !== undefined)
    return { feature, hint: `rename what table ${JSON.stringify(table.name)} declares` };
  const vectors = Object.values(table.columns).some(({ kind }) => kind === "vector");
  return vectors ? grammar.noVectors : undefined;
}

/** Whether two keys are of the same columns, in one order. */
export function isSameKey(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((property, i) => property === b[i]);
}

// Names that are too long, or that the dialect cannot tell apart or write.
function nameFault(table: AnyTable, grammar: Grammar): string | undefined {
  const { maxNameBytes, foldsNames, quotesInNames } = grammar;
  const columns = Object.values(table.columns).map(({ name }) => name);
  const names = [table.name, ...(table.namespace === undefined ? [] : [table.namespace]), ...columns];
  if (names.some((name) => Buffer.byteLength(name) > maxNameBytes))
    return `names of more than ${maxNameBytes} bytes`;
  if (foldsNames && new Set(columns.map((name) => name.toLowerCase())).size < columns.length)
    return "columns whose names differ only in case";
  if (!quotesInNames && names.some((name) => name.includes('"'))) return "names with a double quote";
  return undefined;
}
