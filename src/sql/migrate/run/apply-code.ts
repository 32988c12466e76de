/** Applies a data migration: calls its function, whose batches continue where the last run stopped. */
import { quoted } from "../../../core/errors.js";
import type { AnyTable } from "../../declare/declaration.js";
import { checkTable } from "../../declare/table.js";
import type { Transaction } from "../../door/repository.js";
import { DeclarationError } from "../../words/errors.js";
import type { Migration } from "../text/migration-folder.js";
import { type Cursor, readRowCursor, writeCursor } from "../words/cursor.js";
import { type DataMigrationContext, workOf } from "../words/data-migration.js";
import { MigrationError } from "../words/errors.js";
import { takenOver } from "./lease.js";
import { loadModule } from "./load-module.js";
import { repeated } from "./locks.js";
import { changeRecord, type MigrationRecord, readRecord, refuseHidden } from "./records.js";
import { type MigrationRun, tell } from "./run.js";

const DEFAULT_SIZE = 1_000;

/**
 * Applies a migration of code.
 * @throws {MigrationError} `MIGRATION_INVALID` for a file that exports no data migration; `MIGRATION_FAILED`
 */
export async function applyCode(
  run: MigrationRun,
  migration: Migration,
  record: MigrationRecord,
): Promise<void> {
  const { db, dialect, lease, waitMs } = run;
  const { name, file, checksum } = migration;
  const work = await loadWork(migration);
  const began = performance.now();
  let calls = 0;
  const context: DataMigrationContext = {
    db,
    signal: lease.signal,
    // The types of the public signature hold: the rows are those of the table.
    batch: ((table: AnyTable, options: unknown, each: Each) =>
      runBatches(run, migration, {
        table,
        call: calls++,
        size: sizeOf(options),
        each,
      })) as DataMigrationContext["batch"],
  };
  try {
    await work(context);
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    const text = error instanceof Error ? error.message : String(error);
    throw new MigrationError(
      "MIGRATION_FAILED",
      `${quoted(file)} failed: ${text}`,
      { file, step: name },
      { cause: error },
    );
  }
  const changes = {
    done: 1,
    state: "applied",
    checksum,
    finishedAt: new Date(),
    error: null,
    cursor: null,
  } as const;
  await repeated(dialect, waitMs, () =>
    db.transaction(async (tx) => {
      await lease.confirm(tx);
      if (!(await changeRecord(db, { name, done: record.done }, changes, tx))) throw takenOver();
    }),
  );
  tell(run, { name, step: name, index: 0, steps: 1, durationMs: performance.now() - began });
}

type Each = (rows: unknown[], tx: Transaction) => Promise<void>;

/** One call of `batch`. */
interface Batches {
  readonly table: AnyTable;
  /** Its place among the calls, from 0. */
  readonly call: number;
  readonly size: number;
  readonly each: Each;
}

async function loadWork({ path, file, checksum }: Migration) {
  const loaded = await loadModule(path, checksum.slice(0, 16)).catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    const message = `${quoted(file)} cannot be loaded: ${text}`;
    throw new MigrationError("MIGRATION_INVALID", message, { file }, { cause: error });
  });
  const work = workOf(loaded["default"]);
  if (work !== undefined) return work;
  throw new MigrationError(
    "MIGRATION_INVALID",
    `${quoted(file)} is not a data migration: write "export default dataMigration(async ({ batch }) => …)"`,
    { file },
  );
}

function sizeOf(options: unknown): number {
  const { size = DEFAULT_SIZE } = Object(options);
  if (!Number.isSafeInteger(size) || size < 1)
    throw new DeclarationError("size of batch must be a whole number from 1");
  return size;
}

async function runBatches(run: MigrationRun, migration: Migration, batches: Batches): Promise<void> {
  const { db, dialect, lease, waitMs } = run;
  const { name, file } = migration;
  const { table, call, size, each } = batches;
  checkTable(table, "batch");
  if (table.primaryKey.length === 0)
    throw new DeclarationError(`batch walks the primary key, and table ${quoted(table.name)} has none`);
  if (typeof each !== "function") throw new DeclarationError("batch takes a function of the rows");
  for (let isOver = false; !isOver; )
    isOver = await repeated(dialect, waitMs, () =>
      db.transaction(async (tx) => {
        await lease.confirm(tx);
        // The place is read in each transaction: only this place says what is done.
        const stored = readRowCursor((await readRecord(db, name, tx))?.cursor ?? null);
        if (stored !== undefined && stored.batch > call) return true;
        const mine = stored?.batch === call ? stored : undefined;
        if (mine !== undefined && mine.table !== table.name)
          throw new MigrationError(
            "MIGRATION_CHANGED",
            `${quoted(file)} was begun with a batch of ${quoted(mine.table)} in place of ${quoted(table.name)}`,
            { file },
          );
        await refuseHidden(run, [table], tx);
        const rows = await nextRows(tx, table, mine?.after, size);
        // The rows are passed to the user's code, which may change them.
        const last = rows.at(-1);
        const key = table.primaryKey.map((property) => last?.[property]);
        if (rows.length > 0) await each(rows, tx);
        const isLast = rows.length < size;
        const next: Cursor = isLast
          ? { batch: call + 1, table: "", after: undefined }
          : { batch: call, table: table.name, after: key };
        if (!(await changeRecord(db, { name, done: 0 }, { cursor: writeCursor(next) }, tx)))
          throw takenOver();
        await lease.confirm(tx);
        return isLast;
      }),
    );
}

/** The rows after a key, in the order of the primary key. */
async function nextRows(
  tx: Transaction,
  table: AnyTable,
  after: readonly unknown[] | undefined,
  size: number,
): Promise<Record<string, unknown>[]> {
  const { primaryKey } = table;
  const spec = {
    // (a, b) > (x, y) as: a > x, or a = x and b > y.
    ...(after === undefined
      ? {}
      : {
          where: [
            {
              logic: "OR",
              group: primaryKey.map((field, i) => ({
                logic: "AND",
                group: [
                  ...primaryKey
                    .slice(0, i)
                    .map((one, j) => ({ field: one, operator: "=", param: `key${j}` })),
                  { field, operator: ">", param: `key${i}` },
                ],
              })),
            },
          ],
        }),
    order_by: primaryKey.map((field) => ({ field, direction: "asc" })),
    limit: size,
  };
  const params = Object.fromEntries((after ?? []).map((value, i) => [`key${i}`, value]));
  const query = anyDialect(tx).repository(table).queryFromSpec(Object(spec));
  return query.exec(params);
}

// One type for all dialects: every dialect has the parts that are used here.
function anyDialect(tx: Transaction): Pick<Transaction<"sqlite">, "repository"> {
  return tx as unknown as Transaction<"sqlite">;
}
