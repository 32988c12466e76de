/** Rows as CSV, read back by an independent parser: 10,000 random ones of everything that a cell may hold. */
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { csv, GET } from "../../src/http/index.js";
import { serveRequest, testEngine } from "../../src/http/testing/index.js";

const ROWS = 10_000;
const Row = z.object({
  text: z.string(),
  'a "name", of; a column': z.string().nullable(),
  absent: z.string().optional(),
  number: z.number(),
  big: z.bigint(),
  at: z.date(),
  is: z.boolean(),
  list: z.array(z.string()),
});
type Row = z.output<typeof Row>;

const piece = fc.oneof(
  fc.constantFrom('"', '""', ",", ";", "\t", "|", "\r", "\n", "\r\n", "'", "\\", " ", "a", "0"),
  fc.constantFrom("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("x","y")'),
  fc.string({ unit: "grapheme", maxLength: 5 }),
);
const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));
const row: fc.Arbitrary<Row> = fc.record(
  {
    text,
    'a "name", of; a column': fc.option(text),
    absent: text,
    number: fc.double({ noNaN: true, noDefaultInfinity: true }),
    big: fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    at: fc.date({
      noInvalidDate: true,
      min: new Date("0000-01-01"),
      max: new Date("9999-12-31T23:59:59.999Z"),
    }),
    is: fc.boolean(),
    list: fc.array(text, { maxLength: 3 }),
  },
  { requiredKeys: ["text", 'a "name", of; a column', "number", "big", "at", "is", "list"] },
);

/** What a spreadsheet shows of a text in place of running it. */
const shown = (value: string) => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value);

/** A row as its cells: `null` for nothing, which is not the empty text. */
const cellsOf = (one: Row, asShown: (value: string) => string): (string | null)[] => {
  const named = one['a "name", of; a column'];
  return [
    asShown(one.text),
    named === null ? null : asShown(named),
    one.absent === undefined ? null : asShown(one.absent),
    JSON.stringify(one.number),
    `${one.big}`,
    one.at.toISOString(),
    `${one.is}`,
    JSON.stringify(one.list),
  ];
};

/** The cells that csv-parse reads. Text in quotes is text, and nothing without quotes is nothing. */
const read = (answer: Uint8Array, delimiter: string): (string | null)[][] =>
  parse(Buffer.from(answer), {
    delimiter,
    // What stands without quotes would end a row for one reader or another.
    record_delimiter: ["\r\n", "\n", "\r"],
    cast: (value, { quoting }) => (value === "" && !quoting ? null : value),
  });

describe.each([
  [",", "keep"],
  [",", "escape"],
  [";", "escape"],
  ["\t", "keep"],
] as const)("between %j, formulas: %j", (delimiter, formulas) => {
  test(`csv-parse reads ${ROWS} random rows back as they were`, { timeout: 120_000 }, async () => {
    const seed = delimiter.charCodeAt(0) + formulas.length;
    const rows = fc.sample(row, { numRuns: ROWS, seed });
    const engine = testEngine(GET("/rows", { output: csv(Row, { delimiter, formulas }) }, () => rows));
    const cells = read((await serveRequest(engine, "GET", "/rows")).bytes(), delimiter);
    const asShown = formulas === "escape" ? shown : (value: string) => value;
    expect(cells[0]).toEqual(Object.keys(Row.shape));
    expect(cells.length).toBe(ROWS + 1);
    // One by one: the difference of two lists of this length takes minutes.
    for (const [i, one] of rows.entries()) expect(cells[i + 1]).toEqual(cellsOf(one, asShown));
    // What was to be tried was there.
    const all = rows.flatMap(({ text, absent = "" }) => [text, absent]);
    for (const part of ['"', delimiter, "\n", "\r"])
      expect(all.filter((value) => value.includes(part)).length).toBeGreaterThan(100);
    expect(all.filter((value) => shown(value) !== value).length).toBeGreaterThan(1_000);
    expect(all.filter((value) => value === "").length).toBeGreaterThan(1_000);
  });
});
