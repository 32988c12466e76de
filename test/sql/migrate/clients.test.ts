/** Migrations over each client and over drivers of one's own: what works, and what is UNSUPPORTED before anything is sent. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { column, type Database, table } from "rowtype";
import { type Driver, databaseOver } from "rowtype/driver";
import { assertInSync, diff, generate, introspect, migrate, pull, status } from "rowtype/migrate";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { openScratch } from "../../../src/sql/migrate/scratch.js";
import { atomicDriver } from "../../kit/atomic-driver.js";
import { openPostgres } from "../../kit/postgres-clients.js";
import { sqliteDriver } from "../../kit/small-drivers.js";
import { lendDatabase } from "../../postgres-databases.js";
import { servers } from "../../servers.js";

const T = table("things", z.object({ id: column(z.int(), { primaryKey: true }), name: z.string() }));
const folder = mkdtempSync(join(tmpdir(), "rowtype-clients-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface World {
  readonly db: Database;
  close(): Promise<void>;
}
const overSqlite = (make: (handle: Sqlite.Database) => unknown) => async (): Promise<World> => {
  const handle = new Sqlite(":memory:");
  return { db: make(handle) as Database, close: async () => void handle.close() };
};
const overPostgres = (client: "pg" | "postgresjs" | "pglite") => async (): Promise<World> => {
  const { url, giveBack } =
    client === "pglite" ? { url: "", giveBack: async () => undefined } : await lendDatabase();
  const { handle, close } = await openPostgres(client, url);
  return {
    db: postgres(handle),
    async close() {
      await close();
      await giveBack();
    },
  };
};
const bare = (handle: Sqlite.Database): Driver => ({ run: atomicDriver(handle).driver.run });

const worlds: Readonly<Record<string, () => Promise<World>>> = {
  "better-sqlite3": overSqlite((handle) => sqlite(handle)),
  pg: overPostgres("pg"),
  "postgres.js": overPostgres("postgresjs"),
  PGlite: overPostgres("pglite"),
  "a driver with connect": overSqlite((handle) => databaseOver("sqlite", sqliteDriver(handle))),
  "a driver with atomic": overSqlite((handle) => databaseOver("sqlite", atomicDriver(handle).driver)),
  "a driver with run": overSqlite((handle) => databaseOver("sqlite", bare(handle))),
};

const calls: Readonly<Record<string, (db: Database, own: string) => Promise<unknown>>> = {
  createTables: async (db) => db.createTables(T),
  introspect: (db) => introspect(db),
  diff: (db) => diff([T], db),
  assertInSync: (db) => assertInSync(db, [T]),
  pull: (db) => pull(db, { names: "camel" }),
  generate: (db, own) => generate([T], db, { folder: own, name: "first" }),
  migrate: (db, own) => migrate(db, { folder: own }),
  status: (db, own) => status(db, { folder: own }),
  "a scratch database": async (db) => (await openScratch(db as never)).close(),
};

const withoutTransactions = Object.fromEntries(
  Object.keys(calls).map((name) => [name, name === "createTables" ? "works" : "UNSUPPORTED"]),
);
/** The names of what does not work, as docs/drivers.md has them. */
const unsupported: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "postgres.js": { "a scratch database": "UNSUPPORTED" },
  "a driver with connect": { "a scratch database": "UNSUPPORTED" },
  "a driver with atomic": withoutTransactions,
  "a driver with run": withoutTransactions,
};
const isServerThere = servers.some(({ name, available }) => name === "postgres" && available);

const needsServer: ReadonlySet<string> = new Set(["pg", "postgres.js"]);

for (const [name, open] of Object.entries(worlds))
  test.skipIf(needsServer.has(name) && !isServerThere)(name, async () => {
    const { db, close } = await open();
    const own = mkdtempSync(join(folder, "own-"));
    const outcome: Record<string, string> = {};
    for (const [name, call] of Object.entries(calls))
      outcome[name] = await call(db, own).then(
        () => "works",
        (error) => String(error.code),
      );
    const all = Object.fromEntries(Object.keys(calls).map((call) => [call, "works"]));
    expect(outcome).toEqual({ ...all, ...unsupported[name] });
    await close();
  });
