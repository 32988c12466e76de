/** The input of the readers of catalogs. */
import type { Database } from "../../door/database.js";
import type { RunsSql } from "../../door/raw.js";
import type { Dialect } from "../../words/dialect.js";

/** Where SQL text runs: a database or a transaction of any dialect. */
export type Runs = RunsSql<Dialect>;

/** A database as a runner of SQL text for any dialect. */
export function runsOf<D extends Dialect>(db: Pick<Database<D>, "sql">): Runs {
  // The dialect only tells `sql` which values its parameters may have; these texts use text and lists of it.
  return db as unknown as Runs;
}

/** The parts of a database that are read. */
export interface CatalogScope {
  /** `null` stands for the schema that unqualified names refer to. */
  readonly schemas: readonly (string | null)[];
  /** The schema that is called `null`, if it is not the one that unqualified names refer to. */
  readonly home?: string;
}
