/** The statements that create the indexes of a table. */
import type { AnyTable, ColumnInfo } from "../declare/declaration.js";
import { constraintsOf, type TableIndex } from "../dialect/grammar/constraints.js";
import type { IndexMethod } from "../dialect/grammar/ddl-grammar.js";
import { textFor } from "../dialect/grammar/declared.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { qualifiedName } from "../dialect/grammar/names.js";
import { UnsupportedError } from "../words/errors.js";
import { visibleRows } from "./visible.js";

/**
 * The statements that create the indexes of a table.
 * @throws {UnsupportedError} for columns and methods that the dialect cannot index.
 */
export function createIndexes(table: AnyTable, grammar: Grammar): string[] {
  return constraintsOf(table, grammar).indexes.map((index) => createIndex(table, index, grammar));
}

/** The statement that creates an index. */
function createIndex(table: AnyTable, index: TableIndex, grammar: Grammar): string {
  const { quote, ddl } = grammar;
  const { word, clause } = methodOf(table, index, grammar);
  const schema = table.namespace === undefined || !ddl.qualifies.index ? "" : `${quote(table.namespace)}.`;
  const on = ddl.qualifies.indexed ? qualifiedName(table, grammar) : quote(table.name);
  const columns = index.columns.map(({ name, descending }) => `${quote(name)}${descending ? " DESC" : ""}`);
  const of = index.expression === undefined ? columns.join(", ") : `(${index.expression})`;
  const condition = index.visible ? visibleRows(table, grammar) : index.where;
  const where = condition === undefined ? "" : ` WHERE ${condition}`;
  const kind = `${index.unique ? "UNIQUE " : word}INDEX`;
  return `CREATE ${kind} ${schema}${quote(index.name)} ON ${on}${clause} (${of})${where}`;
}

const ORDINARY: IndexMethod = { word: "", clause: "" };

function methodOf(table: AnyTable, index: TableIndex, { dialect, ddl }: Grammar): IndexMethod {
  const refuse = (feature: string, hint: string) => new UnsupportedError(dialect, feature, hint);
  if (index.where !== undefined && !ddl.index.where)
    throw refuse("an index of a part of the rows", "leave where out, or give it by dialect");
  if (index.visible && !ddl.index.where)
    throw refuse(
      "an index of the rows that filters leave",
      "leave visible out, or declare a key of all rows",
    );
  if (index.expression !== undefined && !ddl.index.expression)
    throw refuse("an index of an expression", "declare a computed column, and index that");
  if (index.using !== undefined) {
    const method = ddl.index.method(index.using);
    if (method === undefined)
      throw refuse(`an index using ${index.using}`, "leave using out for this dialect");
    // A method may accept columns that an ordinary index does not.
    return method;
  }
  for (const { name } of index.columns) {
    const column = Object.values(table.columns).find((one) => one.name === name);
    if (column !== undefined && !isIndexable(column, { dialect, ddl }))
      throw refuse(
        `an index of ${column.property}, which has no length,`,
        "give it a type with a length, or leave the index out",
      );
  }
  return ORDINARY;
}

function isIndexable(
  { storage, type }: ColumnInfo,
  { dialect, ddl }: Pick<Grammar, "dialect" | "ddl">,
): boolean {
  return ddl.index.takes(storage, textFor(type, dialect));
}
