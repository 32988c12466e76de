/**
 * Decimals, dates and booleans that `pull` finds on SQLite among whole numbers: the declarations read the values that were
 * written, and make the same table.
 */
import BetterSqlite3 from "better-sqlite3";
import { column, decimal, table } from "rowtype";
import { diff, introspect, pull } from "rowtype/migrate";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { declared } from "./pulled-file.js";

const id = column(z.int(), { primaryKey: true });
const digits = [
  [1, 0],
  [5, 0],
  [1, 1],
  [5, 5],
  [4, 3],
  [10, 2],
  [15, 6],
] as const;

/** The greatest value, its opposite, and the smallest steps. */
function values(precision: number, scale: number): string[] {
  const text = (units: string) => {
    const padded = units.padStart(scale + 1, "0");
    return scale === 0 ? units : `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
  };
  const most = text("9".repeat(precision));
  return [most, `-${most}`, text("0"), text("1"), `-${text("1")}`];
}

describe.each(digits)("decimal(%i, %i)", (precision, scale) => {
  test("is pulled as it was declared, whatever its default is", async () => {
    const kind = decimal(precision, scale);
    const [most = "", least = "", zero = "", one = ""] = values(precision, scale);
    const defaults = [most, least, zero, one, `-${one}`, `abs(${one})`, `(${one} + 0)`];
    const Kept = table(
      "kept",
      z.object({
        id,
        plain: kind,
        maybe: kind.nullable(),
        whole: z.int(),
        "odd name": kind,
        ...Object.fromEntries(
          defaults.map((said, i) => [
            `d${i}`,
            column(kind, { default: said, ...(i === 0 ? { check: "d0 <> 7" } : {}) }),
          ]),
        ),
      }),
    );
    const db = sqlite(new BetterSqlite3(":memory:"));
    await db.createTables(Kept);
    const rows = values(precision, scale).map((text, i) => ({
      id: i,
      plain: text,
      maybe: null,
      whole: i,
      "odd name": text,
    }));
    await db
      .repository(Kept)
      .insert()
      .execBatch(rows as never);
    const written = await db.repository(Kept).query().orderBy("id", "asc").exec();

    const { source, notCarried } = await pull(db, { names: "same" });
    expect(notCarried).toEqual([]);
    expect(source.split(`decimal(${precision}, ${scale})`)).toHaveLength(3 + defaults.length + 1);
    const tables = declared(source);
    expect((await diff(tables, db)).text()).toBe("");
    const [Pulled = expect.unreachable()] = tables.filter((one) => "insertSchema" in one);
    expect(await db.repository(Pulled).query().orderBy("id", "asc").exec()).toEqual(written);

    const other = sqlite(new BetterSqlite3(":memory:"));
    await other.createTables(...tables);
    expect(await introspect(other)).toEqual(await introspect(db));
    await other
      .repository(Pulled)
      .insert()
      .execBatch(rows as never);
    expect(await other.repository(Pulled).query().orderBy("id", "asc").exec()).toEqual(written);
  });
});

test("dates and booleans that are whole numbers are pulled as they were declared", async () => {
  const epoch = (more: object = {}) => column(z.date(), { type: { sqlite: "INTEGER" }, ...more });
  const flag = (more: object = {}) => column(z.boolean(), { type: { sqlite: "INT" }, ...more });
  const Kept = table(
    "kept",
    z.object({
      id,
      at: epoch(),
      "odd name": epoch({ default: "CURRENT_TIMESTAMP" }),
      maybe: column(z.date().nullable(), { type: { sqlite: "bigint" }, check: "maybe <> 7" }),
      isOn: flag({ default: "1" }),
      "is off": column(z.boolean().nullable(), { type: { sqlite: "NUMERIC" } }),
      plain: z.boolean(),
      whole: z.int(),
    }),
  );
  const db = sqlite(new BetterSqlite3(":memory:"));
  await db.createTables(Kept);
  const row = {
    id: 1,
    at: new Date("2024-05-01T10:00:00.123Z"),
    "odd name": new Date(-1),
    maybe: null,
    isOn: true,
    "is off": false,
    plain: true,
    whole: 1,
  };
  await db.repository(Kept).insert().exec(row);
  const { source, notCarried } = await pull(db, { names: "same" });
  expect(notCarried).toEqual([]);
  const tables = declared(source);
  expect((await diff(tables, db)).text()).toBe("");
  const [Pulled = expect.unreachable()] = tables.filter((one) => "insertSchema" in one);
  expect(await db.repository(Pulled).query().exec()).toEqual([row]);
  const other = sqlite(new BetterSqlite3(":memory:"));
  await other.createTables(...tables);
  expect(await introspect(other)).toEqual(await introspect(db));
});

test("whole numbers with other checks and defaults stay whole numbers", async () => {
  const handle = new BetterSqlite3(":memory:");
  handle.exec(`CREATE TABLE t (
    id INTEGER NOT NULL PRIMARY KEY,
    a INTEGER NOT NULL CHECK (a BETWEEN -99 AND 99),
    b INTEGER NOT NULL CHECK (typeof(a) IN ('integer', 'null') AND a / 100 BETWEEN -99 AND 99),
    c INTEGER DEFAULT (random()) CHECK (typeof(c) IN ('integer', 'null') AND c / 100 BETWEEN -99 AND 99),
    d TEXT CHECK (typeof(d) IN ('integer', 'null') AND d / 100 BETWEEN -99 AND 99),
    e INTEGER CHECK (typeof(e) IN ('integer', 'null') AND e / 100 BETWEEN -98 AND 99)
  )`);
  const db = sqlite(handle);
  const { source } = await pull(db, { names: "same" });
  // The check of `b` is of the column `a`, which is a decimal by it.
  expect(source.match(/^ +[a-e]: .*$/gm)).toEqual([
    "    a: decimal(4, 2),",
    "    b: z.int(),",
    expect.stringContaining("c: column(z.int().nullable()"),
    "    d: z.string().nullable(),",
    "    e: z.int().nullable(),",
  ]);
  expect((await diff(declared(source), db)).text()).toBe("");
});
