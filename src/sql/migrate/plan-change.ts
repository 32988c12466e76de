/** The steps from the state of a database to the wanted one, in order, and their effects on each other. */
import * as z from "zod";
import type { Dialect } from "../words/dialect.js";
import type { DeclaredTable } from "./catalog/declared-table.js";
import type { CatalogDialect } from "./catalog/dialect.js";
import { isEmptyTable } from "./catalog/empty-tables.js";
import { ownIndexesOf } from "./catalog/mariadb/catalog.js";
import { readCasts } from "./catalog/postgres/casts.js";
import { readUnlistedParts } from "./catalog/postgres/parts.js";
import type { ViewLinks } from "./catalog/view-links.js";
import { type Comparing, compareTable, isSame, nameIn, type TableDelta } from "./diff/compare.js";
import { withFreeNames, withFreeNamesOfNew } from "./diff/free-names.js";
import { columnRenames, pairTables } from "./diff/renames.js";
import type { Renames } from "./text/expressions.js";
import { planViews } from "./view-steps.js";
import { type Catalog, type CatalogColumn, type CatalogTable, keyOf } from "./words/catalog.js";
import type { Runs } from "./words/reading.js";
import type { Step } from "./words/step.js";
import type { DeclaredView } from "./write/declared-views.js";
import { mariadbSteps } from "./write/mariadb/steps.js";
import { PHASES, type PlanContext, type Planned, type StepWriter } from "./write/plan.js";
import { type EnumDelta, enumSteps, FORMER, goneEnums } from "./write/postgres/enum-steps.js";
import { isRemade, withRecomputed } from "./write/postgres/recomputed.js";
import { postgresSteps } from "./write/postgres/steps.js";
import { renameTables } from "./write/rename-steps.js";
import { sqliteSteps } from "./write/sqlite/steps.js";

/** The wanted state of a database. */
interface Wanted {
  readonly tables: readonly DeclaredTable[];
  readonly views: readonly DeclaredView[];
  readonly enums: EnumDelta;
  /** The names of tables and views that somebody else makes. */
  readonly external: ReadonlySet<string>;
  /** Whether the former names are certainly the current names, as for a migration that is undone. */
  readonly namesAreKnown: boolean;
}

/** The known facts about a database. */
interface Known {
  readonly runs: Runs;
  /** Runs in the database that has the rows: a step on an empty table does not block. */
  readonly rowsIn: Runs;
  readonly dialect: CatalogDialect;
  readonly catalog: Catalog;
  readonly links: ViewLinks;
}

const writers: { readonly [D in Dialect]: StepWriter | undefined } = {
  postgres: postgresSteps,
  mariadb: mariadbSteps,
  sqlite: sqliteSteps,
  oracle: undefined,
};

/**
 * Plans the change of a database.
 * @throws {MigrationError} `MIGRATION_REFUSED` for a change that would lose something undeclared.
 */
