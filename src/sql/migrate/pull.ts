/** `pull`: the declarations of an existing database as one TypeScript file: sorted, the same bytes every time. */
import { describeType, visible } from "../../core/errors.js";
import type { Database } from "../door/database.js";
import type { Dialect } from "../words/dialect.js";
import { DeclarationError } from "../words/errors.js";
import { readOptions } from "../words/known-options.js";
import { readCatalog } from "./catalog/read.js";
import { schemaDialect } from "./dialects/dialects.js";
import type { Domains, PullDialect } from "./pull/dialect.js";
import { PulledNames } from "./pull/names.js";
import { pulledRelations } from "./pull/relations.js";
import { declarable } from "./pull/scope.js";
import { pulledTable } from "./pull/table.js";
import { comparedSchema } from "./pull/types.js";
import { pulledEnum, pulledView } from "./pull/view.js";
import type { Catalog } from "./words/catalog.js";
import { checkDatabase, checkNameList } from "./words/options.js";
import { runsOf } from "./words/reading.js";

/** The options of `pull`. */
export interface PullOptions {
  /** SQL schemas; by default the one that unqualified names refer to. */
  readonly schemas?: readonly string[];
  /** Names of tables that are left out, `*` for any characters. */
  readonly ignore?: readonly string[];
  /** The names of properties: `created_at` as `createdAt`, or the same as the column. */
  readonly names: "camel" | "same";
}

/** A file of declarations, and the parts of the database that it cannot say. */
export interface Pulled {
  readonly source: string;
  /** The parts of the database that no declaration says: `trigger audit of orders`. */
  readonly notCarried: readonly string[];
}

/**
 * Writes the declarations of a database: one TypeScript file with its tables, views and enum types. `createTables` with
 * them makes the same tables, except for the parts in `notCarried`, which are also comments in the file.
 * @throws {SqlError} `UNSUPPORTED` on Oracle.
 * @example
 * import { writeFile } from "node:fs/promises";
 * import { pull } from "rowtype/migrate";
 * const { source, notCarried } = await pull(db, { names: "camel" });
 * await writeFile("src/tables.ts", source);
 */
export async function pull<D extends Dialect>(db: Database<D>, options: PullOptions): Promise<Pulled> {
  checkDatabase(db, "pull");
  const { schemas, ignore, names } = readOptions(options, ["names", "schemas", "ignore"], "pull");
  if (!["camel", "same"].includes(names))
    throw new DeclarationError(`pull takes names: "camel" or "same", not ${describeType(names)}`);
  checkNameList(schemas, "schemas of pull");
  checkNameList(ignore, "ignore of pull");
  const runs = runsOf(db);
  const dialect = schemaDialect(db.dialect);
  const scope = { schemas: schemas ?? [null] };
  const catalog = await readCatalog(dialect, runs, scope, ignore ?? [], "as they stand");
  const domains = await dialect.readDomains?.(runs);
  return written(catalog, dialect, names, domains ?? new Map());
}

function written(read: Catalog, dialect: PullDialect, names: PullOptions["names"], domains: Domains): Pulled {
  const { catalog, left } = declarable(read, dialect.grammar);
  const called = new PulledNames(catalog, names);
  const pulling = { dialect, catalog, names: called, domains };
  const relations = pulledRelations({
    catalog,
    names: called,
    schemaOf: (table, column) => comparedSchema(table, column, pulling),
  });
  const tables = catalog.tables.map((table) => pulledTable(table, pulling, relations.get(table)));
  const views = catalog.views.map((one) => pulledView(one, pulling));
  const enums = catalog.enums.map((one) => pulledEnum(one, called));
  const others = [
    ...left,
    ...catalog.unknown
      .filter(({ table }) => table === null || !catalog.tables.some(({ name }) => name === table))
      .map(({ kind, name }) => `${kind} ${name}`),
  ];
  const notCarried = [...tables.flatMap((one) => one.notCarried), ...others].sort().map(visible);
  const uses = new Set([...tables, ...views].flatMap((one) => [...one.uses]));
  if (enums.length > 0) uses.add("enumType");
  const imports = ["column", "decimal", "enumType", "json", "many", "one", "table", "view"].filter((name) =>
    uses.has(name),
  );
  if (uses.has("AnyTable")) imports.unshift("type AnyTable");
  const lines = [
    "// The tables of a database, as `pull` read them.",
    `import { ${imports.join(", ")} } from "rowtype";`,
    'import { z } from "zod";',
    ...others.sort().map((one) => `\n// Not carried: ${visible(one)}`),
    ...enums.map((source) => `\n${source}`),
    ...[...tables, ...views].map(({ source }) => `\n${source}`),
  ];
  return Object.freeze({ source: `${lines.join("\n")}\n`, notCarried: Object.freeze(notCarried) });
}
