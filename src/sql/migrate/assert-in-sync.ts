/** `assertInSync`: throws when a database differs from its declarations. */
import { listed } from "../../core/errors.js";
import type { Database } from "../door/database.js";
import type { Dialect } from "../words/dialect.js";
import { type DiffOptions, diff } from "./diff.js";
import type { DeclaredTables } from "./words/declared-list.js";
import { DriftError } from "./words/errors.js";
import { stepWords } from "./words/step.js";

/**
 * Checks that the tables of a database are as they are declared: for a test in CI, or at the start of a program. Tables
 * that are not declared are ignored.
 * @throws {DriftError} with the steps that would remove the differences, and their text.
 * @example
 * import { assertInSync } from "rowtype/migrate";
 * await assertInSync(db, [User, Team]);
 */
export async function assertInSync<D extends Dialect>(
  db: Database<D>,
  tables: DeclaredTables,
  options: DiffOptions = {},
): Promise<void> {
  const change = await diff(tables, db, options);
  if (change.isEmpty) return;
  const words = new Set(change.steps.map(stepWords));
  throw new DriftError(
    `the database is not what the declarations say: ${listed(words)}`,
    change.steps,
    change.text(),
  );
}
