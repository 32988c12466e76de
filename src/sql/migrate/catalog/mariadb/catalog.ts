/** Reads the catalog of MariaDB, in the server's own words: the output of `SHOW CREATE TABLE` for each table. */
import * as z from "zod";
import { quoted } from "../../../../core/errors.js";
import { QueryError } from "../../../words/errors.js";
import type { CatalogTable, CatalogUnknown, CatalogView } from "../../words/catalog.js";
import type { CatalogScope, Runs } from "../../words/reading.js";
import type { CatalogParts } from "../dialect.js";
import { type MariadbTable, readMariadbTable } from "./create.js";

/** Reads the tables of these databases. */
export async function readMariadb(db: Runs, { schemas }: CatalogScope): Promise<CatalogParts> {
  const home = await currentDatabase(db);
  const tables: CatalogTable[] = [];
  const views: CatalogView[] = [];
  const unknown: CatalogUnknown[] = [];
  for (const asked of schemas) {
    const spelled = asked ?? home;
    if (spelled === null) continue;
    const schema = spelled === home ? null : spelled;
    const given = { schema: spelled };
    for (const { name, kind } of await db.sql(TABLES, tableRow).exec(given)) {
      if (kind === "BASE TABLE") {
        const { table, unknown: others } = await showMariadbTable(db, name, schema);
        tables.push(table);
        unknown.push(...others);
      } else if (kind !== "VIEW")
        unknown.push({ kind: kind.toLowerCase(), schema, table: null, name, definition: null });
    }
    const columns = await db.sql(VIEW_COLUMNS, columnRow).exec(given);
    for (const { name, definition } of await db.sql(VIEWS, viewRow).exec(given)) {
      // The server gives an empty text to a role that may not see it.
      if (definition === "")
        throw new QueryError("QUERY_FAILED", `the query of view ${quoted(name)} is hidden: grant SHOW VIEW`);
      views.push({
        name,
        schema,
        columns: columns
          .filter(({ view }) => view === name)
          .map(({ column, type, nullable }) => ({ name: column, type, nullable: nullable === "YES" })),
        definition: withoutSchema(definition, spelled),
        comment: null,
      });
    }
    for (const one of await db.sql(OTHERS, otherRow).exec(given)) unknown.push({ ...one, schema });
  }
  return { tables, views, enums: [], unknown };
}

/** The database that unqualified names refer to. */
export async function currentDatabase(db: Runs): Promise<string | null> {
  const [row] = await db.sql("SELECT DATABASE() AS name", z.object({ name: z.string().nullable() })).exec();
  return row?.name ?? null;
}

/** Reads one table, also a temporary one, which no list contains. */
export async function showMariadbTable(db: Runs, name: string, schema: string | null): Promise<MariadbTable> {
  const called = schema === null ? ticked(name) : `${ticked(schema)}.${ticked(name)}`;
  // A mode of the session changes the quotes of names and the escapes of literals.
  const [shown] = await db
    .sql(`SET STATEMENT sql_mode = '' FOR SHOW CREATE TABLE ${called}`, shownRow)
    .exec();
  return readMariadbTable(shown?.["Create Table"] ?? "", schema);
}

/** A view's text without the name of its own database. */
export function withoutSchema(definition: string, schema: string): string {
  return definition.replaceAll(`${ticked(schema)}.`, "");
}

/** The indexes that the server created for foreign keys: the catalog leaves them out. */
export async function ownIndexesOf(
  tables: readonly CatalogTable[],
  db: Runs,
): Promise<
  ReadonlyMap<CatalogTable, readonly { readonly name: string; readonly columns: readonly string[] }[]>
> {
  const home = await currentDatabase(db);
  const own = new Map<CatalogTable, { name: string; columns: string[] }[]>();
  for (const table of tables) {
    if (table.foreignKeys.length === 0) continue;
    const listed = new Set([...table.keys, ...table.indexes].map(({ name }) => name));
    const built = new Map<string, string[]>();
    const given = { schema: table.schema ?? home ?? "", table: table.name };
    for (const { name, column } of await db
      .sql(STATISTICS, z.object({ name: z.string(), column: z.string() }))
      .exec(given))
      if (!listed.has(name)) built.set(name, [...(built.get(name) ?? []), column]);
    own.set(
      table,
      [...built].map(([name, columns]) => ({ name, columns })),
    );
  }
  return own;
}

const STATISTICS = `SELECT INDEX_NAME AS name, COLUMN_NAME AS \`column\` FROM information_schema.STATISTICS
WHERE TABLE_SCHEMA = :schema AND TABLE_NAME = :table AND NON_UNIQUE = 1 AND INDEX_TYPE = 'BTREE' AND COLUMN_NAME IS NOT NULL
AND INDEX_NAME NOT IN (SELECT INDEX_NAME FROM information_schema.STATISTICS
  WHERE TABLE_SCHEMA = :schema AND TABLE_NAME = :table AND SUB_PART IS NOT NULL)
ORDER BY INDEX_NAME, SEQ_IN_INDEX`;

function ticked(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}

const shownRow = z.object({ "Create Table": z.string() });
const tableRow = z.object({ name: z.string(), kind: z.string() });
const viewRow = z.object({ name: z.string(), definition: z.string() });
const columnRow = z.object({
  view: z.string(),
  column: z.string(),
  type: z.string(),
  nullable: z.string(),
});
const otherRow = z.object({
  kind: z.string(),
  table: z.string().nullable(),
  name: z.string(),
  definition: z.string().nullable(),
});

const TABLES =
  "SELECT TABLE_NAME AS name, TABLE_TYPE AS kind FROM information_schema.TABLES WHERE TABLE_SCHEMA = :schema ORDER BY 1";
const VIEWS =
  "SELECT TABLE_NAME AS name, VIEW_DEFINITION AS definition FROM information_schema.VIEWS WHERE TABLE_SCHEMA = :schema";
const VIEW_COLUMNS = `SELECT c.TABLE_NAME AS \`view\`, c.COLUMN_NAME AS \`column\`, c.COLUMN_TYPE AS type, c.IS_NULLABLE AS nullable
FROM information_schema.COLUMNS c JOIN information_schema.VIEWS v
ON v.TABLE_SCHEMA = c.TABLE_SCHEMA AND v.TABLE_NAME = c.TABLE_NAME
WHERE c.TABLE_SCHEMA = :schema ORDER BY c.ORDINAL_POSITION`;
const OTHERS = `SELECT 'trigger' AS kind, EVENT_OBJECT_TABLE AS \`table\`, TRIGGER_NAME AS name, ACTION_STATEMENT AS definition
FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = :schema
UNION ALL SELECT LOWER(ROUTINE_TYPE), NULL, ROUTINE_NAME, NULL
FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = :schema
UNION ALL SELECT 'event', NULL, EVENT_NAME, NULL FROM information_schema.EVENTS WHERE EVENT_SCHEMA = :schema`;
