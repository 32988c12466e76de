/**
 * The catalog that declarations stand for, in the server's own words: each table is created as a temporary one, read,
 * and dropped again; or its text is read, where the server keeps the author's text.
 */

import { ddl } from "../../ddl/ddl.js";
import type { AnyTable } from "../../declare/declaration.js";
import { isTable, markDeclared } from "../../declare/table.js";
import { type CreateText, readCreateText } from "../text/create-text.js";
import { readReference } from "../text/foreign-key-text.js";
import { SqlCursor } from "../text/sql-cursor.js";
import type { CatalogForeignKey, CatalogTable } from "../words/catalog.js";
import { schemaOf } from "../words/declared-list.js";
import type { Runs } from "../words/reading.js";
import type { DeclaredTable, DeclaredTexts } from "./declared-table.js";
import type { CatalogDialect } from "./dialect.js";

/** How declarations are read: `home` is the schema that unqualified names refer to. */
interface Reading {
  readonly dialect: CatalogDialect;
  readonly home: string | null;
}

/**
 * Reads declared tables in the caller's transaction; the caller removes what it leaves.
 * @param views reads the declared views, which PostgreSQL creates over the declared tables while these exist.
 */
export async function readDeclared(
  tables: readonly AnyTable[],
  runs: Runs,
  reading: Reading,
  views: () => Promise<void>,
): Promise<DeclaredTable[]> {
  const texts = tables.map((table) => declaredTexts(table, reading));
  const catalogs = await reading.dialect.readDeclared(texts, runs, views);
  // Each reader answers for each table.
  return texts.map((text, i) => declaredTable(text, catalogs[i] as CatalogTable, reading));
}

/** A declared table, with the catalog that the server gives it. */
export function declaredTable(
  { table, schema, create, indexes }: DeclaredTexts,
  catalog: CatalogTable,
  reading: Reading,
): DeclaredTable {
  const foreignKeys = foreignKeysOf(create, table, reading);
  return { table, schema, create, indexes, catalog: { ...catalog, name: table.name, schema, foreignKeys } };
}

/** A declared table as `ddl` writes it. */
export function declaredTexts(table: AnyTable, { dialect, home }: Reading): DeclaredTexts {
  const schema = schemaOf(table, home);
  const [statement = "", ...others] = ddl(table, dialect.name);
  const local =
    table.namespace === undefined ? undefined : withOther(table, () => ({ namespace: undefined }));
  const [scratch = "", ...rest] = local === undefined ? [statement, ...others] : ddl(local, dialect.name);
  return {
    table,
    schema,
    create: readCreateText(statement, dialect),
    indexes: new Map(others.filter(isIndex).map((sql) => [indexName(sql, dialect), sql])),
    scratch: { create: readCreateText(scratch, dialect), indexes: rest.filter(isIndex) },
  };
}

/** A declared table with other properties; undefined for a table that was made from a catalog. */
export function withOther(
  table: AnyTable,
  properties: () => Partial<Pick<AnyTable, "columns" | "namespace">>,
): AnyTable | undefined {
  if (!isTable(table)) return undefined;
  const other = { ...table, ...properties() };
  markDeclared(other);
  return isTable(other) ? other : undefined;
}

function isIndex(sql: string): boolean {
  return /^CREATE (?:\w+ )?INDEX /.test(sql);
}

function indexName(sql: string, { tokens }: CatalogDialect): string {
  const cursor = new SqlCursor(sql, tokens);
  while (!cursor.isAtEnd && !cursor.takes("INDEX")) cursor.next();
  const name = cursor.name();
  return cursor.takes(".") ? cursor.name() : name;
}

// A temporary table has no foreign keys, and their text needs no server.
function foreignKeysOf(
  create: CreateText,
  table: AnyTable,
  { dialect: { tokens, keptReference }, home }: Reading,
): CatalogForeignKey[] {
  return create.constraints
    .filter(({ kind }) => kind === "foreign key")
    .map(({ name, columns, body }) => {
      const cursor = new SqlCursor(body, tokens);
      cursor.takes("FOREIGN", "KEY");
      cursor.inParentheses();
      const key = readReference(cursor, name ?? `${table.name}_${columns.join("_")}_fkey`, columns);
      const schema = key.target.schema === home ? null : key.target.schema;
      const said = { ...key, target: { ...key.target, schema } };
      return keptReference === undefined ? said : keptReference(said);
    });
}
