/**
 * What nested rows in one statement cost beside two queries, and beside two statements of the bare driver whose rows are
 * put together by hand: see `nested-ways.ts`. Run by `npm run bench nested`, on SQLite in memory and the servers of the
 * live tests; a missing server is left out. Only the ratios of the client's CPU time are results.
 */
import { servers } from "../test/servers.js";
import { nestedWays, timesOf } from "./kit/nested-ways.js";
import { LINES_OF_EACH, ORDERS } from "./kit/orders.js";

for (const server of servers) {
  if (!["sqlite", "postgres", "mariadb"].includes(server.name)) continue;
  if (!server.available) {
    console.log(`${server.name}: no server answers`);
    continue;
  }
  const lent = await server.lend();
  const { close, ...ways } = await nestedWays(lent);
  try {
    for (const last of [20, ORDERS]) {
      const times = await timesOf(ways, last);
      const ratio = (name: string) => ((times.get("one") ?? Number.NaN) / (times.get(name) ?? 0)).toFixed(2);
      const hand = times.has("byHand") ? `, ÷ two by hand: ${ratio("byHand")}` : "";
      console.log(
        `${server.name}, ${last} orders with ${LINES_OF_EACH} lines each, one statement ÷ two: ${ratio("two")}${hand}`,
      );
    }
  } finally {
    await close();
    await lent.close();
  }
}
