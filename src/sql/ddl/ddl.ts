/** The statements that create and drop tables, from the declarations. */

import { listed, quoted } from "../../core/errors.js";
import type { AnyTable, ColumnInfo } from "../declare/declaration.js";
import { readReference } from "../declare/reference.js";
import { checkTable, checkTables } from "../declare/table.js";
import { saysCollation } from "../dialect/collation.js";
import { columnName, indexingOf, textFor } from "../dialect/declared.js";
import type { Grammar } from "../dialect/grammar.js";
import { grammars } from "../dialect/grammars.js";
import { isSameKey, qualifiedName, tableFault } from "../dialect/names.js";
import { columnType } from "../dialect/value-codec.js";
import type { Dialect } from "../words/dialect.js";
import { DeclarationError, UnsupportedError } from "../words/errors.js";
import { createIndexes, IndexNames } from "./indexes.js";

/**
 * Returns the statements that create a table with its checks and keys, and then its indexes, for example for a
 * migration. They fail if the table exists; `createTables` of a database does not.
 * @throws {DeclarationError | UnsupportedError} if the dialect cannot create the table.
 * @example
 * import { ddl } from "rowtype";
 * for (const statement of ddl(User, "postgres")) console.log(`${statement};`);
 */
export function ddl(table: AnyTable, dialect: Dialect): string[] {
  const grammar = grammars.get(dialect);
  if (grammar === undefined)
    throw new DeclarationError(`unknown dialect ${quoted(dialect)}; dialects: ${listed(grammars.keys())}`);
  checkTable(table, "ddl");
  new IndexNames().take(table, grammar);
  return createStatements(table, grammar);
}

/**
 * The statements that create missing tables, in the order of their references.
 * @param names the index names that earlier calls on the database have used.
 */
export function createTableStatements(
  tables: readonly AnyTable[],
  grammar: Grammar,
  names: IndexNames,
): string[] {
  checkTables(tables, "createTables");
  const ordered = inOrder(tables);
  for (const table of ordered) names.take(table, grammar);
  return ordered.flatMap((table) =>
    createStatements(table, grammar).map((create) => grammar.ddl.unlessExists(create)),
  );
}

/** The statements that drop existing tables, in the reverse order of their references. */
export function dropTableStatements(
  tables: readonly AnyTable[],
  grammar: Grammar,
  names: IndexNames,
): string[] {
  checkTables(tables, "dropTables");
  for (const table of tables) names.release(table, grammar);
  return inOrder(tables)
    .reverse()
    .map((table) => grammar.ddl.ifExists(`DROP TABLE ${qualifiedName(table, grammar)}`));
}

function createStatements(table: AnyTable, grammar: Grammar): string[] {
  const fault = tableFault(table, grammar);
  if (fault !== undefined) throw new UnsupportedError(grammar.dialect, fault.feature, fault.hint);
  return [createTable(table, grammar), ...createIndexes(table, grammar)];
}

function createTable(table: AnyTable, grammar: Grammar): string {
  const { quote, ddl } = grammar;
  const columns = Object.values(table.columns);
  const lines = columns.map((column) => `${quote(column.name)} ${columnDefinition(table, column, grammar)}`);
  const keyLine = (key: readonly string[], words: "PRIMARY KEY" | "UNIQUE") => {
    const names = key.map((property) => columnName(table, property));
    const name = ddl.keyName(table.name, names, words === "PRIMARY KEY");
    const called = name === undefined ? "" : `CONSTRAINT ${quote(name)} `;
    return `${called}${words} (${names.map(quote).join(", ")})`;
  };
  const identity = columns.some(
    (column) => column.generated !== false && table.primaryKey.includes(column.property),
  );
  if (table.primaryKey.length > 1 || (table.primaryKey.length === 1 && !(identity && ddl.identityIsKey)))
    lines.push(keyLine(table.primaryKey, "PRIMARY KEY"));
  for (const key of table.keys)
    if (key !== table.primaryKey && !isSameKey(key, table.primaryKey)) lines.push(keyLine(key, "UNIQUE"));
  for (const column of columns) {
    const reference = referenceOf(table, column, grammar);
    if (reference !== undefined) lines.push(`FOREIGN KEY (${quote(column.name)}) REFERENCES ${reference}`);
  }
  return `CREATE TABLE ${qualifiedName(table, grammar)} (\n  ${lines.join(",\n  ")}\n)`;
}

