/** Values at their edges: written and read back equal on every server, or refused, never changed. */
import Sqlite from "better-sqlite3";
import { column, type Insert, json, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, serversAndLocales, titleOf } from "../../servers.js";

type TreeValue = string | TreeValue[];
const Tree: z.ZodType<TreeValue> = z.union([z.string(), z.array(z.lazy(() => Tree))]);

const Value = table(
  "edge_values",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    text: z.string().nullable(),
    int: z.int().nullable(),
    float: z.number().nullable(),
    big: z.bigint().nullable(),
    date: z.date().nullable(),
    bytes: z.instanceof(Uint8Array).nullable(),
    flags: z.array(z.boolean()).nullable(),
    bigs: z.array(z.bigint()).nullable(),
    dates: z.array(z.date()).nullable(),
    texts: z.array(z.string()).nullable(),
    blobs: z.array(z.instanceof(Uint8Array)).nullable(),
    amount: column(z.string().nullable(), { type: "decimal(30,10)" }),
    union: z.union([z.string(), z.null()]),
    literal: z.literal(["a", "b", null]),
    anything: z.any(),
    free: z.json(),
    tree: z.lazy(() => Tree).nullable(),
    doc: json(
      z.object({
        big: z.bigint(),
        at: z.date(),
        bytes: z.instanceof(Uint8Array),
        list: z.array(z.unknown()),
      }),
    ).nullable(),
  }),
);

for (const server of serversAndLocales)
  describe.skipIf(!server.available)(`values on ${titleOf(server)}`, () => {
    let lent: Lent;
    let next = 1;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Value);
    });
    afterAll(() => lent.close());
    const values = () => lent.db.repository(Value);

    test.each<[string, Partial<Insert<typeof Value>>]>([
      [
        "text with every troublesome character",
        { text: `' " \\ % _ $1 :x ? -- /* \t\r\n \u{1F600} é \u2028 {a,"b"}` },
      ],
      ["empty text and trailing blanks", { text: " " }],
      ["the largest safe integers", { int: Number.MAX_SAFE_INTEGER }],
      ["the smallest safe integers", { int: Number.MIN_SAFE_INTEGER }],
      ["floats at their limits", { float: Number.MAX_VALUE }],
      ["the smallest float", { float: Number.MIN_VALUE }],
      ["a tenth and two", { float: 0.1 + 0.2 }],
      ["the largest bigint", { big: 2n ** 63n - 1n }],
      ["the smallest bigint", { big: -(2n ** 63n) }],
      ["the first millisecond", { date: new Date("0001-01-01T00:00:00.000Z") }],
      ["the last millisecond", { date: new Date("9999-12-31T23:59:59.999Z") }],
      ["a leap day", { date: new Date("2024-02-29T23:59:59.001Z") }],
      ["all bytes", { bytes: Uint8Array.from({ length: 256 }, (_, i) => i) }],
      ["no bytes", { bytes: new Uint8Array() }],
      ["arrays of booleans", { flags: [true, false] }],
      ["empty arrays", { flags: [], texts: [] }],
      ["arrays of bigints", { bigs: [2n ** 63n - 1n, 0n] }],
      ["arrays of dates", { dates: [new Date("0099-02-28T01:02:03.004Z")] }],
      [
        "arrays of text that looks like syntax",
        { texts: ["NULL", "null", "", " ", "{}", "{a,b}", '"', "\\", "\\\\", "a,b", "\n"] },
      ],
      ["arrays of bytes", { blobs: [new Uint8Array([0, 255, 92, 34]), new Uint8Array()] }],
      ["decimals of thirty digits", { amount: "12345678901234567890.1234567891" }],
      ["null by a union or a literal", { union: null, literal: null, anything: null }],
      ["a union and a literal", { union: "x", literal: "b", anything: { a: [1, "2", null] } }],
      ["JSON of any form", { free: { a: [1, "2", null, { b: [[]] }] } }],
      ["JSON that is one text", { free: "null" }],
      ["JSON of a schema that holds itself", { tree: ["a", ["b", []]] }],
      [
        "JSON with bigints, dates and bytes",
        {
          doc: {
            big: 2n ** 80n,
            at: new Date(5),
            bytes: new Uint8Array([1]),
            list: [1.5, "x", null, { a: [] }, "\\u0000"],
          },
        },
      ],
    ])("%s", async (_, given) => {
      const id = next++;
      const stored = await values()
        .insert()
        .exec({ id, ...given });
      expect(stored).toMatchObject(given);
      expect(await values().select().where("id", "=", "id").exec({ id })).toEqual(stored);
    });

    test("negative zero is zero", async () => {
      const stored = await values().insert().exec({ id: next++, float: -0, int: -0 });
      expect([Object.is(stored.float, 0), Object.is(stored.int, 0)]).toEqual([true, true]);
    });

    test.each([
      ["an infinity", { float: Number.POSITIVE_INFINITY }],
      ["an integer beyond 2^53", { int: 2 ** 53 }],
      ["a bigint of 65 bits", { big: 2n ** 63n }],
      ["NUL in an array", { texts: ["a\0"] }],
      ["null in an array", { texts: [null] as never }],
      ["a decimal that is none", { amount: "1e5" }],
      ["JSON with an infinity", { anything: [Number.POSITIVE_INFINITY] }],
      ["JSON with NaN", { anything: { a: Number.NaN } }],
      ["JSON with undefined in a list", { anything: [undefined] }],
      ["JSON with a lone surrogate", { anything: "\ud800" }],
      ["JSON with NUL in a key", { anything: { "a\0": 1 } }],
      ["JSON with a bigint that the schema does not name", { anything: 1n }],
      ["JSON with a Date that the schema does not name", { anything: new Date() }],
      ["JSON with a function", { anything: () => 1 }],
    ])("%s is refused before it is sent", async (_, given) => {
      expect(
        await sqlErrorOf(
          values()
            .insert()
            .exec({ id: next++, ...given }),
        ),
      ).toMatchObject({ code: "PARAM_TYPE" });
    });

    test("circular JSON is refused", async () => {
      const circle: { self?: unknown } = {};
      circle.self = circle;
      expect(await sqlErrorOf(values().insert().exec({ id: next++, anything: circle }))).toMatchObject({
        code: "PARAM_TYPE",
      });
    });

    test("a list finds numbers beyond 2^53, as = does", async () => {
      const float = 91293841319715330;
      await values().insert().exec({ id: next++, float });
      expect(await values().count().where("float", "=", "v").exec({ v: float })).toBe(1);
      expect(
        await values()
          .count()
          .where("float", "IN", "v")
          .exec({ v: [float, 1e300, 0.1] }),
      ).toBe(1);
    });

    test("set values are checked against each column's own schema, also with a shared parameter", async () => {
      const Two = table(
        "two_schemas",
        z.object({
          id: column(z.int(), { primaryKey: true }),
          name: z.string().toLowerCase(),
          email: z.email(),
        }),
      );
      await lent.db.createTables(Two);
      const two = lent.db.repository(Two);
      await two.insert().exec({ id: 1, name: "A", email: "a@example.org" });
      const both = two.modify().set("name", "v").set("email", "v").where("id", "=", "id");
      expect(await sqlErrorOf(both.exec({ v: "Not An EMAIL", id: 1 }))).toMatchObject({
        code: "PARAM_TYPE",
        param: "v",
      });
      expect(await both.exec({ v: "Ann@Example.org", id: 1 })).toEqual({
        id: 1,
        name: "ann@example.org",
        email: "Ann@Example.org",
      });
    });

    test("order and range of decimals are those of numbers, or refused", async () => {
      const ordered = values().query().fields("amount").orderBy("amount", "asc");
      if (server.dialect === "sqlite") {
        expect(await sqlErrorOf(ordered.exec())).toMatchObject({ code: "UNSUPPORTED" });
        expect(await sqlErrorOf(values().count().where("amount", ">", "v").exec({ v: "1" }))).toMatchObject({
          code: "UNSUPPORTED",
        });
      } else expect(await values().count().where("amount", ">", "v").exec({ v: "2" })).toBe(1);
    });
  });

