/**
 * Transactions, batches, callbacks and pools under attack; the numbers are those of the list of threats that the
 * package is held against. Whatever happens, the error is one of ours, nothing is half done, and the next call is
 * served. Connections that break are in `broken-connections.test.ts`.
 */
import { setTimeout } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import type pg from "pg";
import { column, type Database, on, SqlError, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { gate } from "../../http/gate.js";
import { onEachServer } from "../../kit/each-server.js";
import { Team } from "../../kit/people.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { rounds } from "../../rounds.js";
import { type Lent, servers } from "../../servers.js";

const noDeadlocks = new Set(["sqlite"]);

onEachServer("threats to transactions", (world) => {
  const dialect = () => world().db.dialect as string;
  const titles = async () =>
    (await world().teams.query().orderBy("id", "asc").exec()).map(({ title }) => title);

  test("a call after the end, or a second end, is TRANSACTION_CLOSED and sends nothing", async () => {
    const { db, teams } = world();
    const sent: string[] = [];
    const off = on("db.query.started", ({ sql }) => sent.push(sql));
    for (const fails of [false, true]) {
      let kept: Parameters<Parameters<typeof db.transaction>[0]>[0] | undefined;
      const running = db.transaction(async (tx) => {
        kept = tx;
        if (fails) throw new RangeError("no");
      });
      await running.catch(() => undefined);
      if (kept === undefined) throw new Error("the callback was not called");
      const tx = kept;
      for (const late of [
        () => teams.insert().execTx(tx, { id: 9, title: "late" }),
        () => tx.repository(Team).query().exec(),
        () => tx.sql("DELETE FROM teams").exec(),
        () => teams.query().stream(undefined, { tx })[Symbol.asyncIterator]().next(),
        () => teams.insert().execBatch([{ id: 9, title: "late" }], undefined, { tx }),
        () => tx.transaction(async () => 1),
      ])
        expect(await sqlErrorOf(late())).toMatchObject({ code: "TRANSACTION_CLOSED" });
    }
    off();
    expect(await titles()).toEqual(["One", "Two"]);
    expect(sent.filter((sql) => !sql.startsWith("SELECT"))).toEqual([]);
  });

  test("a promise that is not awaited runs inside, or fails; it never runs outside", async () => {
    const { db, teams } = world();
    const codeOf = (error: unknown) => (error instanceof SqlError ? error.code : String(error));
    const floating: Promise<unknown>[] = [];
    const over = gate();
    const failing = db.transaction(async (tx) => {
      floating.push(teams.insert().execTx(tx, { id: 3, title: "at once" }).catch(codeOf));
      const late = async () => {
        await over.opened;
        return teams.insert().execTx(tx, { id: 4, title: "late" });
      };
      floating.push(late().catch(codeOf));
      throw new RangeError("back");
    });
    await expect(failing).rejects.toThrow(RangeError);
    over.open();
    expect((await Promise.all(floating))[1]).toBe("TRANSACTION_CLOSED");
    expect(await titles()).toEqual(["One", "Two"]);
  });

  test("a helper that throws leaves no open transaction on the connection", async () => {
    const { db, teams } = world();
    for (let round = 0; round < 20; round++) {
      const failing = db.transaction(async (tx) => {
        await teams.insert().execTx(tx, { id: 3, title: "dirty" });
        throw new RangeError("no");
      });
      await expect(failing).rejects.toThrow(RangeError);
      // In a transaction that was left open this would be gone with it.
      await teams.insert().exec({ id: 100 + round, title: "clean" });
    }
    expect(await teams.count().exec()).toBe(22);
    expect(await teams.count().where("title", "=", "t").exec({ t: "dirty" })).toBe(0);
  });

  test("a call that is aborted before it begins, or while it waits, changes nothing and rejects", async () => {
    const { db, teams } = world();
    const signal = AbortSignal.abort(new RangeError("mine"));
    for (const call of [
      () => teams.insert().exec({ id: 3, title: "x" }, undefined, { signal }),
      () => teams.insert().execBatch([{ id: 3, title: "x" }], undefined, { signal }),
      () => teams.modify().set("title", "t").where("id", ">", "id").execMany({ t: "x", id: 0 }, { signal }),
      () => teams.remove().where("id", ">", "id").exec({ id: 0 }, { signal }),
      () => teams.count().exec(undefined, { signal }),
      () => teams.query().explain(undefined, { signal }),
      () => db.sql("DELETE FROM teams").exec({}, { signal }),
      () => db.transaction(async () => 1, { signal }),
    ])
      expect(await sqlErrorOf(call())).toMatchObject({ code: "ABORTED", cause: { message: "mine" } });
    expect(await titles()).toEqual(["One", "Two"]);
  });

  test("a signal rolls back a transaction whose callback hangs", async () => {
    const { db, teams } = world();
    const controller = new AbortController();
    let goOn = () => {};
    const rolledBack = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let late: Promise<SqlError> | undefined;
    const running = db.transaction(
      async (tx) => {
        await teams.insert().execTx(tx, { id: 3, title: "undone" });
        controller.abort();
        await rolledBack;
        late = sqlErrorOf(teams.insert().execTx(tx, { id: 4, title: "late" }));
        await new Promise(() => undefined);
      },
      { signal: controller.signal },
    );
    expect(await sqlErrorOf(running)).toMatchObject({ code: "ABORTED" });
    goOn();
    expect(await titles()).toEqual(["One", "Two"]);
    await teams.insert().exec({ id: 5, title: "next" });
    expect(await late).toMatchObject({ code: "TRANSACTION_CLOSED" });
    expect(await titles()).toEqual(["One", "Two", "next"]);
  });

  test("a deadlock is told as what it is, and the whole callback is repeated up to retries", async ({
    skip,
  }) => {
    if (noDeadlocks.has(dialect())) skip("one transaction at a time cannot wait for another");
    const { db, teams } = world();
    const rename = teams.modify().set("title", "title").where("id", "=", "id");
    const both = async (retries: number) => {
      let met: () => void = () => undefined;
      const meeting = new Promise<void>((resolve) => {
        met = resolve;
      });
      let [arrived, calls] = [0, 0];
      const cross = (first: number, second: number) =>
        db.transaction(
          async (tx) => {
            calls++;
            await rename.exec({ title: `t${first}`, id: first }, { tx });
            if (++arrived === 2) met();
            await meeting;
            await rename.exec({ title: `t${first}`, id: second }, { tx });
          },
          { retries },
        );
      const outcomes = await Promise.allSettled([cross(1, 2), cross(2, 1)]);
      const codes = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
      return { codes, calls };
    };
    expect(await both(0)).toEqual({ codes: ["DEADLOCK"], calls: 2 });
    const { codes, calls } = await both(3);
    expect(codes).toEqual([]);
    // The one that repeats may be quick enough to meet the other once more.
    expect(calls).toBeGreaterThanOrEqual(3);
    expect(new Set(await titles()).size).toBe(1);
  });

  test("savepoints nest, each rolls back by itself, and the transaction continues", async () => {
    const { db, teams } = world();
    await db.transaction(async (tx) => {
      const deep = async (level: number, at: typeof tx): Promise<void> => {
        await teams.insert().execTx(at, { id: 10 + level, title: `level ${level}` });
        const inner = level < 5 ? at.transaction((next) => deep(level + 1, next)) : undefined;
        await inner?.catch(() => undefined);
        if (level % 2 === 1) throw new RangeError(`level ${level}`);
      };
      await deep(0, tx);
      // Side by side they stand in a row, and the outer one is not theirs to use.
      const [one, two] = await Promise.allSettled([
        tx.transaction((inner) => teams.insert().execTx(inner, { id: 30, title: "thirty" })),
        tx.transaction(async (inner) => {
          await teams.insert().execTx(inner, { id: 31, title: "x" });
          expect(await sqlErrorOf(teams.count().execTx(tx))).toMatchObject({ code: "TRANSACTION_REQUIRED" });
          throw new RangeError("two");
        }),
      ]);
      expect([one.status, two.status]).toEqual(["fulfilled", "rejected"]);
    });
    expect(await titles()).toEqual(["One", "Two", "level 0", "thirty"]);
  });

  test("a table created inside is rolled back with the transaction, or ends it, as documented", async () => {
    const { db, teams } = world();
    const Inside = table("inside", z.object({ id: column(z.int(), { primaryKey: true }) }));
    await db.dropTables(Inside);
    const q = dialect() === "mariadb" ? "`" : '"';
    const key = dialect() === "oracle" ? "NUMBER(19)" : "bigint";
    const running = db.transaction(async (tx) => {
      await teams.insert().execTx(tx, { id: 3, title: "before" });
      await tx.sql(`CREATE TABLE ${q}inside${q} (${q}id${q} ${key} PRIMARY KEY)`).exec();
      await teams.insert().execTx(tx, { id: 4, title: "behind" });
      throw new RangeError("back");
    });
    const error = await running.catch((one: unknown) => one);
    if (dialect() === "postgres" || dialect() === "sqlite") {
      expect(error).toBeInstanceOf(RangeError);
      expect(await titles()).toEqual(["One", "Two"]);
      expect(await sqlErrorOf(db.repository(Inside).count().exec())).toMatchObject({ code: "QUERY_FAILED" });
    } else {
      // The server commits by itself; MariaDB says so, and what comes behind is refused.
      if (dialect() === "mariadb") expect(error).toMatchObject({ code: "TRANSACTION_CLOSED" });
      expect((await titles()).slice(0, 3)).toEqual(["One", "Two", "before"]);
    }
    await db.dropTables(Inside);
  });

  test("a batch is all or nothing, and the error names the invalid record", async () => {
    const { db } = world();
    const teams = db.repository(Team);
    const records = Array.from({ length: 100 }, (_, i) => ({ id: 100 + i, title: `t${i}` }));
    const wrong = records.map((one, i) => (i === 57 ? { ...one, title: 5 as never } : one));
    expect(await sqlErrorOf(teams.insert().execBatch(wrong))).toMatchObject({
      code: "PARAM_TYPE",
      index: 57,
    });
    expect(await sqlErrorOf(teams.insert().execMany(wrong))).toMatchObject({ code: "PARAM_TYPE", index: 57 });
    const taken = records.map((one, i) => (i === 57 ? { ...one, id: 1 } : one));
    expect(await sqlErrorOf(teams.insert().execBatch(taken))).toMatchObject({ code: "UNIQUE_VIOLATION" });
    expect(await sqlErrorOf(teams.insert().execMany(taken))).toMatchObject({ code: "UNIQUE_VIOLATION" });
    const ragged = records.map((one, i) => (i === 57 ? ({ id: one.id } as never) : one));
    expect(await sqlErrorOf(teams.insert().execBatch(ragged))).toMatchObject({
      code: "MISSING_PARAM",
      index: 57,
    });
    teams.onRecord((record) => {
      if (record.id === 157) throw new RangeError("no");
    });
    expect(await sqlErrorOf(teams.insert().execBatch(records))).toMatchObject({
      code: "CALLBACK_FAILED",
      index: 57,
      cause: { message: "no" },
    });
    expect(await titles()).toEqual(["One", "Two"]);
  });

  test("twenty thousand records are one batch, split by the limits of a statement", async () => {
    const { teams } = world();
    const records = Array.from({ length: 20_000 }, (_, i) => ({ id: 100 + i, title: `t${i}` }));
    expect(await teams.insert().execBatch(records)).toBe(20_000);
    expect(await teams.count().exec()).toBe(20_002);
    const last = [...records.map((one) => ({ ...one, id: one.id + 20_000 })), { id: 1, title: "taken" }];
    expect(await sqlErrorOf(teams.insert().execBatch(last))).toMatchObject({ code: "UNIQUE_VIOLATION" });
    expect(await teams.count().exec()).toBe(20_002);
  });

  test("a callback that throws, rejects, makes an invalid change or hangs fails only its call", async () => {
    const { db } = world();
    const teams = db.repository(Team);
    const callbacks: readonly ((row: object) => unknown)[] = [
      () => {
        throw new RangeError("thrown");
      },
      async () => Promise.reject(new RangeError("rejected")),
      () => {
        throw undefined;
      },
    ];
    for (const callback of callbacks) {
      teams.onScan(callback);
      for (const call of [
        () => teams.query().exec(),
        () => teams.insert().exec({ id: 3, title: "x" }),
        () => teams.modify().set("title", "t").where("id", ">", "id").execMany({ t: "x", id: 0 }),
        () => db.transaction((tx) => teams.insert().execTx(tx, { id: 3, title: "x" })),
      ])
        expect(await sqlErrorOf(call())).toMatchObject({ code: "CALLBACK_FAILED", table: "teams" });
      teams.onScan(null);
      teams.onRecord(callback);
      expect(await sqlErrorOf(teams.insert().exec({ id: 3, title: "x" }))).toMatchObject({
        code: "CALLBACK_FAILED",
      });
      teams.onRecord(null);
    }
    teams.onRecord((record) => {
      Object.assign(record, { title: "a\0b" });
    });
    expect(await sqlErrorOf(teams.insert().exec({ id: 3, title: "x" }))).toMatchObject({
      code: "PARAM_TYPE",
    });
    teams.onRecord((record) => {
      Object.assign(record, { more: 1 });
    });
    expect(await sqlErrorOf(teams.insert().exec({ id: 3, title: "x" }))).toMatchObject({
      code: "EXTRA_PARAM",
    });
    for (const hang of ["onScan", "onRecord"] as const) {
      teams.onRecord(null);
      teams[hang](() => new Promise(() => undefined));
      const hanging = teams
        .insert()
        .exec({ id: 3, title: "x" }, undefined, { signal: AbortSignal.timeout(30) });
      expect(await sqlErrorOf(hanging)).toMatchObject({ code: "ABORTED" });
    }
    teams.onScan(null);
    teams.onRecord(null);
    expect(await titles()).toEqual(["One", "Two"]);
  });

  test("concurrent upserts of one key give one row, and each gets the row that it stored", async () => {
    const { teams } = world();
    const upsert = teams.insert().onConflict("id").doUpdate();
    const writers = Array.from({ length: 20 }, (_, i) => `w${i}`);
    const stored = await Promise.all(writers.map((title) => upsert.exec({ id: 7, title })));
    expect(stored.map(({ title }) => title)).toEqual(writers);
    expect(await teams.count().where("id", "=", "id").exec({ id: 7 })).toBe(1);
    const once = teams.insert().onConflict("id").doNothing();
    const first = await Promise.all(writers.map((title) => once.exec({ id: 8, title })));
    expect(first.filter((row) => row !== null)).toHaveLength(1);
  });

  test("a listener that throws affects nothing, and no event contains a value", async () => {
    const { teams } = world();
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    const heard: unknown[] = [];
    const offs = (["db.query.started", "db.query.completed", "db.query.failed"] as const).map((name) =>
      on(name, (event) => {
        heard.push(event);
        throw new RangeError("listener");
      }),
    );
    await teams.insert().exec({ id: 3, title: "secret-one" });
    await teams.query().where("title", "=", "t").exec({ t: "secret-two" });
    expect(await sqlErrorOf(teams.insert().exec({ id: 3, title: "secret-three" }))).toMatchObject({
      code: "UNIQUE_VIOLATION",
    });
    for (const off of offs) off();
    await setTimeout(10);
    process.off("warning", onWarning);
    expect(heard.length).toBeGreaterThanOrEqual(6);
    const told = heard.map((event) => {
      const { error, ...rest } = event as { error?: SqlError };
      return [rest, error?.message, error?.code];
    });
    expect(JSON.stringify(told)).not.toContain("secret");
    expect(warnings.length).toBe(heard.length);
    expect(warnings.every(({ name }) => name === "RowtypeListenerWarning")).toBe(true);
  });
});

const there = (name: string) => servers.some((server) => server.name === name && server.available);
const lend = async (name: string) => {
  const server = servers.find((one) => one.name === name);
  if (server === undefined) throw new Error(`there is no ${name}`);
  return server.lend();
};
const Child = table("children", z.object({ id: column(z.int(), { primaryKey: true }), parent: z.int() }));

describe.skipIf(!there("postgres"))("on PostgreSQL", () => {
  let lent: Lent;
  let pool: pg.Pool;
  let db: Database<"postgres">;
  beforeAll(async () => {
    lent = await lend("postgres");
    pool = lent.pool as pg.Pool;
    db = lent.db as Database<"postgres">;
    await db.createTables(Team);
  });
  afterAll(() => lent.close());

  test("a COMMIT that is answered with ROLLBACK, or refused, is a failure and stores nothing", async () => {
    const teams = db.repository(Team);
    const doomed = db.transaction(async (tx) => {
      await teams.insert().execTx(tx, { id: 1, title: "one" });
      await teams
        .insert()
        .execTx(tx, { id: 1, title: "again" })
        .catch(() => undefined);
    });
    expect(await sqlErrorOf(doomed)).toMatchObject({ code: "QUERY_FAILED" });
    expect(await teams.count().exec()).toBe(0);
    await lent.run("CREATE TABLE parents (id int PRIMARY KEY)");
    await lent.run(
      "CREATE TABLE children (id int PRIMARY KEY, parent int REFERENCES parents DEFERRABLE INITIALLY DEFERRED)",
    );
    const children = db.repository(Child);
    const deferred = db.transaction((tx) => children.insert().execTx(tx, { id: 1, parent: 9 }));
    expect(await sqlErrorOf(deferred)).toMatchObject({ code: "FOREIGN_KEY_VIOLATION" });
    expect(await children.count().exec()).toBe(0);
  });

  test("a statement timeout of the server is ABORTED, and the next query succeeds", async () => {
    await lent.run("CREATE VIEW slow AS SELECT 1::bigint AS id, 'x' AS title FROM pg_sleep(20)");
    const Slow = table("slow", z.object({ id: z.int(), title: z.string() }));
    const slow = db.transaction(async (tx) => {
      await tx.sql("SET LOCAL statement_timeout = 50").exec();
      return tx.repository(Slow).query().exec();
    });
    expect(await sqlErrorOf(slow)).toMatchObject({ code: "ABORTED" });
    expect(await db.repository(Team).count().exec()).toBe(0);
  });

  test("a pool without a free connection is a coded error in time, and stays usable", async () => {
    const { Pool } = await import("pg");
    const { postgres } = await import("rowtype/postgres");
    const small = new Pool({ ...pool.options, max: 1, connectionTimeoutMillis: 1_000 });
    const teams = postgres(small).repository(Team);
    await postgres(small).transaction(async () => {
      const tx = null;
      expect(await sqlErrorOf(teams.count().exec({ tx }))).toMatchObject({ code: "CONNECTION_LOST" });
      const signal = AbortSignal.timeout(10);
      expect(await sqlErrorOf(teams.count().exec({ signal, tx }))).toMatchObject({ code: "ABORTED" });
      const beside = postgres(small).transaction(async () => 1, { signal: AbortSignal.timeout(10), tx });
      expect(await sqlErrorOf(beside)).toMatchObject({ code: "ABORTED" });
    });
    expect(await teams.count().exec()).toBe(0);
    expect([small.totalCount, small.idleCount, small.waitingCount]).toEqual([1, 1, 0]);
    await small.end();
    expect(await sqlErrorOf(teams.count().exec())).toMatchObject({ code: "NO_CONNECTION" });
  });

  test("calls by the thousand, most of which fail, leak no connection", async () => {
    const teams = db.repository(Team);
    const kinds: readonly (() => Promise<unknown>)[] = [
      () => teams.count().exec(),
      () => teams.count().exec({ more: 1 } as never),
      () => db.sql("SELEC 1").exec(),
      () => teams.count().exec(undefined, { signal: AbortSignal.abort() }),
      () => teams.count().exec(undefined, { signal: AbortSignal.timeout(1) }),
      () => db.transaction(async () => Promise.reject(new RangeError("no"))),
      () => db.transaction((tx) => tx.sql("SELEC 1").exec()),
    ];
    const hundreds = rounds({ small: 15, full: 100 });
    for (let round = 0; round < hundreds; round++)
      await Promise.allSettled(Array.from({ length: 100 }, (_, i) => kinds[(round + i) % kinds.length]?.()));
    expect(pool.totalCount).toBeLessThanOrEqual(4);
    // One that was given up while it was opened comes back when it is there.
    await expect.poll(() => [pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([0, 0]);
    const { rows } = await pool.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'",
    );
    expect(rows).toEqual([{ n: 0 }]);
  }, 120_000);
});

describe.skipIf(!there("mariadb"))("on MariaDB", () => {
  let lent: Lent;
  beforeAll(async () => {
    lent = await lend("mariadb");
    await lent.db.createTables(Team);
  });
  afterAll(() => lent.close());

  test("a statement timeout of the server is ABORTED, and the next query succeeds", async () => {
    const slow = lent.db.sql(
      "SET STATEMENT max_statement_time = 0.05 FOR SELECT SLEEP(20) AS slept",
      z.object({}),
    );
    expect(await sqlErrorOf(slow.exec())).toMatchObject({ code: "ABORTED" });
    expect(await lent.db.repository(Team).count().exec()).toBe(0);
  });

  test("a pool without a free connection is a coded error, and stays usable", async () => {
    const { createPool } = await import("mysql2/promise");
    const { mariadb } = await import("rowtype/mariadb");
    // biome-ignore lint/suspicious/noExplicitAny: the pool of mysql2 keeps its settings to itself.
    const { host, port, user, database } = (lent.mysqlPool as any).pool.config.connectionConfig;
    const one = { host, port, user, database, connectionLimit: 1 };
    for (const settings of [{ waitForConnections: false }, { queueLimit: 1 }]) {
      const small = createPool({ ...one, ...settings });
      const teams = mariadb(small).repository(Team);
      await mariadb(small).transaction(async () => {
        const calls = [1, 2, 3].map(() => teams.count().exec({ signal: AbortSignal.timeout(50), tx: null }));
        const outcomes = await Promise.all(calls.map(sqlErrorOf));
        expect(outcomes.filter(({ code }) => code === "CONNECTION_LOST").length).toBeGreaterThanOrEqual(2);
      });
      expect(await teams.count().exec()).toBe(0);
      await small.end();
      expect(await sqlErrorOf(teams.count().exec())).toMatchObject({ code: "NO_CONNECTION" });
    }
  });
});

describe("on SQLite", () => {
  const opened = async (file = ":memory:", options: Sqlite.Options = {}) => {
    const handle = new Sqlite(file, options);
    const db = sqlite(handle);
    await db.createTables(Team);
    return { handle, db, teams: db.repository(Team) };
  };

  test("a violation deferred until COMMIT is a failure, and the handle stays usable", async () => {
    const { handle, db } = await opened();
    handle.exec("CREATE TABLE parents (id INTEGER PRIMARY KEY)");
    handle.exec(
      "CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED)",
    );
    const children = db.repository(Child);
    const deferred = db.transaction((tx) => children.insert().execTx(tx, { id: 1, parent: 9 }));
    expect(await sqlErrorOf(deferred)).toMatchObject({ code: "FOREIGN_KEY_VIOLATION" });
    expect(handle.inTransaction).toBe(false);
    expect(await children.count().exec()).toBe(0);
    handle.close();
  });

  test("transactions of one handle wait for each other, and never mix", async () => {
    const { handle, db, teams } = await opened();
    const log: string[] = [];
    const step = (name: string) =>
      db.transaction(async (tx) => {
        log.push(`${name} begins`);
        await teams.insert().execTx(tx, { id: name.charCodeAt(0), title: name });
        await setTimeout(5);
        log.push(`${name} ends`);
        if (name === "b") throw new RangeError("b");
      });
    await Promise.allSettled([...["a", "b", "c", "d"].map(step), teams.count().exec()]);
    expect(log).toEqual(["a", "b", "c", "d"].flatMap((name) => [`${name} begins`, `${name} ends`]));
    expect(await teams.count().exec()).toBe(3);
    handle.close();
  });

  test("a file that another connection has locked is LOCK_TIMEOUT, and works again afterwards", async () => {
    const { mkdtempSync, rmSync } = await import("node:fs");
    const { tmpdir } = await import("node:os");
    const { join } = await import("node:path");
    const folder = mkdtempSync(join(tmpdir(), "rowtype-"));
    const one = await opened(join(folder, "t.db"), { timeout: 20 });
    const two = await opened(join(folder, "t.db"), { timeout: 20 });
    await one.db.transaction(async (tx) => {
      await one.teams.insert().execTx(tx, { id: 1, title: "one" });
      expect(await sqlErrorOf(two.db.transaction(async () => 1))).toMatchObject({ code: "LOCK_TIMEOUT" });
      expect(await sqlErrorOf(two.teams.insert().exec({ id: 2, title: "two" }))).toMatchObject({
        code: "LOCK_TIMEOUT",
      });
    });
    await two.teams.insert().exec({ id: 2, title: "two" });
    expect(await one.teams.count().exec()).toBe(2);
    // A call that may be repeated is repeated until the lock is available.
    let begun = 0;
    const holding = one.db.transaction(() => setTimeout(60));
    const waiting = two.db.transaction(
      async (tx) => {
        begun++;
        await tx.repository(Team).insert().exec({ id: 3, title: "three" });
      },
      { retries: 100 },
    );
    await Promise.all([holding, waiting]);
    expect(begun).toBe(1);
    expect(await one.teams.count().exec()).toBe(3);
    one.handle.close();
    two.handle.close();
    rmSync(folder, { recursive: true });
  });
});
