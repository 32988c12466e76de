/**
 * The stream benchmark: the server's cost of a validated event for each of a hundred clients, compared with bare
 * writes of a finished text, and with the same by hand. Run by `npm run bench streams`. Only ratios are results:
 * the microseconds show the scale.
 */
import { streamCost, streamServers } from "./kit/stream-cost.js";

const ROUNDS = Number(process.env["ROUNDS"] ?? 9);
const EVENTS = Number(process.env["EVENTS"] ?? 300);

const names = process.argv.length > 2 ? process.argv.slice(2) : streamServers();

const costs = await streamCost(names, { rounds: ROUNDS, events: EVENTS });
const bare = costs.get("bare");
for (const [name, cost] of costs) {
  const ratio = bare === undefined ? "" : `  ${(cost / bare).toFixed(2)} × bare`;
  console.log(`${name.padEnd(20)} ${cost.toFixed(2).padStart(8)} µs an event and client${ratio}`);
}
