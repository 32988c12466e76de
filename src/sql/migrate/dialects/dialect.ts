/** A dialect as migrations see it: all that differs between databases, in one record for each. */
import type { Missing } from "../../dialect/grammar/grammar.js";
import type { PullDialect } from "../pull/dialect.js";
import type { RunDialect } from "../run/dialect.js";
import type { WriteDialect } from "../write/dialect.js";

/** How schemas of a dialect are compared, changed and pulled. */
export interface SchemaDialect extends WriteDialect, PullDialect {}

/** One dialect. */
export interface MigrationDialect extends RunDialect {
  /** Why schemas are not compared, if they are not. */
  readonly schema: SchemaDialect | Missing;
}
