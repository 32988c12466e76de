/** `diff`: the steps from a database to its declarations; nothing is changed. */

import type { Grammar } from "../dialect/grammar/grammar.js";
import { grammars } from "../dialect/grammars.js";
import type { Database } from "../door/database.js";
import type { Dialect } from "../words/dialect.js";
import { DeclarationError } from "../words/errors.js";
import { checkOptionNames } from "../words/known-options.js";
import { readDeclared } from "./catalog/declared.js";
import { checkNames, ignoring, noOracle, readCatalog } from "./catalog/introspect.js";
import { currentDatabase } from "./catalog/mariadb/catalog.js";
import { currentSchema } from "./catalog/postgres/catalog.js";
import { type DeclarationScratch, rolledBack, scratchOf } from "./catalog/scratch-run.js";
import { readViewLinks } from "./catalog/view-links.js";
import { checkRenames } from "./diff/renames.js";
import { planChange } from "./plan-change.js";
import { type Change, makeChange } from "./text/change.js";
import { type DeclaredList, type DeclaredTables, declaredList } from "./words/declared-list.js";
import { checkDatabase } from "./words/options.js";
import type { Runs } from "./words/reading.js";
import type { Step } from "./words/step.js";
import { type DeclaredView, readDeclaredViews } from "./write/declared-views.js";
import { compareEnums, makeScratchEnums, withFormerTypes } from "./write/postgres/enum-steps.js";

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
  options: DiffOptions = {},
): Promise<Change> {
  checkDatabase(db, "diff");
  const declared = declaredList(tables, "diff");
  checkOptions(options);
  const grammar = grammars.get(db.dialect);
  if (grammar === undefined || db.dialect === "oracle") throw noOracle();
  checkRenames(declared, db.dialect);
  let steps: readonly Step[] = [];
  const views = await viewsBefore(declared, db, grammar, options);
  await rolledBack(db, async (scratch) => {
    steps = await stepsBetween({ ...declared, read: views }, scratch, grammar, options);
  });
  return makeChange(steps, db.dialect);
}

function checkOptions(options: DiffOptions): void {
  checkOptionNames(options, ["ignore", "drop", "types"], "diff");
  const { ignore, drop, types } = options;
  checkNames(ignore, "ignore of diff");
  if (drop !== undefined && drop !== "tables")
    throw new DeclarationError('drop of diff is "tables", or left out');
  if (types !== undefined && types !== "exact")
    throw new DeclarationError('types of diff is "exact", or left out');
}

// On MariaDB a view that is created briefly would end the transaction.
async function viewsBefore<D extends Dialect>(
  list: DeclaredList,
  db: Database<D>,
  grammar: Grammar,
  { ignore = [] }: DiffOptions,
): Promise<readonly DeclaredView[] | undefined> {
  if (grammar.dialect !== "mariadb" || list.views.length === 0) return undefined;
  const scratch = scratchOf(db);
  const home = await currentDatabase(scratch.runs);
  const { views } = withoutIgnored(list, ignoring(ignore));
  return readDeclaredViews(views, { scratch, grammar, home });
}

async function stepsBetween(
  list: DeclaredList & { readonly read: readonly DeclaredView[] | undefined },
  scratch: DeclarationScratch,
  grammar: Grammar,
  { ignore = [], drop, types }: DiffOptions,
): Promise<readonly Step[]> {
  const { dialect } = grammar;
  const { runs } = scratch;
  const home = await homes[dialect](runs);
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
  const links = await readViewLinks(dialect, catalog.views, runs, home);
  await makeScratchEnums(enumDelta, scratch, grammar);
  let declaredViews = list.read ?? [];
  const declared = await readDeclared(tables, runs, { grammar, home }, async () => {
    declaredViews = list.read ?? (await readDeclaredViews(views, { scratch, grammar, home }));
  });
  const wanted = {
    tables: declared,
    views: declaredViews,
    enums: enumDelta,
    external: list.external,
    namesAreKnown: false,
  };
  return planChange(wanted, { runs, rowsIn: runs, grammar, catalog, links }, { drop, types });
}

function withoutIgnored(
  { tables, views, enums, external }: DeclaredList,
  isIgnored: ReturnType<typeof ignoring>,
): DeclaredList {
  const kept = ({ name, namespace }: { readonly name: string; readonly namespace: string | undefined }) =>
    !isIgnored(name, namespace ?? null);
  return { tables: tables.filter(kept), views: views.filter(kept), enums: enums.filter(kept), external };
}

const homes: { readonly [D in Dialect]: (runs: Runs) => Promise<string | null> } = {
  postgres: currentSchema,
  mariadb: currentDatabase,
  sqlite: async () => "main",
  oracle: async () => null,
};
