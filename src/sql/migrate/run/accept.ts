/** Records migrations in their current state, without running them: a person has checked that they are done. */
import { listed, quoted } from "../../../core/errors.js";
import { type Migration, meantBy } from "../text/migration-folder.js";
import { MigrationError } from "../words/errors.js";
import { takenOver } from "./lease.js";
import { repeated } from "./locks.js";
import { addRecord, changeRecord, readRecords, removeRecord } from "./records.js";
import type { MigrationRun } from "./run.js";

/**
 * Accepts migrations by name: a changed file in its current state, a missing one as removed, one that was never applied
 * as applied, and the step in which a runner ended as done.
 * @throws {MigrationError} `MIGRATION_INVALID` for a name that is neither in the folder nor recorded.
 */
export async function applyAccepted(
  { db, dialect, lease, waitMs }: Omit<MigrationRun, "onStep">,
  migrations: readonly Migration[],
  names: readonly string[],
): Promise<void> {
  const records = await repeated(dialect, waitMs, () => readRecords({ db, dialect }));
  const known = new Set([...migrations.map((one) => one.name), ...records.keys()]);
  for (const given of names) {
    const name = meantBy(known, given);
    if (name === undefined) {
      const message = `there is no migration ${quoted(given)} to accept; migrations: ${listed(known)}`;
      throw new MigrationError("MIGRATION_INVALID", message);
    }
    const migration = migrations.find((one) => one.name === name);
    const record = records.get(name);
    await repeated(dialect, waitMs, () =>
      db.transaction(async (tx) => {
        await lease.confirm(tx);
        if (migration === undefined) return removeRecord(db, name, tx);
        const { checksum, steps, end } = migration;
        const count = steps?.length ?? 1;
        const whole = {
          checksum,
          steps: count,
          done: count,
          state: "applied",
          error: null,
          cursor: null,
        } as const;
        if (record === undefined)
          return addRecord(db, { name, ...whole, startedAt: new Date(), finishedAt: new Date() }, tx);
        const isInDoubt = record.state === "stepping" || record.state === "interrupted";
        const done = isInDoubt ? record.done + 1 : record.done;
        const isApplied = record.state === "applied" || done >= count;
        const before = steps?.[done]?.before ?? end;
        const changes = isApplied
          ? { ...whole, finishedAt: record.finishedAt ?? new Date() }
          : { checksum: before, steps: count, done, state: "running" as const, error: null, cursor: null };
        if (!(await changeRecord(db, record, changes, tx))) throw takenOver();
      }),
    );
  }
}
