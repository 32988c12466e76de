/**
 * What a kept query costs over the SQLite client of this runtime, `node:sqlite` or `bun:sqlite`, beside the client alone,
 * and what a stream holds. `bench/handles.ts` starts it on each.
 */
import { type SqliteHandle, sqlite } from "rowtype/sqlite";
import { held } from "./held.js";
import { measure } from "./measure.js";
import { User } from "./shapes.js";

const STREAMED = 100_000;
const plain = ["id", "email", "name", "age", "role", "teamId", "score"] as const;

interface Prepared {
  all(...params: unknown[]): unknown[];
}
interface Handle {
  prepare(sql: string): Prepared;
  close(): void;
}

async function open(): Promise<{ readonly client: string; readonly handle: Handle }> {
  if (process.versions["bun"] !== undefined) {
    const { Database } = await import("bun:sqlite");
    return { client: "bun:sqlite", handle: new Database(":memory:") as unknown as Handle };
  }
  const { DatabaseSync } = await import("node:sqlite");
  return { client: "node:sqlite", handle: new DatabaseSync(":memory:") as unknown as Handle };
}

const { client, handle } = await open();
const db = sqlite(handle as unknown as SqliteHandle);
await db.createTables(User);
const users = db.repository(User);
await users.insert().execBatch(
  Array.from({ length: STREAMED }, (_, i) => ({
    email: `user${i}@example.org`,
    name: `User ${i}`,
    age: i % 7 === 0 ? null : 20 + (i % 50),
    role: i % 3 === 0 ? ("admin" as const) : ("member" as const),
    teamId: i % 5,
    score: i / 2,
    active: i % 2 === 0,
  })),
);

const first = users
  .query()
  .fields(...plain)
  .where("id", "<=", "last")
  .orderBy("id", "asc");
const whole = users.query().where("id", "<=", "last").orderBy("id", "asc");
for (const [name, query] of [
  ["text and numbers", first],
  ["also a boolean and a date", whole],
] as const) {
  const alone = handle.prepare(query.render().native.sql);
  for (const last of [1, 20]) {
    const times = await measure({ alone: () => alone.all(last), kept: () => query.exec({ last }) });
    const ratio = (times.get("kept") ?? Number.NaN) / (times.get("alone") ?? Number.NaN);
    console.log(`${client}, ${last === 1 ? "1 row" : `${last} rows`}, ${name} ÷ alone: ${ratio.toFixed(2)}`);
  }
}
console.log(`${client}, a stream of ${STREAMED} rows holds ${await held(users.query().stream())} MiB more`);
handle.close();
