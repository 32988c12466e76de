/**
 * The way back from one migration: the structures before and after it are read from an empty database, to which the
 * folder is applied up to that point. Rows do not come back: a loss on the way is refused like any other loss.
 */
import { listed, quoted } from "../../core/errors.js";
import type { AnyView, EnumType } from "../declare/declaration.js";
import { enumType } from "../declare/enum-type.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import type { Database } from "../door/database.js";
import { readCatalog } from "./catalog/read.js";
import type { ViewLinks } from "./catalog/view-links.js";
import type { SchemaDialect } from "./dialects/dialect.js";
import { schemaDialect } from "./dialects/dialects.js";
import { migrate } from "./migrate.js";
import { planChange } from "./plan-change.js";
import { renamedTo } from "./run/pending-tables.js";
import { type Change, makeChange } from "./text/change.js";
import { type Migration, meantBy, readFolder } from "./text/migration-folder.js";
import { literal } from "./text/one-line-literals.js";
import type { Catalog, CatalogEnum, CatalogView } from "./words/catalog.js";
import { MigrationError } from "./words/errors.js";
import { runsOf } from "./words/reading.js";
import type { DeclaredView } from "./write/declared-views.js";
import { compareEnums, withFormerTypes } from "./write/enum-steps.js";
import { tableName } from "./write/plan.js";
import { type FormerNames, writtenTable } from "./write/written-table.js";

/** The migration to undo, and its folder. */
interface RevertOptions {
  readonly folder: string;
  /** The name of the migration. */
  readonly revert: string;
  readonly ignore: readonly string[];
}

/**
 * The steps that undo the changes of a migration to the structure.
 * @param scratch an empty database, to which the folder is applied.
 * @throws {MigrationError} `MIGRATION_INVALID` for a name that is not in the folder; `MIGRATION_REFUSED` if a later
 * migration changes the same tables.
 */
export async function revertOf(
  db: Database,
  scratch: Database,
  { folder, revert, ignore }: RevertOptions,
): Promise<Change> {
  const dialect = schemaDialect(db.dialect);
  const migrations = await readFolder(folder, dialect);
  const names = migrations.map(({ name }) => name);
  const meant = meantBy(names, revert);
  const at = migrations.findIndex(({ name }) => name === meant);
  const migration = migrations[at];
  if (migration === undefined)
    throw new MigrationError(
      "MIGRATION_INVALID",
      `there is no migration ${quoted(revert)} to undo; migrations: ${listed(names)}`,
    );
  const previous = migrations[at - 1];
  if (previous !== undefined) await migrate(scratch, { folder, to: previous.name });
  const before = await catalogOf(scratch, dialect, ignore);
  await migrate(scratch, { folder, to: migration.name });
  const after = await catalogOf(scratch, dialect, ignore);
  // Read here, because the next files change the database.
  const links = await dialect.viewLinks(after.views, runsOf(scratch), await dialect.home(runsOf(scratch)));
  await migrate(scratch, { folder });
  refuseLater(before, after, await catalogOf(scratch, dialect, ignore), migration);
  return changeBetween(before, after, { db, scratch, dialect, migration, links });
}

function catalogOf(db: Database, dialect: SchemaDialect, ignore: readonly string[]): Promise<Catalog> {
  return readCatalog(dialect, runsOf(db), { schemas: [null] }, ignore);
}

interface Place {
  readonly db: Database;
  readonly scratch: Database;
  readonly dialect: SchemaDialect;
  readonly migration: Migration;
  readonly links: ViewLinks;
}

async function changeBetween(
  before: Catalog,
  after: Catalog,
  { db, scratch, dialect, migration, links }: Place,
): Promise<Change> {
  const { grammar } = dialect;
  const runs = runsOf(scratch);
  const types = before.enums.map(typeOf);
  const enums = compareEnums(types, after, grammar, null);
  const catalog = { ...after, tables: withFormerTypes(after.tables, enums) };
  const names = renamesOf(migration, dialect);
  const wanted = {
    tables: before.tables.map((table) => writtenTable(table, dialect, names)),
    views: before.views.map((view) => viewOf(view, grammar)),
    enums,
    external: new Set<string>(),
    namesAreKnown: true,
  };
  const known = { runs, rowsIn: runsOf(db), dialect, catalog, links };
  const steps = await planChange(wanted, known, { drop: "tables", types: "exact" });
  return makeChange(steps, dialect);
}

function typeOf({ name, values }: CatalogEnum): EnumType {
  const [first = "", ...others] = values;
  return enumType(name, [first, ...others]);
}

function viewOf({ name, schema, definition, comment }: CatalogView, grammar: Grammar): DeclaredView {
  const spelled = tableName(schema, name, grammar);
  const view = {
    name,
    namespace: schema ?? undefined,
    comment: comment ?? undefined,
    view: { as: definition },
  };
  const comments = comment === null ? [] : [`COMMENT ON VIEW ${spelled} IS ${literal(comment)}`];
  // Only these properties of it are used.
  const declared = view as unknown as AnyView;
  return {
    view: declared,
    schema,
    definition,
    create: [`CREATE VIEW ${spelled} AS ${definition}`, ...comments],
  };
}

// Names that are exchanged go through a third name.
function renamesOf({ steps = [] }: Migration, dialect: SchemaDialect): FormerNames {
  const tables = new Map<string, string>();
  const columns = new Map<string, Map<string, string>>();
  for (const { subject, sql } of steps) {
    const to = renamedTo(sql, dialect);
    if (subject === undefined || to === undefined) continue;
    const { kind, table, name } = subject;
    if (kind === "rename table") follow(tables, table, to);
    if (kind !== "rename column" || name === undefined) continue;
    const [former = table] = [...tables].find(([, now]) => now === table) ?? [];
    const own = columns.get(former) ?? new Map<string, string>();
    columns.set(former, own);
    follow(own, name, to);
  }
  return { tables, columns };
}

function follow(names: Map<string, string>, from: string, to: string): void {
  const [first = from] = [...names].find(([, now]) => now === from) ?? [];
  names.set(first, to);
}

/** Everything that a migration changed must still be as it left it. */
function refuseLater(before: Catalog, after: Catalog, head: Catalog, { name, file }: Migration): void {
  for (const part of ["tables", "views", "enums"] as const) {
    const [a, b, c] = [before, after, head].map(
      (catalog) => new Map(catalog[part].map((one) => [one.name, JSON.stringify(one)])),
    );
    for (const key of new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])])) {
      if (a?.get(key) === b?.get(key) || b?.get(key) === c?.get(key)) continue;
      throw new MigrationError(
        "MIGRATION_REFUSED",
        `${quoted(name)} cannot be undone by itself: a later migration changes ${quoted(key)} too; undo that first`,
        { file },
      );
    }
  }
}
