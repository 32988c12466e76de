/**
 * The catalog that declarations stand for, in the server's own words: each table is created as a temporary one, read,
 * and dropped again. SQLite keeps the author's text, so there the text of `ddl` is read directly.
 */

import * as z from "zod";
import { ddl } from "../../ddl/ddl.js";
import type { AnyTable } from "../../declare/declaration.js";
import { isTable, markDeclared } from "../../declare/table.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { doubleQuoted } from "../../dialect/grammar/names.js";
import type { Dialect } from "../../words/dialect.js";
import { type CreateText, createOf, readCreateText, rulesOf } from "../text/create-text.js";
import { readReference } from "../text/foreign-key-text.js";
import { SqlCursor } from "../text/sql-cursor.js";
import type { CatalogForeignKey, CatalogIndex, CatalogTable } from "../words/catalog.js";
import { schemaOf } from "../words/declared-list.js";
import type { Runs } from "../words/reading.js";
import { showMariadbTable } from "./mariadb/catalog.js";
import { readPostgres } from "./postgres/catalog.js";
import { readSqliteIndex, readSqliteTable } from "./sqlite/create.js";

/** A declared table: in the server's words, and as `ddl` writes it. */
export interface DeclaredTable {
  readonly table: AnyTable;
  /** `null` for the schema that unqualified names refer to. */
  readonly schema: string | null;
  readonly catalog: CatalogTable;
  readonly create: CreateText;
  /** The statements that create its indexes, by name. */
  readonly indexes: ReadonlyMap<string, string>;
}

/**
 * Reads declared tables in the caller's transaction; the caller removes what it leaves.
 * @param views reads the declared views, which PostgreSQL creates over the declared tables while these exist.
 */
export async function readDeclared(
  tables: readonly AnyTable[],
  runs: Runs,
  { grammar, home }: { readonly grammar: Grammar; readonly home: string | null },
  views: () => Promise<void>,
): Promise<DeclaredTable[]> {
  const texts = tables.map((table) => textsOf(table, grammar, home));
  const catalogs = await readers[grammar.dialect](texts, runs, views);
  // Each reader answers for each table.
  return texts.map((text, i) => declaredTable(text, catalogs[i] as CatalogTable, { grammar, home }));
}

/** Reads a declared table of SQLite by its text alone. */
export function readDeclaredText(table: AnyTable, grammar: Grammar): DeclaredTable {
  const text = textsOf(table, grammar, "main");
  return declaredTable(text, readText(text), { grammar, home: "main" });
}

function declaredTable(
  { table, schema, create, indexes }: Texts,
  catalog: CatalogTable,
  { grammar, home }: { readonly grammar: Grammar; readonly home: string | null },
): DeclaredTable {
  const foreignKeys = foreignKeysOf(create, grammar, { table, home });
  return { table, schema, create, indexes, catalog: { ...catalog, name: table.name, schema, foreignKeys } };
}

interface Texts extends Omit<DeclaredTable, "catalog"> {
  /** The table without its schema: a temporary table has none. */
  readonly scratch: { readonly create: CreateText; readonly indexes: readonly string[] };
}

function textsOf(table: AnyTable, grammar: Grammar, home: string | null): Texts {
  const { dialect } = grammar;
  const schema = schemaOf(table, home);
  const [statement = "", ...others] = ddl(table, dialect);
  const local = { ...table, namespace: undefined };
  markDeclared(local);
  const [scratch = "", ...rest] =
    isTable(local) && table.namespace !== undefined ? ddl(local, dialect) : [statement, ...others];
  return {
    table,
    schema,
    create: readCreateText(statement, dialect),
    indexes: new Map(others.filter(isIndex).map((sql) => [indexName(sql, grammar), sql])),
    scratch: { create: readCreateText(scratch, dialect), indexes: rest.filter(isIndex) },
  };
}

function isIndex(sql: string): boolean {
  return /^CREATE (?:\w+ )?INDEX /.test(sql);
}

function indexName(sql: string, { dialect }: Grammar): string {
  const cursor = new SqlCursor(sql, rulesOf[dialect]);
  while (!cursor.isAtEnd && !cursor.takes("INDEX")) cursor.next();
  const name = cursor.name();
  return cursor.takes(".") ? cursor.name() : name;
}

// A temporary table has no foreign keys, and their text needs no server.
function foreignKeysOf(
  create: CreateText,
  { dialect }: Grammar,
  { table, home }: { readonly table: AnyTable; readonly home: string | null },
): CatalogForeignKey[] {
  return create.constraints
    .filter(({ kind }) => kind === "foreign key")
    .map(({ name, columns, body }) => {
      const cursor = new SqlCursor(body, rulesOf[dialect]);
      cursor.takes("FOREIGN", "KEY");
      cursor.inParentheses();
      const key = readReference(cursor, name ?? `${table.name}_${columns.join("_")}_fkey`, columns);
      const schema = key.target.schema === home ? null : key.target.schema;
      return inDialect({ ...key, target: { ...key.target, schema } }, dialect);
    });
}