function columnDefinition(table: AnyTable, column: ColumnInfo, grammar: Grammar): string {
  const { dialect, ddl, quote } = grammar;
  const { storage } = column;
  // A declared type that cannot hold the values of the schema is replaced.
  const declared = textFor(column.type, dialect);
  const kept = storage.decimal === true ? ddl.decimal : undefined;
  const given = column.generated !== false && ddl.identityIsKey ? undefined : (kept ?? declared);
  const type = given ?? columnType(storage, indexingOf(table, column), grammar);
  const parts = [saysCollation(column.constraints ?? "") ? type : ddl.byCodePoint(type, storage)];
  if (column.generated !== false) {
    const isKey = table.primaryKey.length === 1 && table.primaryKey[0] === column.property;
    if (ddl.identityIsKey && !isKey)
      throw new DeclarationError(
        `generated column ${quoted(column.property)} must be the primary key on ${dialect}`,
      );
    parts.push(ddl.identity(column.generated === true));
  }
  // The default comes before the constraints, because some servers do not accept it after them.
  const expression = textFor(column.default, dialect);
  if (expression !== undefined) parts.push(`DEFAULT ${ddl.defaultExpression(expression, storage)}`);
  if (!column.nullable) parts.push("NOT NULL");
  const names = Object.values(table.columns).map(({ name }) => name);
  const check = textFor(column.check, dialect);
  if (check !== undefined) parts.push(`CHECK (${ddl.checkExpression(check, names)})`);
  const kindCheck = ddl.kindCheck(storage, quote(column.name));
  if (kindCheck !== undefined) parts.push(`CHECK (${kindCheck})`);
  if (column.constraints !== undefined) parts.push(column.constraints);
  return parts.join(" ");
}

function referenceOf(
  table: AnyTable,
  { property, references }: ColumnInfo,
  grammar: Grammar,
): string | undefined {
  if (references === undefined) return undefined;
  const { quote, ddl } = grammar;
  if (typeof references === "function") {
    const target = references();
    if (target.primaryKey.length !== 1)
      throw new DeclarationError(
        `${quoted(property)} of table ${quoted(table.name)} refers to ${quoted(target.name)}, whose primary key is not one column`,
      );
    const key = target.primaryKey.map((one) => quote(columnName(target, one))).join(", ");
    return `${ddl.qualifies.referenced ? qualifiedName(target, grammar) : quote(target.name)} (${key})`;
  }
  const said = readReference(references);
  if (said === undefined) return undefined;
  const { target, column } = said;
  const name = ddl.qualifies.referenced ? qualifiedName(target, grammar) : quote(target.name);
  return `${name} (${quote(column)})`;
}

/**
 * The tables in an order in which referenced tables come first; a table may refer to itself.
 * @throws {DeclarationError} if the references form a cycle.
 */
function inOrder(tables: readonly AnyTable[]): AnyTable[] {
  const nameOf = ({ name, namespace }: Pick<AnyTable, "name" | "namespace">) =>
    namespace === undefined ? name : `${namespace}.${name}`;
  const byName = new Map(tables.map((table) => [nameOf(table), table]));
  const ordered = new Set<AnyTable>();
  const visiting = new Set<AnyTable>();
  const visit = (table: AnyTable): void => {
    if (ordered.has(table)) return;
    if (visiting.has(table))
      throw new DeclarationError(
        `table ${quoted(table.name)} refers to itself through other tables: references must not form a cycle`,
      );
    visiting.add(table);
    for (const { references } of Object.values(table.columns)) {
      const named = typeof references === "string" ? readReference(references)?.target : references?.();
      const target = named === undefined ? undefined : byName.get(nameOf(named));
      if (target !== undefined && target !== table) visit(target);
    }
    ordered.add(table);
  };
  for (const table of tables) visit(table);
  return [...ordered];
}
