/**
 * Reads the output of MariaDB's `SHOW CREATE TABLE`: one definition a line, every name in backticks, every expression
 * in the server's own words. It is the only source that also covers temporary tables.
 */

import { readReference } from "../../text/foreign-key-text.js";
import { mariadbRules, SqlCursor } from "../../text/sql-cursor.js";
import type {
  CatalogCheck,
  CatalogColumn,
  CatalogForeignKey,
  CatalogIndex,
  CatalogKey,
  CatalogTable,
  CatalogUnknown,
  ReferenceAction,
} from "../../words/catalog.js";

/** The start of the table option that names the engine, if it is not InnoDB. */
const ENGINE = "ENGINE=";

/** The engine of a table if it is not InnoDB; undefined for InnoDB. */
export function engineOf(
  table: Pick<CatalogTable, "name" | "schema">,
  unknown: readonly CatalogUnknown[],
): string | undefined {
  const option = unknown.find(
    (one) =>
      one.kind === "table option" &&
      one.table === table.name &&
      one.schema === table.schema &&
      one.name.startsWith(ENGINE),
  );
  return option?.name.slice(ENGINE.length);
}

/** A table, and the parts of its text that are not modelled. */
export interface MariadbTable {
  readonly table: CatalogTable;
  readonly unknown: readonly CatalogUnknown[];
}

interface Parts {
  readonly columns: CatalogColumn[];
  primaryKey: CatalogKey | null;
  readonly keys: CatalogKey[];
  readonly foreignKeys: CatalogForeignKey[];
  readonly checks: CatalogCheck[];
  readonly indexes: CatalogIndex[];
  readonly unknown: { readonly kind: string; readonly name: string; readonly definition: string | null }[];
}

/** Reads `CREATE TABLE` as the server prints it. */
export function readMariadbTable(sql: string, schema: string | null): MariadbTable {
  const cursor = new SqlCursor(sql, mariadbRules);
  while (!cursor.isAtEnd && !cursor.takes("TABLE")) cursor.next();
  cursor.takes("IF", "NOT", "EXISTS");
  const name = cursor.name();
  const parts: Parts = {
    columns: [],
    primaryKey: null,
    keys: [],
    foreignKeys: [],
    checks: [],
    indexes: [],
    unknown: [],
  };
  cursor.takes("(");
  while (!cursor.isAtEnd && !cursor.sees(")")) {
    if (cursor.peek()?.kind === "name") readColumn(cursor, parts);
    else readDefinition(cursor, parts);
    cursor.skipItem();
    cursor.takes(",");
  }
  cursor.takes(")");
  const { engine, collation, comment } = readOptions(cursor);
  if (engine !== null && !/^innodb$/i.test(engine))
    parts.unknown.push({ kind: "table option", name: `${ENGINE}${engine}`, definition: null });
  const { unknown, ...rest } = parts;
  const columns = rest.columns.map((column) =>
    // A column without a collation has that of the table.
    column.collation === "" ? { ...column, collation } : column,
  );
  const indexes = rest.indexes.filter((index) => !isOwnOf(index, rest.foreignKeys));
  return {
    table: { name, schema, ...rest, columns, indexes, comment },
    unknown: unknown.map((one) => ({ ...one, schema, table: name })),
  };
}

// The server's own index of a foreign key has the name of the key, or of its first column.
function isOwnOf({ name, unique, columns }: CatalogIndex, keys: readonly CatalogForeignKey[]): boolean {
  return keys.some(
    (key) =>
      !unique &&
      (name === key.name || (key.columns[0] !== undefined && name.replace(/_\d+$/, "") === key.columns[0])) &&
      columns.length === key.columns.length &&
      columns.every((column, i) => column === key.columns[i]),
  );
}

const COLUMN_WORDS =
  "CHARACTER COLLATE NOT NULL DEFAULT ON AUTO_INCREMENT COMMENT CHECK GENERATED AS INVISIBLE REF_SYSTEM_ID WITHOUT WITH COMPRESSED".split(
    " ",
  );
const TEXT = /^(?:char|varchar|tinytext|text|mediumtext|longtext|enum|set)\b/;

function readColumn(cursor: SqlCursor, parts: Parts): void {
  const name = cursor.name();
  const begin = cursor.peek();
  const ends = () => cursor.isAtEnd || cursor.sees(",") || cursor.sees(")");
  while (!ends() && !COLUMN_WORDS.some((word) => cursor.sees(word)))
    if (cursor.inParentheses() === undefined) cursor.next();
  const type = cursor.since(begin);
  let column: CatalogColumn = {
    name,
    type,
    collation: TEXT.test(type) ? "" : null,
    nullable: true,
    default: null,
    generated: false,
    computed: null,
    comment: null,
  };
  while (!ends()) column = { ...column, ...readColumnPart(cursor, name, parts) };
  parts.columns.push(column);
}

