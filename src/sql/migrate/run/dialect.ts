/** How the runner of migrations works with a dialect's databases: one record for each dialect. */
import type { CatalogDialect } from "../catalog/dialect.js";
import type { LooksAtRows } from "../catalog/empty-tables.js";
import type { TextDialect } from "../text/dialect.js";

/** How migrations of a dialect are run. */
export interface RunDialect extends TextDialect, LooksAtRows {
  /** How the catalog is read; undefined if it is not. */
  readonly catalog: CatalogDialect | undefined;
}
