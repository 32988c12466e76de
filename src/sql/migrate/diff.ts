/** `diff`: the steps from a database to its declarations; nothing is changed. */

import type { Database } from "../door/database.js";
import type { Dialect } from "../words/dialect.js";
import { DeclarationError } from "../words/errors.js";
import { readOptions } from "../words/known-options.js";
import { readDeclared } from "./catalog/declared.js";
import { ignoring, readCatalog } from "./catalog/read.js";
import { type DeclarationScratch, rolledBack, scratchOf } from "./catalog/scratch-run.js";
import type { SchemaDialect } from "./dialects/dialect.js";
import { schemaDialect } from "./dialects/dialects.js";
import { checkRenames } from "./diff/renames.js";
import { planChange } from "./plan-change.js";
import { type Change, makeChange } from "./text/change.js";
import { type DeclaredList, type DeclaredTables, declaredList } from "./words/declared-list.js";
import { checkDatabase, checkNameList } from "./words/options.js";
import type { Step } from "./words/step.js";
import { type DeclaredView, readDeclaredViews } from "./write/declared-views.js";
import { compareEnums, makeScratchEnums, withFormerTypes } from "./write/enum-steps.js";

/** The options of `diff`. */
export interface DiffOptions {
  /** Names of tables that are left alone, `*` for any characters. */
  readonly ignore?: readonly string[];
  /** `"tables"`: tables that exist and are not declared are dropped. */
  readonly drop?: "tables";
  /** `"exact"`: a column type that rowtype reads correctly but would not create is also a difference. */
  readonly types?: "exact";
}

/**
 * Compares a database with its declarations: the steps that would make it match them, in order, each with its risks.
 * Both sides are compared in the server's own words, for which temporary tables are created and dropped.
 * @throws {SqlError} `UNSUPPORTED` on Oracle; `MIGRATION_REFUSED` for a rebuild on SQLite that would lose a view or a
 * trigger.
 * @example
 * import { diff } from "rowtype/migrate";
 * const change = await diff([User, Team], db);
 * if (!change.isEmpty) console.log(change.text());
 */
export async function diff<D extends Dialect>(
  tables: DeclaredTables,
  db: Database<D>,
  given: DiffOptions = {},
): Promise<Change> {
  checkDatabase(db, "diff");
  const declared = declaredList(tables, "diff");
  const options = checkedOptions(given);
  const dialect = schemaDialect(db.dialect);
  checkRenames(declared, dialect.grammar);
  let steps: readonly Step[] = [];
  const views = await viewsBefore(declared, db, dialect, options);
  await rolledBack(db, async (scratch) => {
    steps = await stepsBetween({ ...declared, read: views }, scratch, dialect, options);
  });
  return makeChange(steps, dialect);
}

function checkedOptions(given: DiffOptions): DiffOptions {
  const options = readOptions(given, ["ignore", "drop", "types"], "diff");
  const { ignore, drop, types } = options;
  checkNameList(ignore, "ignore of diff");
  if (drop !== undefined && drop !== "tables")
    throw new DeclarationError('drop of diff is "tables", or left out');
  if (types !== undefined && types !== "exact")
    throw new DeclarationError('types of diff is "exact", or left out');
  return options;
}

// A view that is created briefly would end the transaction.
async function viewsBefore<D extends Dialect>(
  list: DeclaredList,
  db: Database<D>,
  dialect: SchemaDialect,
  { ignore = [] }: DiffOptions,
): Promise<readonly DeclaredView[] | undefined> {
  if (dialect.undoesDdl || list.views.length === 0) return undefined;
  const scratch = scratchOf(db);
  const home = await dialect.home(scratch.runs);
  const { views } = withoutIgnored(list, ignoring(ignore));
  return readDeclaredViews(views, { scratch, dialect, home });
}

async function stepsBetween(
  list: DeclaredList & { readonly read: readonly DeclaredView[] | undefined },
  scratch: DeclarationScratch,
  dialect: SchemaDialect,
  { ignore = [], drop, types }: DiffOptions,
): Promise<readonly Step[]> {
  const { grammar } = dialect;
  const { runs } = scratch;
  const home = await dialect.home(runs);
  const { tables, views, enums } = withoutIgnored(list, ignoring(ignore));
  const schemas = [
    null,
    ...new Set(
      [...tables, ...views, ...enums].flatMap(({ namespace }) =>
        namespace === undefined || namespace === home ? [] : [namespace],
      ),
    ),
  ];
  const found = await readCatalog(dialect, runs, { schemas }, ignore);
  const enumDelta = compareEnums(enums, found, grammar, home);
  const catalog = { ...found, tables: withFormerTypes(found.tables, enumDelta) };
  const links = await dialect.viewLinks(catalog.views, runs, home);
  await makeScratchEnums(enumDelta, scratch, grammar);
  let declaredViews = list.read ?? [];
  const declared = await readDeclared(tables, runs, { dialect, home }, async () => {
    declaredViews = list.read ?? (await readDeclaredViews(views, { scratch, dialect, home }));
  });
  const wanted = {
    tables: declared,
    views: declaredViews,
    enums: enumDelta,
    external: list.external,
    namesAreKnown: false,
  };
  return planChange(wanted, { runs, rowsIn: runs, dialect, catalog, links }, { drop, types });
}

function withoutIgnored(
  { tables, views, enums, external }: DeclaredList,
  isIgnored: ReturnType<typeof ignoring>,
): DeclaredList {
  const kept = ({ name, namespace }: { readonly name: string; readonly namespace: string | undefined }) =>
    !isIgnored(name, namespace ?? null);
  return { tables: tables.filter(kept), views: views.filter(kept), enums: enums.filter(kept), external };
}
