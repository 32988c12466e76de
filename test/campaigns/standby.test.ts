/**
 * A primary of PostgreSQL that dies while many write, and a standby that takes its place. What was said to be stored
 * is there, what was said to have failed is not, and no pool stays with a server that takes no writes.
 */
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import type { Database } from "rowtype";
import { postgres } from "rowtype/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patience, rounds } from "../rounds.js";
import { Counter, Entry, expectExact, type Heard, outcomeOf, prepareLedger, tally, write } from "./ledger.js";
import { START_MS, until } from "./own-servers.js";
import { type Pair, standbyLacks, startPair } from "./standby.js";

const WRITINGS = rounds({ small: 1_000, full: 20_000 });
const WRITERS = 6;
const PATIENCE_MS = patience(240_000, 20, WRITINGS);

test("a PostgreSQL standby can be started", ({ skip }) => {
  if (standbyLacks !== undefined)
    skip(`no ${standbyLacks}: campaigns on a standby of PostgreSQL are skipped`);
});

describe.skipIf(standbyLacks !== undefined)("a primary of PostgreSQL and its standby", () => {
  let pair: Pair;
  let pool: pg.Pool;
  let reading: pg.Pool;
  let db: Database;
  let standby: Database;
  const signal = () => AbortSignal.timeout(60_000);

  beforeAll(async () => {
    pair = await startPair();
    pool = new pg.Pool({ connectionString: pair.url, max: WRITERS });
    reading = new pg.Pool({ connectionString: pair.standbyUrl, max: 2 });
    db = postgres(pool, { retries: 5 }) as unknown as Database;
    standby = postgres(reading) as unknown as Database;
    await prepareLedger(db);
    await pair.synchronise();
  }, 3 * START_MS);
  afterAll(async () => {
    await pool?.end();
    await reading?.end();
    await pair?.end();
  }, START_MS);

  test("the standby answers a ping, reads and streams, and refuses a write with a code", async () => {
    await db
      .repository(Entry)
      .insert()
      .execBatch([{ id: -1, counter: 99 }]);
    await until("the standby has it", async () => (await standby.repository(Entry).count().exec()) === 1);
    await standby.ping({ signal: signal() });
    const rows = [];
    for await (const row of standby.repository(Entry).query().stream()) rows.push(row);
    expect(rows).toEqual([{ id: -1, counter: 99 }]);
    const read = standby.transaction((tx) => tx.repository(Entry).count().exec(), {
      isolation: "repeatable read",
    });
    expect(await read).toBe(1);
    const pids = async () => (await reading.query("SELECT pg_backend_pid()")).rows;
    const before = await pids();
    expect(await outcomeOf(standby.repository(Entry).insert().exec({ id: 0, counter: 0 }))).toBe("READ_ONLY");
    expect(
      await outcomeOf(
        standby.transaction((tx) => tx.repository(Entry).remove().where("id", "=", "id").exec({ id: -1 })),
      ),
    ).toBe("READ_ONLY");
    expect(await pids()).not.toEqual(before);
    await db.repository(Entry).remove().where("id", "=", "id").exec({ id: -1 });
  });

  test(
    `the primary is killed and the standby promoted during ${WRITINGS} writes: every reported outcome is true`,
    async () => {
      const heard: Heard[] = [];
      let entry = 0;
      let isPromoted = false;
      let storedAfter = 0;
      const writer = async () => {
        while (entry < WRITINGS || storedAfter < WRITERS) {
          const one = await write(db, ++entry, signal());
          heard.push(one);
          if (one.code === "stored" && isPromoted) storedAfter++;
          // The server is unreachable: this limits the number of refusals per second.
          if (one.code !== "stored") await setTimeout(20);
        }
      };
      const working = Promise.all(Array.from({ length: WRITERS }, writer));
      await until("half of it is written", async () => heard.length > WRITINGS / 2, PATIENCE_MS);
      await pair.killPrimary();
      // New connections find the standby before it takes writes.
      pair.switch();
      await until("a writer hears that the standby reads only", async () =>
        heard.some(({ code }) => code === "READ_ONLY"),
      );
      pair.promote();
      isPromoted = true;
      await working;

      const words = tally(heard);
      const known = ["stored", "CONNECTION_LOST", "UNKNOWN_OUTCOME", "READ_ONLY"];
      expect(Object.keys(words).filter((code) => !known.includes(code))).toEqual([]);
      expect(words["stored"]).toBeGreaterThan(WRITINGS / 2);
      await expectExact(db, heard);
      // Nothing of the pool is left from before, and everything in it writes.
      const asked = await Promise.all(
        Array.from({ length: WRITERS }, () => db.sql("UPDATE counters SET n = n").exec()),
      );
      expect(asked).toEqual(Array(WRITERS).fill(await db.repository(Counter).count().exec()));
      expect(pool.idleCount).toBe(pool.totalCount);
    },
    PATIENCE_MS,
  );

  test("existing connections of a promoted standby can write at once", async () => {
    await standby.repository(Entry).insert().exec({ id: -2, counter: 99 });
    expect(await standby.repository(Entry).remove().where("id", "=", "id").exec({ id: -2 })).toBe(1);
  });
});
