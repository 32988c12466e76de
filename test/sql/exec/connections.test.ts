/** Bad days of connections: lost, doomed, aborted. No transaction is left open, and the next caller is served. */
import { setTimeout } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import type pg from "pg";
import { column, type Database, table } from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { gate } from "../../http/gate.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const Item = table(
  "items",
  z.object({ id: column(z.int(), { primaryKey: true }), name: z.string().nullable() }),
);
const there = servers.find(({ name }) => name === "postgres")?.available === true;

describe.skipIf(!there)("PostgreSQL", () => {
  let lent: Lent;
  let pool: pg.Pool;
  let db: Database<"postgres">;
  beforeEach(async () => {
    lent = (await servers.find(({ name }) => name === "postgres")?.lend()) as Lent;
    pool = lent.pool as pg.Pool;
    db = postgres(pool);
    await db.createTables(Item);
  });
  afterEach(() => lent.close());

  const pids = async () =>
    (
      await pool.query(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      )
    ).rows as { pid: number }[];
  const idleInTransaction = async () =>
    (
      await pool.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'",
      )
    ).rows[0].n;

  test("a backend that is killed inside a transaction is an error of the caller, not the end of the process", async () => {
    pool.on("error", () => undefined);
    const running = db.transaction(async (tx) => {
      await tx.repository(Item).insert().exec({ id: 1 });
      for (const { pid } of await pids()) await pool.query("SELECT pg_terminate_backend($1)", [pid]);
      await setTimeout(50);
      await tx.repository(Item).insert().exec({ id: 2 });
    });
    expect(await sqlErrorOf(running)).toMatchObject({ code: "CONNECTION_LOST" });
    expect(await db.repository(Item).count().exec()).toBe(0);
    expect(await idleInTransaction()).toBe(0);
  });

  test("a COMMIT that answers ROLLBACK is a failure", async () => {
    const items = db.repository(Item);
    const running = db.transaction(async (tx) => {
      await items.insert().exec({ id: 1 }, undefined, { tx });
      await items
        .insert()
        .exec({ id: 1 }, undefined, { tx })
        .catch(() => undefined);
    });
    expect(await sqlErrorOf(running)).toMatchObject({ code: "QUERY_FAILED" });
    expect(await items.count().exec()).toBe(0);
  });

  test("a refused commit is reported with its own error, and the connection stays usable", async () => {
    await pool.query(
      "CREATE TABLE parents (id int PRIMARY KEY); CREATE TABLE children (id int PRIMARY KEY, parent int REFERENCES parents DEFERRABLE INITIALLY DEFERRED)",
    );
    const Child = table("children", z.object({ id: column(z.int(), { primaryKey: true }), parent: z.int() }));
    const before = pool.totalCount;
    for (let i = 0; i < 5; i++) {
      const running = db.transaction((tx) => tx.repository(Child).insert().exec({ id: i, parent: 99 }));
      expect(await sqlErrorOf(running)).toMatchObject({ code: "FOREIGN_KEY_VIOLATION" });
    }
    expect(pool.totalCount).toBe(Math.max(before, 1));
    expect(await idleInTransaction()).toBe(0);
  });

  test("transactions are repeated after serialization failures, up to retries", async () => {
    const items = db.repository(Item);
    await items.insert().exec({ id: 1, name: "0" });
    const increment = (retries: number, read = () => setTimeout(5)) =>
      db.transaction(
        async (tx) => {
          const { name } = await items.select().where("id", "=", "id").exec({ id: 1 }, { tx });
          await read();
          await items
            .modify()
            .where("id", "=", "id")
            .execPatch({ name: String(Number(name) + 1) }, { id: 1 }, { tx });
        },
        { isolation: "serializable", retries },
      );
    await Promise.all([increment(20), increment(20), increment(20)]);
    expect(await items.select().where("id", "=", "id").exec({ id: 1 })).toMatchObject({ name: "3" });
    // Both have read before one of them writes.
    let reads = 0;
    const both = gate();
    const read = () => {
      if (++reads === 2) both.open();
      return both.opened;
    };
    const once = await Promise.allSettled([increment(0, read), increment(0, read)]);
    expect(
      once
        .filter(({ status }) => status === "rejected")
        .map((one) => (one as PromiseRejectedResult).reason.code),
    ).toEqual(["SERIALIZATION_FAILURE"]);
  });

  test("a property in mixed case is reported unchanged", async () => {
    const Mixed = table(
      "mixed",
      z.object({ id: column(z.int(), { primaryKey: true }), userName: column(z.string(), { unique: true }) }),
    );
    await db.createTables(Mixed);
    const mixed = db.repository(Mixed);
    await mixed.insert().exec({ id: 1, userName: "a" });
    expect(await sqlErrorOf(mixed.insert().exec({ id: 2, userName: "a" }))).toMatchObject({
      code: "UNIQUE_VIOLATION",
      fields: ["userName"],
    });
  });

  test("arrays that rowtype cannot represent are refused", async () => {
    await pool.query(
      "CREATE TABLE lists (id int PRIMARY KEY, list text[]); INSERT INTO lists VALUES (1, '{NULL,a}'), (2, '{{a,b},{c,d}}'), (3, '{a,b}')",
    );
    const List = table(
      "lists",
      z.object({ id: column(z.int(), { primaryKey: true }), list: z.array(z.string()) }),
    );
    const byId = db.repository(List).select().where("id", "=", "id");
    expect(await sqlErrorOf(byId.exec({ id: 1 }))).toMatchObject({ code: "DECODE_FAILED", field: "list" });
    expect(await sqlErrorOf(byId.exec({ id: 2 }))).toMatchObject({ code: "DECODE_FAILED", field: "list" });
    expect(await byId.exec({ id: 3 })).toEqual({ id: 3, list: ["a", "b"] });
  });

  test("a broken pipe during COMMIT is an unknown outcome", async () => {
    const broken = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    const client = await pool.connect();
    const released: unknown[] = [];
    const cut = {
      query: () => Promise.reject(broken),
      connect: async () => ({
        query: (config: { text: string }) =>
          config.text === "COMMIT" ? Promise.reject(broken) : client.query(config.text),
        release: (destroy?: boolean) => {
          released.push(destroy);
        },
        on: () => undefined,
        off: () => undefined,
      }),
    };
    expect(await sqlErrorOf(postgres(cut as never).transaction(async () => 1))).toMatchObject({
      code: "UNKNOWN_OUTCOME",
    });
    expect(released).toEqual([true]);
    client.release(true);
  });
});

