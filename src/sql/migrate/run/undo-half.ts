/**
 * What a step of PostgreSQL leaves behind when the rows do not allow it: an index that was not built to its end, or a
 * constraint that only new rows are checked by. Both are undone at once, so that a refusal by the rows changes nothing.
 */
import { runPlain } from "../../door/plain.js";
import { isSqlError } from "../../words/errors.js";
import type { FileStep } from "../text/migration-file.js";
import { dropInvalidIndex, limitLocks, repeated } from "./hands.js";
import { takenOver } from "./lease.js";
import { changeRecord } from "./records.js";
import type { MigrationRun, StepsPlace } from "./run.js";

const NAME = '(?:"(?:[^"]|"")+"|[\\w$]+)';
const VALIDATES = new RegExp(`^(ALTER TABLE (?:${NAME}\\.)?${NAME}) VALIDATE CONSTRAINT (${NAME})$`);

/** What the rows say to a constraint. A lost connection or a cancelled statement is none of it: there the next run goes on. */
const BY_ROWS: ReadonlySet<string> = new Set(["CHECK_VIOLATION", "FOREIGN_KEY_VIOLATION"]);

/**
 * Takes back what a failed step has left, as far as the server lets it: if not, the next run goes on with what is there.
 * @param cause why the step failed.
 * @returns the words of the step before it that was undone with it, if one was.
 */
export async function undoHalf(
  { db, lease, waitMs }: MigrationRun,
  step: FileStep,
  { migration, from }: StepsPlace,
  cause: unknown,
): Promise<string | undefined> {
  if (db.dialect !== "postgres" || !isSqlError(cause)) return undefined;
  // The server may still be at work on it.
  if (cause.code === "CONNECTION_LOST" || cause.code === "UNKNOWN_OUTCOME") return undefined;
  await dropInvalidIndex(db, step.sql);
  const before = migration.steps?.[from - 1];
  const drop = BY_ROWS.has(cause.code) && before !== undefined ? dropOf(step.sql, before.sql) : undefined;
  if (drop === undefined || before === undefined) return undefined;
  const changes = { state: "running", done: from - 1, checksum: before.before, cursor: null } as const;
  await repeated(db, waitMs, () =>
    db.transaction(async (tx) => {
      await limitLocks(db, tx);
      await lease.confirm(tx);
      await runPlain(tx, drop);
      if (!(await changeRecord(db, { name: migration.name, done: from }, changes, tx))) throw takenOver();
    }),
  );
  return before.words;
}

/** The statement that takes a constraint back, if the step before the validating one is what added it. */
function dropOf(validating: string, adding: string): string | undefined {
  const [, alter = "", name = ""] = VALIDATES.exec(validating) ?? [];
  const adds = adding.startsWith(`${alter} ADD CONSTRAINT ${name} `) && adding.endsWith(" NOT VALID");
  return name !== "" && adds ? `${alter} DROP CONSTRAINT ${name}` : undefined;
}
