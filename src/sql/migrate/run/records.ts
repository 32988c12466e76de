/** The two tables of the runner: which migrations were applied, and who applies them. The same on every dialect. */
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { quoted } from "../../../core/errors.js";
import { column } from "../../declare/column.js";
import type { AnyTable } from "../../declare/declaration.js";
import { table } from "../../declare/table.js";
import { qualifiedName } from "../../dialect/grammar/names.js";
import type { Database } from "../../door/database.js";
import type { Transaction } from "../../door/repository.js";
import { isSqlError } from "../../words/errors.js";
import { MigrationError } from "../words/errors.js";
import type { RunTarget } from "./dialect.js";

/** The progress of a migration: `stepping` while a step runs whose work no transaction records in `done`. */
type MigrationState = "running" | "stepping" | "failed" | "interrupted" | "applied";

/** The record of one migration. */
export interface MigrationRecord {
  readonly name: string;
  /** The digest of the file; until it is completely applied, that of its text before the next step. */
  readonly checksum: string;
  readonly steps: number;
  readonly done: number;
  readonly state: MigrationState;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly error: string | null;
  /** The place of a data migration, or the digest of the step that runs. */
  readonly cursor: string | null;
}

/** The owner of the right to apply migrations: one row. */
export interface LeaseRow {
  readonly owner: string | null;
  readonly until: Date | null;
  /** The owner's session on the server, if it is known. */
  readonly session: string | null;
}

/** The name of the table of the lease. */
export const leaseTable = "rowtype_migrations_lease";

const longText = column(z.string().nullable(), { type: { oracle: "CLOB" } });

const Records = table(
  "rowtype_migrations",
  z.object({
    name: column(z.string().max(190), { primaryKey: true }),
    checksum: z.string().max(64),
    steps: z.int(),
    done: z.int(),
    state: z.enum(["running", "stepping", "failed", "interrupted", "applied"]),
    startedAt: column(z.date(), { name: "started_at" }),
    finishedAt: column(z.date().nullable(), { name: "finished_at" }),
    error: longText,
    cursor: longText,
  }),
);

const Lease = table(
  leaseTable,
  z.object({
    id: column(z.int(), { primaryKey: true }),
    owner: z.string().max(64).nullable(),
    until: z.date().nullable(),
    session: z.string().max(190).nullable(),
  }),
);

const LEASE_ID = 1;

const Count = z.object({ n: z.int() });

/** Whether the runner's tables exist. */
async function hasRecords(target: RunTarget): Promise<boolean> {
  const { db, dialect } = target;
  // The lease and its row are created last.
  const [found] = await db.sql(dialect.countTables, Count).exec({ name: Lease.name });
  if (found?.n !== 1) return false;
  await refuseHidden(target, [Records, Lease]);
  return (await anyDialect(db).repository(Lease).count().exec()) > 0;
}

/**
 * Refuses tables whose rows this role may not see: a migration with a hidden record would be applied again, and a batch
 * would leave out a hidden row.
 * @throws {MigrationError} `MIGRATION_FAILED`
 */
export async function refuseHidden(
  { db, dialect: { grammar, hiddenTable } }: RunTarget,
  tables: readonly Pick<AnyTable, "name" | "namespace">[],
  tx?: Transaction,
): Promise<void> {
  const names = tables.map((table) => qualifiedName(table, grammar));
  const hidden = await hiddenTable?.(db, names, tx);
  if (hidden !== undefined)
    throw new MigrationError(
      "MIGRATION_FAILED",
      `row security may hide rows of ${quoted(tables[hidden]?.name ?? "")} from this role: the runner must see all of them`,
    );
}

/** Creates the runner's tables if they do not exist; others may do so at the same time. */
export async function makeRecords(target: RunTarget): Promise<void> {
  const { db } = target;
  for (let tries = 0; !(await hasRecords(target)); tries++)
    try {
      await db.createTables(Records, Lease);
      const free = { id: LEASE_ID, owner: null, until: null, session: null };
      await anyDialect(db).repository(Lease).insert().exec(free);
    } catch (error) {
      // Another runner created the same: the server then says, in different words, that a name is taken.
      if (tries === MOST_TRIES || !isSqlError(error) || FINAL.has(error.code)) throw error;
      await setTimeout(20 + Math.random() * 80);
    }
}

