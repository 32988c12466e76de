/** `introspect`: the catalog of a database as plain, frozen, sorted JSON. */
import type { Database } from "../door/database.js";
import type { Dialect } from "../words/dialect.js";
import { readOptions } from "../words/known-options.js";
import { readCatalog } from "./catalog/read.js";
import { schemaDialect } from "./dialects/dialects.js";
import type { Catalog } from "./words/catalog.js";
import { checkDatabase, checkNameList } from "./words/options.js";
import { runsOf } from "./words/reading.js";

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
  const { schemas, ignore } = readOptions(options, ["schemas", "ignore"], "introspect");
  checkNameList(schemas, "schemas of introspect");
  checkNameList(ignore, "ignore of introspect");
  return readCatalog(schemaDialect(db.dialect), runsOf(db), { schemas: schemas ?? [null] }, ignore ?? []);
}
