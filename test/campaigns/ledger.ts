/**
 * Counters on which many write at once, with a ledger beside them: each writing has an entry of its own, so that what
 * callers heard can be held against what is stored, entry by entry.
 */
import { column, type Database, SqlError, table } from "rowtype";
import { expect } from "vitest";
import { z } from "zod";

export const Counter = table("counters", z.object({ id: column(z.int(), { primaryKey: true }), n: z.int() }));
export const Entry = table(
  "entries",
  z.object({ id: column(z.int(), { primaryKey: true }), counter: z.int() }),
);

/** Of how many rows writers take one: few, so that they meet. */
export const HOT_ROWS = 3;

/** What its caller heard of one writing: `stored`, or the code of its error. */
export interface Heard {
  readonly entry: number;
  readonly counter: number;
  readonly code: string;
}

export async function prepareLedger(db: Database): Promise<void> {
  await db.createTables(Counter, Entry);
  await db
    .repository(Counter)
    .insert()
    .execBatch(Array.from({ length: HOT_ROWS }, (_, id) => ({ id, n: 0 })));
}

/** Stores an entry and counts it, both or neither. */
export async function write(db: Database, entry: number, signal?: AbortSignal): Promise<Heard> {
  const counter = Math.floor(Math.random() * HOT_ROWS);
  const working = db.transaction(
    async (tx) => {
      await tx.repository(Entry).insert().exec({ id: entry, counter });
      await tx
        .repository(Counter)
        .modify()
        .setExpr("n", "+", "by")
        .where("id", "=", "id")
        .exec({ by: 1, id: counter });
    },
    { retries: 50, signal },
  );
  return { entry, counter, code: await outcomeOf(working) };
}

/** `stored`, or the code of the error; an error that is not rowtype's is reported in full. */
export function outcomeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "stored",
    (error: unknown) => {
      if (!(error instanceof SqlError)) return String(error);
      return error.code === "QUERY_FAILED" ? `${error.code}: ${String(error.cause)}` : error.code;
    },
  );
}

/** Whether the ledger holds what its writers heard, and the counters what the ledger holds. */
export async function expectExact(db: Database, heard: readonly Heard[]): Promise<void> {
  const entries = await db.repository(Entry).query().exec();
  const stored = new Set(entries.map(({ id }) => id));
  // Of an unknown outcome either is right; every other word must be true.
  const wrong = heard.filter(({ entry, code }) =>
    code === "stored" ? !stored.has(entry) : code !== "UNKNOWN_OUTCOME" && stored.has(entry),
  );
  expect(wrong).toEqual([]);
  const counters = await db.repository(Counter).query().orderBy("id", "asc").exec();
  expect(counters).toEqual(
    Array.from({ length: HOT_ROWS }, (_, id) => ({
      id,
      n: entries.filter(({ counter }) => counter === id).length,
    })),
  );
}

/** How often each word was heard. */
export function tally(heard: readonly { readonly code: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of heard) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
