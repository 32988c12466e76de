/** Whether a step that a runner died in was done: what the database shows, or that it may simply run again. */
import { quoted } from "../../core/errors.js";
import type { Database } from "../door/database.js";
import { MigrationError } from "./errors.js";
import { hasValidIndex, indexBuiltAlone } from "./hands.js";
import { checksumOf, type FileStep } from "./migration-file.js";
import type { Migration } from "./migration-folder.js";
import type { MigrationRecord } from "./records.js";

/** A statement that changes rows: its transaction would have recorded it. */
const CHANGES_ROWS = /^\s*(?:insert|update|delete|replace|merge|with|select|values)\b/i;
/** A statement that does nothing where it was done. */
const REPEATABLE =
  /\bif\s+(?:not\s+)?exists\b|\bvalidate\s+constraint\b|\b(?:set|drop)\s+not\s+null\b|\b(?:set|drop)\s+default\b|\bmodify\b|^\s*(?:vacuum|analyze|reindex|optimize|comment|pragma|create\s+or\s+replace)\b/i;

/**
 * Whether a step in which a runner died was done.
 * @throws {MigrationError} `MIGRATION_INTERRUPTED` where the database does not tell.
 */
export async function isDoneAlready(
  db: Database,
  { file, name }: Migration,
  step: FileStep,
  record: MigrationRecord,
): Promise<boolean> {
  // Its author has changed it since, who then knows what is to be done.
  if (record.cursor !== checksumOf(step.sql)) return false;
  // What cannot be in a transaction there can be repeated.
  if (db.dialect === "sqlite") return false;
  if (db.dialect === "postgres") {
    const index = indexBuiltAlone(step.sql);
    if (index !== undefined) return hasValidIndex(db, index);
  } else if (step.transaction && CHANGES_ROWS.test(step.sql)) return false;
  if (REPEATABLE.test(step.sql)) return false;
  throw new MigrationError(
    "MIGRATION_INTERRUPTED",
    `a runner ended within step ${quoted(step.words)} of ${quoted(file)}: look whether it was done, then accept ${quoted(name)} if it was, or change the step`,
    { file, step: step.words },
  );
}
