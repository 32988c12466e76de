/** The steps from the state of a database to the wanted one, in order, and their effects on each other. */
import type { DeclaredTable } from "./catalog/declared-table.js";
import { isEmptyTable } from "./catalog/empty-tables.js";
import { tableNamesOf } from "./catalog/read.js";
import type { ViewLinks } from "./catalog/view-links.js";
import type { SchemaDialect } from "./dialects/dialect.js";
import { type Comparing, compareTable, isUnchanged, type TableDelta } from "./diff/compare.js";
import { withFreeNames, withFreeNamesOfNew } from "./diff/free-names.js";
import { columnRenames, pairTables } from "./diff/renames.js";
import type { Renames } from "./text/expressions.js";
import { type Catalog, type CatalogTable, keyOf } from "./words/catalog.js";
import type { Runs } from "./words/reading.js";
import type { Step } from "./words/step.js";
import type { DeclaredView } from "./write/declared-views.js";
import type { PlanContext } from "./write/dialect.js";
import { type EnumDelta, enumSteps, goneEnums } from "./write/enum-steps.js";
import { PHASES, type Planned } from "./write/plan.js";
import { renameTables } from "./write/rename-steps.js";
import { planViews } from "./write/view-steps.js";

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
  readonly dialect: SchemaDialect;
  readonly catalog: Catalog;
  readonly links: ViewLinks;
}

/** The tables that exist, each with its declaration. */
type Pairs = readonly (readonly [CatalogTable, DeclaredTable])[];

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
  const nameOfTable = await tableNamesOf(dialect, known.runs);
  const finding = { grammar, nameOfTable, namesAreKnown: wanted.namesAreKnown };
  const { created, left, ...found } = pairTables(wanted.tables, catalog.tables, finding);
  const pairs: Pairs =
    asTaken === undefined
      ? found.pairs
      : found.pairs.map(([had, one]) => [had, asTaken(one, had, catalog)] as const);
  const exact = types === "exact";
  const deltas = deltasOf(pairs, known, { ...finding, exact });
  const given = await contextOf(deltas, known, nameOfTable);
  const writer = await dialect.writer(deltas, known);
  const isLeft = ({ name }: { readonly name: string }) => drop === "tables" && !wanted.external.has(name);
  const gone = left.filter(isLeft);
  const staying = left.filter((table) => !isLeft(table));
  const goneTypes = goneEnums(wanted.enums, wanted.tables, staying);
  const touched = writer.touched(deltas, { tables: gone, enums: wanted.enums });
  const viewPlan = planViews({ declared: wanted.views, isGone: isLeft, links, touched, exact }, given);
  const there = pairs.map(([, one]) => one);
  const context = { ...given, there, droppedViews: viewPlan.dropped };
  const free = created.map((one) => withFreeNamesOfNew(one, catalog, grammar));
  const steps = [
    ...viewPlan.steps,
    ...enumSteps(wanted.enums, drop === "tables" ? goneTypes : [], grammar),
    ...renameTables(pairs, dialect, nameOfTable),
    ...deltas.flatMap((delta) => writer.change(delta, context)),
    ...writer.create(free, context),
    ...writer.drop(gone, context),
  ];
  return inPhases(wanted.namesAreKnown ? steps.map(withoutUndeclared) : steps);
}

/** The differences of tables that have any. */
function deltasOf(
  pairs: Pairs,
  { dialect, catalog }: Known,
  { exact, ...finding }: Parameters<typeof pairTables>[2] & Pick<Comparing, "exact">,
): readonly TableDelta[] {
  const { grammar, completed } = dialect;
  const keyIn = (schema: string | null, name: string) => keyOf(schema, finding.nameOfTable(name));
  const names = new Map(pairs.map(([had, { catalog }]) => [keyIn(had.schema, had.name), catalog.name]));
  const columns = new Map<string, Renames>(
    pairs.map(([had, one]) => [keyIn(had.schema, had.name), columnRenames(had, one.table, finding)]),
  );
  const comparing: Comparing = {
    dialect,
    exact,
    renamedTable: (schema, name) => names.get(keyIn(schema, name)) ?? name,
    renamesOf: (schema, name) => columns.get(keyIn(schema, name)) ?? new Map(),
    unknown: catalog.unknown,
  };
  return pairs
    .map(([had, one]) => compareTable(had, one, comparing.renamesOf(had.schema, had.name), comparing))
    .filter((delta) => !isUnchanged(delta))
    .map((delta) => (completed === undefined ? delta : completed(delta)))
    .map((delta) => withFreeNames(delta, catalog, grammar));
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
  { rowsIn, dialect, catalog }: Known,
  nameOfTable: PlanContext["nameOfTable"],
): Promise<PlanContext> {
  const empty = new Set<CatalogTable>();
  for (const { actual } of deltas) if (await isEmptyTable(rowsIn, dialect, actual)) empty.add(actual);
  return {
    dialect,
    grammar: dialect.grammar,
    nameOfTable,
    catalog,
    deltas,
    there: [],
    isEmpty: (table) => empty.has(table),
    droppedViews: new Set(),
  };
}
