/** Reads the catalog of SQLite: the statements that created its tables, indexes, views and triggers. */

import * as z from "zod";
import { doubleQuoted } from "../../../dialect/grammar/names.js";
import { isSqlError } from "../../../words/errors.js";
import { SqlCursor, sqliteRules } from "../../text/sql-cursor.js";
import type { CatalogTable, CatalogUnknown, CatalogView } from "../../words/catalog.js";
import type { CatalogScope, Runs } from "../../words/reading.js";
import type { CatalogParts } from "../dialect.js";
import { readSqliteIndex, readSqliteTable, type SqliteTable } from "./create.js";
import { plainExpression } from "./expression.js";

/** Reads the main database, or attached ones by name. */
export async function readSqlite(db: Runs, { schemas }: CatalogScope): Promise<CatalogParts> {
  const tables: CatalogTable[] = [];
  const views: CatalogView[] = [];
  const unknown: CatalogUnknown[] = [];
  for (const schema of schemas) {
    const home = schema === "main" ? null : schema;
    const rows = await db
      .sql(`SELECT type, name, tbl_name AS "table", sql FROM ${quoted(home)}.sqlite_schema`, row)
      .exec();
    const made = new Map<string, SqliteTable>();
    const shadows = new Set(
      (await db.sql(SHADOWS, z.object({ name: z.string() })).exec()).map(({ name }) => name),
    );
    for (const { type, name, table, sql } of rows) {
      if (sql === null || name.startsWith("sqlite_") || shadows.has(name)) continue;
      if (type === "table" && /^\s*create\s+virtual\b/i.test(sql))
        unknown.push({ kind: "virtual table", schema: home, table: null, name, definition: sql });
      else if (type === "table") made.set(name, readSqliteTable(sql, home));
      else if (type === "trigger")
        unknown.push({ kind: "trigger", schema: home, table, name, definition: sql });
      else if (type === "view") views.push(await viewOf(db, { name, schema: home, sql }));
    }
    for (const table of made.values()) {
      const own = rows.filter((one) => one.type === "index" && one.table === table.name && one.sql !== null);
      const indexes = own.flatMap(({ name, sql }) => {
        const index = readSqliteIndex(sql ?? "");
        if (index === undefined)
          unknown.push({ kind: "index", schema: home, table: table.name, name, definition: sql });
        return index ?? [];
      });
      if (table.options !== "")
        unknown.push({
          kind: "table option",
          schema: home,
          table: table.name,
          name: table.options.toUpperCase(),
          definition: null,
        });
      for (const { kind, text } of table.clauses)
        unknown.push({ kind, schema: home, table: table.name, name: text, definition: null });
      const { options: _options, clauses: _clauses, ...rest } = table;
      tables.push({ ...rest, indexes, foreignKeys: withTargets(table, made) });
    }
  }
  return { tables, views, enums: [], unknown };
}

const row = z.object({ type: z.string(), name: z.string(), table: z.string(), sql: z.string().nullable() });

// Tables in which a virtual table keeps its content.
const SHADOWS = "SELECT name FROM pragma_table_list WHERE type = 'shadow'";

function quoted(schema: string | null): string {
  return doubleQuoted(schema ?? "main");
}

// A reference without columns refers to the primary key.
function withTargets(
  table: CatalogTable,
  others: ReadonlyMap<string, CatalogTable>,
): CatalogTable["foreignKeys"] {
  const byName = new Map([...others].map(([name, one]) => [name.toLowerCase(), one]));
  return table.foreignKeys.map((key) => {
    const { schema, table: name, columns } = key.target;
    if (columns.length > 0) return key;
    const target = byName.get(name.toLowerCase());
    return { ...key, target: { schema, table: name, columns: target?.primaryKey?.columns ?? [] } };
  });
}

const viewColumn = z.object({ name: z.string(), type: z.string(), notnull: z.int() });

async function viewOf(
  db: Runs,
  { name, schema, sql }: { readonly name: string; readonly schema: string | null; readonly sql: string },
): Promise<CatalogView> {
  const columns = await db
    .sql('SELECT name, type, "notnull" FROM pragma_table_info(:name, :schema)', viewColumn)
    .exec({ name, schema: schema ?? "main" })
    // A view of something that was dropped has no columns, but is still in the schema.
    .catch((error: unknown) => {
      if (isSqlError(error) && error.code === "QUERY_FAILED") return [];
      throw error;
    });
  const definition = plainExpression(queryOf(sql));
  return {
    name,
    schema,
    columns: columns.map(({ name, type, notnull }) => ({
      name,
      type: type.toUpperCase(),
      nullable: notnull === 0,
    })),
    definition,
    comment: null,
  };
}

// `CREATE VIEW name (columns) AS query`; a name may contain any word.
function queryOf(sql: string): string {
  const cursor = new SqlCursor(sql, sqliteRules);
  while (!cursor.isAtEnd && !cursor.takes("AS")) if (cursor.inParentheses() === undefined) cursor.next();
  return cursor.rest();
}
