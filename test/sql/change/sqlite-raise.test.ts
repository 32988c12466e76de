/** Triggers of SQLite that end a statement in each of their ways: what calls give, what is stored, what stays open. */
import Sqlite from "better-sqlite3";
import { column, type Database, SqlError, type Transaction, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const Item = table("items", z.object({ id: column(z.int(), { primaryKey: true }), n: z.int() }));

type Items = ReturnType<typeof itemsOf>;
const itemsOf = (db: Database<"sqlite"> | Transaction<"sqlite">) => db.repository(Item);

const item = (id: number) => ({ id, n: id });
/** The one that the trigger does not let pass. */
const refused = item(3);
const all = [1, 2, 3, 4].map(item);

interface Call {
  readonly call: (items: Items) => Promise<unknown>;
  /** What it gives, or the code of its error, where the row is left out. */
  readonly ignored: unknown;
  /** The rows that are stored where the row is left out. */
  readonly left: readonly number[];
  /** The rows that the statement has stored before the one that fails, where nothing undoes them. */
  readonly before?: readonly number[];
}

const one = { ignored: "NO_ROWS", left: [] };
const counted = { ignored: 3, left: [1, 2, 4], before: [1, 2] };
const returned = { ignored: "NO_ROWS", left: [] };
const upsert = (items: Items) => items.insert().onConflict("id").doUpdate();

const calls: Readonly<Record<string, Call>> = {
  "a row": { ...one, call: (items) => items.insert().exec(refused) },
  "an upsert": { ...one, call: (items) => upsert(items).exec(refused) },
  "a row or nothing": {
    ...one,
    ignored: null,
    call: (items) => items.insert().onConflict("id").doNothing().exec(refused),
  },
  "a batch": { ...counted, call: (items) => items.insert().execBatch(all) },
  "a batch of upserts": { ...counted, call: (items) => upsert(items).execBatch(all) },
  "a batch whose rows come back": { ...returned, call: (items) => items.insert().execMany(all) },
  "a batch of upserts whose rows come back": { ...returned, call: (items) => upsert(items).execMany(all) },
};

const outcomeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: unknown) => {
    if (!(error instanceof SqlError)) throw error;
    // What the trigger says, and not what undoing it says.
    if (error.code === "QUERY_FAILED") expect(Object(error.cause).message).toBe("no");
    return error.code;
  });

async function withTrigger(way: string) {
  const handle = new Sqlite(":memory:");
  const db = sqlite(handle);
  await db.createTables(Item);
  const raise = way === "IGNORE" ? way : `${way}, 'no'`;
  handle.exec(
    `CREATE TRIGGER refuses BEFORE INSERT ON items WHEN NEW.n = 3 BEGIN SELECT RAISE(${raise}); END`,
  );
  return {
    handle,
    db,
    stored: () => handle.prepare("SELECT id FROM items ORDER BY id").pluck().all(),
  };
}

describe.each(["IGNORE", "ABORT", "FAIL", "ROLLBACK"])("RAISE(%s)", (way) => {
  const isIgnored = way === "IGNORE";

  test.each(Object.keys(calls))("%s, alone", async (name) => {
    const { call, ignored, left, before = [] } = calls[name] as Call;
    const { handle, db, stored } = await withTrigger(way);
    expect(await outcomeOf(call(itemsOf(db)))).toEqual(isIgnored ? ignored : "QUERY_FAILED");
    expect(stored()).toEqual(isIgnored ? left : way === "FAIL" ? before : []);
    expect(handle.inTransaction).toBe(false);
    // The next call is one of its own.
    await itemsOf(db).insert().exec(item(9));
    expect(handle.inTransaction).toBe(false);
    expect(stored()).toContain(9);
    handle.close();
  });

  test.each(Object.keys(calls).flatMap((name) => [false, true].map((isInner) => [name, isInner] as const)))(
    "%s, in a transaction; in one of its own inside: %s",
    async (name, isInner) => {
      const { call, ignored, left, before = [] } = calls[name] as Call;
      const { handle, db, stored } = await withTrigger(way);
      let given: unknown;
      const ended = await outcomeOf(
        db.transaction(async (tx) => {
          await itemsOf(tx).insert().exec(item(10));
          given = await outcomeOf(
            isInner ? tx.transaction((inner) => call(itemsOf(inner))) : call(itemsOf(tx)),
          );
          await itemsOf(tx).insert().exec(item(11));
          return "done";
        }),
      );
      // SQLite has ended the transaction: what follows in it is refused.
      expect(ended).toBe(way === "ROLLBACK" ? "TRANSACTION_CLOSED" : "done");
      if (isIgnored) expect(given).toEqual(ignored);
      else if (way === "ROLLBACK") expect(["QUERY_FAILED", "TRANSACTION_CLOSED"]).toContain(given);
      else expect(given).toBe("QUERY_FAILED");
      const own = isIgnored ? left : way === "FAIL" && !isInner ? before : [];
      expect(stored()).toEqual(way === "ROLLBACK" ? [] : [...own, 10, 11]);
      expect(handle.inTransaction).toBe(false);
      await itemsOf(db).insert().exec(item(9));
      expect(stored()).toContain(9);
      handle.close();
    },
  );
});
