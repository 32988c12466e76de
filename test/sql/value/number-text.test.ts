/** A number cast to text is one text on every server: the one that JavaScript writes. */

import fc from "fast-check";
import { cast, column, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, servers } from "../../servers.js";

const Amount = table(
  "amounts",
  z.object({ id: column(z.int(), { primaryKey: true }), amount: z.number().nullable(), whole: z.int() }),
);
const Declared = table(
  "declared_amounts",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    exact: column(z.number(), { type: { postgres: "numeric(20,5)", mariadb: "decimal(20,5)" } }),
    short: column(z.number(), { type: { postgres: "real", mariadb: "float" } }),
  }),
);

const numbers = [
  0,
  1,
  -1,
  1.5,
  -2.25,
  100,
  0.1,
  0.30000000000000004,
  1 / 3,
  2.675,
  123456.789,
  1e14,
  1e15,
  1e16,
  1e20,
  1.25e20,
  123456789012345680000,
  999999999999999900000,
  1e21,
  1.5e21,
  1e22,
  1.7976931348623157e308,
  1e300,
  -1e300,
  1e-5,
  1e-6,
  0.000001234,
  9.99e-7,
  1e-7,
  1.5e-7,
  -1.5e-7,
  1e-9,
  1.25e-15,
  1e-16,
  2.5e-300,
  1e-300,
  2 ** 53,
  2 ** 63,
  -(2 ** 64),
  1234567890.1234567,
];

for (const server of servers)
  describe.skipIf(!server.available)(`numbers as text on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Amount, Declared);
    });
    afterAll(() => lent.close());
    const texts = () =>
      lent.db.repository(Amount).query().fields("id", cast("amount", "text").as("text")).orderBy("id", "asc");
    // Oracle writes digits without an exponent, and H2 in its place an exponent behind whole tens.
    const held = server.dialect === "oracle" ? [0, 1, 1.5, -2.25, 0.1, 123456.789, 2.675] : numbers;

    test("the text is that of JavaScript", async () => {
      const amounts = lent.db.repository(Amount);
      await amounts
        .insert()
        .execBatch([...held, null].map((amount, id) => ({ id, amount, whole: id * 1_000_003 })));
      const rows = await texts().exec();
      expect(rows.map(({ text }) => text)).toEqual([...held.map(String), null]);
      const wholes = await amounts.query().fields("whole", cast("whole", "text").as("text")).exec();
      for (const { whole, text } of wholes) expect(text).toBe(String(whole));
    });

    test.skipIf(server.dialect === "oracle")("any number, and in a stream", async () => {
      const amounts = lent.db.repository(Amount);
      const doubles = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), {
        numRuns: 500,
        seed: 7,
      });
      const floats = fc.sample(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { numRuns: 500, seed: 8 });
      await amounts.remove().where("id", ">=", "id").exec({ id: 0 });
      await amounts
        .insert()
        .execBatch([...doubles, ...floats].map((amount, id) => ({ id, amount, whole: id })));
      const read = amounts.query().fields("amount", cast("amount", "text").as("text"));
      for await (const { amount, text } of read.stream()) expect(text).toBe(String(amount));
    });

    test.skipIf(server.dialect === "oracle")(
      "columns of other types give the text of the number that is read",
      async () => {
        const declared = lent.db.repository(Declared);
        const some = [0, 1.5, -2.25, 0.1, 12345.678, 100];
        await declared.insert().execBatch(some.map((n, id) => ({ id, exact: n, short: n })));
        const fields = [
          "exact",
          "short",
          cast("exact", "text").as("one"),
          cast("short", "text").as("two"),
        ] as const;
        for (const { exact, short, one, two } of await declared
          .query()
          .fields(...fields)
          .exec()) {
          expect(one).toBe(String(exact));
          expect(two).toBe(String(short));
        }
      },
    );
  });
