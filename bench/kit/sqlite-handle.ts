/**
 * What a kept query costs over the SQLite client of this runtime, `node:sqlite` or `bun:sqlite`, beside the client alone,
 * and what a stream holds. `bench/handles.ts` starts it on each.
 */
import { type SqliteHandle, sqlite } from "rowtype/sqlite";
import { held } from "./held.js";
import { measure } from "./measure.js";
import { plain, storedUsers } from "./sqlite-users.js";

const STREAMED = 100_000;
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
const users = await storedUsers(db, STREAMED);

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
