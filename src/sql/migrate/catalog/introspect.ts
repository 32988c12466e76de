/** `introspect`: the catalog of a database as plain, frozen, sorted JSON. */
import { describeType, isList } from "../../../core/errors.js";
import type { Database } from "../../door/database.js";
import type { Dialect } from "../../words/dialect.js";
import { DeclarationError, UnsupportedError } from "../../words/errors.js";
import { checkOptionNames } from "../../words/known-options.js";
import { type Catalog, type ColumnOrder, sortedCatalog } from "../words/catalog.js";
import { checkDatabase } from "../words/options.js";
import type { CatalogScope, Runs } from "../words/reading.js";
import { readMariadb } from "./mariadb/catalog.js";
import { readPostgres } from "./postgres/catalog.js";
import { readSqlite } from "./sqlite/catalog.js";

/** The options of `introspect`. */
export interface IntrospectOptions {
  /** SQL schemas; by default the one that unqualified names refer to. */
  readonly schemas?: readonly string[];
  /** Names of tables, views and enums that are left out, `*` for any characters: `["spatial_ref_sys", "audit_*"]`. */
  readonly ignore?: readonly string[];
}

/**
 * Reads the catalog of a database: tables with their columns, keys and indexes, views, enums, and the names of
 * everything that is not modelled. Types and expressions are in the server's own words.
 * @throws {SqlError} `UNSUPPORTED` on Oracle.
 * @example
 * import { introspect } from "rowtype/migrate";
 * const { tables } = await introspect(db, { ignore: ["audit_*"] });
 */
export async function introspect<D extends Dialect>(
  db: Database<D>,
  options: IntrospectOptions = {},
): Promise<Catalog> {
  checkDatabase(db, "introspect");
  checkOptionNames(options, ["schemas", "ignore"], "introspect");
  checkNames(options.schemas, "schemas of introspect");
  checkNames(options.ignore, "ignore of introspect");
  const schemas = options.schemas ?? [null];
  return readCatalog(db.dialect, runsOf(db), { schemas }, options.ignore ?? []);
}

/** Reads the catalog in a database or a transaction of it. */
export async function readCatalog(
  dialect: Dialect,
  runs: Runs,
  scope: CatalogScope,
  ignore: readonly string[],
  order?: ColumnOrder,
): Promise<Catalog> {
  const catalog = await readers[dialect](runs, scope);
  return sortedCatalog(without(catalog, ignoring(ignore)), order);
}

const readers: { readonly [D in Dialect]: (runs: Runs, scope: CatalogScope) => Promise<Catalog> } = {
  postgres: readPostgres,
  mariadb: readMariadb,
  sqlite: readSqlite,
  oracle: async () => {
    throw noOracle();
  },
};

/** The error on Oracle, whose catalog is not read. */
export function noOracle(): UnsupportedError {
  return new UnsupportedError(
    "oracle",
    "reading the catalog",
    'compare the statements of ddl(table, "oracle") by hand, or use the tools of the server',
  );
}

/** A database as a runner of SQL text for any dialect. */
export function runsOf<D extends Dialect>(db: Pick<Database<D>, "sql">): Runs {
  // The dialect only tells `sql` which values its parameters may have; these texts use text and lists of it.
  return db as unknown as Runs;
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

/** @throws {DeclarationError} for a value that is not a list of names */
export function checkNames(names: unknown, what: string): void {
  if (names === undefined) return;
  if (!isList(names) || names.some((name) => typeof name !== "string" || name === ""))
    throw new DeclarationError(`${what} must be a list of names, not ${describeType(names)}`);
}
