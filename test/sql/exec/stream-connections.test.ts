/** Streams and their connections: many rows and a slow reader, a reader that goes away, a server that does. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import Sqlite from "better-sqlite3";
import type mysql from "mysql2/promise";
import { createPool } from "mysql2/promise";
import type pg from "pg";
import { column, type Database, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { rounds } from "../../rounds.js";
import { type Lent, servers } from "../../servers.js";
import { expectBelow, HANG_MS } from "../../stopwatch.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const ROWS = rounds({ small: 60_000, full: 200_000 });
const Wide = table(
  "wide",
  z.object({ id: column(z.int(), { primaryKey: true }), text: z.string(), big: z.bigint() }),
);
// Rows of two hundred characters: 200,000 are a hundred megabytes as objects.
const fill: { readonly [Name: string]: string } = {
  postgres: `INSERT INTO wide SELECT i, repeat('x', 190) || i, 9007199254740993 + i FROM generate_series(1, ${ROWS}) i`,
  mariadb: `INSERT INTO wide SELECT seq, CONCAT(REPEAT('x', 190), seq), 9007199254740993 + seq FROM seq_1_to_${ROWS}`,
  sqlite: `WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${ROWS})
    INSERT INTO wide SELECT i, printf('%.190c', 'x') || i, 9007199254740993 + i FROM s`,
};

for (const server of servers.filter(({ name }) => name in fill))
  describe.skipIf(!server.available)(`streams on ${server.name}`, () => {
    let lent: Lent;
    let wide: ReturnType<typeof repository>;
    const repository = (db: Database) => (db as unknown as Database<"sqlite">).repository(Wide);
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Wide);
      await lent.run(fill[server.name] ?? "");
      wide = repository(lent.db);
    });
    afterAll(() => lent.close());

    const all = () => wide.query().orderBy("id", "asc");
    // The number of connections that have not been returned to the pool.
    const lentOut = () => {
      const { pool, mysqlPool } = lent;
      if (pool !== undefined) return pool.totalCount - pool.idleCount;
      if (mysqlPool === undefined) return 0;
      const { _allConnections: all, _freeConnections: free } = (mysqlPool as unknown as Untyped).pool;
      return all.length - free.length;
    };
    const everythingIsBack = async () => {
      await expect.poll(lentOut).toBe(0);
    };

    test(`${ROWS} rows pass through a heap that holds a few of them`, async () => {
      const mostHeld = async () => {
        let [count, sum, most] = [0, 0n, 0];
        collectGarbage();
        const before = process.memoryUsage().heapUsed;
        for await (const { id, big } of all().stream()) {
          count++;
          sum += big - 9007199254740993n - BigInt(id);
          // A reader slower than the server.
          if (count % 10_000 === 0) {
            await setTimeout(5);
            collectGarbage();
            most = Math.max(most, process.memoryUsage().heapUsed - before);
          }
        }
        expect([count, sum]).toEqual([ROWS, 0n]);
        return most;
      };
      // As a list they take 350 bytes each.
      await expectBelow(10_000_000, mostHeld);
      await everythingIsBack();
    });

    test("a reader that stops early returns the connection, repeatedly", async () => {
      for (let round = 0; round < 20; round++)
        for await (const { id } of all().stream()) if (id > round * 100) break;
      await everythingIsBack();
      expect(await wide.count().exec()).toBe(ROWS);
    });

    test("more streams than connections wait for each other, and all complete", async () => {
      const counted = async () => {
        let count = 0;
        for await (const _ of all().stream()) if (++count === 1_000) break;
        return count;
      };
      expect(await Promise.all(Array.from({ length: 10 }, counted))).toEqual(Array(10).fill(1_000));
      await everythingIsBack();
    });

    test("an aborted stream releases its connection, between reads and during them", async () => {
      for (const after of [0, 1, 300]) {
        const controller = new AbortController();
        const reading = (async () => {
          for await (const { id } of all().stream(undefined, { signal: controller.signal }))
            if (id === after) controller.abort();
        })();
        if (after === 0) controller.abort();
        expect(await sqlErrorOf(reading)).toMatchObject({ code: "ABORTED" });
        await everythingIsBack();
      }
      expect(await wide.count().exec()).toBe(ROWS);
    });
  });

// biome-ignore lint/suspicious/noExplicitAny: the pool of mysql2 keeps its lists to itself.
type Untyped = any;

describe.skipIf(!servers.some(({ name, available }) => name === "postgres" && available))(
  "on PostgreSQL",
  () => {
    let lent: Lent;
    let pool: pg.Pool;
    let db: Database<"postgres">;
    beforeAll(async () => {
      lent = (await servers.find(({ name }) => name === "postgres")?.lend()) as Lent;
      pool = lent.pool as pg.Pool;
      db = lent.db as Database<"postgres">;
      await db.createTables(Wide);
      await lent.run(`INSERT INTO wide SELECT i, 'x', i FROM generate_series(1, 5000) i`);
    });
    afterAll(() => lent.close());

    const others = async () => {
      const { rows } = await pool.query(
        "SELECT pid, state, query FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      );
      return rows as { pid: number; state: string; query: string }[];
    };

    test("a backend that is killed is an error of the stream, not the end of the process", async () => {
      const seen: number[] = [];
      const reading = (async () => {
        for await (const { id } of db.repository(Wide).query().orderBy("id", "asc").stream()) {
          seen.push(id);
          if (id === 300)
            for (const { pid } of await others()) await pool.query(`SELECT pg_terminate_backend(${pid})`);
        }
      })();
      expect(await sqlErrorOf(reading)).toMatchObject({ code: "CONNECTION_LOST" });
      expect(seen.length).toBeGreaterThanOrEqual(300);
      expect(await db.repository(Wide).count().exec()).toBe(5_000);
      expect(pool.totalCount - pool.idleCount).toBe(0);
    });

    test("a reader that stops on a backend that was killed gets the error of a lost connection", async () => {
      const reading = (async () => {
        for await (const _ of db.repository(Wide).query().orderBy("id", "asc").stream()) {
          for (const { pid } of await others()) await pool.query(`SELECT pg_terminate_backend(${pid})`);
          break;
        }
      })();
      expect(await sqlErrorOf(reading)).toMatchObject({ code: "CONNECTION_LOST" });
      expect(pool.totalCount - pool.idleCount).toBe(0);
    });

    test("a stream leaves no open transaction", async () => {
      for await (const { id } of db.repository(Wide).query().stream()) if (id > 0) break;
      for await (const _ of db.repository(Wide).query().stream());
      expect((await others()).filter(({ state }) => state !== "idle")).toEqual([]);
    });

    test("a slow query is cancelled at the server before its first row", async () => {
      const Slow = table("slow", z.object({ id: column(z.int(), { primaryKey: true }) }));
      await lent.run("CREATE VIEW slow AS SELECT 1::bigint AS id FROM pg_sleep(100)");
      const begin = performance.now();
      const rows = db
        .repository(Slow)
        .query()
        .stream(undefined, { signal: AbortSignal.timeout(100) });
      const reading = (async () => {
        for await (const _ of rows);
      })();
      expect(await sqlErrorOf(reading)).toMatchObject({ code: "ABORTED" });
      expect(performance.now() - begin).toBeLessThan(HANG_MS);
      expect((await others()).filter(({ state }) => state !== "idle")).toEqual([]);
      expect(pool.totalCount - pool.idleCount).toBe(0);
    });

    test("locks rows in a transaction, page by page", async () => {
      const locking = db.repository(Wide).query().where("id", "<=", "id").orderBy("id", "asc").forUpdate();
      const alone = (async () => {
        for await (const _ of locking.stream({ id: 5 }));
      })();
      expect(await sqlErrorOf(alone)).toMatchObject({ code: "TRANSACTION_REQUIRED" });
      await db.transaction(async (tx) => {
        let count = 0;
        for await (const _ of locking.stream({ id: 600 }, { tx })) count++;
        expect(count).toBe(600);
        const skipping = db.repository(Wide).query().where("id", "<=", "id").forUpdate({ skipLocked: true });
        // The work of a concurrent writer. The types of all dialects accept those of SQLite.
        await db.transaction(
          async (other) => expect(await skipping.exec({ id: 601 }, { tx: other })).toHaveLength(1),
          { tx: null } as never,
        );
      });
    });
  },
);

describe.skipIf(!servers.some(({ name, available }) => name === "mariadb" && available))("on MariaDB", () => {
  let lent: Lent;
  let pool: mysql.Pool;
  let db: Database<"mariadb">;
  beforeAll(async () => {
    lent = (await servers.find(({ name }) => name === "mariadb")?.lend()) as Lent;
    pool = lent.mysqlPool as mysql.Pool;
    db = lent.db as Database<"mariadb">;
    await db.createTables(Wide);
    await lent.run(`INSERT INTO wide SELECT seq, REPEAT('x', 500), seq FROM seq_1_to_50000`);
  });
  afterAll(() => lent.close());

  // Another pool over the same database.
  const poolLike = (options: mysql.PoolOptions) => {
    const { host, port, user, database } = (pool as unknown as Untyped).pool.config.connectionConfig;
    return createPool({ host, port, user, database, ...options });
  };
  const processes = async () => {
    const [rows] = await pool.query(
      "SELECT id, command, info FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()",
    );
    return rows as { id: number; command: string; info: string | null }[];
  };

  test("a connection that is killed is an error of the stream, not the end of the process", async () => {
    const reading = (async () => {
      for await (const { id } of db.repository(Wide).query().orderBy("id", "asc").stream())
        if (id === 300)
          for (const { id: connection, info } of await processes())
            if (info?.includes("wide") === true) await pool.query(`KILL ${connection}`);
    })();
    expect(await sqlErrorOf(reading)).toMatchObject({ code: "CONNECTION_LOST" });
    expect(await db.repository(Wide).count().exec()).toBe(50_000);
  });

  test("a reader slower than the server's timeout gets every row", async () => {
    // Of connections whose server waits a second.
    const impatient = poolLike({});
    impatient.on("connection", (connection) => connection.query("SET SESSION net_write_timeout = 1"));
    let count = 0;
    for await (const { id } of mariadb(impatient).repository(Wide).query().orderBy("id", "asc").stream()) {
      count++;
      if (id === 10) await setTimeout(3_000);
    }
    expect(count).toBe(50_000);
    await impatient.end();
  });

  test("after an early stop in a transaction, the statement ends and the transaction continues", async () => {
    const wide = db.repository(Wide);
    await db.transaction(async (tx) => {
      await wide.insert().exec({ id: 60_000, text: "mine", big: 1n }, undefined, { tx });
      for await (const { id } of wide.query().orderBy("id", "asc").stream(undefined, { tx }))
        if (id === 5) break;
      // The server lists a statement for a moment after its end.
      await expect
        .poll(async () => (await processes()).filter(({ info }) => info?.includes("FOR SELECT") === true))
        .toEqual([]);
      expect(await wide.count().where("id", "=", "id").exec({ id: 60_000 }, { tx })).toBe(1);
    });
    expect(await wide.count().where("id", "=", "id").exec({ id: 60_000 })).toBe(1);
  });

  test("a pool of one connection is enough to stop early", async () => {
    const one = poolLike({ connectionLimit: 1 });
    const only = mariadb(one).repository(Wide);
    for (let round = 0; round < 3; round++) {
      for await (const { id } of only.query().stream()) if (id > 0) break;
      await mariadb(one).transaction(async (tx) => {
        for await (const { id } of only.query().stream(undefined, { tx })) if (id > 0) break;
        expect(await only.count().where("id", "=", "id").exec({ id: 1 }, { tx })).toBe(1);
      });
    }
    await one.end();
  });
});

describe("on SQLite", () => {
  test("the copies are removed, and a read-only handle is enough", async () => {
    const handle = new Sqlite(":memory:");
    const db = sqlite(handle);
    await db.createTables(Wide);
    await db
      .repository(Wide)
      .insert()
      .execBatch(Array.from({ length: 1_000 }, (_, id) => ({ id, text: "x", big: BigInt(id) })));
    const copies = () => handle.prepare("SELECT count(*) AS n FROM temp.sqlite_master").get();
    for await (const { id } of db.repository(Wide).query().stream()) if (id === 300) break;
    for await (const _ of db.repository(Wide).query().stream());
    await db.transaction(async (tx) => {
      for await (const { id } of db.repository(Wide).query().stream(undefined, { tx })) if (id === 300) break;
    });
    expect(copies()).toEqual({ n: 0 });
    // If it is left during another transaction, it is removed when that has ended.
    const iterator = db.repository(Wide).query().stream()[Symbol.asyncIterator]();
    await iterator.next();
    await db.transaction(async () => {
      await iterator.return?.();
      expect(copies()).toEqual({ n: 1 });
    });
    expect(copies()).toEqual({ n: 0 });
    handle.pragma("query_only = ON");
    expect(
      await sqlErrorOf(db.repository(Wide).query().stream()[Symbol.asyncIterator]().next()),
    ).toMatchObject({
      code: "READ_ONLY",
    });
    handle.close();
  });

  test("a read-only file can be streamed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "rowtype-"));
    const file = join(folder, "wide.db");
    const writing = new Sqlite(file);
    await sqlite(writing).createTables(Wide);
    await sqlite(writing).repository(Wide).insert().exec({ id: 1, text: "x", big: 1n });
    writing.close();
    const reading = new Sqlite(file, { readonly: true });
    const rows = [];
    for await (const row of sqlite(reading).repository(Wide).query().stream()) rows.push(row);
    expect(rows).toEqual([{ id: 1, text: "x", big: 1n }]);
    reading.close();
    rmSync(folder, { recursive: true });
  });

  test("a call on the database inside the loop of its stream does not wait", async () => {
    const handle = new Sqlite(":memory:");
    const db = sqlite(handle);
    await db.createTables(Wide);
    const wide = db.repository(Wide);
    await wide.insert().execBatch(Array.from({ length: 600 }, (_, id) => ({ id, text: "x", big: 0n })));
    for await (const { id } of wide.query().orderBy("id", "asc").stream())
      await db.transaction((tx) =>
        wide.modify().set("text", "t").where("id", "=", "id").exec({ t: "y", id }, { tx }),
      );
    expect(await wide.count().where("text", "=", "t").exec({ t: "y" })).toBe(600);
    // In place of tx, inside a transaction, it is refused as every other statement is.
    await db.transaction(async () => {
      const inside = wide.query().stream()[Symbol.asyncIterator]();
      expect(await sqlErrorOf(inside.next())).toMatchObject({ code: "TRANSACTION_REQUIRED" });
    });
    handle.close();
  });
});
