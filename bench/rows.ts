/**
 * The row benchmark: the server's cost of a row of eight fields, as a line of JSON and as CSV, compared with the same by
 * hand: `JSON.stringify` and a write. Run by `npm run bench rows`. Only ratios are results: the microseconds show the scale.
 */
import { rowCost, rowServers } from "./kit/row-cost.js";

const ROUNDS = Number(process.env["ROUNDS"] ?? 9);
const ROWS = Number(process.env["ROWS"] ?? 100_000);

const names = process.argv.length > 2 ? process.argv.slice(2) : rowServers();

const costs = await rowCost(names, { rounds: ROUNDS, rows: ROWS });
const byHand = costs.get("by hand");
for (const [name, cost] of costs) {
  const ratio = byHand === undefined ? "" : `  ${(cost / byHand).toFixed(2)} × by hand`;
  console.log(`${name.padEnd(20)} ${cost.toFixed(2).padStart(8)} µs a row${ratio}`);
}
