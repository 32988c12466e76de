/** `diff`: the steps from a database to its declarations; nothing is changed. */
import * as z from "zod";
import type { Grammar } from "../dialect/grammar.js";
import { grammars } from "../dialect/grammars.js";
import type { Database } from "../door/database.js";
import type { Dialect } from "../words/dialect.js";
import { DeclarationError } from "../words/errors.js";
import type { Catalog, CatalogColumn, CatalogTable } from "./catalog.js";
import { type Change, makeChange } from "./change.js";
import { type Comparing, compareTable, isSame, nameIn, type TableDelta } from "./compare.js";
import { readDeclared } from "./declared.js";
import { type DeclaredList, type DeclaredTables, declaredList } from "./declared-list.js";
import { type DeclaredView, readDeclaredViews } from "./declared-views.js";
import { compareEnums, enumSteps, goneEnums, makeScratchEnums, withFormerTypes } from "./enum-steps.js";
import type { Renames } from "./expressions.js";
import { checkNames, ignoring, noOracle, readCatalog } from "./introspect.js";
import { currentDatabase, ownIndexesOf } from "./mariadb-catalog.js";
import { mariadbSteps } from "./mariadb-steps.js";
import { checkDatabase, checkOptionNames } from "./options.js";
import { PHASES, type PlanContext, type Planned, type StepWriter, tableName } from "./plan.js";
import { currentSchema } from "./postgres-catalog.js";
import { postgresSteps } from "./postgres-steps.js";
import type { Runs } from "./reading.js";
import { columnRenames, pairTables } from "./renames.js";
import { rolledBack, type Scratch, scratchOf } from "./scratch-run.js";
import { sqliteSteps } from "./sqlite-steps.js";
import type { Step } from "./step.js";
import { readViewLinks } from "./view-links.js";
import { planViews } from "./view-steps.js";

/** What `diff` compares. */
export interface DiffOptions {
  /** Names of tables that are left alone, `*` for any characters. */
  readonly ignore?: readonly string[];
  /** `"tables"`: tables that exist and are not declared are dropped. */
  readonly drop?: "tables";
  /** `"exact"`: also a type of another making is a difference that rowtype reads correctly. */
  readonly types?: "exact";
}

/**
 * Compares a database with its declarations: the steps that would make it as they say, in order, each with its risks.
 * Both sides are compared in the server's own words, for which temporary tables are made and taken away.
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

const writers: { readonly [D in Dialect]?: StepWriter } = {
  postgres: postgresSteps,
  mariadb: mariadbSteps,
  sqlite: sqliteSteps,
};

// On MariaDB a view that is made for a moment would end the transaction.
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
  scratch: Scratch,
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
  const { pairs, created, left } = pairTables(declared, catalog.tables, dialect);
  const nameOf = nameIn(dialect);
  const keyOf = (schema: string | null, name: string) => JSON.stringify([schema, nameOf(name)]);
  const names = new Map(pairs.map(([had, { catalog }]) => [keyOf(had.schema, had.name), catalog.name]));
  const columns = new Map<string, Renames>(
    pairs.map(([had, wanted]) => [keyOf(had.schema, had.name), columnRenames(had, wanted.table, dialect)]),
  );
  const comparing: Comparing = {
    dialect,
    exact: types === "exact",
    renamedTable: (schema, name) => names.get(keyOf(schema, name)) ?? name,
    renamesOf: (schema, name) => columns.get(keyOf(schema, name)) ?? new Map(),
  };
  const deltas = pairs
    .map(([had, wanted]) => compareTable(had, wanted, comparing.renamesOf(had.schema, had.name), comparing))
    .filter((delta) => !isSame(delta));
  const given = await contextOf(deltas, { runs, grammar, catalog });
  const writer = writers[dialect];
  if (writer === undefined) throw noOracle();
  const isLeft = ({ name }: { readonly name: string }) => drop === "tables" && !list.external.has(name);
  const gone = left.filter(isLeft);
  const goneTypes = goneEnums(
    enumDelta,
    declared,
    left.filter((table) => !isLeft(table)),
  );
  const viewPlan = planViews(
    {
      declared: declaredViews,
      isGone: isLeft,
      links,
      enums: enumDelta,
      goneTables: gone,
      exact: comparing.exact,
    },
    given,
  );
  const context = { ...given, droppedViews: viewPlan.dropped };
  const there = pairs.map(([, wanted]) => wanted);
  const steps = [
    ...viewPlan.steps,
    ...enumSteps(enumDelta, drop === "tables" ? goneTypes : [], grammar),
    ...deltas.flatMap((delta) => writer.change(delta, context)),
    ...writer.create(created, { ...context, there }),
    ...writer.drop(gone, context),
  ];
  return inPhases(steps);
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

function inPhases(steps: readonly Planned[]): readonly Step[] {
  const sorted = PHASES.flatMap((phase) => steps.filter((step) => step.phase === phase));
  return sorted.map(({ phase: _, ...step }) =>
    Object.freeze({ ...step, sql: Object.freeze([...step.sql]), risks: Object.freeze([...step.risks]) }),
  );
}

interface Known {
  readonly runs: Runs;
  readonly grammar: Grammar;
  readonly catalog: Catalog;
}

async function contextOf(
  deltas: readonly TableDelta[],
  { runs, grammar, catalog }: Known,
): Promise<PlanContext> {
  const { dialect } = grammar;
  const empty = new Set<CatalogTable>();
  for (const { actual } of deltas) {
    const sql = `SELECT 1 AS one FROM ${tableName(actual.schema, actual.name, grammar)} LIMIT 1`;
    const rows = await runs.sql(sql, z.object({ one: z.number() })).exec();
    if (rows.length === 0) empty.add(actual);
  }
  const volatile = dialect === "postgres" ? await volatileDefaults(deltas, runs) : new Set<CatalogColumn>();
  const own =
    dialect === "mariadb"
      ? await ownIndexesOf(
          deltas.map(({ actual }) => actual),
          runs,
        )
      : new Map();
  const [version] =
    dialect === "sqlite"
      ? await runs.sql("SELECT sqlite_version() AS version", z.object({ version: z.string() })).exec()
      : [];
  return {
    grammar,
    catalog,
    deltas,
    there: [],
    isEmpty: (table) => empty.has(table),
    isVolatile: (column) => volatile.has(column),
    ownIndexes: (table) => own.get(table) ?? [],
    droppedViews: new Set(),
    version: version?.version ?? "",
  };
}

// A default that calls such a function gives another value for each row, so that adding the column writes all rows.
async function volatileDefaults(
  deltas: readonly TableDelta[],
  runs: Runs,
): Promise<ReadonlySet<CatalogColumn>> {
  const found = new Set<CatalogColumn>();
  for (const column of deltas.flatMap(({ added }) => added)) {
    const calls = [...(column.default ?? "").matchAll(/([\w$]+)"?\s*\(/g)].map(([, name = ""]) => name);
    if (calls.length === 0) continue;
    const [answer] = await runs
      .sql(
        "SELECT coalesce(bool_or(provolatile = 'v'), false) AS volatile FROM pg_proc WHERE proname = ANY(:calls)",
        z.object({ volatile: z.boolean() }),
      )
      .exec({ calls });
    if (answer?.volatile === true) found.add(column);
  }
  return found;
}
