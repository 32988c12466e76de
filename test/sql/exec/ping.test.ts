/** `ping`: whether the server answers and takes work, in one round trip, and never for longer than its signal. */
import { setTimeout } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import mysql from "mysql2/promise";
import pg from "pg";
import { column, type Database, on, table } from "rowtype";
import { createEngine } from "rowtype/http";
import { serveRequest } from "rowtype/http/testing";
import { type MariadbPool, mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { recording } from "rowtype/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { servers } from "../../servers.js";

const Item = table("items", z.object({ id: column(z.int(), { primaryKey: true }) }));
const signalOf = (ms: number) => AbortSignal.timeout(ms);

for (const server of servers)
  describe.skipIf(!server.available)(`on ${server.name}`, () => {
    test("returns nothing, emits no event, and leaves the pool unchanged", async () => {
      const lent = await server.lend();
      const told: unknown[] = [];
      const off = on("db.query.started", (event) => told.push(event));
      expect(await lent.db.ping()).toBeUndefined();
      expect(await lent.db.ping({})).toBeUndefined();
      expect(await lent.db.ping(null as never)).toBeUndefined();
      expect(await lent.db.ping({ signal: signalOf(10_000) })).toBeUndefined();
      await Promise.all(Array.from({ length: 20 }, () => lent.db.ping({ signal: signalOf(10_000) })));
      off();
      expect(told).toEqual([]);
      expect(await sqlErrorOf(lent.db.ping({ signal: AbortSignal.abort() }))).toMatchObject({
        code: "ABORTED",
      });
      if (lent.pool !== undefined) expect(lent.pool.idleCount).toBe(lent.pool.totalCount);
      await lent.close();
    });
  });

test.each([
  ["sqlite", () => sqlite()],
  ["postgres", () => postgres()],
  ["mariadb", () => mariadb()],
  ["oracle", () => oracle()],
])("without a handle of %s it is NO_CONNECTION", async (_, make: () => Pick<Database, "ping">) => {
  expect(await sqlErrorOf(make().ping())).toMatchObject({ code: "NO_CONNECTION" });
});

test("a recording database answers without a statement", async () => {
  const db = recording("postgres");
  await db.ping();
  expect(db.statements).toEqual([]);
});

describe("SQLite", () => {
  test("answers beside a transaction that uses the handle", async () => {
    const db = sqlite(new Sqlite(":memory:"));
    await db.createTables(Item);
    const steps: string[] = [];
    const held = db.transaction(async () => {
      steps.push("begun");
      await setTimeout(50);
      steps.push("ended");
    });
    while (steps.length === 0) await setTimeout(1);
    await db.ping({ signal: signalOf(1_000) });
    expect(steps).toEqual(["begun"]);
    await held;
  });

  test("that is closed is NO_CONNECTION", async () => {
    const handle = new Sqlite(":memory:");
    const db = sqlite(handle);
    handle.close();
    expect(await sqlErrorOf(db.ping())).toMatchObject({ code: "NO_CONNECTION" });
  });
});

describe("an unreachable server", () => {
  const nowhere = "127.0.0.1:1/none";
  test.each<[string, () => { db: Pick<Database, "ping">; end(): Promise<void> }]>([
    [
      "PostgreSQL",
      () => {
        const pool = new pg.Pool({ connectionString: `postgres://u@${nowhere}` });
        return { db: postgres(pool), end: () => pool.end() };
      },
    ],
    [
      "MariaDB",
      () => {
        const pool = mysql.createPool(`mysql://u@${nowhere}`);
        return { db: mariadb(pool), end: () => pool.end() };
      },
    ],
  ])("is CONNECTION_LOST: %s", async (_, open) => {
    const { db, end } = open();
    expect(await sqlErrorOf(db.ping())).toMatchObject({ code: "CONNECTION_LOST" });
    expect(await sqlErrorOf(db.ping({ signal: signalOf(5_000) }))).toMatchObject({ code: "CONNECTION_LOST" });
    await end();
  });

  test("the wait for a free connection ends with the signal", async () => {
    const pool: Parameters<typeof postgres>[0] = {
      query: () => new Promise(() => {}),
      connect: () => new Promise(() => {}),
    };
    expect(await sqlErrorOf(postgres(pool).ping({ signal: signalOf(30) }))).toMatchObject({
      code: "ABORTED",
    });
  });
});

describe("a node of a Galera cluster", () => {
  /** A pool that answers each statement with these rows, and counts them. */
  const answering = (status: Record<string, string>) => {
    const sent: string[] = [];
    const connection = {
      execute: async ({ sql }: { readonly sql: string }) => {
        sent.push(sql);
        return [Object.entries(status), []];
      },
      release: () => undefined,
      destroy: () => undefined,
    };
    // Of a connection no more is used here.
    const pool = { getConnection: async () => connection } as unknown as MariadbPool;
    return { db: mariadb(pool), sent };
  };

  test.each([
    ["is not a node of a cluster", { wsrep_provider_name: "", wsrep_ready: "OFF" }, undefined],
    ["knows of no cluster", {}, undefined],
    ["is ready", { wsrep_provider_name: "Galera", wsrep_ready: "ON" }, undefined],
    ["is not ready", { wsrep_provider_name: "Galera", wsrep_ready: "OFF" }, "CONNECTION_LOST"],
    ["does not say", { wsrep_provider_name: "Galera" }, "CONNECTION_LOST"],
  ])("that %s", async (_, status: Record<string, string>, code) => {
    const { db, sent } = answering(status);
    const outcome = await db.ping().then(
      () => undefined,
      (error: { readonly code: string }) => error.code,
    );
    expect([outcome, sent.length]).toEqual([code, 1]);
  });
});

test("readiness with a ping is 200 while the database answers, and 503 afterwards", async () => {
  const handle = new Sqlite(":memory:");
  const db = sqlite(handle);
  const engine = createEngine().withReadiness("/ready", ({ signal }) => db.ping({ signal }));
  expect((await serveRequest(engine, "GET", "/ready")).status).toBe(200);
  handle.close();
  expect((await serveRequest(engine, "GET", "/ready")).status).toBe(503);
});
