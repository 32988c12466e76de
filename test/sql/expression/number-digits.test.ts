/** Rounding and remainders of doubles use all their digits on every server, not the fifteen of a cast. */
import { column, round, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, servers } from "../../servers.js";

const Amount = table(
  "digit_amounts",
  z.object({ id: column(z.int(), { primaryKey: true }), amount: z.number() }),
);

// Each with what it is rounded to cents and to a whole number.
const rounded = [
  [12345678901234.56, 12345678901234.56, 12345678901235],
  [-12345678901234.56, -12345678901234.56, -12345678901235],
  [123456789012.346, 123456789012.35, 123456789012],
  [9007199254740991, 9007199254740991, 9007199254740991],
  [9007199254740992, 9007199254740992, 9007199254740992],
  [123456789012345680000, 123456789012345680000, 123456789012345680000],
  [2.675, 2.68, 3],
  [0.30000000000000004, 0.3, 0],
] as const;

const remainders = [
  [9007199254740991, 2, 1],
  [-9007199254740991, 2, -1],
  [9007199254740991, 10, 1],
  [1234567890123457, 1000, 457],
  [5.5, 2, 1.5],
  [-5.5, 2, -1.5],
] as const;

// H2 in the place of Oracle has other rules for its numbers.
for (const server of servers)
  describe.skipIf(!server.available || server.dialect === "oracle")(
    `digits of doubles on ${server.name}`,
    () => {
      let lent: Lent;
      beforeAll(async () => {
        lent = await server.lend();
        await lent.db.createTables(Amount);
      });
      afterAll(() => lent.close());

      test("rounding keeps those before the place", async () => {
        const amounts = lent.db.repository(Amount);
        await amounts.insert().execBatch(rounded.map(([amount], id) => ({ id, amount })));
        const rows = await amounts
          .query()
          .fields("amount", round("amount", 2).as("cents"), round("amount").as("whole"))
          .orderBy("id", "asc")
          .exec();
        expect(rows.map(({ amount, cents, whole }) => [amount, cents, whole])).toEqual(rounded);
      });

      test("remainders are of the whole number", async () => {
        const amounts = lent.db.repository(Amount);
        const divide = amounts.modify().setExpr("amount", "%", "by").where("id", "=", "id");
        for (const [i, [amount, by, rest]] of remainders.entries()) {
          const { id } = await amounts.insert().exec({ id: 100 + i, amount });
          expect(await divide.exec({ id, by })).toEqual({ id, amount: rest });
        }
      });
    },
  );
