/**
 * A step of PostgreSQL leaves one of these if the rows do not allow it: an incomplete index, or a constraint that
 * checks only new rows. Both are undone at once, so that a refusal by the rows changes nothing.
 */
import { runPlain } from "../../door/plain.js";
import { isSqlError } from "../../words/errors.js";
import { isLost } from "../../words/failures.js";
import type { FileStep } from "../text/migration-file.js";
import { takenOver } from "./lease.js";
import { limitLocks, repeated } from "./locks.js";
import { changeRecord } from "./records.js";
import type { MigrationRun, StepsPlace } from "./run.js";

/** Rows that violate a constraint. After a lost connection or a cancelled statement, the next run continues instead. */
const BY_ROWS: ReadonlySet<string> = new Set(["CHECK_VIOLATION", "FOREIGN_KEY_VIOLATION"]);

/**
 * Undoes what a failed step has left, if the server allows it: otherwise the next run continues with it.
 * @param cause why the step failed.
 * @returns the words of the step before it that was undone too, if one was.
 */
export async function undoHalf(
  { db, dialect, lease, waitMs }: MigrationRun,
  step: FileStep,
  { migration, from }: StepsPlace,
  cause: unknown,
): Promise<string | undefined> {
  const { halves } = dialect;
  if (halves === undefined || !isSqlError(cause)) return undefined;
  // The server may still be working on it.
  if (isLost(cause)) return undefined;
  await halves.drop(db, step.sql);
  const before = migration.steps?.[from - 1];
  const drop =
    BY_ROWS.has(cause.code) && before !== undefined ? halves.undoOf(step.sql, before.sql) : undefined;
  if (drop === undefined || before === undefined) return undefined;
  const changes = { state: "running", done: from - 1, checksum: before.before, cursor: null } as const;
  await repeated(dialect, waitMs, () =>
    db.transaction(async (tx) => {
      await limitLocks(dialect, tx);
      await lease.confirm(tx);
      await runPlain(tx, drop);
      if (!(await changeRecord(db, { name: migration.name, done: from }, changes, tx))) throw takenOver();
    }),
  );
  return before.words;
}
