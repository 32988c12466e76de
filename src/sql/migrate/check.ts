/** `check`: applies a folder to an empty database, and compares the result with the declarations. */
import type { Database } from "../door/database.js";
import type { Dialect } from "../words/dialect.js";
import { migrationDialect } from "./dialects/dialects.js";
import { diff } from "./diff.js";
import { migrate } from "./migrate.js";
import { readFolder } from "./text/migration-folder.js";
import type { DeclaredTables } from "./words/declared-list.js";
import { DriftError } from "./words/errors.js";

/** The options of `check`. */
interface CheckOptions {
  readonly folder: string;
  readonly ignore?: readonly string[] | undefined;
  /** The dialects that the folder has files for. */
  readonly dialects?: readonly Dialect[] | undefined;
}

/**
 * Checks a folder on an empty database: every file can be read, can be applied with only its own marks as allowances,
 * and the result is what the declarations say.
 * @returns the names of the migrations.
 * @throws {MigrationError} for a file that cannot be read or applied.
 * @throws {DriftError} if the result differs from the declarations.
 */
export async function checkFolder(
  tables: DeclaredTables,
  scratch: Database,
  { folder, ignore, dialects = [] }: CheckOptions,
): Promise<readonly string[]> {
  for (const dialect of dialects) await readFolder(folder, migrationDialect(dialect));
  const { applied } = await migrate(scratch, { folder });
  const change = await diff(tables, scratch, ignore === undefined ? {} : { ignore });
  if (!change.isEmpty)
    throw new DriftError(
      `the migrations do not give what the declarations say: generate what is missing (steps: ${change.steps.length})`,
      change.steps,
      change.text(),
    );
  return applied.map(({ name }) => name);
}
