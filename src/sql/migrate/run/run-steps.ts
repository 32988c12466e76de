/** Runs steps: several in one transaction that also records them, or a single one, with a mark before it. */

import { quoted } from "../../../core/errors.js";
import { ignore } from "../../../core/values.js";
import { runPlain } from "../../door/plain.js";
import type { Transaction } from "../../door/repository.js";
import { isSqlError } from "../../words/errors.js";
import { checksumOf, type FileStep } from "../text/migration-file.js";
import type { Migration } from "../text/migration-folder.js";
import { MigrationError } from "../words/errors.js";
import type { StepSubject } from "../words/step.js";
import { lackingValue } from "./lacking-values.js";
import { takenOver } from "./lease.js";
import { limitLocks, repeated } from "./locks.js";
import { changeRecord } from "./records.js";
import { type MigrationRun, type StepsPlace, tell } from "./run.js";
import { undoHalf } from "./undo-half.js";

/**
 * Runs steps in one transaction, with the record of it: all of them or none.
 * @throws {MigrationError} `MIGRATION_FAILED`, `MIGRATION_LOCKED`
 */
export async function runTogether(
  run: MigrationRun,
  steps: readonly FileStep[],
  place: StepsPlace,
): Promise<void> {
  const { db, dialect, lease, waitMs } = run;
  const { migration, from, changes } = place;
  const rebuilds = steps.some((step) => rebuiltBy(step) !== undefined) ? dialect.rebuilds : undefined;
  const times = await repeated(dialect, waitMs, async () => {
    const durations: number[] = [];
    let last: FileStep | undefined;
    const work = async (tx: Transaction) => {
      await limitLocks(dialect, tx);
      await lease.confirm(tx);
      const before = await rebuilds?.violations(tx);
      let rows: number | undefined;
      for (const [i, step] of steps.entries()) {
        last = step;
        const rebuilt = rebuilds === undefined ? undefined : rebuiltBy(step);
        if (rebuilt !== undefined && step.words !== steps[i - 1]?.words)
          rows = await rebuilds?.rowCount(tx, rebuilt);
        const began = performance.now();
        await runPlain(tx, step.sql);
        durations.push(performance.now() - began);
        if (rebuilt !== undefined && step.words !== steps[i + 1]?.words)
          checkRows(rebuilt.table, rows, await rebuilds?.rowCount(tx, rebuilt));
      }
      if (before !== undefined && rebuilds !== undefined)
        checkReferences(before, await rebuilds.violations(tx));
      if (!(await changeRecord(db, { name: migration.name, done: from }, changes, tx))) throw takenOver();
      await lease.confirm(tx);
    };
    await db.transaction(work).catch((error: unknown) => {
      throw failed(error, run, migration, last ?? steps[0]);
    });
    return durations;
  });
  for (const [i, step] of steps.entries()) tellOf(run, place, step, i, times[i] ?? 0);
}

/**
 * Runs a step whose work and record cannot share a transaction: a mark before it says that it may have begun.
 * @throws {MigrationError} `MIGRATION_FAILED`, `MIGRATION_LOCKED`
 */
export async function runAlone(run: MigrationRun, step: FileStep, place: StepsPlace): Promise<void> {
  const { db, dialect, lease, waitMs } = run;
  const { migration, from, changes } = place;
  const record = { name: migration.name, done: from };
  const cursor = checksumOf(step.sql);
  await repeated(dialect, waitMs, () =>
    db.transaction(async (tx) => {
      await lease.confirm(tx);
      if (!(await changeRecord(db, record, { state: "stepping", cursor }, tx))) throw takenOver();
    }),
  );
  const sql = dialect.tagged(dialect.alone(step), lease.tag);
  const began = performance.now();
  const isRecorded = await repeated(dialect, waitMs, async () => {
    try {
      await dialect.halves?.drop(db, step.sql);
      if (!step.transaction || dialect.undoesDdl) {
        await runPlain(db, sql);
        return false;
      }
      return await runRecorded(run, sql, place);
    } catch (error) {
      throw failed(error, run, migration, step);
    }
  }).catch(async (error: unknown) => {
    const cause = error instanceof MigrationError ? error.cause : error;
    const undone = await undoHalf(run, step, place, cause).catch(ignore);
    throw undone === undefined ? error : failed(cause, run, migration, step, undone);
  });
  const durationMs = performance.now() - began;
  if (!isRecorded && !(await repeated(dialect, waitMs, () => changeRecord(db, record, changes))))
    throw takenOver();
  tellOf(run, place, step, 0, durationMs);
}

