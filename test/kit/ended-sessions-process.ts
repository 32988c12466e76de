/**
 * A process whose sessions end at any moment. It makes every kind of call, each once or by workers until it is told to
 * stop, and tells how the calls ended and which errors nobody caught. Another process, because the runner of the tests
 * catches errors itself.
 */
import mysql from "mysql2/promise";
import pg from "pg";
import { z } from "zod";
import { column, type Database, SqlError, table } from "../../src/index.js";
import { mariadb } from "../../src/sql/drivers/mariadb.js";
import { postgres } from "../../src/sql/drivers/postgres.js";
import { MigrationError, migrate } from "../../src/sql/migrate/index.js";
import type { Asked, Ended } from "./ended-sessions.js";

const Item = table(
  "ended_items",
  z.object({ id: column(z.int(), { primaryKey: true, generated: true }), name: z.string() }),
);

const uncaught: string[] = [];
process.on("uncaughtException", (error) => uncaught.push(String(error.stack)));
process.on("unhandledRejection", (error) =>
  uncaught.push(`not awaited: ${String(Object(error).stack ?? error)}`),
);

/** A database over a pool of its own. */
function opened(url: string): { db: Database; end(): Promise<void> } {
  if (new URL(url).protocol === "postgres:") {
    const pool = new pg.Pool({ connectionString: url, max: 4 });
    return { db: postgres(pool), end: () => pool.end() };
  }
  const pool = mysql.createPool({ uri: url, connectionLimit: 4 });
  // The end of the pool fails with the sessions that it holds, which is the caller's to hear.
  return { db: mariadb(pool), end: () => pool.end().catch(() => undefined) };
}

/** Every kind of call. */
const calls: { readonly [Name: string]: (db: Database, folder: string) => Promise<unknown> } = {
  query: (db) => db.repository(Item).query().where("id", "<", "most").exec({ most: 20 }),
  insert: (db) => db.repository(Item).insert().exec({ name: "one" }),
  insertMany: (db) =>
    db
      .repository(Item)
      .insert()
      .execMany([{ name: "one" }, { name: "two" }]),
  modify: (db) =>
    db.repository(Item).modify().set("name", "name").where("id", "=", "id").exec({ name: "x", id: 1 }),
  transaction: (db) =>
    db.transaction(async (tx) => {
      await tx.repository(Item).insert().exec({ name: "three" });
      await tx.transaction((inner) => inner.repository(Item).count().exec());
    }),
  isolated: (db) => db.transaction((tx) => tx.repository(Item).count().exec(), { isolation: "serializable" }),
  ping: (db) => db.ping(),
  raw: (db) => db.sql("SELECT 1 AS one", z.object({ one: z.int() })).exec(),
  stream: async (db) => {
    for await (const _ of db.repository(Item).query().stream());
  },
  "stream in a transaction": (db) =>
    db.transaction(async (tx) => {
      for await (const _ of tx.repository(Item).query().stream());
    }),
  "stream left early": async (db) => {
    for await (const _ of db.repository(Item).query().stream()) break;
  },
  signal: (db) =>
    db
      .repository(Item)
      .query()
      .where("id", "<", "most")
      .exec({ most: 20 }, { signal: AbortSignal.timeout(10) }),
  createTables: (db) => db.createTables(Item),
  migrate: (db, folder) => migrate(db, { folder, lockWaitMs: 1_000 }),
};

/** The time in which a call must have ended, in milliseconds. */
const PATIENCE_MS = 20_000;

/** How a call ended: its code, or what was thrown if that has none. */
async function endOf(call: () => Promise<unknown>): Promise<string> {
  try {
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, "hangs").unref());
    return (await Promise.race([call().then(() => "resolved"), late])) as string;
  } catch (error) {
    return error instanceof SqlError || error instanceof MigrationError
      ? error.code
      : `thrown: ${String(error)}`;
  }
}

/** Waits until a lost connection would have reported its end. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 30));

async function eachOnce({ url, folder }: Asked): Promise<Ended["ends"]> {
  const kinds = Object.entries(calls).map(async ([name, call]) => {
    const { db, end } = opened(url);
    const how = await endOf(() => call(db, folder));
    await settled();
    await end();
    return [name, { [how]: 1 }] as const;
  });
  return Object.fromEntries(await Promise.all(kinds));
}

async function untilTold({ url, folder, workers }: Asked): Promise<Ended["ends"]> {
  let isOver = false;
  process.once("message", () => {
    isOver = true;
  });
  const ends = new Map<string, Record<string, number>>();
  const { db, end } = opened(url);
  await db.createTables(Item);
  await db.repository(Item).insert().exec({ name: "first" });
  const kinds = Object.entries(calls);
  const work = async (worker: number) => {
    for (let n = worker; !isOver; n += 5) {
      const [name, call] = kinds[n % kinds.length] ?? ["ping", () => db.ping()];
      const how = await endOf(() => call(db, folder));
      const told = ends.get(name) ?? {};
      ends.set(name, { ...told, [how]: (told[how] ?? 0) + 1 });
    }
  };
  process.send?.("working");
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  await settled();
  await end();
  return Object.fromEntries(ends);
}

process.on("message", async (asked: Asked | "stop") => {
  if (asked === "stop") return;
  const ends = await (asked.workers === 0 ? eachOnce(asked) : untilTold(asked));
  process.send?.({ ends, uncaught: uncaught.splice(0) } satisfies Ended);
});
