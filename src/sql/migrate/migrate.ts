/** `migrate`: applies the files of a folder that are not recorded in a database, in the order of their names. */
import { listed, quoted } from "../../core/errors.js";
import type { Database } from "../door/database.js";
import { DeclarationError, isSqlError } from "../words/errors.js";
import { readOptions } from "../words/known-options.js";
import { migrationDialect } from "./dialects/dialects.js";
import { applyAccepted } from "./run/accept.js";
import { applyMigration } from "./run/apply.js";
import type { RunTarget } from "./run/dialect.js";
import { type HeldLease, takeLease } from "./run/lease.js";
import { repeated } from "./run/locks.js";
import { isEmptyThen } from "./run/pending-tables.js";
import { makeRecords, readRecords } from "./run/records.js";
import { refuseUnallowed } from "./run/refuse-unallowed.js";
import type { StepDone } from "./run/run.js";
import { checkStanding, type Pending, standingOf } from "./run/standing.js";
import type { FileStep } from "./text/migration-file.js";
import { isMeant, type Migration, meantBy, readFolder } from "./text/migration-folder.js";
import { MigrationError } from "./words/errors.js";
import { checkDatabase, textsOf } from "./words/options.js";

/** Options of `migrate`. */
export interface MigrateOptions {
  readonly folder: string;
  /** The name of the last migration to apply, or its words, as `add-teams`; default all. */
  readonly to?: string | undefined;
  /** Checks everything, changes nothing, and says what would be applied. */
  readonly dryRun?: boolean | undefined;
  /** The words of steps that may lose data, drop what is not declared, or block: `["drop column people.age"]`. */
  readonly allow?: readonly string[] | undefined;
  /**
   * Names of migrations that are recorded as they are now, without being run: a file that was changed or removed after
   * it was applied, one whose changes are already in the database, or one whose interrupted step was completed.
   */
  readonly accept?: readonly string[] | undefined;
  /** The action for a file that is earlier than an applied one; default `apply`. */
  readonly outOfOrder?: "apply" | "refuse" | undefined;
  /** How long to wait for another runner, in milliseconds; default 60,000. */
  readonly lockWaitMs?: number | undefined;
  /** Called with each step once it is done for good. */
  readonly onStep?: ((step: StepDone) => void) | undefined;
}

/** A migration that was applied, or would be. */
export interface AppliedMigration {
  readonly name: string;
  /** The words of the steps that this run did, or would do. */
  readonly steps: readonly string[];
}

/** The result of a run. */
export interface MigrateResult {
  /** Applied by this run. */
  readonly applied: readonly AppliedMigration[];
  /** Migrations of `applied` that are earlier than one that was applied before. */
  readonly outOfOrder: readonly { readonly name: string }[];
  /** The migrations that are left: those that a run with `dryRun` would apply, or those after `to`. */
  readonly pending: readonly AppliedMigration[];
}

const OPTIONS = ["folder", "to", "dryRun", "allow", "accept", "outOfOrder", "lockWaitMs", "onStep"] as const;
const WAIT_MS = 60_000;

/**
 * Applies every migration of a folder that is not recorded in the database. Any number of processes may call it at the
 * same time: one works, the others wait until there is nothing left to do.
 * @throws {MigrationError} before anything is applied, if a step is refused or the folder differs from the applied
 * migrations; or with the file and the step that failed. The completed work is kept, and the next run continues there.
 * @example
 * import { migrate } from "rowtype/migrate";
 * await migrate(db, { folder: "migrations" });
 */
export async function migrate(db: Database, options: MigrateOptions): Promise<MigrateResult> {
  checkDatabase(db, "migrate");
  const plan = checkedOptions(options);
  const dialect = migrationDialect(db.dialect);
  const migrations = await readFolder(plan.folder, dialect);
  const names = migrations.map(({ name }) => name);
  const to = plan.to === undefined ? undefined : meantBy(names, plan.to);
  if (plan.to !== undefined && to === undefined)
    throw new MigrationError(
      "MIGRATION_INVALID",
      `there is no migration ${quoted(plan.to)} to stop after; migrations: ${listed(names)}`,
    );
  return dialect.withoutWaiting(db, () => migrateFolder({ db, dialect }, migrations, { ...plan, to }));
}

type Plan = ReturnType<typeof checkedOptions>;

