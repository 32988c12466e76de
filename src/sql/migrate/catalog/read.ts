/** Reads the catalog of a database, without what is ignored. */
import { comparedName } from "../../dialect/grammar/names.js";
import { type Catalog, type ColumnOrder, sortedCatalog } from "../words/catalog.js";
import type { CatalogScope, Runs } from "../words/reading.js";
import type { CatalogDialect } from "./dialect.js";

/** Reads the catalog in a database or a transaction of it. */
export async function readCatalog(
  dialect: CatalogDialect,
  runs: Runs,
  scope: CatalogScope,
  ignore: readonly string[],
  order?: ColumnOrder,
): Promise<Catalog> {
  const parts = await dialect.read(runs, scope);
  return sortedCatalog(without({ dialect: dialect.name, ...parts }, ignoring(ignore)), order);
}

/** Names of tables in the form in which the server compares them. */
export async function tableNamesOf(dialect: CatalogDialect, runs: Runs): Promise<(name: string) => string> {
  return (await dialect.tableNames?.(runs)) ?? comparedName(dialect.grammar);
}

/** Tests names against a list in which `*` stands for any characters, and against the tables of the runner. */
export function ignoring(names: readonly string[]): (name: string, schema: string | null) => boolean {
  const escaped = (name: string) => name.replace(/[\\^$.|?+()[\]{}]/g, "\\$&").replaceAll("*", ".*");
  const all = new RegExp(
    `^(?:${[...RUNNER_TABLES, `${SCRATCH_VIEW}*`, ...names].map(escaped).join("|")})$`,
    "s",
  );
  return (name, schema) => all.test(name) || (schema !== null && all.test(`${schema}.${name}`));
}

/** The first part of the names of views that a comparison creates briefly on MariaDB. */
export const SCRATCH_VIEW = "rowtype_view_";

/** The tables in which the runner keeps its records. */
const RUNNER_TABLES: readonly string[] = ["rowtype_migrations", "rowtype_migrations_lease"];

function without(catalog: Catalog, isIgnored: ReturnType<typeof ignoring>): Catalog {
  const kept = ({ name, schema }: { readonly name: string; readonly schema: string | null }) =>
    !isIgnored(name, schema);
  return {
    ...catalog,
    tables: catalog.tables.filter(kept),
    views: catalog.views.filter(kept),
    enums: catalog.enums.filter(kept),
    unknown: catalog.unknown.filter(
      (one) => kept(one) && (one.table === null || !isIgnored(one.table, one.schema)),
    ),
  };
}
