/** The refusal of a change of a column's type, with the words of its step, before a file is written. */

import type { DeclaredTable } from "../catalog/declared-table.js";
import type { CatalogColumn } from "../words/catalog.js";
import { MigrationError } from "../words/errors.js";
import { stepWords } from "../words/step.js";
import { subjectOf } from "./plan.js";

/** The advice if values of one kind do not become values of another. */
export const CONVERT_BY_HAND = "add a column, fill it by a data migration, and drop this one";

/** The refusal of a step that changes the type of a column. */
export function typeRefusal(
  { schema, catalog }: DeclaredTable,
  { name }: CatalogColumn,
  why: string,
): MigrationError {
  const step = stepWords({ kind: "change type", ...subjectOf(schema, catalog.name), name });
  return new MigrationError("MIGRATION_REFUSED", `the step ${step} is refused: ${why}`, { step });
}
