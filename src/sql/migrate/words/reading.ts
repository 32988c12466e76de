/** The input of the readers of catalogs. */
import type { RunsSql } from "../../door/raw.js";
import type { Dialect } from "../../words/dialect.js";

/** Where SQL text runs: a database or a transaction of any dialect. */
export type Runs = RunsSql<Dialect>;

/** The parts of a database that are read. */
export interface CatalogScope {
  /** `null` stands for the schema that unqualified names refer to. */
  readonly schemas: readonly (string | null)[];
  /** The schema that is called `null`, if it is not the one that unqualified names refer to. */
  readonly home?: string;
}
