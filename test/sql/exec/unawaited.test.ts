/**
 * What is not awaited in a transaction, at every moment of its end: it runs inside, or it is refused. Nothing of it is
 * sent after the end: there it would be stored alone, or be a command of the next transaction on the connection.
 */
import { setImmediate } from "node:timers/promises";
import { column, SqlError, type Transaction, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { allReturned, type Db, type Two, twoOf } from "../../kit/pool-of-two.js";
import { rounds } from "../../rounds.js";
import { type Lent, servers } from "../../servers.js";

const Note = table("unawaited", z.object({ id: column(z.int(), { primaryKey: true }), text: z.string() }));

type Tx = Transaction<"sqlite">;

class Stop extends Error {}

const note = (id: number) => ({ id, text: "x" });
const insert = (tx: Tx, id: number) => tx.repository(Note).insert().exec(note(id));

/** Work that is begun in a transaction, and not awaited. */
interface Work {
  readonly begin: (tx: Tx, db: Db) => Promise<unknown>;
  /** The rows that it stores if it completes. */
  readonly ids?: readonly number[];
  /** Whether it is one call, which stores all or nothing. */
  readonly isOne?: boolean;
  /** A server where it takes several statements: it is begun at every moment, and more than once, to end between two. */
  readonly severalOn?: string;
}

const works: Readonly<Record<string, Work>> = {
  "a row": { begin: (tx) => insert(tx, 10), ids: [10], isOne: true },
  "rows one after the other": {
    begin: async (tx) => {
      for (const id of [10, 11, 12]) await insert(tx, id);
    },
    ids: [10, 11, 12],
  },
  "a batch": {
    begin: (tx) =>
      tx
        .repository(Note)
        .insert()
        .execBatch([note(10), note(11)]),
    ids: [10, 11],
    isOne: true,
  },
  "a batch whose rows come back": {
    begin: (tx) =>
      tx
        .repository(Note)
        .insert()
        .execMany([note(10), note(11)]),
    ids: [10, 11],
    isOne: true,
  },
  "an upsert": {
    begin: (tx) => tx.repository(Note).insert().onConflict("id").doUpdate().exec(note(10)),
    ids: [10],
    isOne: true,
  },
  // Where it takes several statements, to read the row that it changed, half of it would be stored.
  "a change": {
    begin: (tx) =>
      tx.repository(Note).modify().set("id", "to").where("id", "=", "id").exec({ to: 10, id: 1 }),
    ids: [10],
    isOne: true,
    severalOn: "mariadb",
  },
  "SQL text": {
    begin: (tx) => {
      const text = 'INSERT INTO "unawaited" ("id", "text") VALUES (10, \'x\')';
      return tx.sql(tx.dialect === ("mariadb" as string) ? text.replaceAll('"', "`") : text).exec();
    },
    ids: [10],
    isOne: true,
  },
  "a row whose callback takes its time": {
    begin: (tx, db) => {
      const notes = db.repository(Note);
      notes.onRecord(() => setImmediate());
      return notes
        .insert()
        .exec(note(10), { tx })
        .finally(() => notes.onRecord(null));
    },
    ids: [10],
    isOne: true,
  },
  "an inner transaction": {
    begin: (tx) =>
      tx.transaction(async (inner) => {
        for (const id of [10, 11, 12]) await insert(inner, id);
      }),
    ids: [10, 11, 12],
    isOne: true,
  },
  "an inner transaction that fails": {
    begin: (tx) =>
      tx.transaction(async (inner) => {
        await insert(inner, 10);
        throw new Stop();
      }),
    isOne: true,
  },
  "an inner transaction that fails at once": {
    begin: (tx) => tx.transaction(() => Promise.reject(new Stop())),
    isOne: true,
  },
  "inner transactions in a row": {
    begin: (tx) => Promise.all([10, 11, 12].map((id) => tx.transaction((inner) => insert(inner, id)))),
    ids: [10, 11, 12],
  },
  "an inner transaction in one": {
    begin: (tx) =>
      tx.transaction(async (inner) => {
        await inner.transaction((innermost) => insert(innermost, 10));
        await insert(inner, 11);
      }),
    ids: [10, 11],
    isOne: true,
  },
  "an inner transaction that does not await one in it": {
    begin: (tx) =>
      tx.transaction(async (inner) => {
        void inner.transaction((innermost) => insert(innermost, 10)).catch(() => undefined);
        await insert(inner, 11);
      }),
    ids: [10, 11],
    isOne: true,
  },
  "an inner transaction in one that goes on after its failure": {
    begin: (tx) =>
      tx.transaction(async (inner) => {
        const failing = inner.transaction(async (innermost) => {
          await insert(innermost, 10);
          throw new Stop();
        });
        await failing.catch((error) => expect(codeOf(error)).toMatch(/^failed$|TRANSACTION_CLOSED|ABORTED/));
        await insert(inner, 11);
      }),
    ids: [11],
    isOne: true,
  },
  "a loop over a stream": {
    begin: async (tx) => {
      for await (const { id } of tx.repository(Note).query().orderBy("id", "asc").stream())
        if (id === LAST) return;
      // A stream that the transaction has ended fails: it does not end as if there were no more rows.
      throw new Error("the rows are not all");
    },
  },
  "a loop over a stream in an inner transaction": {
    begin: (tx) =>
      tx.transaction(async (inner) => {
        for await (const { id } of inner.repository(Note).query().orderBy("id", "desc").stream())
          if (id === FIRST) break;
        await insert(inner, 10);
      }),
    ids: [10],
    isOne: true,
  },
};

// More than a page of rows, beside those of the tests.
const [FIRST, LAST] = [10_000, 10_299];

/** How long the callback goes on after it has begun the work. */
const moments: readonly (() => Promise<void>)[] = [
  ...[0, 1, 3, 8].map((turns) => async () => {
    for (let turn = 0; turn < turns; turn++) await undefined;
  }),
  ...[1, 2, 3, 5].map((rounds) => async () => {
    for (let round = 0; round < rounds; round++) await setImmediate();
  }),
];

/** How many of the moments each work and end has: one, which is the next for the next of them, or all. */
const MOMENTS = rounds({ small: 1, full: moments.length });

/** The moments of a work at a place among the works and ends, each with its number. */
const momentsOf = (work: Work | undefined, server: string, place: number) =>
  work?.severalOn === server
    ? [...moments.entries(), ...moments.entries(), ...moments.entries()]
    : [...moments.entries()].filter(([index]) => (index + place) % moments.length < MOMENTS);

const codeOf = (error: unknown): string =>
  error instanceof SqlError ? error.code : error instanceof Stop ? "failed" : String(error);

const outcomeOf = (work: Promise<unknown>): Promise<string> => work.then(() => "done", codeOf);

interface Ended {
  readonly ended: string;
  readonly outcome: Promise<string>;
}

type End = (db: Db, work: Work, pause: () => Promise<void>) => Promise<Ended>;

const failing = (pause: () => Promise<void>) => async () => {
  await pause();
  throw new Stop();
};

/** Begins the work in a transaction, and goes on; both may fail. */
async function beginning(
  run: (callback: (tx: Tx) => Promise<void>) => Promise<unknown>,
  db: Db,
  work: Work,
  goOn: () => Promise<void>,
): Promise<Ended> {
  let outcome = Promise.resolve("not begun");
  const ended = await outcomeOf(
    run((tx) => {
      outcome = outcomeOf(work.begin(tx, db));
      return goOn();
    }),
  );
  return { ended, outcome };
}

/** The rows that a transaction around the others stores before and after it. */
const AROUND = [20, 21, 22];

const inOuter =
  (end: (outer: Tx, db: Db, work: Work, pause: () => Promise<void>) => Promise<Ended>): End =>
  (db, work, pause) =>
    db.transaction(async (outer) => {
      await insert(outer, 20);
      const ended = await end(outer, db, work, pause);
      await insert(outer, 21);
      await outer.transaction((inner) => insert(inner, 22));
      return ended;
    });

const ends: Readonly<Record<string, { readonly end: End; readonly ended: string; readonly around?: true }>> =
  {
    "a transaction that fails": {
      end: (db, work, pause) => beginning((callback) => db.transaction(callback), db, work, failing(pause)),
      ended: "failed",
    },
    "a transaction that its signal ends": {
      end: (db, work, pause) => {
        const controller = new AbortController();
        const { signal } = controller;
        return beginning(
          (callback) => db.transaction(callback, { signal }),
          db,
          work,
          async () => {
            await pause();
            controller.abort();
          },
        );
      },
      ended: "ABORTED",
    },
    "a transaction that commits": {
      end: (db, work, pause) => beginning((callback) => db.transaction(callback), db, work, pause),
      ended: "done",
    },
    "an inner transaction that fails": {
      end: inOuter((outer, db, work, pause) => {
        const run = (callback: (tx: Tx) => Promise<void>) =>
          outer.transaction(async (inner) => {
            await insert(inner, 15);
            await callback(inner);
          });
        return beginning(run, db, work, failing(pause));
      }),
      ended: "failed",
      around: true,
    },
    "an inner transaction that is released": {
      end: inOuter((outer, db, work, pause) =>
        beginning((callback) => outer.transaction(callback), db, work, pause),
      ),
      ended: "done",
      around: true,
    },
  };

/** A transaction that a command of the one before it on the connection would change. */
async function nextOne(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await insert(tx, 30);
    const inner = tx.transaction(async (nested) => {
      await insert(nested, 31);
      await setImmediate();
      throw new Stop();
    });
    await expect(inner).rejects.toThrow(Stop);
  });
}

