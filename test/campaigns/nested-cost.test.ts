/** What nested rows cost the client, beside two prepared statements of the bare driver whose rows are put together by hand. */
import { test } from "vitest";
import { nestedWays, timesOf } from "../../bench/kit/nested-ways.js";
import { ORDERS } from "../../bench/kit/orders.js";
import { servers } from "../servers.js";
import { expectBelow } from "../stopwatch.js";

// Measured: PostgreSQL 0.4, MariaDB 0.6 to 0.7, and 0.9 beside other work, when collecting garbage costs more.
const bounds = { postgres: 0.6, mariadb: 1.1 } as const;

for (const [name, bound] of Object.entries(bounds)) {
  const server = servers.find((one) => one.name === name);
  test.skipIf(server?.available !== true)(
    `a thousand orders with their lines on ${name} cost no more than two statements by hand, with equal values`,
    { timeout: 120_000 },
    async () => {
      const lent = await server?.lend();
      if (lent === undefined) return;
      const { close, one, byHand } = await nestedWays(lent);
      if (byHand === undefined) throw new Error("the driver is not used by hand");
      try {
        await expectBelow(bound, async () => {
          const times = await timesOf({ one, byHand }, ORDERS);
          return (times.get("one") ?? Number.NaN) / (times.get("byHand") ?? Number.NaN);
        });
      } finally {
        await close();
        await lent.close();
      }
    },
  );
}
