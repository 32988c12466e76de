/**
 * The benchmark of many changes at once: 1,000 updates by key in one call beside the same list record by record, on
 * every server of the live tests, on the clock; and what 100,000 records hold in memory. Run by `npm run bench batch`;
 * a missing server is left out. The rounds are interleaved, so that a busy machine affects both equally: only ratios
 * are results.
 */
import { c, column, type Database, table } from "rowtype";
import { recording } from "rowtype/testing";
import { z } from "zod";
import { heldMegabytes } from "../test/kit/heap.js";
import { servers } from "../test/servers.js";
import { median, type Pace, samplesOf } from "./kit/measure.js";

const Account = table(
  "accounts",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    balance: z.int(),
    at: z.date(),
  }),
);
const STORED = 20_000;
const BATCH = 1_000;
const MANY = 100_000;
const PACE: Pace = { warmUp: 1_000, sample: 50 };

const accountsOf = (db: Database | Database<"postgres">) =>
  (db as unknown as Database<"sqlite">).repository(Account);

const updating = (accounts: ReturnType<typeof accountsOf>) =>
  accounts.modify().set("name", "name").setExpr("balance", "+", "by").set("at", "at");
// A group of one alternative is no key to the rule, so every record is a statement of its own.
const oneByOne = (accounts: ReturnType<typeof accountsOf>) => updating(accounts).whereOr(c("id", "=", "id"));
const together = (accounts: ReturnType<typeof accountsOf>) => updating(accounts).where("id", "=", "id");

let made = 0;
const recordsOf = (count: number) =>
  Array.from({ length: count }, () => {
    made++;
    return { id: (made * 7919) % STORED, name: `name ${made}`, by: made % 9, at: new Date(1.7e12 + made) };
  });

// The names of servers; without any, all of them.
const named: readonly string[] = process.argv.slice(2);
for (const server of servers) {
  if (named.length > 0 && !named.includes(server.name)) continue;
  if (!server.available || server.name === "h2") {
    console.log(`${server.name}: no server answers`);
    continue;
  }
  const lent = await server.lend();
  try {
    const accounts = accountsOf(lent.db);
    await lent.db.createTables(Account);
    await accounts
      .insert()
      .execBatch(
        Array.from({ length: STORED }, (_, id) => ({ id, name: "Ann", balance: 0, at: new Date(1.7e12) })),
      );
    const alone = oneByOne(accounts);
    const batch = together(accounts);
    const samples = await samplesOf(
      {
        alone: () => alone.execBatch(recordsOf(BATCH)),
        batch: () => batch.execBatch(recordsOf(BATCH)),
        each: () => batch.execEach(recordsOf(BATCH)),
        "each alone": () => alone.execEach(recordsOf(BATCH)),
      },
      { wall: () => performance.now() * 1_000 },
      PACE,
    );
    const of = (name: string) => median((samples.get(name) ?? []).map(({ wall }) => wall));
    const ratio = (one: string, other: string) => (of(one) / of(other)).toFixed(3);
    console.log(
      `${server.name}: execBatch of ${BATCH} ÷ record by record ${ratio("batch", "alone")}, ` +
        `execEach ÷ execBatch ${ratio("each", "batch")}, ÷ record by record ${ratio("each", "each alone")}`,
    );
  } finally {
    await lent.close();
  }
}

let held = 0;
const db = recording("postgres", async () => {
  held = Math.max(held, await heldMegabytes());
  return [];
});
const list = recordsOf(MANY);
const before = await heldMegabytes();
const encoded = list.map(({ id, name, by, at }) => [name, at.toISOString(), by, id]);
const values = (await heldMegabytes()) - before;
const start = (await heldMegabytes()) - (encoded.length > 0 ? 0 : 1);
await together(accountsOf(db)).execBatch(list);
console.log(
  `${MANY} records on PostgreSQL: ${db.statements.length} statements, memory ÷ encoded values ${((held - start) / values).toFixed(2)}`,
);
