/** What a call costs on SQLite, end to end, beside the raw statement that gives object rows. */
import Sqlite from "better-sqlite3";
import { column, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expect, test } from "vitest";
import { z } from "zod";
import { measure } from "../../bench/measure.js";

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

test("twenty rows cost less than the raw statement, and a fresh builder at most four times a row", {
  // A busy machine makes a measurement worse, never better.
  retry: 2,
}, async () => {
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
  const twenty = await ratios(20);
  expect(twenty.kept).toBeLessThan(1);
  const one = await ratios(1);
  expect(one.kept).toBeLessThan(1.8);
  expect(one.fresh).toBeLessThan(4);
  handle.close();
});
