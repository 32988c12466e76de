/** The statements that create and drop tables, from the same declaration that queries read. */
import { quoted } from "../../core/errors.js";
import type { AnyTable, ByDialect, ColumnInfo } from "../declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { qualifiedName } from "../dialect/names.js";
import { DeclarationError } from "../errors.js";

/** The statements that create tables that do not exist, in the order of their references. */
export function createTableStatements(tables: readonly AnyTable[], grammar: Grammar): string[] {
  return inOrder(tables).flatMap((table) => [createTable(table, grammar), ...createIndexes(table, grammar)]);
}

/** The statements that drop tables that exist, against the order of their references. */
export function dropTableStatements(tables: readonly AnyTable[], grammar: Grammar): string[] {
  return inOrder(tables)
    .reverse()
    .map((table) => `DROP TABLE IF EXISTS ${qualifiedName(table, grammar)}`);
}

function createTable(table: AnyTable, grammar: Grammar): string {
  const { quote, ddl } = grammar;
  const columns = Object.values(table.columns);
  const lines = columns.map((column) => `${quote(column.name)} ${columnDefinition(table, column, grammar)}`);
  const names = (key: readonly string[]) =>
    key.map((property) => quote(columnName(table, property))).join(", ");
  const identity = columns.some(
    (column) => column.generated !== false && table.primaryKey.includes(column.property),
  );
  if (table.primaryKey.length > 1 || (table.primaryKey.length === 1 && !(identity && ddl.identityIsKey)))
    lines.push(`PRIMARY KEY (${names(table.primaryKey)})`);
  for (const key of table.keys)
    if (key !== table.primaryKey && !sameKey(key, table.primaryKey)) lines.push(`UNIQUE (${names(key)})`);
  for (const column of columns) {
    const reference = referenceOf(table, column, grammar);
    if (reference !== undefined) lines.push(`FOREIGN KEY (${quote(column.name)}) REFERENCES ${reference}`);
  }
  return `CREATE TABLE IF NOT EXISTS ${qualifiedName(table, grammar)} (\n  ${lines.join(",\n  ")}\n)`;
}

function createIndexes(table: AnyTable, grammar: Grammar): string[] {
  const { quote } = grammar;
  return Object.values(table.columns).flatMap((column) => {
    if (column.index === undefined || column.index === false) return [];
    const name = column.index === true ? `${table.name}_${column.name}_idx` : column.index;
    if (Buffer.byteLength(name) > grammar.maxNameBytes)
      throw new DeclarationError(
        `the index name ${quoted(name)} has more than ${grammar.maxNameBytes} bytes`,
      );
    return [
      `CREATE INDEX IF NOT EXISTS ${quote(name)} ON ${qualifiedName(table, grammar)} (${quote(column.name)})`,
    ];
  });
}

function columnDefinition(table: AnyTable, column: ColumnInfo, { dialect, ddl }: Grammar): string {
  // A declared type that would not keep what the schema says gives way.
  const declared = textFor(column.type, dialect);
  const kept = column.storage.decimal === true ? ddl.decimal : undefined;
  const given = column.generated !== false && ddl.identityIsKey ? undefined : (kept ?? declared);
  const parts = [given ?? ddl.type(column.storage)];
  if (given === undefined && column.kind === "text" && ddl.collation !== "") parts.push(ddl.collation);
  if (column.generated !== false) {
    const isKey = table.primaryKey.length === 1 && table.primaryKey[0] === column.property;
    if (ddl.identityIsKey && !isKey)
      throw new DeclarationError(
        `generated column ${quoted(column.property)} must be the primary key on ${dialect}`,
      );
    parts.push(ddl.identity(column.generated === true));
  }
  if (!column.nullable) parts.push("NOT NULL");
  const expression = textFor(column.default, dialect);
  if (expression !== undefined) parts.push(`DEFAULT ${ddl.defaultExpression(expression)}`);
  const check = textFor(column.check, dialect);
  if (check !== undefined) parts.push(`CHECK (${check})`);
  if (column.constraints !== undefined) parts.push(column.constraints);
  return parts.join(" ");
}

function referenceOf(
  table: AnyTable,
  { property, references }: ColumnInfo,
  grammar: Grammar,
): string | undefined {
  if (references === undefined) return undefined;
  const { quote } = grammar;
  if (typeof references === "function") {
    const target = references();
    if (target.primaryKey.length !== 1)
      throw new DeclarationError(
        `${quoted(property)} of table ${quoted(table.name)} refers to ${quoted(target.name)}, whose primary key is not one column`,
      );
    const key = target.primaryKey.map((one) => quote(columnName(target, one))).join(", ");
    return `${qualifiedName(target, grammar)} (${key})`;
  }
  const match = /^\s*([^()]+?)\s*\(([^()]+)\)\s*$/.exec(references);
  const [, name = "", columns = ""] = match ?? [];
  if (match === null)
    throw new DeclarationError(
      `references of ${quoted(property)} on table ${quoted(table.name)} is "table(column)"`,
    );
  const list = columns.split(",").map((column) => quote(column.trim()));
  return `${name.split(".").map(quote).join(".")} (${list.join(", ")})`;
}

/**
 * Tables with those that they refer to before them; a table may refer to itself.
 * @throws {DeclarationError} where they refer to each other in a circle.
 */
function inOrder(tables: readonly AnyTable[]): AnyTable[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const ordered = new Set<AnyTable>();
  const visiting = new Set<AnyTable>();
  const visit = (table: AnyTable): void => {
    if (ordered.has(table)) return;
    if (visiting.has(table))
      throw new DeclarationError(
        `table ${quoted(table.name)} refers to itself by way of another: one must come first`,
      );
    visiting.add(table);
    for (const { references } of Object.values(table.columns)) {
      const name = typeof references === "function" ? references().name : references?.split("(")[0]?.trim();
      const target = name === undefined ? undefined : byName.get(name);
      if (target !== undefined && target !== table) visit(target);
    }
    ordered.add(table);
  };
  for (const table of tables) visit(table);
  return [...ordered];
}

function columnName(table: AnyTable, property: string): string {
  return table.columns[property]?.name ?? property;
}

function textFor(text: ByDialect | undefined, dialect: Grammar["dialect"]): string | undefined {
  return typeof text === "string" ? text : text?.[dialect];
}

function sameKey(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((property, i) => property === b[i]);
}
