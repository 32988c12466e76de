/** The text form of PostgreSQL's arrays: read whatever its length, and refused where it is none of ours. */
import { randomBytes } from "node:crypto";
import { column, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { rounds } from "../../rounds.js";
import { type Lent, servers } from "../../servers.js";

const Lists = table(
  "lists",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    texts: z.array(z.string()),
    ints: z.array(z.int()),
    dates: z.array(z.date()),
  }),
);

const server = servers.find(({ name }) => name === "postgres");

describe.skipIf(server?.available !== true)("arrays of PostgreSQL", () => {
  let lent: Lent;
  beforeAll(async () => {
    lent = (await server?.lend()) as Lent;
    await lent.db.createTables(Lists);
  });
  afterAll(() => lent.close());

  test("long lists and long texts do not use up the stack", async () => {
    // In full, a million dates, four million integers, and one text of nine megabytes.
    const count = rounds({ small: 200_000, full: 1_000_000 });
    await lent.run(
      `INSERT INTO lists VALUES (1, ARRAY[repeat('a "quoted" \\ text, ', ${count / 2})], (SELECT array_agg(i) FROM generate_series(1, ${count * 4}) i), (SELECT array_agg(TIMESTAMPTZ '2026-01-01 00:00:00Z' + i * INTERVAL '1 ms') FROM generate_series(1, ${count}) i))`,
    );
    const row = await lent.db.repository(Lists).select().where("id", "=", "id").exec({ id: 1 });
    expect(row.texts).toEqual(['a "quoted" \\ text, '.repeat(count / 2)]);
    expect(row.ints.length).toBe(count * 4);
    expect(row.ints.at(-1)).toBe(count * 4);
    expect(row.dates.length).toBe(count);
    expect(row.dates.at(-1)).toEqual(new Date(Date.UTC(2026, 0, 1) + count));
  });

  test("all texts are read back unchanged", async () => {
    const lists = lent.db.repository(Lists);
    const pieces = [
      "",
      " ",
      ",",
      '"',
      "\\",
      "{",
      "}",
      "NULL",
      "null",
      "\n",
      "ä",
      "🦀",
      'a"b',
      "\\\\",
      "{}",
      "a,b",
      "'",
    ];
    for (let id = 10; id < 40; id++) {
      const bytes = randomBytes(40);
      const texts = Array.from({ length: id % 7 }, (_, i) =>
        Array.from(
          { length: (bytes[i] ?? 0) % 5 },
          (_, j) => pieces[(bytes[i * 5 + j] ?? 0) % pieces.length],
        ).join(""),
      );
      const stored = await lists.insert().exec({ id, texts, ints: [], dates: [] });
      expect(stored.texts).toEqual(texts);
    }
  });

  test.each([
    "",
    "{",
    "}",
    "{a",
    "a}",
    "{,}",
    "{a,}",
    "{,a}",
    "{a,,b}",
    "{NULL}",
    "{a,NULL}",
    '{"a}',
    '{"a"b}',
    '{a"b"}',
    '{"a" ,b}',
    "{{a}}",
    "{a}{b}",
    "[0:1]={a,b}",
    '{"a\\"}',
    "{a\\b}",
  ])("%j is not a supported array", async (text) => {
    const read = lent.db.sql("SELECT CAST(:text AS text) AS texts", z.object({ texts: z.array(z.string()) }));
    expect(await sqlErrorOf(read.exec({ text }))).toMatchObject({ code: "DECODE_FAILED", field: "texts" });
    // The same way reads one that is.
    expect(await read.exec({ text: '{a,"b,c"}' })).toEqual([{ texts: ["a", "b,c"] }]);
  });
});
