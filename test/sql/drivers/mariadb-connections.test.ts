/** Bad days of connections to MariaDB: killed, aborted, in a deadlock. No transaction goes on that is none. */
import type { EventEmitter } from "node:events";
import { setTimeout } from "node:timers/promises";
import mysql from "mysql2/promise";
import { column, type Database, type Transaction, type TransactionHandle, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { mariadbUrl } from "../../availability.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { rounds } from "../../rounds.js";
import { type Lent, servers } from "../../servers.js";
import { settle } from "../../standstill.js";
import { HANG_MS } from "../../stopwatch.js";

const Item = table(
  "items",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string().nullable(),
    parent: column(z.int().nullable(), { references: "items(id)" }),
    size: column(z.int(), { check: "size >= 0", default: "1" }),
    first: column(z.string().nullable(), { name: "first_name" }),
    last: z.string().nullable(),
    nick: column(z.string().nullable(), { unique: true }),
  }),
  {
    unique: [
      ["first", "last"],
      ["first", "size"],
    ],
  },
);

type Tx = Transaction<"mariadb">;

const server = servers.find(({ name }) => name === "mariadb");
describe.skipIf(server?.available !== true)("MariaDB", () => {
  let lent: Lent;
  let pool: mysql.Pool;
  let db: Database<"mariadb">;
  beforeAll(async () => {
    lent = (await server?.lend()) as Lent;
    pool = lent.mysqlPool as mysql.Pool;
    db = mariadb(pool);
  });
  beforeEach(async () => {
    await db.dropTables(Item);
    await db.createTables(Item);
    await db
      .repository(Item)
      .insert()
      .execBatch([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });
  afterAll(() => lent.close());

  const openTransactions = async () => {
    const rows = await lent.run(
      "SELECT t.trx_id FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id WHERE p.db = DATABASE()",
    );
    return rows.length;
  };
  const others = async (more = "") =>
    (await lent.run(
      `SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID() ${more}`,
    )) as { id: number }[];
  const killOthers = async () => {
    for (const { id } of await others()) await lent.run(`KILL ${id}`).catch(() => undefined);
  };

  describe("errors of the server are reported as on the other databases", () => {
    test.each([
      ["the primary key", { id: 1 }, "UNIQUE_VIOLATION", ["id"]],
      ["a key", { id: 9, nick: "n" }, "UNIQUE_VIOLATION", ["nick"]],
      ["a key of several columns", { id: 9, first: "f", last: "l" }, "UNIQUE_VIOLATION", ["first", "last"]],
      ["another that begins alike", { id: 9, first: "f2", size: 7 }, "UNIQUE_VIOLATION", ["first", "size"]],
      ["a reference", { id: 9, parent: 99 }, "FOREIGN_KEY_VIOLATION", ["parent"]],
      ["a check", { id: 9, size: -1 }, "CHECK_VIOLATION", ["size"]],
    ])("%s", async (_, record, code, fields) => {
      await lent.run("INSERT INTO items (id, first_name, last, nick) VALUES (4, 'f', 'l', 'n')");
      await lent.run("INSERT INTO items (id, first_name, size) VALUES (5, 'f2', 7)");
      const error = await sqlErrorOf(db.repository(Item).insert().exec(record));
      expect(error).toMatchObject({ code, fields });
      expect(error.message).not.toMatch(/Duplicate|'n'|99/);
    });

    test("a row that others reference", async () => {
      const items = db.repository(Item);
      await items.insert().exec({ id: 9, parent: 1 });
      expect(await sqlErrorOf(items.remove().where("id", "=", "id").exec({ id: 1 }))).toMatchObject({
        code: "FOREIGN_KEY_VIOLATION",
        // The column of the row that the others reference.
        fields: ["id"],
      });
    });

    test("null where the database allows none, and a value that must be given", async () => {
      const items = db.repository(Item);
      await items.remove().where("id", ">", "id").exec({ id: 0 });
      await lent.run("ALTER TABLE items MODIFY name longtext NOT NULL");
      expect(await sqlErrorOf(items.insert().exec({ id: 9, name: null }))).toMatchObject({
        code: "NOT_NULL_VIOLATION",
        fields: ["name"],
      });
      expect(await sqlErrorOf(items.insert().exec({ id: 9 }))).toMatchObject({
        code: "NOT_NULL_VIOLATION",
        fields: ["name"],
      });
    });

    test("an invalid statement, in the server's words, without its text and its values", async () => {
      const Gone = table("gone", z.object({ id: column(z.int(), { primaryKey: true }) }));
      const error = await sqlErrorOf(db.repository(Gone).query().exec());
      expect(error).toMatchObject({
        code: "QUERY_FAILED",
        message: expect.stringMatching(/^Table '\w+\.gone' doesn't exist \(error 1146, SQLSTATE 42S02\)$/),
      });
    });

    test("text that is too long for its column is refused, never cut", async () => {
      const items = db.repository(Item);
      expect(await sqlErrorOf(items.insert().exec({ id: 9, nick: "x".repeat(256) }))).toMatchObject({
        code: "PARAM_TYPE",
      });
      expect(await items.insert().exec({ id: 9, nick: "\u{1F600}".repeat(255) })).toMatchObject({ id: 9 });
    });
  });

  describe("a connection that is killed", () => {
    test("inside a transaction is an error of the caller, and the next transaction succeeds", async () => {
      const running = db.transaction(async (tx) => {
        await tx.repository(Item).insert().exec({ id: 10 });
        await killOthers();
        await setTimeout(30);
        await tx.repository(Item).insert().exec({ id: 11 });
      });
      expect(await sqlErrorOf(running)).toMatchObject({ code: "CONNECTION_LOST" });
      expect(await db.repository(Item).count().exec()).toBe(3);
      expect(await openTransactions()).toBe(0);
    });

    test("while a statement runs on it, long or short, does not end the process", async () => {
      const items = db.repository(Item);
      await lent.run("CREATE OR REPLACE VIEW slow AS SELECT SLEEP(100) + 0 AS id");
      const Slow = table("slow", z.object({ id: column(z.int(), { primaryKey: true }) }));
      const slow = db.repository(Slow);
      for (const length of [1, 5_000]) {
        const waiting = sqlErrorOf(
          slow
            .query()
            .where("id", "NOT IN", "ids")
            .exec({ ids: Array.from({ length }, (_, i) => i + 1) }),
        );
        await expect.poll(async () => (await others("AND info LIKE '%slow%'")).length).toBe(1);
        await killOthers();
        expect(await waiting).toMatchObject({ code: "CONNECTION_LOST" });
      }
      expect(await items.count().exec()).toBe(3);
    });

    test("during COMMIT leaves an unknown outcome, and is thrown away", async () => {
      const broken = Object.assign(new Error("write EPIPE"), { code: "EPIPE", fatal: true });
      const real = await pool.getConnection();
      const ended: string[] = [];
      const cut = {
        execute: () => Promise.reject(broken),
        getConnection: async () => ({
          threadId: null,
          execute: (options: never) => real.execute(options),
          query: (sql: string) => (sql === "COMMIT" ? Promise.reject(broken) : real.query(sql)),
          unprepare: () => undefined,
          release: () => ended.push("released"),
          destroy: () => ended.push("destroyed"),
        }),
      };
      const running = mariadb(cut as never).transaction(async () => 1);
      expect(await sqlErrorOf(running)).toMatchObject({ code: "UNKNOWN_OUTCOME" });
      expect(ended).toEqual(["destroyed"]);
      real.destroy();
    });

    test("before COMMIT, which is then not sent, leaves a known outcome", async () => {
      const running = db.transaction(async (tx) => {
        await tx.repository(Item).insert().exec({ id: 10 });
        await killOthers();
        await expect.poll(async () => (await others()).length).toBe(0);
        await settle(50);
      });
      expect(await sqlErrorOf(running)).toMatchObject({ code: "CONNECTION_LOST" });
      expect(await db.repository(Item).count().exec()).toBe(3);
    });

    test("a closed pool, and an unreachable server", async () => {
      const closed = mysql.createPool({ host: "127.0.0.1", port: 1, connectTimeout: 500 });
      expect(await sqlErrorOf(mariadb(closed).repository(Item).count().exec())).toMatchObject({
        code: "CONNECTION_LOST",
      });
      await closed.end();
      expect(await sqlErrorOf(mariadb(closed).repository(Item).count().exec())).toMatchObject({
        code: "NO_CONNECTION",
      });
    });
  });

  describe("a call that is aborted while it runs", () => {
    const Slow = table("slow", z.object({ id: column(z.int(), { primaryKey: true }) }));
    const running = async () => {
      const rows = await lent.run(
        "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE '%slow%' AND id <> CONNECTION_ID()",
      );
      return rows.length;
    };
    beforeEach(() => lent.run("CREATE OR REPLACE VIEW slow AS SELECT SLEEP(100) + 0 AS id"));

    test("ends at once, in the process and at the server", async () => {
      const controller = new AbortController();
      const begun = performance.now();
      const waiting = sqlErrorOf(db.repository(Slow).query().exec(undefined, { signal: controller.signal }));
      await expect.poll(running).toBe(1);
      controller.abort();
      expect(await waiting).toMatchObject({ code: "ABORTED" });
      await expect.poll(running).toBe(0);
      expect(performance.now() - begun).toBeLessThan(3 * HANG_MS);
      expect(
        await db.repository(Item).count().exec(undefined, { signal: new AbortController().signal }),
      ).toBe(3);
    });

    test("or waits for a connection: that goes to the next", async () => {
      const [row] = (await lent.run("SELECT DATABASE() AS name")) as { name: string }[];
      const url = new URL(mariadbUrl);
      url.pathname = `/${row?.name}`;
      const single = mysql.createPool({ uri: url.href, connectionLimit: 1 });
      const only = mariadb(single);
      const controller = new AbortController();
      const { signal } = controller;
      const held = await single.getConnection();
      const waiting = [
        sqlErrorOf(only.repository(Item).count().exec(undefined, { signal })),
        sqlErrorOf(only.transaction(async () => 1, { signal })),
      ];
      await setTimeout(20);
      controller.abort();
      expect(await Promise.all(waiting)).toMatchObject([{ code: "ABORTED" }, { code: "ABORTED" }]);
      held.release();
      expect(await only.repository(Item).count().exec()).toBe(3);
      expect(await only.transaction((tx) => tx.repository(Item).count().exec())).toBe(3);
      await single.end();
    });

    test("takes its transaction with it", async () => {
      const controller = new AbortController();
      const { signal } = controller;
      const items = db.repository(Item);
      const waiting = db.transaction(async (tx) => {
        await items.insert().exec({ id: 10 }, undefined, { tx });
        globalThis.setTimeout(() => controller.abort(), 50);
        await db.repository(Slow).query().exec(undefined, { tx, signal });
      });
      expect(await sqlErrorOf(waiting)).toMatchObject({ code: "ABORTED" });
      expect(await items.count().exec()).toBe(3);
    });
  });

  describe("a transaction that MariaDB ends by itself", () => {
    /**
     * Two transactions, each of which locks a row and then does `work` with the other's; returns the reason why
     * one fails.
     */
    const collide = async (work: (tx: Tx, id: number) => Promise<unknown>) => {
      const lock = db.repository(Item).select().where("id", "=", "id").forUpdate();
      let held = 0;
      const half = (own: number, other: number) =>
        db.transaction(async (tx) => {
          await lock.exec({ id: own }, { tx });
          held++;
          while (held < 2) await setTimeout(1);
          return work(tx, other);
        });
      const results = await Promise.allSettled([half(1, 2), half(2, 1)]);
      const [reason, ...more] = results.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
      expect(more).toEqual([]);
      return reason;
    };
    const cross = (tx: Tx, id: number) =>
      db.repository(Item).select().where("id", "=", "id").forUpdate().exec({ id }, { tx });

    test("in a deadlock reports it", async () => {
      expect(await collide(cross)).toMatchObject({ code: "DEADLOCK" });
      expect(await openTransactions()).toBe(0);
    });

    test("refuses later statements, and is not committed", async () => {
      const items = db.repository(Item);
      const goingOn = collide(async (tx, id) => {
        await cross(tx, id).catch(() => undefined);
        await items.insert().exec({ id: 50 + id }, undefined, { tx });
      });
      expect(await goingOn).toMatchObject({ code: "TRANSACTION_CLOSED" });
      const committing = collide((tx, id) => cross(tx, id).catch(() => undefined));
      expect(await committing).toMatchObject({ code: "TRANSACTION_CLOSED" });
      expect(await items.count().exec()).toBe(4);
    });

    test("keeps the error of an inner transaction, and does not pass it over", async () => {
      const inner = collide((tx, id) => tx.transaction((nested) => cross(nested, id)));
      expect(await inner).toMatchObject({ code: "DEADLOCK" });
      const passedOver = collide((tx, id) =>
        tx.transaction((nested) => cross(nested, id).catch(() => undefined)),
      );
      expect(await passedOver).toMatchObject({ code: "TRANSACTION_CLOSED" });
      const goingOn = collide(async (tx, id) => {
        await tx.transaction((nested) => cross(nested, id)).catch(() => undefined);
        await cross(tx, id);
      });
      expect(await goingOn).toMatchObject({ code: "TRANSACTION_CLOSED" });
    });

    test("is repeated up to retries", async () => {
      const items = db.repository(Item);
      const lock = items.select().where("id", "=", "id").forUpdate();
      const both = (a: number, b: number) =>
        db.transaction(
          async (tx) => {
            await lock.exec({ id: a }, { tx });
            await setTimeout(20);
            await lock.exec({ id: b }, { tx });
            const { size } = await items.select().where("id", "=", "id").exec({ id: 3 }, { tx });
            await items
              .modify()
              .set("size", "size")
              .where("id", "=", "id")
              .exec({ size: size + 1, id: 3 }, { tx });
          },
          { retries: 5, isolation: "read committed" },
        );
      await Promise.all([both(1, 2), both(2, 1)]);
      expect(await items.select().where("id", "=", "id").exec({ id: 3 })).toMatchObject({ size: 3 });
    });

    test("before a CREATE or DROP: its changes are stored, and later statements are refused", async () => {
      // The builders send no such statement, so one of theirs is exchanged for it under way.
      const exchanging = {
        execute: () => Promise.reject(new Error("outside of the transaction")),
        getConnection: async () => {
          const connection = await pool.getConnection();
          return {
            threadId: connection.threadId,
            execute: (statement: { sql: string }) => {
              const sql = statement.sql.replace(/^DELETE .*/, "CREATE TABLE made_inside (id int)");
              return connection.execute({
                ...statement,
                sql,
                values: sql === statement.sql ? [9] : [],
              } as never);
            },
            query: (sql: string) => connection.query(sql),
            unprepare: () => undefined,
            release: () => connection.release(),
            destroy: () => connection.destroy(),
          };
        },
      };
      const items = mariadb(exchanging as never).repository(Item);
      const running = mariadb(exchanging as never).transaction(async (tx) => {
        await items.insert().exec({ id: 9 }, undefined, { tx });
        await items.remove().where("id", "=", "id").exec({ id: 1 }, { tx });
        await items.insert().exec({ id: 9 }, undefined, { tx });
      });
      expect(await sqlErrorOf(running)).toMatchObject({ code: "TRANSACTION_CLOSED" });
      expect(await db.repository(Item).count().exec()).toBe(4);
      await lent.run("DROP TABLE made_inside");
    });

    test("or a part of it: a lock timeout rolls back only its statement", async () => {
      const items = db.repository(Item);
      await db.transaction(async (holder) => {
        await items.select().where("id", "=", "id").forUpdate().exec({ id: 1 }, { tx: holder });
        const beside = async (tx: TransactionHandle) => {
          await items.insert().exec({ id: 60 }, undefined, { tx });
          const refused = items
            .select()
            .where("id", "=", "id")
            .forUpdate({ noWait: true })
            .exec({ id: 1 }, { tx });
          expect(await sqlErrorOf(refused)).toMatchObject({ code: "LOCK_TIMEOUT" });
          await items.insert().exec({ id: 61 }, undefined, { tx });
        };
        await db.transaction(beside, { tx: null });
      });
      expect(await items.count().where("id", ">=", "id").exec({ id: 60 })).toBe(2);
    });
  });

  test("locks: waited for, skipped, shared, refused", async () => {
    const items = db.repository(Item);
    const one = items.select().fields("id").where("id", "=", "id");
    expect(await sqlErrorOf(one.forUpdate().exec({ id: 1 }))).toMatchObject({ code: "TRANSACTION_REQUIRED" });
    const order: string[] = [];
    let second: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      await one.forUpdate().exec({ id: 1 }, { tx });
      const beside = <T>(work: (other: TransactionHandle) => Promise<T>) =>
        db.transaction(work, { tx: null });
      second = beside(async (other) => {
        await one.forUpdate().exec({ id: 1 }, { tx: other });
        order.push("second");
      });
      await beside(async (other) => {
        const free = items.query().fields("id").orderBy("id", "asc").forUpdate({ skipLocked: true });
        expect(await free.exec(undefined, { tx: other })).toEqual([{ id: 2 }, { id: 3 }]);
      });
      const refused = beside((other) => one.forShare({ noWait: true }).exec({ id: 1 }, { tx: other }));
      expect(await sqlErrorOf(refused)).toMatchObject({ code: "LOCK_TIMEOUT" });
      await setTimeout(30);
      order.push("first");
    });
    await second;
    expect(order).toEqual(["first", "second"]);
    await db.transaction(async (tx) => {
      await one.forShare().exec({ id: 1 }, { tx });
      const shared = (other: TransactionHandle) =>
        one.forShare({ noWait: true }).exec({ id: 1 }, { tx: other });
      await db.transaction(shared, { tx: null });
    });
  });

  test("inner transactions nest, and each rolls back by itself", async () => {
    const items = db.repository(Item);
    await db.transaction(async (tx) => {
      await tx.transaction(async (inner) => {
        await items.insert().exec({ id: 20 }, undefined, { tx: inner });
        await inner
          .transaction(async (innermost) => {
            await items.insert().exec({ id: 21 }, undefined, { tx: innermost });
            throw new Error("back");
          })
          .catch(() => undefined);
        await inner.transaction((innermost) => items.insert().exec({ id: 22 }, undefined, { tx: innermost }));
      });
      await tx
        .transaction(async (inner) => {
          await items.insert().exec({ id: 23 }, undefined, { tx: inner });
          await inner.transaction((innermost) =>
            items.insert().exec({ id: 24 }, undefined, { tx: innermost }),
          );
          throw new Error("back");
        })
        .catch(() => undefined);
    });
    const rows = await items
      .query()
      .fields("id")
      .where("id", ">=", "id")
      .orderBy("id", "asc")
      .exec({ id: 20 });
    expect(rows.map(({ id }) => id)).toEqual([20, 22]);
  });

  test("an isolation level applies to its own transaction only", async () => {
    const levelOf = async (isolation?: "read committed" | "repeatable read" | "serializable") =>
      db.transaction(
        async (tx) => {
          await tx.repository(Item).count().exec();
          // The server keeps what this table shows for a tenth of a second.
          await setTimeout(150);
          const rows = await lent.run(
            "SELECT trx_isolation_level AS level FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id WHERE p.db = DATABASE()",
          );
          return (rows as { level: string }[]).map(({ level }) => level);
        },
        isolation === undefined ? {} : { isolation },
      );
    expect(await levelOf("read committed")).toEqual(["READ COMMITTED"]);
    expect(await levelOf("serializable")).toEqual(["SERIALIZABLE"]);
    expect(await levelOf()).toEqual(["REPEATABLE READ"]);
  });

  test("a key that somebody else named is told by its fields, in and outside of a transaction", async () => {
    const Own = table(
      "own_keys",
      z.object({
        id: column(z.int(), { primaryKey: true }),
        email: column(z.string(), { name: "e_mail", unique: true }),
        first: z.string(),
        last: column(z.string(), { name: "last_name" }),
      }),
      { unique: [["last", "first"]] },
    );
    await lent.run(
      "CREATE TABLE own_keys (id int, e_mail varchar(50), first varchar(50), last_name varchar(50), PRIMARY KEY (id), CONSTRAINT `the mail's key` UNIQUE (e_mail), UNIQUE KEY uq_people (last_name, first))",
    );
    const own = db.repository(Own);
    const record = { id: 1, email: "a", first: "f", last: "l" };
    await own.insert().exec(record);
    const byMail = { ...record, id: 2, last: "other" };
    const byName = { ...record, id: 3, email: "b" };
    for (let times = 0; times < 2; times++) {
      expect(await sqlErrorOf(own.insert().exec(byMail))).toMatchObject({
        code: "UNIQUE_VIOLATION",
        fields: ["email"],
      });
      expect(await sqlErrorOf(own.insert().execBatch([byName]))).toMatchObject({
        constraint: "uq_people",
        fields: ["last", "first"],
      });
      expect(await sqlErrorOf(own.insert().execMany([byName]))).toMatchObject({ fields: ["last", "first"] });
      const caught = db.transaction(async (tx) => {
        await own.insert().exec({ ...record, id: 9, email: "z", first: "z" }, { tx });
        expect(await sqlErrorOf(own.insert().exec(byName, { tx }))).toMatchObject({
          fields: ["last", "first"],
        });
        expect(await own.count().exec({}, { tx })).toBe(2);
        const modify = own.modify().set("email", "email").where("id", "=", "id");
        await modify.exec({ email: "a", id: 9 }, { tx });
      });
      expect(await sqlErrorOf(caught)).toMatchObject({ code: "UNIQUE_VIOLATION", fields: ["email"] });
    }
    await lent.run("DROP TABLE own_keys");
  });

  // mysql2 itself listens to the first report of a loss only; what is written after it reports another.
  test.each([
    ["mysql2", (own: mysql.Pool) => own],
    ["an application", (own: mysql.Pool) => ({ getConnection: () => own.getConnection() })],
  ])("a loss that is reported twice does not end the process, on a pool of %s", async (_, around) => {
    const own = mysql.createPool({ uri: lent.url ?? "", connectionLimit: 1 });
    const cores: EventEmitter[] = [];
    // What the pool emits is the connection beneath the one of its own interface.
    own.on("connection", (core) => void cores.push(core as unknown as EventEmitter));
    const items = mariadb(around(own)).repository(Item);
    expect(await items.count().exec()).toBe(3);
    for (let times = 0; times < 3; times++) cores[0]?.emit("error", new Error("lost"));
    expect(await items.count().exec()).toBe(3);
    expect(cores).toHaveLength(2);
    await own.end();
  });

  test("failing calls by the thousand leave no connection behind", async () => {
    const [row] = (await lent.run("SELECT DATABASE() AS name")) as { name: string }[];
    const url = new URL(mariadbUrl);
    url.pathname = `/${row?.name}`;
    const small = mysql.createPool({ uri: url.href, connectionLimit: 2 });
    const items = mariadb(small).repository(Item);
    const insert = items.insert();
    const count = rounds({ small: 1_500, full: 10_000 });
    const calls = Array.from({ length: count }, () => insert.exec({ id: 1 }).catch((error) => error.code));
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["UNIQUE_VIOLATION"]));
    expect(await items.count().exec()).toBe(3);
    await small.end();
  });
});
