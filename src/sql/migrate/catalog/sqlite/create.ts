/**
 * Reads the statements that SQLite keeps in `sqlite_schema`: a table with its columns and constraints, or an index.
 * Declarations are read the same way, from the text of `ddl`.
 */

import { namesIn } from "../../text/create-text.js";
import { readReference } from "../../text/foreign-key-text.js";
import { SqlCursor, sqliteRules } from "../../text/sql-cursor.js";
import type {
  CatalogCheck,
  CatalogColumn,
  CatalogForeignKey,
  CatalogIndex,
  CatalogKey,
  CatalogTable,
} from "../../words/catalog.js";
import { plainExpression } from "./expression.js";
import { DESCENDING_KEY } from "./row-id.js";

/** A table and the parts of its text that a catalog does not contain. */
export interface SqliteTable extends CatalogTable {
  /** The options after the columns: `STRICT`, `WITHOUT ROWID`. */
  readonly options: string;
  /** The parts of its constraints that no declaration can say: conflict clauses, a collation of a key. */
  readonly clauses: readonly TableClause[];
}

/** A clause that no declaration can say. */
interface TableClause {
  readonly kind: "conflict clause" | "key collation" | typeof DESCENDING_KEY;
  /** The clause and its columns. */
  readonly text: string;
}

/** Collects the parts of a table. */
interface Parts {
  readonly columns: CatalogColumn[];
  primaryKey: CatalogKey | null;
  readonly keys: CatalogKey[];
  readonly foreignKeys: CatalogForeignKey[];
  readonly checks: CatalogCheck[];
  readonly clauses: TableClause[];
}

/** Reads `CREATE TABLE`. */
export function readSqliteTable(sql: string, schema: string | null): SqliteTable {
  const cursor = new SqlCursor(sql, sqliteRules);
  const name = nameAfter(cursor, "TABLE");
  const parts: Parts = { columns: [], primaryKey: null, keys: [], foreignKeys: [], checks: [], clauses: [] };
  cursor.takes("(");
  while (!cursor.isAtEnd && !cursor.sees(")")) {
    const constraint = cursor.takes("CONSTRAINT") ? cursor.name() : null;
    if (constraint !== null || TABLE_WORDS.some((word) => cursor.sees(word)))
      readConstraint(cursor, constraint, parts);
    else readColumn(cursor, parts);
    cursor.skipItem();
    cursor.takes(",");
  }
  cursor.takes(")");
  return { name, schema, ...parts, indexes: [], comment: null, options: cursor.rest() };
}

/** Reads `CREATE INDEX`; undefined for one of several expressions, or with a collation. */
export function readSqliteIndex(sql: string): CatalogIndex | undefined {
  const cursor = new SqlCursor(sql, sqliteRules);
  const unique = cursor.sees("CREATE", "UNIQUE");
  const name = nameAfter(cursor, "INDEX");
  cursor.takes("ON");
  cursor.name();
  const inner = cursor.inParentheses() ?? "";
  const where = cursor.takes("WHERE") ? plainExpression(cursor.rest()) : null;
  const base = { name, unique, where, using: null, valid: true };
  const items = itemsOf(inner);
  const columns = items.map(columnOfIndex);
  if (columns.every((column) => column !== undefined)) return { ...base, columns, expression: null };
  const [expression] = items;
  if (items.length > 1 || expression === undefined || /\b(?:collate|desc)\b/i.test(expression))
    return undefined;
  return { ...base, columns: [], expression: plainExpression(expression) };
}

const TABLE_WORDS = ["PRIMARY", "UNIQUE", "CHECK", "FOREIGN"];

// `CREATE TEMP TABLE IF NOT EXISTS main.name`: the name follows all this.
function nameAfter(cursor: SqlCursor, word: string): string {
  while (!cursor.isAtEnd && !cursor.takes(word)) cursor.next();
  cursor.takes("IF", "NOT", "EXISTS");
  const name = cursor.name();
  return cursor.takes(".") ? cursor.name() : name;
}

function readColumn(cursor: SqlCursor, parts: Parts): void {
  const name = cursor.name();
  const begin = cursor.peek();
  while (!cursor.isAtEnd && !cursor.sees(",") && !cursor.sees(")") && !atColumnWord(cursor))
    if (cursor.inParentheses() === undefined) cursor.next();
  const type = cursor.peek() === begin ? "" : cursor.since(begin).replace(/\s+/g, " ");
  let column: CatalogColumn = {
    name,
    type: type.toUpperCase(),
    collation: null,
    nullable: true,
    default: null,
    generated: false,
    computed: null,
    comment: null,
  };
  let constraint: string | null = null;
  while (!cursor.isAtEnd && !cursor.sees(",") && !cursor.sees(")")) {
    if (cursor.takes("CONSTRAINT")) constraint = cursor.name();
    else {
      column = { ...column, ...readColumnPart(cursor, constraint, column, parts) };
      constraint = null;
    }
  }
  parts.columns.push(column);
}

const COLUMN_WORDS = "CONSTRAINT PRIMARY NOT NULL UNIQUE CHECK DEFAULT COLLATE REFERENCES GENERATED AS".split(
  " ",
);

