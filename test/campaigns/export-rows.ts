/** The table of eight columns whose rows are exported. */

import { column, decimal, table } from "rowtype";
import { z } from "zod";

/** A sale. */
export const Sale = table(
  "sales",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    customer: z.string(),
    note: z.string().nullable(),
    quantity: z.int(),
    price: decimal(10, 2),
    at: z.date(),
    paid: z.boolean(),
    serial: z.bigint(),
  }),
);

/** One of them; the others are copies of it with other numbers. */
export const first = {
  id: 1,
  customer: "a customer, of row",
  // Longer than what the buffers of a connection hold of all rows together.
  note: "a note of a sale ".repeat(25),
  quantity: 3,
  price: "12.50",
  at: new Date("2026-01-02T03:04:05.000Z"),
  paid: true,
  serial: 9_007_199_254_740_993n,
};

/** The series of numbers from 2, in the words of each database. */
export const numbersTo = {
  postgres: (count: number) => `SELECT n FROM generate_series(2, ${count}) AS series(n)`,
  mariadb: (count: number) => `SELECT seq AS n FROM seq_2_to_${count}`,
  sqlite: (count: number) =>
    `WITH RECURSIVE series(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM series WHERE n < ${count}) SELECT n FROM series`,
};
