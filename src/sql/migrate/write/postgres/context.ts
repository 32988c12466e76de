/** What the steps of PostgreSQL depend on, apart from the difference: casts, defaults, and parts that are not modelled. */
import * as z from "zod";
import { type Casts, readCasts } from "../../catalog/postgres/casts.js";
import { readUnlistedParts, type UnlistedPart } from "../../catalog/postgres/parts.js";
import type { TableDelta } from "../../diff/compare.js";
import type { CatalogColumn, CatalogTable } from "../../words/catalog.js";
import type { Runs } from "../../words/reading.js";
import type { AskedDatabase, PlanContext } from "../dialect.js";
import { FORMER } from "../enum-steps.js";
import { isRemade } from "./recomputed.js";

/** The answers of the database. */
interface PostgresFacts {
  /** Whether a default calls a function that gives each row a different value. */
  readonly isVolatile: (column: CatalogColumn) => boolean;
  /** The indexes and constraints of a table that no declaration can say. */
  readonly unlistedParts: (table: CatalogTable) => readonly UnlistedPart[];
  /** How the server casts a type to another. */
  readonly casts: Casts;
}

/** The input of the writers. */
export interface PostgresContext extends PlanContext, PostgresFacts {}

/** Asks the database. */
export async function askPostgres(
  deltas: readonly TableDelta[],
  { runs, catalog }: AskedDatabase,
): Promise<PostgresFacts> {
  const volatile = await volatileDefaults(deltas, runs);
  const losing = deltas.filter(({ dropped, changed }) => dropped.length > 0 || changed.some(isRemade));
  const unlisted = await readUnlistedParts(
    losing.map(({ actual }) => actual),
    catalog.unknown,
    runs,
  );
  return {
    isVolatile: (column) => volatile.has(column),
    unlistedParts: (table) => unlisted.get(table) ?? [],
    casts: await readCasts(deltas.flatMap(typesThatChange), runs),
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
