/** Many clients add to one row that has a version: each addition counts. */
import { column, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, servers } from "../servers.js";

const Counter = table(
  "added_counters",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    n: z.int(),
    version: column(z.int(), { auto: "version" }),
  }),
);

const CLIENTS = 16;
const ADDITIONS = 1_000;

for (const server of servers.filter(({ name }) => ["sqlite", "postgres", "mariadb"].includes(name)))
  describe.skipIf(!server.available)(`additions to one row on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Counter);
    });
    afterAll(() => lent.close());

    test("a thousand additions by sixteen clients add up: none is lost", async () => {
      const counters = lent.db.repository(Counter);
      const { id } = await counters.insert().exec({ id: 1, n: 0 });
      const one = counters.select().fields("n", "version").where("id", "=", "id");
      const add = counters.modify().set("n", "n").where("id", "=", "id");
      let left = ADDITIONS;
      let stale = 0;
      const client = async () => {
        while (left > 0) {
          left--;
          for (let isStored = false; !isStored; ) {
            const { n, version } = await one.exec({ id });
            isStored = await add.exec({ id, n: n + 1, version }).then(
              () => true,
              (error: { code: string }) => {
                if (error.code !== "STALE_VERSION") throw error;
                stale++;
                return false;
              },
            );
          }
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      expect(await one.exec({ id })).toEqual({ n: ADDITIONS, version: ADDITIONS + 1 });
      // Otherwise they never met.
      expect(stale).toBeGreaterThan(0);
    });
  });