/** Drops the runner's tables. */
export function dropRecords(db: Database): Promise<void> {
  return db.dropTables(Records, Lease);
}

const MOST_TRIES = 10;
const FINAL: ReadonlySet<string> = new Set(["READ_ONLY", "CONNECTION_LOST", "NO_CONNECTION", "LOCK_TIMEOUT"]);

/** Every record, by the name of its migration; none if the tables do not exist. */
export async function readRecords(target: RunTarget): Promise<ReadonlyMap<string, MigrationRecord>> {
  if (!(await hasRecords(target))) return new Map();
  const rows = await anyDialect(target.db).repository(Records).query().exec();
  return new Map(rows.map((row) => [row.name, row]));
}

/** The record of one migration. */
export function readRecord(db: Database, name: string, tx?: Transaction): Promise<MigrationRecord | null> {
  return anyDialect(db).repository(Records).select().where("name", "=", "name").execOrNull({ name }, { tx });
}

/** Writes the first record of a migration. */
export async function addRecord(db: Database, record: MigrationRecord, tx?: Transaction): Promise<void> {
  await anyDialect(db).repository(Records).insert().exec(record, { tx });
}

/** The changes that a runner makes to a record. */
export type RecordChanges = Partial<Omit<MigrationRecord, "name">>;

/**
 * Changes the record of a migration that has this many completed steps.
 * @returns false if there is none: another runner has continued.
 */
export async function changeRecord(
  db: Database,
  { name, done }: Pick<MigrationRecord, "name" | "done">,
  changes: RecordChanges,
  tx?: Transaction,
): Promise<boolean> {
  const spec = {
    set: Object.fromEntries(Object.keys(changes).map((field) => [field, `new_${field}`])),
    where: [
      { field: "name", operator: "=", param: "name" },
      { field: "done", operator: "=", param: "wasDone" },
    ],
  };
  const values = Object.fromEntries(
    Object.entries(changes).map(([field, value]): [string, unknown] => [`new_${field}`, value]),
  );
  const modify = anyDialect(db).repository(Records).modifyFromSpec(Object(spec));
  return (await modify.execBatch([{ ...values, name, wasDone: done }], { tx })) > 0;
}

/** Removes the record of a migration. */
export async function removeRecord(db: Database, name: string, tx?: Transaction): Promise<void> {
  await anyDialect(db).repository(Records).remove().where("name", "=", "name").exec({ name }, { tx });
}

/** The lease as it is committed, or as a transaction sees it. */
export function readLease(db: Database, tx?: Transaction): Promise<LeaseRow | null> {
  const select = anyDialect(db).repository(Lease).select().fields("owner", "until", "session");
  return select.where("id", "=", "id").execOrNull({ id: LEASE_ID }, { tx });
}

/** Writes the lease, whoever owns it. */
export async function writeLease(db: Database, row: LeaseRow, tx?: Transaction): Promise<void> {
  const modify = anyDialect(db).repository(Lease).modify();
  const all = modify.set("owner", "owner").set("until", "until").set("session", "session");
  await all.where("id", "=", "id").execBatch([{ ...row, id: LEASE_ID }], { tx });
}

/**
 * Renews the lease of an owner; in a transaction its row stays locked.
 * @returns false if another runner has it.
 */
export async function renewLease(
  db: Database,
  owner: string,
  { until, session }: { readonly until: Date; readonly session?: string | null },
  tx?: Transaction,
): Promise<boolean> {
  const modify = anyDialect(db).repository(Lease).modify().set("until", "until");
  const mine = { owner, until };
  if (session === undefined) return (await modify.where("owner", "=", "owner").execBatch([mine], { tx })) > 0;
  const noted = modify.set("session", "session").where("owner", "=", "owner");
  return (await noted.execBatch([{ ...mine, session }], { tx })) > 0;
}

/** Releases the lease, if this owner has it. */
export async function freeLease(db: Database, owner: string): Promise<void> {
  const modify = anyDialect(db).repository(Lease).modify();
  const free = modify.set("owner", "none").set("until", "never").set("session", "gone");
  const none = { none: null, never: null, gone: null };
  await free.where("owner", "=", "owner").execBatch([{ ...none, owner }]);
}

// One type for all dialects: every dialect has the parts that are used here.
function anyDialect(db: Database): Database<"sqlite"> {
  return db as unknown as Database<"sqlite">;
}