/**
 * Runs a step of a dialect on which a change of the schema ends the transaction: a change of rows is recorded with it.
 * @returns whether it is recorded.
 */
async function runRecorded({ db, lease }: MigrationRun, sql: string, place: StepsPlace): Promise<boolean> {
  const { migration, from, changes } = place;
  let isDone = false;
  let isRecorded = false;
  const work = async (tx: Transaction) => {
    await lease.confirm(tx);
    await runPlain(tx, sql);
    isDone = true;
    if (!(await changeRecord(db, { name: migration.name, done: from }, changes, tx))) throw takenOver();
    isRecorded = true;
  };
  try {
    await db.transaction(work);
    return isRecorded;
  } catch (error) {
    // The step itself has ended the transaction.
    if (isDone && isSqlError(error) && error.code === "TRANSACTION_CLOSED") return false;
    throw error;
  }
}

/** The subject that a step rebuilds, with one of several statements. */
function rebuiltBy({ subject }: FileStep): StepSubject | undefined {
  return subject?.kind === "rebuild table" ? subject : undefined;
}

function tellOf(
  run: MigrationRun,
  { migration, from }: StepsPlace,
  step: FileStep,
  i: number,
  durationMs: number,
): void {
  const { name, steps } = migration;
  tell(run, { name, step: step.words, index: from + i, steps: steps?.length ?? 1, durationMs });
}

function checkReferences(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): void {
  for (const [between, count] of after)
    if (count > (before.get(between) ?? 0))
      throw new Broken(`rows refer to rows that do not exist: ${between}`);
}

function checkRows(table: string, before: number | undefined, after: number | undefined): void {
  if (before !== undefined && after !== before)
    throw new Broken(`table ${quoted(table)} had ${before} rows, and has ${after ?? 0}`);
}

/** A transaction whose work is incorrect, so that it is rolled back. */
class Broken extends Error {}

/** How an error names its step, by which it is known in a record. */
export function placeOf({ words }: Pick<FileStep, "words">, file: string): string {
  return `step ${quoted(words)} of ${quoted(file)}`;
}

/**
 * The error of a step.
 * @param undone the words of the step before it that was rolled back with it.
 */
function failed(
  error: unknown,
  { dialect }: MigrationRun,
  { file, steps = [] }: Migration,
  step: FileStep | undefined,
  undone?: string,
): unknown {
  if (error instanceof MigrationError || step === undefined) return error;
  const back = undone === undefined ? "" : `, and ${quoted(undone)} was undone`;
  const place = `${placeOf(step, file)} failed${back}`;
  const facts = { file, step: step.words };
  const lack = lackingValue(error, step, steps[steps.indexOf(step) + 1], dialect.lacksValue);
  const text = lack ?? (error instanceof Error ? error.message : String(error));
  const inner = error instanceof Error ? String(Object(error.cause).message) : "";
  const isSeveral =
    dialect.refusesSeveral?.test(inner) === true ||
    (/;\s*\S/.test(step.sql) && /syntax/i.test(`${text} ${inner}`));
  const hint = isSeveral ? 'write a line "-- step WORDS" before each statement; ' : "";
  return new MigrationError("MIGRATION_FAILED", `${place}: ${hint}${text}`, facts, { cause: error });
}
