/**
 * Edits of a column's type on SQLite, whose types say little: the values are converted as PostgreSQL converts them, or
 * the step is refused by its name, or it fails and the rows stay as they were.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { type AnyTable, column, ddl, decimal, table } from "rowtype";
import { diff, generate, MigrationError, migrate } from "rowtype/migrate";
import { sqlite } from "rowtype/sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { edit, editedKinds, type Outcome, tableOf } from "./type-edits.js";

let folder = "";
let handle = new Sqlite(":memory:");
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rowtype-conversions-"));
  handle = new Sqlite(":memory:");
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  handle.close();
});

const place = () => ({ db: sqlite(handle), run: async (sql: string) => [handle.exec(sql)] });
const between = (from: string, to: string, values: readonly unknown[]): Promise<Outcome> =>
  edit(place(), folder, [tableOf(from), tableOf(to)], values);
const readAs = (values: readonly unknown[]) => values.map((value) => ({ value }));
const date = new Date("2024-05-01T10:00:00.123Z");

// What PostgreSQL's casts give: the campaign of type edits asks a server.
const conversions: readonly (readonly [from: string, to: string, before: unknown[], after: unknown[]])[] = [
  [
    "decimal2",
    "decimal4",
    ["1.23", "-0.01", "99999999.99", null],
    ["1.2300", "-0.0100", "99999999.9900", null],
  ],
  ["decimal4", "decimal2", ["1.2345", "1.2350", "-0.0050", "-0.0049"], ["1.23", "1.24", "-0.01", "0.00"]],
  ["decimal2", "int", ["15.00", "2.50", "-2.50", "0.49", null], [15, 3, -3, 0, null]],
  ["decimal2", "bigint", ["15.00", "-1.23"], [15n, -1n]],
  ["decimal2", "number", ["15.00", "-1.23", "0.01"], [15, -1.23, 0.01]],
  ["decimal2", "text", ["15.00", "-0.01", "2.50"], ["15.00", "-0.01", "2.50"]],
  ["int", "decimal2", [15, -7, 0, null], ["15.00", "-7.00", "0.00", null]],
  ["bigint", "decimal4", [15n, -7n], ["15.0000", "-7.0000"]],
  ["number", "decimal2", [7, 7.125, -7.125, 1.005, 0.1 + 0.2], ["7.00", "7.13", "-7.13", "1.01", "0.30"]],
  ["number", "int", [7, 2.5, 3.5, -2.5, 2.51, null], [7, 2, 4, -2, 3, null]],
  ["number", "text", [7, 0.1 + 0.2, -2.5], ["7", "0.30000000000000004", "-2.5"]],
  ["bigint", "number", [9_223_372_036_854_775_807n], [2 ** 63]],
  ["int", "text", [15, -7], ["15", "-7"]],
  ["text", "int", ["15", "-7", " 42 ", "007"], [15, -7, 42, 7]],
  ["text", "number", ["1.50", "-7", "1e3"], [1.5, -7, 1000]],
  ["text", "decimal2", ["15", "-1.235", "1e3", ".5"], ["15.00", "-1.24", "1000.00", "0.50"]],
  ["text", "boolean", ["true", "no", "1", "F"], [true, false, true, false]],
  ["text", "milliseconds", ["2024-05-01 10:00:00.123", "2024-05-01T12:00:00.123+02:00"], [date, date]],
  ["date", "milliseconds", [date, null], [date, null]],
  ["json", "decimal2", [5, -2.5], ["5.00", "-2.50"]],
  ["boolean", "int", [true, false, null], [1, 0, null]],
  ["boolean", "text", [true, false], ["true", "false"]],
  ["boolean", "decimal2", [true, false], ["1.00", "0.00"]],
  ["bytes", "text", [new Uint8Array([1, 255])], ["\\x01ff"]],
  ["int", "boolean", [1, 0, null], [true, false, null]],
  ["bigint", "flag", [1n, 0n], [true, false]],
  ["boolean", "flag", [true, false, null], [true, false, null]],
  ["flag", "boolean", [true, false, null], [true, false, null]],
  ["flag", "int", [true, false, null], [1, 0, null]],
  ["flag", "text", [true, false], ["true", "false"]],
  ["milliseconds", "date", [date, null], [date, null]],
  ["milliseconds", "text", [date], ["2024-05-01 10:00:00.123"]],
];

describe("an edit of a type on SQLite", () => {
  for (const [from, to, before, after] of conversions)
    test(`${from} to ${to} converts the values`, async () => {
      expect(await between(from, to, before)).toEqual({ is: "done", steps: 1, rows: readAs(after), left: 0 });
    });

  const unreadable: readonly (readonly [from: string, to: string, value: unknown])[] = [
    ["text", "int", "hello"],
    ["text", "int", "1.50"],
    ["text", "int", ""],
    ["text", "int", "99999999999999999999"],
    ["text", "number", "12abc"],
    ["text", "number", "1e400"],
    ["text", "number", "1e-400"],
    ["text", "decimal2", "hello"],
    ["text", "decimal2", "100000000"],
    ["text", "boolean", "15"],
    ["text", "milliseconds", "2024-02-30 10:00:00.000"],
    ["text", "milliseconds", "0000-00-00 00:00:00"],
    ["int", "decimal2", 9_007_199_254_740_991],
    ["decimal4", "decimal2", "99999999.9999"],
    ["number", "int", 1e300],
    ["number", "decimal2", 1e300],
    ["date", "int", date],
    ["int", "boolean", 2],
    ["int", "flag", -1],
  ];
  for (const [from, to, value] of unreadable)
    test(`${from} to ${to} fails at ${JSON.stringify(value)}, and the rows stay`, async () => {
      const outcome = await between(from, to, [value]);
      expect(outcome).toMatchObject({ is: "failed", rows: [{ value }] });
      expect(outcome.is === "failed" && outcome.message).not.toContain(String(value) || "no value");
    });

  for (const [from, to] of [
    ["int", "date"],
    ["number", "boolean"],
    ["decimal2", "json"],
    ["int", "list"],
    ["number", "bytes"],
    ["bytes", "int"],
    ["text", "bytes"],
    ["boolean", "date"],
    ["boolean", "milliseconds"],
    ["bytes", "date"],
    ["decimal2", "date"],
    ["milliseconds", "int"],
    ["milliseconds", "bigint"],
    ["milliseconds", "number"],
    ["milliseconds", "boolean"],
    ["milliseconds", "flag"],
    ["milliseconds", "decimal2"],
    ["flag", "milliseconds"],
    ["decimal2", "milliseconds"],
  ] as const)
    test(`${from} to ${to} is refused by the name of the step`, async () => {
      const outcome = await between(from, to, []);
      expect(outcome).toMatchObject({ is: "refused" });
      expect(outcome.is === "refused" && outcome.message).toMatch(
        /^the step change type edited\.a is refused: /,
      );
    });
});

describe("a column whose type says numeric", () => {
  const declared = (a: z.ZodType) =>
    table("edited", z.object({ id: column(z.int(), { primaryKey: true }), a })) as AnyTable;
  const numeric = "numeric(10,3)";
  const kinds: Readonly<Record<string, AnyTable>> = {
    number: declared(column(z.number().nullable(), { type: numeric })),
    "whole number": declared(column(z.int().nullable(), { type: numeric })),
    bigint: declared(column(z.bigint().nullable(), { type: numeric })),
    "decimal as text": declared(column(z.string().nullable(), { type: numeric })),
  };
  const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;
  // A text keeps its type: nothing is converted, and it is read as it was.
  const STAYS = ["text", "enum", "uuid", "json", "list", "date"];

  for (const [to, target] of Object.entries(kinds))
    for (const from of Object.keys(editedKinds).filter(
      (kind) => to !== "decimal as text" || !STAYS.includes(kind),
    ))
      test(`${from} to a ${to} is converted, or the rows stay as they were`, async () => {
        for (const value of editedKinds[from]?.values ?? []) {
          const outcome = await edit(place(), folder, [tableOf(from), target], [value]);
          if (outcome.is === "refused") continue;
          const [read] = outcome.rows;
          if (outcome.is === "failed") expect(outcome.rows).toEqual([{ value }]);
          else if (!(to === "whole number" && isBeyond(value))) {
            const said = String(value === true ? 1 : value === false ? 0 : value);
            expect({ value, read, isNumber: NUMBER.test(said) }).toMatchObject({ isNumber: true });
            // A whole number is rounded; the text of a double has the digits that every double has.
            const wanted = Number(
              to === "decimal as text" && from === "number" ? Number(said).toPrecision(15) : said,
            );
            const difference = Math.abs(Number(Object(read).value) - wanted);
            expect(difference).toBeLessThanOrEqual(to === "whole number" || to === "bigint" ? 0.5 : 0);
          }
        }
      });

  test("of another precision is not converted: nobody is asked for a loss", async () => {
    const db = sqlite(handle);
    const [small, large] = ["numeric(10,3)", "numeric(12,3)"].map((type) =>
      declared(column(z.number(), { type })),
    ) as [AnyTable, AnyTable];
    await db.createTables(small);
    const { steps } = await diff([large], db);
    expect(steps.map(({ risks }) => risks)).toEqual([["breaks-old-code"]]);
  });

  // Whole numbers that JavaScript has only as bigints are told where they are read.
  const isBeyond = (value: unknown) => !Number.isSafeInteger(Math.round(Number(value)));
});

describe("booleans on SQLite", () => {
  const flags = (shape: z.ZodRawShape) =>
    table("flags", z.object({ id: column(z.int(), { primaryKey: true }), ...shape })) as AnyTable;

  test("numbers that another tool took for booleans become booleans once, and what is no boolean stops it", async () => {
    handle.exec("CREATE TABLE flags (id INTEGER NOT NULL PRIMARY KEY, a TINYINT NOT NULL)");
    handle.exec("INSERT INTO flags VALUES (1, 1), (2, 0), (3, 2)");
    const db = sqlite(handle);
    const wanted = flags({ a: z.boolean() });
    expect((await diff([flags({ a: z.int() })], db)).isEmpty).toBe(true);
    const [step, ...more] = (await diff([wanted], db)).steps;
    expect(more).toEqual([]);
    expect(step).toMatchObject({ kind: "rebuild table", risks: ["may-fail", "breaks-old-code"] });
    await generate([wanted], db, { folder, name: "edit" });
    await expect(migrate(db, { folder })).rejects.toMatchObject({ code: "MIGRATION_FAILED" });
    handle.exec("UPDATE flags SET a = 1 WHERE a = 2");
    await migrate(db, { folder });
    expect((await diff([wanted], db)).isEmpty).toBe(true);
    const rows = await db.repository(wanted).query().orderBy("id", "asc").exec();
    expect(rows).toMatchObject([{ a: true }, { a: false }, { a: true }]);
  });

  test("a STRICT table, which has no such type, takes an INTEGER, and a check says what it holds", async () => {
    handle.exec("CREATE TABLE flags (id INTEGER NOT NULL PRIMARY KEY, a TEXT NOT NULL) STRICT");
    handle.exec("INSERT INTO flags VALUES (1, 'yes')");
    const db = sqlite(handle);
    const wanted = flags({ a: z.boolean(), b: z.boolean().nullable() });
    await generate([wanted], db, { folder, name: "edit", allow: ["rebuild table flags"] });
    await migrate(db, { folder });
    const next = flags({ a: z.boolean(), b: z.boolean().nullable(), c: z.boolean().nullable() });
    expect((await diff([next], db)).sql()).toEqual([
      'ALTER TABLE "flags" ADD COLUMN "c" INTEGER',
      `ALTER TABLE "flags" ADD CONSTRAINT "flags_c_check" CHECK (typeof("c") IN ('integer', 'real', 'null') AND "c" IN (0, 1))`,
    ]);
    expect(await db.repository(wanted).query().exec()).toEqual([{ id: 1, a: true, b: null }]);
    expect((await diff([wanted], db)).isEmpty).toBe(true);
  });
});

describe("whole numbers on SQLite", () => {
  const kinds = ["int", "bigint", "boolean", "flag", "milliseconds", "decimal2", "decimal4"];
  // Only the kind of a number in JavaScript differs.
  const ONE_MEANING = ["int", "bigint"];

  for (const option of ["", " STRICT"])
    for (const from of kinds.filter((kind) => option === "" || kind !== "boolean"))
      test(`no edit from ${from} to another meaning is silent${option === "" ? "" : " in a STRICT table"}`, async () => {
        const db = sqlite(handle);
        const [create = "", ...others] = ddl(tableOf(from), "sqlite");
        expect(others).toEqual([]);
        handle.exec(create + option);
        const silent: string[] = [];
        for (const to of kinds) {
          const change = await diff([tableOf(to)], db).catch((error: unknown) => error);
          if (change instanceof MigrationError) expect(change.code).toBe("MIGRATION_REFUSED");
          else if (Object(change).isEmpty === true) silent.push(to);
        }
        const booleans = option === "" ? [from] : ["boolean", "flag"];
        const same = ONE_MEANING.includes(from) ? ONE_MEANING : from === "flag" ? booleans : [from];
        expect(silent).toEqual(same);
      });

  test("are taken for dates by a step that is allowed by its name", async () => {
    const db = sqlite(handle);
    await db.createTables(tableOf("int"));
    handle.exec(`INSERT INTO edited VALUES (1, ${date.getTime()})`);
    const [step] = (await diff([tableOf("milliseconds")], db)).steps;
    expect(step?.risks).toContain("loses-data");
    expect(step?.why).toContain('the numbers of "a" are dates');
    const refused = generate([tableOf("milliseconds")], db, { folder, name: "edit" });
    await expect(refused).rejects.toMatchObject({ code: "MIGRATION_REFUSED", step: "rebuild table edited" });
    await generate([tableOf("milliseconds")], db, { folder, name: "edit", allow: ["rebuild table edited"] });
    await migrate(db, { folder });
    expect(await db.repository(tableOf("milliseconds")).query().exec()).toEqual([{ id: 1, a: date }]);
    expect((await diff([tableOf("milliseconds")], db)).isEmpty).toBe(true);
  });

  test("lose their check with their meaning, and nobody is asked for it", async () => {
    for (const [from, to] of [
      ["flag", "int"],
      ["decimal2", "int"],
      ["milliseconds", "date"],
      ["decimal2", "decimal4"],
    ] as const) {
      const db = sqlite(new Sqlite(":memory:"));
      await db.createTables(tableOf(from));
      const { steps } = await diff([tableOf(to)], db);
      expect([from, to, steps.map(({ kind }) => kind)]).toEqual([from, to, ["rebuild table"]]);
      expect(steps[0]?.risks).not.toContain("undeclared");
    }
  });

  test("that no server reads as a date or a boolean are refused by the check", async () => {
    await sqlite(handle).createTables(tableOf("milliseconds", "dates"), tableOf("flag", "flags"));
    const takes = (name: string, value: string) => {
      try {
        handle.exec(`INSERT INTO ${name} (id, a) VALUES (abs(random()), ${value})`);
        return true;
      } catch (error) {
        expect(String(error)).toContain("CHECK");
        return false;
      }
    };
    const first = Date.parse("0001-01-01T00:00:00.000Z");
    const last = Date.parse("9999-12-31T23:59:59.999Z");
    const values = [`${first}`, `${last}`, "0", "NULL", `${first - 1}`, `${last + 1}`, "1.5", "'x'", "x'00'"];
    const isThere = (count: number) => values.map((_, i) => i < count);
    expect(values.map((value) => takes("dates", value))).toEqual(isThere(4));
    const flags = ["0", "1", "1.0", "NULL", "2", "-1", "0.5", "'x'", "x'00'"];
    expect(flags.map((value) => takes("flags", value))).toEqual(isThere(4));
  });
});

describe("the scale of a decimal on SQLite", () => {
  const bills = (a: z.ZodType) =>
    table("bills", z.object({ id: column(z.int(), { primaryKey: true }), a })) as AnyTable;
  const applied = async (wanted: AnyTable, allow: readonly string[] = []) => {
    const db = sqlite(handle);
    await generate([wanted], db, { folder, name: "edit", allow });
    await migrate(db, { folder });
    return db.repository(wanted).query().exec();
  };

  test("every other scale is a step that converts", async () => {
    for (const [precision, scale] of [
      [10, 4],
      [10, 0],
      [12, 12],
      [18, 9],
    ] as const)
      expect((await changeTo(bills(decimal(precision, scale)))).map(({ kind }) => kind)).toEqual([
        "rebuild table",
      ]);
    expect(await changeTo(bills(decimal(12, 2)))).toMatchObject([
      { kind: "drop check" },
      { kind: "add check" },
    ]);
    expect(await changeTo(bills(decimal(10, 2)))).toEqual([]);
  });
  const changeTo = async (wanted: AnyTable) => {
    const db = sqlite(new Sqlite(":memory:"));
    await db.createTables(bills(decimal(10, 2)));
    return (await diff([wanted], db)).steps;
  };

  test("a smaller scale is marked as a loss, and a greater one is not", async () => {
    expect((await changeTo(bills(decimal(10, 0))))[0]?.risks).toContain("loses-data");
    expect((await changeTo(bills(decimal(12, 4))))[0]?.risks).not.toContain("loses-data");
    expect((await changeTo(bills(decimal(12, 4))))[0]?.risks).toContain("may-fail");
  });

  test("a column that is renamed and has another scale is converted", async () => {
    const db = sqlite(handle);
    await db.createTables(bills(decimal(10, 2)));
    await db
      .repository(bills(decimal(10, 2)))
      .insert()
      .exec({ id: 1, a: "1.23" } as never);
    const b = column(decimal(12, 4), { renamedFrom: "a" });
    const wanted = table("bills", z.object({ id: column(z.int(), { primaryKey: true }), b })) as AnyTable;
    expect(await applied(wanted)).toEqual([{ id: 1, b: "1.2300" }]);
    expect((await diff([wanted], db)).isEmpty).toBe(true);
  });

  // As version 0.1 made them.
  const former = () => {
    handle.exec(
      `CREATE TABLE "bills" ("id" INTEGER NOT NULL, "a" INTEGER NOT NULL, CONSTRAINT "bills_pkey" PRIMARY KEY ("id"), CONSTRAINT "bills_a_check" CHECK (typeof("a") <> 'real' AND "a" BETWEEN -9999999999 AND 9999999999))`,
    );
    handle.exec("INSERT INTO bills VALUES (1, 123)");
  };

  test("a check that does not say the scale takes the numbers as they are, allowed by name only", async () => {
    former();
    const wanted = bills(decimal(10, 2));
    const [step] = (await diff([wanted], sqlite(handle))).steps;
    expect(step).toMatchObject({ kind: "rebuild table", risks: expect.arrayContaining(["loses-data"]) });
    expect(step?.why).toContain('how many digits of "a" are after the point');
    await expect(applied(wanted)).rejects.toMatchObject({ code: "MIGRATION_REFUSED" });
    expect(await applied(wanted, ["rebuild table bills"])).toEqual([{ id: 1, a: "1.23" }]);
    expect((await diff([wanted], sqlite(handle))).isEmpty).toBe(true);
  });

  test("a check that does not say the scale refuses every other kind", async () => {
    former();
    for (const kind of [z.int(), z.string(), z.number()])
      await expect(diff([bills(kind)], sqlite(handle))).rejects.toMatchObject({
        code: "MIGRATION_REFUSED",
        step: "change type bills.a",
      });
  });

  test("the check refuses what it refused before", () => {
    const [sql = ""] = [
      `CREATE TABLE t (a INTEGER, CHECK (typeof(a) IN ('integer', 'null') AND a / 100 BETWEEN -99999999 AND 99999999))`,
    ];
    handle.exec(sql);
    for (const value of ["9999999999", "-9999999999", "0", "NULL"])
      expect(() => handle.exec(`INSERT INTO t VALUES (${value})`)).not.toThrow();
    for (const value of ["10000000000", "-10000000000", "1.5", "'abc'", "x'00'", "9223372036854775808"])
      expect(() => handle.exec(`INSERT INTO t VALUES (${value})`)).toThrow("CHECK");
  });
});
