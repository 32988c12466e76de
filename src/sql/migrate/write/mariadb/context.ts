/** What the steps of MariaDB depend on, apart from the difference. */
import type { CatalogTable } from "../../words/catalog.js";
import type { PlanContext } from "../dialect.js";

/** The input of the writers. */
export interface MariadbContext extends PlanContext {
  /** The indexes of a table that the server made for its foreign keys. */
  readonly ownIndexes: (
    table: CatalogTable,
  ) => readonly { readonly name: string; readonly columns: readonly string[] }[];
}