for (const server of servers)
  describe.skipIf(!server.available)(`work that is not awaited on ${server.name}`, () => {
    let lent: Lent;
    let two: Two;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Note);
      const rows = Array.from({ length: LAST - FIRST + 1 }, (_, i) => note(FIRST + i));
      await (lent.db as unknown as Db)
        .repository(Note)
        .insert()
        .execBatch([note(1), ...rows]);
    });
    afterAll(() => lent.close());

    /** The numbers of the rows that are stored, which then are as they were. */
    const stored = async () => {
      const notes = two.db.repository(Note);
      const rows = await notes
        .query()
        .fields("id")
        .where("id", "<", "to")
        .orderBy("id", "asc")
        .exec({ to: FIRST });
      const ids = rows.map(({ id }) => id);
      await notes.remove().where("id", "<", "to").exec({ to: FIRST });
      await notes.insert().exec(note(1));
      return ids.filter((id) => id !== 1);
    };

    const check = async (name: string, end: (typeof ends)[string], pause: () => Promise<void>) => {
      const work = works[name] as Work;
      const { ended, outcome: coming } = await end.end(two.db, work, pause);
      const [outcome] = await Promise.all([coming, nextOne(two.db)]);
      const ids = await stored();
      expect(ended).toBe(end.ended);
      const around = [...(end.around === true ? AROUND : []), 30];
      expect(ids.filter((id) => id > 19)).toEqual(around);
      const own = ids.filter((id) => id < 20);
      if (ended !== "done") {
        expect(own).toEqual([]);
        expect(["done", "failed", "TRANSACTION_CLOSED", ended]).toContain(outcome);
      } else if (outcome === "done") {
        expect(own).toEqual(work.ids ?? []);
      } else {
        expect(outcome).toBe(
          work.ids === undefined && name !== "a loop over a stream" ? "failed" : "TRANSACTION_CLOSED",
        );
        // What was refused was not stored, nor half of it.
        if (work.isOne === true) expect(own).toEqual([]);
      }
    };

    describe.each(Object.keys(ends))("in %s", (title) => {
      const end = ends[title] as (typeof ends)[string];
      test.each(Object.keys(works))("%s", async (name) => {
        const place = Object.keys(ends).indexOf(title) + Object.keys(works).indexOf(name);
        two = twoOf(lent);
        for (const [index, pause] of momentsOf(works[name], server.name, place)) {
          await check(name, end, pause).catch((error: Error) => {
            error.message = `moment ${index}: ${error.message}`;
            throw error;
          });
        }
        await allReturned(two, name);
        await two.close();
        // The first statement of a connection has to wait until its session is known.
        for (const [index, pause] of momentsOf(works[name], server.name, place + 1)) {
          if (server.name === "sqlite" || index % 3 !== 0) continue;
          two = twoOf(lent);
          await check(name, end, pause);
          await allReturned(two, name);
          await two.close();
        }
      });
    });
  });
