/**
 * Processes that are killed while they write to SQLite: work that they reported as stored is stored, and other
 * work is stored completely or not at all. The processes run the source as it is.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { column, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { patience, rounds } from "../rounds.js";
import { type Built, buildFor } from "./built.js";

const KILLS = rounds({ small: 15, full: 100 });
// A rollback journal is waited for at every commit.
const longestLifeMs = { WAL: 40, DELETE: 120 } as const;
const ROUND_ITEMS = 10;

const Account = table("accounts", z.object({ id: column(z.int(), { primaryKey: true }), amount: z.int() }));
const Item = table(
  "items",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    round: column(z.int(), { index: true }),
  }),
);

let folder: string;
let built: Built;
beforeAll(async () => {
  built = buildFor("killed-process.mjs");
  folder = await mkdtemp(path.join(tmpdir(), "rowtype-killed-"));
});
afterAll(async () => {
  built.remove();
  await rm(folder, { recursive: true });
});

/**
 * Runs the program from a round on and kills it some time after it reported some rounds, so that a busy machine makes
 * the test slower but leaves it the same work; returns the rounds that it reported.
 */
async function killed(
  file: string,
  journal: keyof typeof longestLifeMs,
  round: number,
): Promise<readonly number[]> {
  const child = spawn(process.execPath, [built.program, file, journal, String(round)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const least = 1 + Math.floor(Math.random() * 4);
  let said = "";
  const closed = once(child, "close");
  await new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.split("\n").length > least) resolve();
    });
  });
  await setTimeout(Math.random() * longestLifeMs[journal]);
  child.kill("SIGKILL");
  const [, signal] = await closed;
  expect(signal).toBe("SIGKILL");
  const [ready, ...rounds] = said.split("\n").slice(0, -1);
  expect(ready).toBe("ready");
  return rounds.map(Number);
}

test.concurrent.each(["WAL", "DELETE"] as const)(
  `${KILLS} kills of a process that writes with journal %s lose no committed row and leave no partial transaction`,
  async (journal) => {
    const file = path.join(folder, `${journal}.db`);
    const handle = new Sqlite(file);
    const db = sqlite(handle);
    await db.createTables(Account, Item);
    await db
      .repository(Account)
      .insert()
      .execBatch([
        { id: 1, amount: 0 },
        { id: 2, amount: 0 },
      ]);
    const sizes = handle.prepare(
      "SELECT round, COUNT(*) AS n FROM items WHERE round >= ? GROUP BY round ORDER BY round",
    );
    let round = 0;
    let stored = 0;
    let untold = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const told = await killed(file, journal, round);
      const found = sizes.all(round) as { readonly round: number; readonly n: number }[];
      // Each round is complete, none is missing, and there is at most one more than was reported.
      expect(found.map(({ n }) => n)).toEqual(found.map(() => ROUND_ITEMS));
      expect(told).toEqual(told.map((_, i) => round + i));
      expect(found.map((one) => one.round)).toEqual(found.map((_, i) => round + i));
      expect([told.length, told.length + 1]).toContain(found.length);
      expect(handle.pragma("integrity_check", { simple: true })).toBe("ok");
      stored += told.length;
      untold += found.length - told.length;
      round += found.length;
      // Every other round has moved one from the first account to the second.
      const moved = Math.floor(round / 2);
      expect(handle.prepare("SELECT amount FROM accounts ORDER BY id").pluck().all()).toEqual([
        -moved || 0,
        moved,
      ]);
    }
    expect(stored).toBeGreaterThan(KILLS / 2);
    expect(untold).toBeLessThan(KILLS);
    handle.close();
  },
  patience(60_000, 8_000, KILLS),
);
