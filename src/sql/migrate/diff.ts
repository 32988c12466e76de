/** `diff`: the steps from a database to its declarations; nothing is changed. */
import * as z from "zod";
import { describeType, quoted } from "../../core/errors.js";
import type { AnyTable } from "../declare/declaration.js";
import { isEnumType } from "../declare/enum-type.js";
import { readModule } from "../declare/module.js";
import { checkTables } from "../declare/table.js";
import type { Grammar } from "../dialect/grammar.js";
import { grammars } from "../dialect/grammars.js";
import type { Database } from "../door/database.js";
import type { Dialect } from "../words/dialect.js";
import { DeclarationError } from "../words/errors.js";
import type { Catalog, CatalogColumn, CatalogTable } from "./catalog.js";
import { type Change, makeChange } from "./change.js";
import { type Comparing, compareTable, isSame, nameIn, type TableDelta } from "./compare.js";
import { readDeclared } from "./declared.js";
import type { Renames } from "./expressions.js";
import { checkNames, ignoring, noOracle, readCatalog, runsOf } from "./introspect.js";
import { currentDatabase, ownIndexesOf } from "./mariadb-catalog.js";
import { mariadbSteps } from "./mariadb-steps.js";
import { checkDatabase, checkOptionNames } from "./options.js";
import { PHASES, type PlanContext, type Planned, type StepWriter, tableName } from "./plan.js";
import { currentSchema } from "./postgres-catalog.js";
import { postgresSteps } from "./postgres-steps.js";
import type { Runs } from "./reading.js";
import { columnRenames, pairTables } from "./renames.js";
import { sqliteSteps } from "./sqlite-steps.js";
import type { Step } from "./step.js";

/** What `diff` compares. */
export interface DiffOptions {
  /** Names of tables that are left alone, `*` for any characters. */
  readonly ignore?: readonly string[];
  /** `"tables"`: tables that exist and are not declared are dropped. */
  readonly drop?: "tables";
  /** `"exact"`: also a type of another making is a difference that rowtype reads correctly. */
  readonly types?: "exact";
}

/** Declared tables: a list of them, or a module that exports them. */
export type DeclaredTables = readonly AnyTable[] | object;

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
  const declared = declaredTables(tables, "diff");
  checkOptions(options);
  const grammar = grammars.get(db.dialect);
  if (grammar === undefined || db.dialect === "oracle") throw noOracle();
  let steps: readonly Step[] = [];
  await rolledBack(db, async (runs) => {
    steps = await stepsBetween(declared, runs, grammar, options);
  });
  return makeChange(steps, db.dialect);
}

/** The tables of a list or a module. */
export function declaredTables(given: DeclaredTables, taker: string): readonly AnyTable[] {
  if (typeof given !== "object" || given === null)
    throw new DeclarationError(`${taker} takes tables or a module of them, not ${describeType(given)}`);
  // Enum types may stand among the tables; they are not compared.
  const tables: readonly unknown[] = Array.isArray(given)
    ? given.filter((one) => !isEnumType(one))
    : [...new Set(readModule(given, taker).values())];
  checkTables(tables, taker);
  const seen = new Set<string>();
  for (const { name, namespace } of tables) {
    const key = JSON.stringify([namespace, name]);
    if (seen.has(key)) throw new DeclarationError(`${taker} has two tables named ${quoted(name)}`);
    seen.add(key);
  }
  return tables;
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

// What a transaction is left with; no error of anybody else.
class TakenBack extends Error {}

async function rolledBack<D extends Dialect>(
  db: Database<D>,
  work: (runs: Runs) => Promise<void>,
): Promise<void> {
  const end = new TakenBack("taken back");
  await db
    .transaction(async (tx) => {
      // A transaction runs SQL text as its database does.
      await work(runsOf(tx as unknown as Pick<Database<D>, "sql">));
      throw end;
    })
    .catch((error: unknown) => {
      if (error !== end) throw error;
    });
}

async function stepsBetween(
  tables: readonly AnyTable[],
  runs: Runs,
  grammar: Grammar,
  { ignore = [], drop, types }: DiffOptions,
): Promise<readonly Step[]> {
  const { dialect } = grammar;
  const home = await homes[dialect](runs);
  const isIgnored = ignoring(ignore);
  const external = new Set(tables.filter((table) => table.external).map(({ name }) => name));
  const ours = tables.filter(
    ({ name, namespace, external, view }) =>
      !external && view === undefined && !isIgnored(name, namespace ?? null),
  );
  const schemas = [
    null,
    ...new Set(
      ours.flatMap(({ namespace }) => (namespace === undefined || namespace === home ? [] : [namespace])),
    ),
  ];
  const catalog = await readCatalog(dialect, runs, { schemas }, ignore);
  const declared = await readDeclared(ours, runs, grammar, home);
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
  const context = await contextOf(deltas, { runs, grammar, catalog });
  const writer = writers[dialect];
  if (writer === undefined) throw noOracle();
  const gone = drop === "tables" ? left.filter(({ name }) => !external.has(name)) : [];
  const there = pairs.map(([, wanted]) => wanted);
  const steps = [
    ...deltas.flatMap((delta) => writer.change(delta, context)),
    ...writer.create(created, { ...context, there }),
    ...writer.drop(gone, context),
  ];
  return inPhases(steps);
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
    remadeViews: new Set(),
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