async function migrateFolder(
  target: RunTarget,
  migrations: readonly Migration[],
  plan: Plan,
): Promise<MigrateResult> {
  const { dryRun, accept, lockWaitMs: waitMs } = plan;
  const look = () => repeated(target.dialect, waitMs, () => lookAt(target, migrations, plan));
  let found = await look();
  // Writes nothing if nothing is to be done: the role may not have the right.
  if (dryRun || (found.todo.length === 0 && accept.length === 0))
    return { ...NOTHING, pending: named(found.todo) };
  const isNeeded = async () => accept.length > 0 || (await lookAt(target, migrations, plan)).todo.length > 0;
  const lease = await begin(target, waitMs, isNeeded, found.todo[0]);
  if (lease === undefined) return { ...NOTHING, pending: named(found.later) };
  const applied: AppliedMigration[] = [];
  try {
    if (accept.length > 0) await applyAccepted({ ...target, lease, waitMs }, migrations, accept);
    found = await look();
    for (const pending of found.todo)
      if (await applyMigration({ ...target, lease, waitMs, onStep: plan.onStep }, pending.migration))
        applied.push(...named([pending]));
  } finally {
    await lease.end();
  }
  const early = new Set(found.outOfOrder);
  return {
    applied,
    outOfOrder: applied.filter(({ name }) => early.has(name)).map(({ name }) => ({ name })),
    pending: named(found.later),
  };
}

const NOTHING: MigrateResult = { applied: [], outOfOrder: [], pending: [] };

/** The work to do, completely checked. */
async function lookAt(target: RunTarget, migrations: readonly Migration[], plan: Plan) {
  const { to, allow, accept, outOfOrder } = plan;
  const records = await readRecords(target);
  const standing = standingOf(migrations, records);
  const isAccepted = ({ name }: { readonly name: string }) => accept.some((given) => isMeant(name, given));
  checkStanding({
    ...standing,
    missing: standing.missing.filter((one) => !isAccepted(one)),
    changed: standing.changed.filter((one) => !isAccepted(one)),
  });
  const [early] = standing.outOfOrder;
  if (early !== undefined && outOfOrder === "refuse")
    throw new MigrationError(
      "MIGRATION_REFUSED",
      `${quoted(early.file)} is earlier than an applied migration, and outOfOrder is "refuse": rename it so that it comes after the others`,
      { file: early.file },
    );
  const isLater = ({ migration }: Pending) => to !== undefined && migration.name > to;
  const todo = standing.pending.filter((one) => !isLater(one));
  const before: FileStep[] = [];
  for (const { migration, record } of todo) {
    const steps = (migration.steps ?? []).slice(record?.done ?? 0);
    if (!isAccepted(migration) || record !== undefined)
      await refuseUnallowed(steps, migration.file, new Set(allow), (subject, own) =>
        isEmptyThen(target, subject, [...before, ...own]),
      );
    before.push(...steps);
  }
  return {
    todo,
    later: standing.pending.filter(isLater),
    outOfOrder: standing.outOfOrder.map(({ name }) => name),
  };
}

/** The first writes: a role without the right to write learns here what was not done. */
async function begin(
  target: RunTarget,
  waitMs: number,
  isNeeded: () => Promise<boolean>,
  first: Pending | undefined,
): Promise<HeldLease | undefined> {
  try {
    await repeated(target.dialect, waitMs, () => makeRecords(target));
    return await takeLease(target, waitMs, isNeeded);
  } catch (error) {
    if (!isSqlError(error) || error instanceof MigrationError) throw error;
    const file = first?.migration.file;
    const step = first?.migration.steps?.[0]?.words;
    const place = file === undefined ? "nothing was done" : `${quoted(file)} was not begun`;
    throw new MigrationError(
      error.code === "LOCK_TIMEOUT" ? "MIGRATION_LOCKED" : "MIGRATION_FAILED",
      `the records of migrations cannot be written, so ${place}: ${error.message}`,
      { file, step },
      { cause: error },
    );
  }
}

function named(pending: readonly Pending[]): AppliedMigration[] {
  return pending.map(({ migration: { name, steps }, record }) => ({
    name,
    steps: steps === undefined ? [name] : steps.slice(record?.done ?? 0).map(({ words }) => words),
  }));
}

/** @throws {DeclarationError} */
function checkedOptions(given: MigrateOptions) {
  const options = readOptions(given, OPTIONS, "migrate");
  const { folder, to, dryRun = false, outOfOrder = "apply", lockWaitMs = WAIT_MS, onStep } = options;
  if (to !== undefined && typeof to !== "string")
    throw new DeclarationError("to must be the name of a migration");
  if (outOfOrder !== "apply" && outOfOrder !== "refuse")
    throw new DeclarationError(`outOfOrder must be "apply" or "refuse", not ${quoted(outOfOrder)}`);
  if (typeof lockWaitMs !== "number" || !(lockWaitMs >= 0))
    throw new DeclarationError("lockWaitMs must be a number of milliseconds from 0");
  if (onStep !== undefined && typeof onStep !== "function")
    throw new DeclarationError("onStep must be a function");
  const [allow, accept] = [textsOf(options.allow, "allow"), textsOf(options.accept, "accept")];
  return { folder, to, dryRun: dryRun === true, allow, accept, outOfOrder, lockWaitMs, onStep };
}
