/** The state of a database: the files of a folder compared with their records. */
import { quoted } from "../../../core/errors.js";
import type { Migration } from "../text/migration-folder.js";
import { MigrationError } from "../words/errors.js";
import type { MigrationRecord } from "./records.js";

/** A migration that is not applied, or only in part. */
export interface Pending {
  readonly migration: Migration;
  readonly record: MigrationRecord | undefined;
}

/** The files of a folder, by their records. */
interface Standing {
  readonly applied: readonly MigrationRecord[];
  /** In the order in which they are applied. */
  readonly pending: readonly Pending[];
  /** Applied migrations whose file has changed since. */
  readonly changed: readonly Migration[];
  /** Applied migrations whose file does not exist. */
  readonly missing: readonly MigrationRecord[];
  /** Pending ones that are earlier than an applied one. */
  readonly outOfOrder: readonly Migration[];
  readonly failed: readonly MigrationRecord[];
}

/** Compares a folder with the records. */
export function standingOf(
  migrations: readonly Migration[],
  records: ReadonlyMap<string, MigrationRecord>,
): Standing {
  const files = new Map(migrations.map((one) => [one.name, one]));
  const inOrder = [...records.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const applied = inOrder.filter(({ state }) => state === "applied");
  const last = applied.at(-1)?.name ?? "";
  const pending = migrations
    .map((migration) => ({ migration, record: records.get(migration.name) }))
    .filter(({ record }) => record?.state !== "applied");
  return {
    applied,
    pending,
    changed: migrations.filter((one) => isChanged(one, records.get(one.name))),
    missing: inOrder.filter((record) => !files.has(record.name) && hasDone(record)),
    outOfOrder: pending.map(({ migration }) => migration).filter(({ name }) => name < last),
    failed: inOrder.filter(({ state }) => state === "failed" || state === "interrupted"),
  };
}

// The database has nothing of a file that failed at its first step: the file may be removed.
function hasDone({ state, done, cursor }: MigrationRecord): boolean {
  return state === "applied" || done > 0 || cursor !== null;
}

function isChanged({ checksum, end, steps }: Migration, record: MigrationRecord | undefined): boolean {
  if (record === undefined) return false;
  if (record.state === "applied") return record.checksum !== checksum;
  // The cursor of a data migration gives its place.
  if (steps === undefined) return false;
  return record.done > 0 && (steps[record.done]?.before ?? end) !== record.checksum;
}

/**
 * Refuses a folder that differs from the applied migrations.
 * @throws {MigrationError} `MIGRATION_MISSING`, `MIGRATION_CHANGED`
 */
export function checkStanding({ missing, changed }: Standing): void {
  const [gone] = missing;
  if (gone !== undefined)
    throw new MigrationError(
      "MIGRATION_MISSING",
      `${quoted(gone.name)} was applied, but its file does not exist: restore it, or accept ${quoted(gone.name)}`,
      { file: gone.name },
    );
  const [other] = changed;
  if (other !== undefined)
    throw new MigrationError(
      "MIGRATION_CHANGED",
      `${quoted(other.file)} is not as it was when it was applied: restore it, or accept ${quoted(other.name)}`,
      { file: other.file },
    );
}
