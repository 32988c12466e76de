/** Dates as servers write them: every form is read to the millisecond, and text that is not a date is refused. */
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { sqlite } from "rowtype/sqlite";
import { expect, test } from "vitest";
import { z } from "zod";
import { dayText, timeText } from "../../../src/sql/dialect/grammar/date-text.js";
import { sqlErrorOf } from "../../kit/thrown.js";

const read = sqlite(new Sqlite(":memory:")).sql("SELECT :text AS date", z.object({ date: z.date() }));

/** How much of a date its text says: characters of its ISO 8601 form after the day, digits beyond, milliseconds. */
const precisions = [
  { clock: 0, digits: 0, ms: 86_400_000 },
  { clock: 5, digits: 0, ms: 60_000 },
  { clock: 8, digits: 0, ms: 1000 },
  ...[100, 10, 1, 1, 1, 1, 1, 1, 1].map((ms, i) => ({ clock: 8, digits: i + 1, ms })),
];
const forms = fc.record({
  date: fc.date({
    min: new Date("0001-01-02T00:00:00Z"),
    max: new Date("9999-12-30T00:00:00Z"),
    noInvalidDate: true,
  }),
  between: fc.constantFrom(" ", "T"),
  precision: fc.constantFrom(...precisions),
  beyond: fc.integer({ min: 0, max: 999_999 }),
  offset: fc.constantFrom("", "Z", "+00", "-05", "+05:30", "+0530", "-00:19:32"),
});

const minutesOf: Readonly<Record<string, number>> = { "-05": -300, "+05:30": 330, "+0530": 330 };
const offsetOf = (offset: string) =>
  offset === "-00:19:32" ? -(19 * 60 + 32) * 1000 : (minutesOf[offset] ?? 0) * 60_000;

test("every form of a date's text is read to the millisecond", async () => {
  await fc.assert(
    fc.asyncProperty(forms, async ({ date, between, precision, beyond, offset }) => {
      const iso = date.toISOString();
      const clock = precision.clock === 0 ? "" : between + iso.slice(11, 11 + precision.clock);
      const digits = (iso.slice(20, 23) + String(beyond).padStart(6, "0")).slice(0, precision.digits);
      const text = `${iso.slice(0, 10)}${clock}${digits === "" ? "" : `.${digits}`}${offset}`;
      const time = Math.floor(date.getTime() / precision.ms) * precision.ms - offsetOf(offset);
      const [row] = await read.exec({ text });
      expect(row?.date.getTime()).toBe(time);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  "2026-02-29",
  "1900-02-29",
  "2026-04-31",
  "2026-13-01",
  "2026-00-10",
  "2026-01-00",
  "2026-1-01",
  "26-01-01",
  "2026/01/01",
  "x026-01-01",
  "2026-01-0x",
  "2026-01-01 24:00",
  "2026-01-01 12:60",
  "2026-01-01 12:00:60",
  "2026-01-01 12",
  "2026-01-01 12:00:00.",
  "2026-01-01 12:00:00.1234567890",
  "2026-01-01 12:00.5",
  "2026-01-01 12:00:00 +00",
  "2026-01-01 12:00:00+5",
  "2026-01-01 12:00:00 BC",
  "2026-01-01\n",
  "12026-01-01",
  "",
  "infinity",
])("%j is not a date, after one of the same day neither", async (text) => {
  expect(await sqlErrorOf(read.exec({ text }))).toMatchObject({ code: "DECODE_FAILED", field: "date" });
  expect(await read.exec({ text: "2026-01-01 00:00" })).toHaveLength(1);
  expect(await sqlErrorOf(read.exec({ text }))).toMatchObject({ code: "DECODE_FAILED", field: "date" });
});

test("the last days of February, and years below 100", async () => {
  for (const day of ["2024-02-29", "2000-02-29", "0004-02-29", "0001-01-01", "0099-12-31"]) {
    const [row] = await read.exec({ text: `${day} 01:02:03.004` });
    expect(row?.date.toISOString()).toBe(`${day}T01:02:03.004Z`);
  }
});

test("the text of a date is that of toISOString, for dates of one day and of many", () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), fc.nat(90_000_000), (date, later) => {
      for (const one of [date, new Date(date.getTime() + later)].filter(
        (one) => !Number.isNaN(one.getTime()),
      ))
        expect(`${dayText(one)}T${timeText(one)}Z`).toBe(one.toISOString());
    }),
    { numRuns: 5_000 },
  );
  expect(() => dayText(new Date(Number.NaN))).toThrow(RangeError);
});
