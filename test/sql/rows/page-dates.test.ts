/** Pages ordered by dates that a declared type keeps in its own way: finer than they are read, without a zone, as days. */
import { column, type Database, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { cutInto, type Walked, walk } from "../../kit/walk.js";
import { type Lent, servers } from "../../servers.js";

const dated = table(
  "page_dates",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    fine: column(z.date(), {
      type: { postgres: "timestamptz(6)", mariadb: "datetime(6)", oracle: "timestamp(6) with time zone" },
    }),
    local: column(z.date().nullable(), {
      type: { postgres: "timestamp(6)", mariadb: "timestamp(6) NULL", oracle: "timestamp(6)" },
    }),
    day: column(z.date(), { type: { postgres: "date", sqlite: "integer" } }),
  }),
);

interface Loose {
  orderBy(field: string, direction: string): Loose;
  page(size: number): Walked<{ id: number }>;
  exec(): Promise<{ id: number }[]>;
}

// The microseconds are the server's own, which rowtype does not write.
const finer: { readonly [name: string]: (id: number) => string } = {
  postgres: (id) =>
    `UPDATE page_dates SET fine = fine + INTERVAL '${id * 7} microseconds', local = local + INTERVAL '${id * 5} microseconds' WHERE id = ${id}`,
  mariadb: (id) =>
    `UPDATE page_dates SET fine = fine + INTERVAL ${id * 7} MICROSECOND, local = local + INTERVAL ${id * 5} MICROSECOND WHERE id = ${id}`,
  // A whole second may be stored without its milliseconds.
  sqlite: (id) => `UPDATE page_dates SET fine = replace(fine, '.000', '') WHERE id = ${id} AND id % 2 = 0`,
};

describe.each(servers.filter(({ available, name }) => available && finer[name] !== undefined))(
  "pages by dates on $name",
  ({ name, lend }) => {
    let lent: Lent;
    let query: () => Loose;
    beforeAll(async () => {
      lent = await lend();
      await lent.db.createTables(dated);
      const of = (lent.db as Database<"sqlite">).repository(dated);
      query = () => of.query() as unknown as Loose;
      const at = (n: number) => new Date(Date.UTC(2024, 1, 3, 4, 5, 6, n));
      await of.insert().execBatch(
        Array.from({ length: 24 }, (_, i) => ({
          id: i + 1,
          fine: at([0, 0, 1, 1_000][i % 4] ?? 0),
          local: i % 5 === 0 ? null : at([0, 1, 2][i % 3] ?? 0),
          day: new Date(Date.UTC(2024, 1, 1 + (i % 3))),
        })),
      );
      for (let id = 1; id <= 24; id++) await lent.run(finer[name]?.(id) ?? "");
    });
    afterAll(() => lent.close());

    const orders = [
      ["fine", "asc", "id", "desc"],
      ["fine", "desc", "id", "asc"],
      ["local", "asc", "fine", "desc", "id", "asc"],
      ["local", "desc", "day", "asc", "id", "desc"],
      ["day", "desc", "local", "asc", "id", "asc"],
      ["id", "asc", "fine", "desc"],
    ] as const;

    test.each(orders)("%s %s %s %s", async (...order) => {
      let asked = query();
      for (let i = 0; i < order.length; i += 2) asked = asked.orderBy(order[i] ?? "", order[i + 1] ?? "");
      const whole = await asked.exec();
      for (const size of [1, 2, 5]) {
        const walked = await walk(asked.page(size), { most: whole.length + 1 });
        expect(walked).toEqual(cutInto(whole, size));
      }
    });
  },
);