describe("stored values that the schema does not allow", () => {
  const T = table(
    "t",
    z.object({
      id: column(z.int(), { primaryKey: true }),
      int: z.int().nullable(),
      flag: z.boolean().nullable(),
      date: z.date().nullable(),
      kind: z.enum(["a", "b"]).nullable(),
      name: z.string().nullable(),
    }),
  );

  test.each([
    ["an integer beyond 2^53", "int", "9007199254740993"],
    ["text for an integer", "int", "'x'"],
    ["a fraction for an integer", "int", "1.5"],
    ["2 for a boolean", "flag", "2"],
    ["a blank for a boolean", "flag", "' '"],
    ["a day that there is not", "date", "'2024-02-31'"],
    ["an hour that there is not", "date", "'2024-01-01 25:00:00'"],
    ["a number for a date", "date", "1700000000"],
    // Text of any other form than ours would be compared wrongly.
    ["a date as JSON writes it", "date", "'2024-01-02T03:04:05.006Z'"],
    ["a date with a T", "date", "'2024-01-02T03:04:05'"],
    ["a date with a zone", "date", "'2024-01-02 03:04:05+00:00'"],
    ["a day without a time", "date", "'2024-01-02'"],
    ["a date without seconds", "date", "'2024-01-02 03:04'"],
    ["a date of microseconds", "date", "'2024-01-02 03:04:05.006007'"],
    ["a date of tenths of a second", "date", "'2024-01-02 03:04:05.0'"],
    ["a date of the year 0", "date", "'0000-01-02 03:04:05'"],
    ["another value than those of the enum", "kind", "'c'"],
    ["bytes for text", "name", "x'00ff'"],
  ])("%s is a DecodeError", async (_, field, sql) => {
    const handle = new Sqlite(":memory:");
    const db = sqlite(handle);
    await db.createTables(T);
    handle.exec(`INSERT INTO t (id, "${field}") VALUES (1, ${sql})`);
    expect(await sqlErrorOf(db.repository(T).query().exec())).toMatchObject({
      code: "DECODE_FAILED",
      table: "t",
      field,
    });
    handle.close();
  });

  test("both forms of dates are read", async () => {
    const handle = new Sqlite(":memory:");
    const db = sqlite(handle);
    await db.createTables(T);
    handle.exec("INSERT INTO t (id, date) VALUES (1, '2024-01-02 03:04:05'), (2, '2024-01-02 03:04:05.006')");
    const rows = await db.repository(T).query().fields("date").orderBy("id", "asc").exec();
    expect(rows.map(({ date }) => date?.toISOString())).toEqual([
      "2024-01-02T03:04:05.000Z",
      "2024-01-02T03:04:05.006Z",
    ]);
    handle.close();
  });
});