export async function planChange(
  wanted: Wanted,
  known: Known,
  { drop, types }: { readonly drop: "tables" | undefined; readonly types: "exact" | undefined },
): Promise<readonly Step[]> {
  const { dialect, catalog, links } = known;
  const { grammar, asTaken } = dialect;
  const finding = { grammar, namesAreKnown: wanted.namesAreKnown };
  const found = pairTables(wanted.tables, catalog.tables, finding);
  const { created, left } = found;
  const pairs =
    asTaken === undefined
      ? found.pairs
      : found.pairs.map(([had, one]) => [had, asTaken(one, had, catalog)] as const);
  const nameOf = nameIn(grammar);
  const names = new Map(
    pairs.map(([had, { catalog }]) => [keyOf(had.schema, nameOf(had.name)), catalog.name]),
  );
  const columns = new Map<string, Renames>(
    pairs.map(([had, one]) => [keyOf(had.schema, nameOf(had.name)), columnRenames(had, one.table, finding)]),
  );
  const comparing: Comparing = {
    dialect,
    exact: types === "exact",
    renamedTable: (schema, name) => names.get(keyOf(schema, nameOf(name))) ?? name,
    renamesOf: (schema, name) => columns.get(keyOf(schema, nameOf(name))) ?? new Map(),
    unknown: catalog.unknown,
  };
  const deltas = pairs
    .map(([had, one]) => compareTable(had, one, comparing.renamesOf(had.schema, had.name), comparing))
    .filter((delta) => !isSame(delta))
    .map((delta) => (dialect.name === "postgres" ? withRecomputed(delta) : delta))
    .map((delta) => withFreeNames(delta, catalog, grammar));
  const given = await contextOf(deltas, known);
  const writer = writers[dialect.name];
  if (writer === undefined) throw new Error("no writer");
  const isLeft = ({ name }: { readonly name: string }) => drop === "tables" && !wanted.external.has(name);
  const gone = left.filter(isLeft);
  const goneTypes = goneEnums(
    wanted.enums,
    wanted.tables,
    left.filter((table) => !isLeft(table)),
  );
  const viewPlan = planViews(
    {
      declared: wanted.views,
      isGone: isLeft,
      links,
      enums: wanted.enums,
      goneTables: gone,
      exact: comparing.exact,
    },
    given,
  );
  const there = pairs.map(([, one]) => one);
  const context = { ...given, there, droppedViews: viewPlan.dropped };
  const steps = [
    ...viewPlan.steps,
    ...enumSteps(wanted.enums, drop === "tables" ? goneTypes : [], grammar),
    ...renameTables(pairs, grammar),
    ...deltas.flatMap((delta) => writer.change(delta, context)),
    ...writer.create(
      created.map((one) => withFreeNamesOfNew(one, catalog, grammar)),
      context,
    ),
    ...writer.drop(gone, context),
  ];
  return inPhases(wanted.namesAreKnown ? steps.map(withoutUndeclared) : steps);
}

// The migration that is undone made everything that is dropped.
function withoutUndeclared(step: Planned): Planned {
  return { ...step, risks: step.risks.filter((risk) => risk !== "undeclared") };
}

function inPhases(steps: readonly Planned[]): readonly Step[] {
  const sorted = PHASES.flatMap((phase) => steps.filter((step) => step.phase === phase));
  return sorted.map(({ phase: _, ...step }) =>
    Object.freeze({ ...step, sql: Object.freeze([...step.sql]), risks: Object.freeze([...step.risks]) }),
  );
}

async function contextOf(
  deltas: readonly TableDelta[],
  { runs, rowsIn, dialect: record, catalog }: Known,
): Promise<PlanContext> {
  const { grammar, name: dialect } = record;
  const empty = new Set<CatalogTable>();
  for (const { actual } of deltas) {
    if (await isEmptyTable(rowsIn, record, actual)) empty.add(actual);
  }
  const volatile = dialect === "postgres" ? await volatileDefaults(deltas, runs) : new Set<CatalogColumn>();
  const own =
    dialect === "mariadb"
      ? await ownIndexesOf(
          deltas.map(({ actual }) => actual),
          runs,
        )
      : new Map();
  const losing = deltas.filter(({ dropped, changed }) => dropped.length > 0 || changed.some(isRemade));
  const unlisted =
    dialect === "postgres"
      ? await readUnlistedParts(
          losing.map(({ actual }) => actual),
          catalog.unknown,
          runs,
        )
      : new Map();
  const [version] =
    dialect === "sqlite"
      ? await runs.sql("SELECT sqlite_version() AS version", z.object({ version: z.string() })).exec()
      : [];
  return {
    dialect: record,
    grammar,
    catalog,
    deltas,
    there: [],
    isEmpty: (table) => empty.has(table),
    isVolatile: (column) => volatile.has(column),
    unlistedParts: (table) => unlisted.get(table) ?? [],
    ownIndexes: (table) => own.get(table) ?? [],
    droppedViews: new Set(),
    casts: await readCasts(dialect === "postgres" ? deltas.flatMap(typesThatChange) : [], runs),
    version: version?.version ?? "",
  };
}

function typesThatChange({ changed }: TableDelta): (readonly [from: string, to: string])[] {
  // An enum type that is created again no longer has the name of a type, and is cast by text.
  return changed
    .filter(({ type, actual }) => type && !FORMER.test(actual.type))
    .map(({ actual, declared }) => [actual.type, declared.type]);
}

// A default that calls such a function gives each row a different value, so adding the column writes all rows.
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
