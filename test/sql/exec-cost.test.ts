/** What a call costs on SQLite, end to end, beside the raw statement that gives object rows. */
import Sqlite from "better-sqlite3";
import { column, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { test } from "vitest";
import { z } from "zod";
import { measure } from "../../bench/measure.js";
import { expectBelow } from "../stopwatch.js";

const User = table(
  "users",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    email: z.email(),
    name: z.string(),
    age: z.int().nullable(),
    role: z.enum(["admin", "member"]),
    score: z.number(),
  }),
);

test("twenty rows cost less than the raw statement, and a fresh builder at most four times a row", async () => {
  const handle = new Sqlite(":memory:");
  const db = sqlite(handle);
  await db.createTables(User);
  const users = db.repository(User);
  await users.insert().execBatch(
    Array.from({ length: 20 }, (_, i) => ({
      email: `user${i}@example.org`,
      name: `User ${i}`,
      age: 20 + i,
      role: "member" as const,
      score: i / 2,
    })),
  );
  const first = () => users.query().where("id", "<=", "last").orderBy("id", "asc");
  const kept = first();
  const raw = handle.prepare(kept.render().native.sql);
  const ratios = async (last: number) => {
    const times = await measure({
      raw: () => raw.all(last),
      kept: () => kept.exec({ last }),
      fresh: () => first().exec({ last }),
    });
    const time = (name: string) => times.get(name) ?? Number.NaN;
    return { kept: time("kept") / time("raw"), fresh: time("fresh") / time("raw") };
  };
  await expectBelow(1, async () => (await ratios(20)).kept);
  const ofTheBounds = async () => {
    const one = await ratios(1);
    return Math.max(one.kept / 1.8, one.fresh / 4);
  };
  await expectBelow(1, ofTheBounds);
  handle.close();
});
