/** Reads declared tables on PostgreSQL: each is created as a temporary one, read, and dropped again. */
import * as z from "zod";
import type { AnyTable } from "../../../declare/declaration.js";
import { doubleQuoted } from "../../../dialect/grammar/names.js";
import { createOf, withoutReferences } from "../../text/create-text.js";
import type { CatalogTable } from "../../words/catalog.js";
import type { Runs } from "../../words/reading.js";
import type { DeclaredTexts } from "../declared-table.js";
import { readPostgres } from "./catalog.js";

/** Reads tables in the caller's transaction. */
export async function readDeclaredOnPostgres(
  texts: readonly DeclaredTexts[],
  runs: Runs,
  views: () => Promise<void>,
): Promise<CatalogTable[]> {
  const read = new Map<DeclaredTexts, CatalogTable>();
  await runs.sql(TYPES_FIRST).exec();
  const local = texts.filter(({ schema }) => schema === null);
  const others = texts.filter(({ schema }) => schema !== null);
  // Two tables of one name, in two schemas, are created one after the other.
  const nth = (one: DeclaredTexts) =>
    others.filter(({ table }) => table.name === one.table.name).indexOf(one);
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
