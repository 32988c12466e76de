/**
 * Nested rows in one statement, compared with two queries whose rows are put together here: both by rowtype, with equal
 * values to the last digit. Run by `npm run bench:nested`, on SQLite in memory and the servers of the live tests; a
 * missing server is left out. Only the ratios of the client's CPU time are results.
 */
import { deepStrictEqual } from "node:assert";
import { servers } from "../test/servers.js";
import { measure } from "./measure.js";
import { LINES_OF_EACH, ORDERS, ordersIn } from "./orders.js";

for (const server of servers) {
  if (!["sqlite", "postgres", "mariadb"].includes(server.name)) continue;
  if (!server.available) {
    console.log(`${server.name}: no server answers`);
    continue;
  }
  const lent = await server.lend();
  try {
    const of = await ordersIn(lent.db);
    const nested = of.orders
      .query()
      .with("lines", of.lines.query().orderBy("id", "asc"))
      .where("id", "<=", "last")
      .orderBy("id", "asc");
    const outer = of.orders.query().where("id", "<=", "last").orderBy("id", "asc");
    const inner = of.lines.query().where("orderId", "<=", "last").orderBy("id", "asc");
    const two = async (last: number) => {
      const found = await outer.exec({ last });
      const all = await inner.exec({ last });
      const groups = new Map<number, typeof all>();
      for (const line of all) {
        const group = groups.get(line.orderId);
        if (group === undefined) groups.set(line.orderId, [line]);
        else group.push(line);
      }
      return found.map((order) => ({ ...order, lines: groups.get(order.id) ?? [] }));
    };
    for (const last of [20, ORDERS]) {
      deepStrictEqual(await nested.exec({ last }), await two(last));
      const times = await measure({ one: () => nested.exec({ last }), two: () => two(last) });
      const ratio = (times.get("one") ?? Number.NaN) / (times.get("two") ?? Number.NaN);
      console.log(
        `${server.name}, ${last} orders with ${LINES_OF_EACH} lines each, one statement ÷ two: ${ratio.toFixed(2)}`,
      );
    }
  } finally {
    await lent.close();
  }
}
