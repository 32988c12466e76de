/**
 * The benchmark of a search endpoint, where thousands of different chains come in turn, each built anew: their CPU time,
 * from the first step to the text and its values, ÷ that of other libraries, and the memory after a million of them. Run
 * by `npm run bench searches`; `npm ci --prefix bench/peers` installs the peers. All candidates are interleaved.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { value } from "rowtype";
import { postgres } from "rowtype/postgres";
import { measure } from "./kit/measure.js";
import { CHAINS, type Search, searchOf } from "./kit/searches.js";
import { record, User } from "./kit/shapes.js";

const values: Readonly<Record<string, unknown>> = {
  ...record,
  createdAt: new Date("2026-01-01T00:00:00Z"),
};

const users = postgres().repository(User);

function ours({ filters, order }: Search): unknown {
  // biome-ignore lint/suspicious/noExplicitAny: the compiler does not know which filters a search has.
  let query: any = users.query().fields("id", "email", "name", "role");
  for (const [field, operator] of filters)
    query = query.where(field, operator, value(values[field] as never));
  return query.orderBy(order, "asc").limit(20).render();
}

type Compile = (search: Search) => unknown;

/** Runs the searches of the first numbers in turn. */
function inTurn(compile: Compile, count: number): () => unknown {
  let i = 0;
  return () => compile(searchOf(i++ % count));
}

const peers = new Map<string, Compile>();
for (const name of ["kysely", "knex"])
  try {
    const { search } = await import(new URL(`peers/${name}.mjs`, import.meta.url).href);
    peers.set(name, search("postgres", values));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    console.log(`${name} is not installed`);
  }

for (const count of [1, 100, 1_000, 3_000, 10_000, CHAINS]) {
  const candidates = [["rowtype", ours] as const, ...peers].map(
    ([name, compile]) => [name, inTurn(compile, count)] as const,
  );
  // Each chain has come often enough to be cached, if it ever is.
  for (const [, compile] of candidates) for (let i = 0; i < Math.min(4 * count, 20_000); i++) compile();
  const times = await measure(Object.fromEntries(candidates));
  const own = times.get("rowtype") ?? Number.NaN;
  const ratios = [...peers.keys()].map(
    (name) => `÷ ${name} ${(own / (times.get(name) ?? Number.NaN)).toFixed(2)}`,
  );
  console.log(`${count.toLocaleString("en")} chains in turn (${own.toFixed(1)} µs): ${ratios.join(", ")}`);
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const resident = () => {
  collect();
  return process.memoryUsage().rss / 2 ** 20;
};
const run = inTurn(ours, 10_000);
/** Calls, as a server makes them: it comes to rest between them, and only then is what weak references held collected. */
async function calls(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    run();
    if (i % 100 === 0) await new Promise(setImmediate);
  }
}
// The compiler and the cache of chains are at work.
await calls(50_000);
const before = resident();
await calls(1_000_000);
console.log(
  `a million calls of 10,000 chains in turn: resident memory ${(resident() - before).toFixed(1)} MiB more`,
);