// RESTRICT and NO ACTION are the same on MariaDB.
function inDialect(key: CatalogForeignKey, dialect: string): CatalogForeignKey {
  if (dialect !== "mariadb") return key;
  const { onDelete, onUpdate } = key;
  return {
    ...key,
    onDelete: onDelete === "restrict" ? "no action" : onDelete,
    onUpdate: onUpdate === "restrict" ? "no action" : onUpdate,
  };
}

function withoutReferences({ items }: CreateText): string[] {
  return items.filter(({ constraint }) => constraint?.kind !== "foreign key").map(({ text }) => text);
}

type ReadTexts = (texts: readonly Texts[], runs: Runs, views: () => Promise<void>) => Promise<CatalogTable[]>;

const readers: { readonly [D in Dialect]: ReadTexts } = {
  postgres: readOnPostgres,
  mariadb: async (texts, runs, views) => {
    await views();
    return readOnMariadb(texts, runs);
  },
  sqlite: async (texts, _, views) => {
    await views();
    return texts.map(readText);
  },
  oracle: async () => [],
};

async function readOnPostgres(
  texts: readonly Texts[],
  runs: Runs,
  views: () => Promise<void>,
): Promise<CatalogTable[]> {
  const read = new Map<Texts, CatalogTable>();
  await runs.sql(TYPES_FIRST).exec();
  const local = texts.filter(({ schema }) => schema === null);
  const others = texts.filter(({ schema }) => schema !== null);
  // Two tables of one name, in two schemas, are created one after the other.
  const nth = (one: Texts) => others.filter(({ table }) => table.name === one.table.name).indexOf(one);
  const most = others.reduce((n, one) => Math.max(n, nth(one) + 1), 0);
  const rounds = Array.from({ length: most }, (_, i) => others.filter((one) => nth(one) === i));
  for (const round of [...rounds, local]) {
    for (const { scratch } of round) {
      await runs.sql(createOf(scratch.create, withoutReferences(scratch.create), "TEMPORARY")).exec();
      for (const index of scratch.indexes) await runs.sql(index).exec();
    }
    const [where] = await runs.sql(TEMPORARY_SCHEMA, z.object({ name: z.string() })).exec();
    const schema = where?.name ?? "pg_temp";
    const { tables } = await readPostgres(runs, { schemas: [schema], home: schema });
    if (round === local) await views();
    for (const one of round) {
      const catalog = tables.find(({ name }) => name === one.table.name);
      if (catalog !== undefined) read.set(one, withComments(catalog, one.table));
      await runs.sql(`DROP TABLE pg_temp.${doubleQuoted(one.table.name)}`).exec();
    }
  }
  // Every text was read in its round.
  return texts.map((one) => read.get(one) as CatalogTable);
}

// A table is a type too. Temporary ones are found before all others, so one named "text" would hide the type.
const TYPES_FIRST = `SELECT set_config('search_path',
  concat_ws(', ', 'pg_catalog', 'pg_temp', nullif(current_setting('search_path'), '')), true)`;
const TEMPORARY_SCHEMA = "SELECT nspname::text AS name FROM pg_namespace WHERE oid = pg_my_temp_schema()";

function withComments(catalog: CatalogTable, table: AnyTable): CatalogTable {
  const said = new Map(Object.values(table.columns).map(({ name, comment }) => [name, comment]));
  return {
    ...catalog,
    columns: catalog.columns.map((column) => ({ ...column, comment: said.get(column.name) ?? null })),
    comment: table.comment ?? null,
  };
}

async function readOnMariadb(texts: readonly Texts[], runs: Runs): Promise<CatalogTable[]> {
  const catalogs: CatalogTable[] = [];
  for (const { table, scratch } of texts) {
    const name = `\`${table.name.replaceAll("`", "``")}\``;
    // A separate statement for an index would end the transaction.
    const indexes = scratch.indexes.map((sql) => sql.replace(/^CREATE /, "").replace(` ON ${name} (`, " ("));
    try {
      const items = [...withoutReferences(scratch.create), ...indexes];
      await runs.sql(createOf(scratch.create, items, "TEMPORARY")).exec();
      catalogs.push((await showMariadbTable(runs, table.name, null)).table);
    } finally {
      await runs.sql(`DROP TEMPORARY TABLE IF EXISTS ${name}`).exec();
    }
  }
  return catalogs;
}

function readText({ create, indexes }: Texts): CatalogTable {
  const sql = createOf(
    create,
    create.items.map(({ text }) => text),
  );
  const { options: _options, clauses: _clauses, ...table } = readSqliteTable(sql, null);
  const built = [...indexes.values()].map((index) => readSqliteIndex(index));
  return { ...table, indexes: built.filter((index): index is CatalogIndex => index !== undefined) };
}
