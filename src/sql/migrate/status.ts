/** `status`: the migrations of a folder that are applied to a database. It writes nothing. */

import type { Database } from "../door/database.js";
import { readOptions } from "../words/known-options.js";
import { migrationDialect } from "./dialects/dialects.js";
import { repeated } from "./run/locks.js";
import { type MigrationRecord, readRecords } from "./run/records.js";
import { placeOf } from "./run/run-steps.js";
import { standingOf } from "./run/standing.js";
import { readFolder } from "./text/migration-folder.js";
import { checkDatabase } from "./words/options.js";

/** A migration by its name. */
export interface NamedMigration {
  readonly name: string;
}

/** The state of a database. Every list is in the order of names. */
export interface MigrationStatus {
  readonly applied: readonly { readonly name: string; readonly finishedAt: Date | null }[];
  /** The migrations that `migrate` would apply, also begun ones; `done` of the `steps` are done. */
  readonly pending: readonly { readonly name: string; readonly steps: number; readonly done: number }[];
  /** Applied migrations whose file has changed. */
  readonly changed: readonly NamedMigration[];
  /** Applied migrations whose file does not exist. */
  readonly missing: readonly NamedMigration[];
  /** Pending migrations that are earlier than an applied one. */
  readonly outOfOrder: readonly NamedMigration[];
  /** Migrations that began, and that an error stopped at a step. */
  readonly failed: readonly { readonly name: string; readonly step: string; readonly error: string }[];
}

/** Options of `status`. */
export interface StatusOptions {
  readonly folder: string;
}

const WAIT_MS = 10_000;

/**
 * Returns which migrations of a folder are applied. A database without records has none applied.
 * @throws {MigrationError} `MIGRATION_INVALID` for a folder that cannot be read.
 * @example
 * import { status } from "rowtype/migrate";
 * const { pending } = await status(db, { folder: "migrations" });
 */
export async function status(db: Database, options: StatusOptions): Promise<MigrationStatus> {
  checkDatabase(db, "status");
  const { folder } = readOptions(options, ["folder"], "status");
  const dialect = migrationDialect(db.dialect);
  const migrations = await readFolder(folder, dialect);
  const look = () => repeated(dialect, WAIT_MS, () => readRecords({ db, dialect }));
  const records = await dialect.withoutWaiting(db, look);
  const { applied, pending, changed, missing, outOfOrder, failed } = standingOf(migrations, records);
  const stepOf = ({ name, done, error }: MigrationRecord) => {
    const { file = "", steps = [] } = migrations.find((one) => one.name === name) ?? {};
    // Steps before the one that failed were undone with it.
    const failedStep = steps.slice(done).find((step) => error?.includes(placeOf(step, file)));
    return (failedStep ?? steps[done])?.words ?? name;
  };
  return {
    applied: applied.map(({ name, finishedAt }) => ({ name, finishedAt })),
    pending: pending.map(({ migration: { name, steps }, record }) => ({
      name,
      steps: steps?.length ?? 1,
      done: record?.done ?? 0,
    })),
    changed: changed.map(nameOf),
    missing: missing.map(nameOf),
    outOfOrder: outOfOrder.map(nameOf),
    failed: failed.map((record) => ({ name: record.name, step: stepOf(record), error: record.error ?? "" })),
  };
}

function nameOf({ name }: NamedMigration): NamedMigration {
  return { name };
}