function readColumnPart(cursor: SqlCursor, name: string, parts: Parts): Partial<CatalogColumn> {
  if (cursor.takes("CHARACTER", "SET")) {
    const set = cursor.name();
    return cursor.takes("COLLATE") ? { collation: cursor.name() } : { collation: `${set} default` };
  }
  if (cursor.takes("COLLATE")) return { collation: cursor.name() };
  if (cursor.takes("NOT", "NULL")) return { nullable: false };
  if (cursor.takes("NULL")) return { nullable: true };
  if (cursor.takes("DEFAULT")) {
    const expression = readDefault(cursor);
    const updated = cursor.takes("ON", "UPDATE") ? ` ON UPDATE ${readDefault(cursor)}` : "";
    return { default: expression === "NULL" ? null : `${expression}${updated}` };
  }
  if (cursor.takes("ON", "UPDATE")) return { default: `NULL ON UPDATE ${readDefault(cursor)}` };
  if (cursor.takes("AUTO_INCREMENT")) return { generated: "byDefault" };
  if (cursor.takes("COMMENT")) return { comment: cursor.next()?.value ?? "" };
  if (cursor.takes("CHECK")) {
    // The check of a column has the column's name.
    parts.checks.push({ name, expression: cursor.inParentheses() ?? "", validated: true });
    return {};
  }
  cursor.takes("GENERATED", "ALWAYS");
  if (cursor.takes("AS")) {
    const expression = cursor.inParentheses();
    if (expression === undefined) return {};
    const stored = cursor.takes("STORED") || cursor.takes("PERSISTENT");
    cursor.takes("VIRTUAL");
    return { computed: { expression, stored } };
  }
  const word = cursor.next()?.text ?? "";
  parts.unknown.push({ kind: "column option", name, definition: word });
  return {};
}

// A literal, a call, or an expression in parentheses.
function readDefault(cursor: SqlCursor): string {
  const inner = cursor.inParentheses();
  if (inner !== undefined) return `(${inner})`;
  const begin = cursor.next();
  if (begin?.text === "-" || begin?.text.startsWith("_")) cursor.next();
  if (cursor.sees("(")) cursor.inParentheses();
  return cursor.since(begin);
}

function readDefinition(cursor: SqlCursor, parts: Parts): void {
  const begin = cursor.peek();
  const name = cursor.takes("CONSTRAINT") ? cursor.name() : null;
  if (cursor.takes("PRIMARY", "KEY")) {
    const columns = readColumns(cursor);
    // An index may contain only the first characters of a text, which no declaration says.
    if (columns.some(({ isPart }) => isPart))
      parts.unknown.push({ kind: "primary key", name: "PRIMARY", definition: null });
    else parts.primaryKey = { name: "PRIMARY", columns: columns.map(({ column }) => column) };
  } else if (cursor.takes("FOREIGN", "KEY")) parts.foreignKeys.push(readForeignKey(cursor, name));
  else if (cursor.takes("CHECK"))
    parts.checks.push({ name, expression: cursor.inParentheses() ?? "", validated: true });
  else if (cursor.takes("UNIQUE", "KEY")) readIndex(cursor, parts, true);
  else if (cursor.takes("KEY")) readIndex(cursor, parts, false);
  else {
    const [kind = "definition"] = [cursor.next()?.text.toLowerCase()];
    cursor.takes("KEY");
    const called = cursor.peek()?.kind === "name" ? cursor.name() : kind;
    cursor.skipItem();
    parts.unknown.push({ kind: `${kind} index`, name: called, definition: cursor.since(begin) });
  }
}

interface KeyColumn {
  readonly column: string;
  readonly desc: boolean;
  readonly isPart: boolean;
}

function readColumns(cursor: SqlCursor): KeyColumn[] {
  const inner = new SqlCursor(cursor.inParentheses() ?? "", mariadbRules);
  const columns: KeyColumn[] = [];
  while (!inner.isAtEnd) {
    const column = inner.name();
    const isPart = inner.inParentheses() !== undefined;
    const desc = inner.takes("DESC");
    columns.push({ column, desc, isPart });
    inner.takes("ASC");
    inner.takes(",");
  }
  return columns;
}

// A unique constraint and a unique index are the same on MariaDB.
function readIndex(cursor: SqlCursor, parts: Parts, unique: boolean): void {
  const name = cursor.name();
  const begin = cursor.peek();
  const columns = readColumns(cursor);
  const list = cursor.since(begin);
  const using = cursor.takes("USING") ? cursor.name().toLowerCase() : "btree";
  if (columns.some(({ isPart }) => isPart) || cursor.takes("WITHOUT", "OVERLAPS")) {
    parts.unknown.push({ kind: "index", name, definition: list });
    return;
  }
  if (unique && columns.every(({ desc }) => !desc))
    parts.keys.push({ name, columns: columns.map(({ column }) => column) });
  else
    parts.indexes.push({
      name,
      unique,
      columns: columns.map(({ column, desc }) => (desc ? ([column, "desc"] as const) : column)),
      expression: null,
      where: null,
      using: using === "btree" ? null : using,
      valid: true,
    });
}

function readForeignKey(cursor: SqlCursor, name: string | null): CatalogForeignKey {
  const columns = readColumns(cursor).map(({ column }) => column);
  const { onDelete, onUpdate, ...key } = readReference(cursor, name, columns);
  return { ...key, onDelete: actionOf(onDelete), onUpdate: actionOf(onUpdate) };
}

// RESTRICT and NO ACTION are the same on MariaDB.
function actionOf(action: ReferenceAction): ReferenceAction {
  return action === "restrict" ? "no action" : action;
}

function readOptions(cursor: SqlCursor): {
  readonly engine: string | null;
  readonly collation: string | null;
  readonly comment: string | null;
} {
  let engine: string | null = null;
  let collation: string | null = null;
  let comment: string | null = null;
  while (!cursor.isAtEnd) {
    if (cursor.takes("ENGINE", "=")) engine = cursor.name();
    else if (cursor.takes("COLLATE", "=")) collation = cursor.name();
    else if (cursor.takes("COMMENT", "=")) comment = cursor.name();
    else cursor.next();
  }
  return { engine, collation, comment };
}