function atColumnWord(cursor: SqlCursor): boolean {
  return COLUMN_WORDS.some((word) => cursor.sees(word));
}

function readColumnPart(
  cursor: SqlCursor,
  constraint: string | null,
  { name, type }: CatalogColumn,
  parts: Parts,
): Partial<CatalogColumn> {
  if (cursor.takes("PRIMARY", "KEY")) {
    const isDescending = !cursor.takes("ASC") && cursor.takes("DESC");
    // Without DESC it would be the row id.
    if (isDescending && type === "INTEGER")
      parts.clauses.push({ kind: DESCENDING_KEY, text: `PRIMARY KEY (${name} DESC)` });
    readConflict(cursor, [name], parts);
    parts.primaryKey = { name: constraint, columns: [name] };
    return cursor.takes("AUTOINCREMENT") ? { generated: "byDefault" } : {};
  }
  if (cursor.takes("NOT", "NULL")) {
    readConflict(cursor, [name], parts);
    return { nullable: false };
  }
  if (cursor.takes("UNIQUE")) {
    readConflict(cursor, [name], parts);
    parts.keys.push({ name: constraint, columns: [name] });
    return {};
  }
  if (cursor.takes("CHECK")) {
    readCheck(cursor, constraint, parts);
    return {};
  }
  if (cursor.takes("DEFAULT")) return { default: readDefault(cursor) };
  if (cursor.takes("COLLATE")) return { collation: cursor.name().toUpperCase() };
  if (cursor.sees("REFERENCES")) {
    parts.foreignKeys.push(readReference(cursor, constraint, [name]));
    return {};
  }
  cursor.takes("GENERATED", "ALWAYS");
  if (cursor.takes("AS")) {
    const expression = plainExpression(cursor.inParentheses() ?? "");
    const stored = cursor.takes("STORED");
    cursor.takes("VIRTUAL");
    return { computed: { expression, stored } };
  }
  cursor.next();
  return {};
}

function readDefault(cursor: SqlCursor): string {
  const inner = cursor.inParentheses();
  if (inner !== undefined) return plainExpression(inner);
  const begin = cursor.next();
  if (begin?.text === "-" || begin?.text === "+") cursor.next();
  return plainExpression(cursor.since(begin));
}

function readCheck(cursor: SqlCursor, name: string | null, parts: Parts): void {
  const expression = plainExpression(cursor.inParentheses() ?? "");
  // SQLite reads a conflict clause here and ignores it.
  if (cursor.takes("ON", "CONFLICT")) cursor.next();
  parts.checks.push({ name, expression, validated: true });
}

function readConflict(cursor: SqlCursor, columns: readonly string[], parts: Parts): void {
  if (!cursor.takes("ON", "CONFLICT")) return;
  const action = cursor.next()?.text.toUpperCase();
  // The default of SQLite.
  if (action === undefined || action === "ABORT") return;
  parts.clauses.push({ kind: "conflict clause", text: `ON CONFLICT ${action} (${columns.join(", ")})` });
}

function readConstraint(cursor: SqlCursor, name: string | null, parts: Parts): void {
  if (cursor.takes("PRIMARY", "KEY")) parts.primaryKey = { name, columns: keyColumns(cursor, parts) };
  else if (cursor.takes("UNIQUE")) parts.keys.push({ name, columns: keyColumns(cursor, parts) });
  else if (cursor.takes("CHECK")) readCheck(cursor, name, parts);
  else if (cursor.takes("FOREIGN", "KEY"))
    parts.foreignKeys.push(readReference(cursor, name, namesIn(cursor)));
}

function keyColumns(cursor: SqlCursor, parts: Parts): string[] {
  const begin = cursor.peek();
  const columns = namesIn(cursor);
  const text = cursor.since(begin);
  const list = new SqlCursor(text, sqliteRules);
  while (!list.isAtEnd)
    if (list.takes("COLLATE"))
      parts.clauses.push({ kind: "key collation", text: `COLLATE ${list.name()} ${text}` });
    else list.next();
  readConflict(cursor, columns, parts);
  return columns;
}

/** The texts between the commas of a list. */
function itemsOf(list: string): string[] {
  const cursor = new SqlCursor(list, sqliteRules);
  const items: string[] = [];
  while (!cursor.isAtEnd) {
    const begin = cursor.peek();
    while (!cursor.isAtEnd && !cursor.sees(",")) if (cursor.inParentheses() === undefined) cursor.next();
    items.push(cursor.since(begin));
    cursor.takes(",");
  }
  return items;
}

function columnOfIndex(item: string): CatalogIndex["columns"][number] | undefined {
  const cursor = new SqlCursor(item, sqliteRules);
  const token = cursor.next();
  if (token === undefined || (token.kind !== "word" && token.kind !== "name")) return undefined;
  if (cursor.takes("ASC") || cursor.isAtEnd) return cursor.isAtEnd ? token.value : undefined;
  return cursor.takes("DESC") && cursor.isAtEnd ? [token.value, "desc"] : undefined;
}
