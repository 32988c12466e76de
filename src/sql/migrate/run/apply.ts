/** Applies one migration: its groups of steps in order, each recorded with its work or directly after it. */
import { bounded, quoted } from "../../../core/errors.js";
import { ignore } from "../../../core/values.js";
import type { SqlError } from "../../words/errors.js";
import { migrationEvents } from "../../words/events.js";
import { isLost } from "../../words/failures.js";
import type { FileStep } from "../text/migration-file.js";
import type { Migration } from "../text/migration-folder.js";
import { MigrationError } from "../words/errors.js";
import { applyCode } from "./apply-code.js";
import type { RunDialect } from "./dialect.js";
import { isDoneAlready } from "./doubt.js";
import { takenOver } from "./lease.js";
import { repeated } from "./locks.js";
import { addRecord, changeRecord, type MigrationRecord, type RecordChanges, readRecord } from "./records.js";
import type { MigrationRun } from "./run.js";
import { runAlone, runTogether } from "./run-steps.js";

/**
 * Applies a migration, or the part of it that is not done yet.
 * @returns false if it was applied by another runner meanwhile.
 * @throws {MigrationError}
 */
export async function applyMigration(run: MigrationRun, migration: Migration): Promise<boolean> {
  const { db, dialect, waitMs } = run;
  const { name, steps } = migration;
  const began = performance.now();
  const record = await repeated(dialect, waitMs, () => beginRecord(run, migration));
  if (record === undefined) return false;
  const count = steps?.length ?? 1;
  migrationEvents.emit("db.migration.started", { name, steps: count, done: record.done });
  const durationMs = () => performance.now() - began;
  try {
    if (steps === undefined) await applyCode(run, migration, record);
    else if (dialect.rebuilds !== undefined && steps.some(({ subject }) => subject?.kind === "rebuild table"))
      await dialect.rebuilds.withoutForeignKeys(db, () => applySteps(run, migration, steps, record));
    else await applySteps(run, migration, steps, record);
  } catch (error) {
    const failure = await noteFailure(run, migration, error);
    const step = failure instanceof MigrationError ? failure.step : undefined;
    migrationEvents.emit("db.migration.failed", { name, step, durationMs: durationMs(), error: failure });
    throw failure;
  }
  migrationEvents.emit("db.migration.completed", { name, steps: count, durationMs: durationMs() });
  return true;
}

/** The record as this run finds it; undefined if the migration is applied. */
async function beginRecord(
  { db, lease }: MigrationRun,
  migration: Migration,
): Promise<MigrationRecord | undefined> {
  const { name, steps, end } = migration;
  return db.transaction(async (tx) => {
    await lease.confirm(tx);
    const found = await readRecord(db, name, tx);
    if (found?.state === "applied") return undefined;
    if (found?.state === "failed") await changeRecord(db, found, { state: "running", error: null }, tx);
    if (found !== null) return found;
    const record: MigrationRecord = {
      name,
      checksum: steps?.[0]?.before ?? end,
      steps: steps?.length ?? 1,
      done: 0,
      state: "running",
      startedAt: new Date(),
      finishedAt: null,
      error: null,
      cursor: null,
    };
    await addRecord(db, record, tx);
    return record;
  });
}

async function applySteps(
  run: MigrationRun,
  migration: Migration,
  steps: readonly FileStep[],
  record: MigrationRecord,
): Promise<void> {
  const { db, dialect, waitMs } = run;
  let { done } = record;
  const skipTo = async (to: number) => {
    const changes = changesAfter(migration, steps, to);
    const change = () => changeRecord(db, { name: record.name, done }, changes);
    if (!(await repeated(dialect, waitMs, change))) throw takenOver();
  };
  if (record.state === "stepping" || record.state === "interrupted") {
    const step = steps[done];
    if (step !== undefined && (await isDoneAlready(run, migration, step, record))) {
      await skipTo(done + 1);
      done++;
    }
  }
  // The last steps of the file were removed after they failed.
  if (done >= steps.length) await skipTo(done);
  while (done < steps.length) {
    const group = groupAt(steps, done, dialect);
    const to = done + group.length;
    const place = { migration, from: done, changes: changesAfter(migration, steps, to) };
    const [first] = group;
    if (first === undefined || isShared(first, dialect)) await runTogether(run, group, place);
    else await runAlone(run, first, place);
    done = to;
  }
}

/** The steps from a place on that share a transaction; only one if the dialect cannot undo changes of a schema. */
function groupAt(steps: readonly FileStep[], from: number, dialect: RunDialect): readonly FileStep[] {
  const shares = (step: FileStep | undefined) => step !== undefined && isShared(step, dialect);
  let to = from + 1;
  if (shares(steps[from])) while (shares(steps[to])) to++;
  return steps.slice(from, to);
}

function isShared({ transaction }: FileStep, dialect: RunDialect): boolean {
  return transaction && dialect.undoesDdl;
}

/** The record after this number of steps. */
function changesAfter({ checksum }: Migration, steps: readonly FileStep[], done: number): RecordChanges {
  const next = steps[done];
  const common = { done: Math.min(done, steps.length), steps: steps.length, error: null, cursor: null };
  return next === undefined
    ? { ...common, state: "applied", checksum, finishedAt: new Date() }
    : { ...common, state: "running", checksum: next.before };
}

/** Records a failure, if possible, and returns it as an error of migrations. */
async function noteFailure(
  { db, dialect, waitMs }: MigrationRun,
  { name, file }: Migration,
  error: unknown,
): Promise<SqlError> {
  const text = error instanceof Error ? error.message : String(error);
  const failure =
    error instanceof MigrationError
      ? error
      : new MigrationError("MIGRATION_FAILED", `${quoted(file)} failed: ${text}`, { file }, { cause: error });
  // A runner that has lost the lease writes nothing more.
  if (failure.code === "MIGRATION_LOCKED") return failure;
  await repeated(dialect, Math.min(waitMs, 2_000), async () => {
    const record = await readRecord(db, name);
    if (record === null || record.state === "applied") return;
    const error = bounded(`${failure.code}: ${failure.message}`);
    const isOpen = record.state === "stepping" || record.state === "interrupted";
    if (isOpen && (failure.code === "MIGRATION_INTERRUPTED" || isInDoubt(failure)))
      await changeRecord(db, record, { state: "interrupted", error });
    else await changeRecord(db, record, { state: "failed", error, ...(isOpen ? { cursor: null } : {}) });
  }).catch(ignore);
  return failure;
}

/** Whether it is unknown if the server has done the failed work. */
function isInDoubt({ cause }: SqlError): boolean {
  return isLost(cause);
}
