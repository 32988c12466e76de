/** What the readers of catalogs are given. */
import type { RunsSql } from "../../door/raw.js";
import type { Dialect } from "../../words/dialect.js";

/** Where SQL text runs: a database or a transaction of any dialect. */
export type Runs = RunsSql<Dialect>;

/** The parts of a database that are read. */
export interface CatalogScope {
  /** `null` stands for the schema that names without one mean. */
  readonly schemas: readonly (string | null)[];
  /** The schema that is called `null`, if it is not the one that names without a schema mean. */
  readonly home?: string;
}
