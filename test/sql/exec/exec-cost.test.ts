/** What a call costs on SQLite, end to end, beside the raw statement that gives object rows. */
import Sqlite from "better-sqlite3";
import { column, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { test } from "vitest";
import { z } from "zod";
import { measure } from "../../../bench/kit/measure.js";
import { expectBelow } from "../../stopwatch.js";

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

test("a repository of a transaction costs at most a tenth more than the transaction as an option", async () => {
  const handle = new Sqlite(":memory:");
  const db = sqlite(handle);
  await db.createTables(User);
  const users = db.repository(User);
  const record = { email: "ann@example.org", name: "Ann", age: 30, role: "member", score: 1 } as const;
  await users.insert().exec(record);
  await db.transaction(async (tx) => {
    const ratio = async () => {
      const times = await measure({
        option: () => users.query().where("id", "=", "id").exec({ id: 1 }, { tx }),
        own: () => tx.repository(User).query().where("id", "=", "id").exec({ id: 1 }),
      });
      return (times.get("own") ?? Number.NaN) / (times.get("option") ?? Number.NaN);
    };
    await expectBelow(1.1, ratio);
  });
  // Each transaction makes its own.
  const whole = async () => {
    const times = await measure({
      option: () => db.transaction(async (tx) => users.insert().exec(record, { tx })),
      own: () => db.transaction(async (tx) => tx.repository(User).insert().exec(record)),
    });
    return (times.get("own") ?? Number.NaN) / (times.get("option") ?? Number.NaN);
  };
  await expectBelow(1.1, whole);
  handle.close();
});