describe("SQLite", () => {
  let handle: InstanceType<typeof Sqlite>;
  let db: Database<"sqlite">;
  beforeEach(async () => {
    handle = new Sqlite(":memory:");
    db = sqlite(handle);
    await db.createTables(Item);
  });
  afterEach(() => handle.close());

  test("the caller's own transaction is not touched", async () => {
    handle.exec("BEGIN; INSERT INTO items VALUES (1, 'own')");
    expect(await sqlErrorOf(db.transaction(async () => 1))).toMatchObject({ code: "QUERY_FAILED" });
    expect(handle.inTransaction).toBe(true);
    handle.exec("COMMIT");
    expect(await db.repository(Item).count().exec()).toBe(1);
  });

  test("after SQLite has ended a transaction by itself, later statements are refused", async () => {
    const Strict = table(
      "strict",
      z.object({
        id: column(z.int(), { primaryKey: true }),
        u: column(z.int(), { constraints: "UNIQUE ON CONFLICT ROLLBACK" }),
      }),
    );
    await db.createTables(Strict);
    const strict = db.repository(Strict);
    const failing = db.transaction(async (tx) => {
      await strict.insert().exec({ id: 1, u: 1 }, undefined, { tx });
      await strict.insert().exec({ id: 2, u: 1 }, undefined, { tx });
    });
    expect(await sqlErrorOf(failing)).toMatchObject({ code: "UNIQUE_VIOLATION" });
    const going = db.transaction(async (tx) => {
      await strict.insert().exec({ id: 1, u: 1 }, undefined, { tx });
      await strict
        .insert()
        .exec({ id: 2, u: 1 }, undefined, { tx })
        .catch(() => undefined);
      await strict.insert().exec({ id: 3, u: 3 }, undefined, { tx });
    });
    expect(await sqlErrorOf(going)).toMatchObject({ code: "TRANSACTION_CLOSED" });
    expect(await strict.count().exec()).toBe(0);
  });

  test("the caller's own error is reported", async () => {
    const reason = new Error("the real reason");
    const running = db.transaction(async () => {
      handle.exec("ROLLBACK");
      throw reason;
    });
    await expect(running).rejects.toBe(reason);
    expect(await db.transaction(async (tx) => tx.repository(Item).count().exec())).toBe(0);
  });

  test("a call that is aborted while it waits does not run", async () => {
    const items = db.repository(Item);
    const controller = new AbortController();
    let waiting: Promise<unknown> | undefined;
    let begun: Promise<unknown> | undefined;
    await Promise.all([
      db.transaction(() => setTimeout(20)),
      (async () => {
        waiting = sqlErrorOf(items.insert().exec({ id: 1 }, undefined, { signal: controller.signal }));
        begun = sqlErrorOf(db.transaction(async () => 1, { signal: controller.signal }));
        await setTimeout(5);
        controller.abort();
      })(),
    ]);
    expect(await waiting).toMatchObject({ code: "ABORTED" });
    expect(await begun).toMatchObject({ code: "ABORTED" });
    expect(await items.count().exec()).toBe(0);
  });

  test("an error of createTables is one of ours, and so is a closed handle", async () => {
    const Bad = table("bad", z.object({ id: column(z.int(), { primaryKey: true, check: "no sql" }) }));
    expect(await sqlErrorOf(db.createTables(Bad))).toMatchObject({ code: "QUERY_FAILED" });
    const closed = new Sqlite(":memory:");
    closed.close();
    expect(await sqlErrorOf(sqlite(closed).repository(Item).count().exec())).toMatchObject({
      code: "NO_CONNECTION",
    });
  });
});

describe("two databases", () => {
  test("a transaction of one is not a transaction of the other", async () => {
    const [a, b] = [new Sqlite(":memory:"), new Sqlite(":memory:")];
    const [one, two] = [sqlite(a), sqlite(b)];
    await one.createTables(Item);
    await two.createTables(Item);
    const items = one.repository(Item);
    await two.transaction(async (tx) => {
      expect(await sqlErrorOf(items.insert().exec({ id: 1 }, undefined, { tx }))).toMatchObject({
        code: "TRANSACTION_REQUIRED",
      });
      expect(await sqlErrorOf(items.insert().execTx(tx, { id: 1 }))).toMatchObject({
        code: "TRANSACTION_REQUIRED",
      });
    });
    const gone = items.remove().where("id", "=", "id");
    expect(await sqlErrorOf(gone.execTx(undefined as never, { id: 1 }))).toMatchObject({
      code: "TRANSACTION_REQUIRED",
    });
    expect(await two.repository(Item).count().exec()).toBe(0);
    a.close();
    b.close();
  });

  test("two databases over one handle act as one", async () => {
    const handle = new Sqlite(":memory:");
    await sqlite(handle).createTables(Item);
    const items = sqlite(handle).repository(Item);
    await sqlite(handle).transaction((tx) => items.insert().execTx(tx, { id: 1 }));
    expect(await items.count().exec()).toBe(1);
    handle.close();
  });
});
