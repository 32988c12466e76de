/** Settings of SQLite during a run: no waiting in the process, and no foreign keys while tables are rebuilt. */
import { z } from "zod";
import type { Database } from "../../../door/database.js";
import { runPlain } from "../../../door/plain.js";

const Timeout = z.object({ timeout: z.int() });
const Keys = z.object({ foreign_keys: z.int() });

const patient = new WeakMap<object, { users: number; readonly before: number }>();

/**
 * Works without SQLite's own waiting for locks, because it would stop the whole process; others poll. The setting of
 * the handle is restored.
 */
export async function withoutBusyWaiting<T>(db: Database, work: () => Promise<T>): Promise<T> {
  // Several runners may share the handle: the last one restores it.
  let shared = patient.get(db);
  if (shared === undefined) {
    const [row] = await db.sql("PRAGMA busy_timeout", Timeout).exec({});
    shared = patient.get(db) ?? { users: 0, before: row?.timeout ?? 0 };
    patient.set(db, shared);
  }
  shared.users++;
  try {
    await runPlain(db, "PRAGMA busy_timeout = 0");
    return await work();
  } finally {
    shared.users--;
    if (shared.users === 0) {
      patient.delete(db);
      await runPlain(db, `PRAGMA busy_timeout = ${shared.before}`);
    }
  }
}

/** Works with SQLite's foreign keys off, which only works outside a transaction; then restores the setting. */
export async function withoutForeignKeys<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const [row] = await db.sql("PRAGMA foreign_keys", Keys).exec({});
  if (row?.foreign_keys !== 1) return work();
  await runPlain(db, "PRAGMA foreign_keys = OFF");
  try {
    return await work();
  } finally {
    await runPlain(db, "PRAGMA foreign_keys = ON");
  }
}
