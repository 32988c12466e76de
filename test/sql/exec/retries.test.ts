/** `retries` of a database: which calls are repeated, after what, how often, and what their callers see of it. */
import pg from "pg";
import { column, type Database, DeclarationError, on, QueryError, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Driver, DriverResult } from "../../../src/sql/contract/driver.js";
import { postgres as grammar } from "../../../src/sql/dialect/postgres/grammar.js";
import { makeDatabase } from "../../../src/sql/door/database.js";
import type { QueryErrorCode } from "../../../src/sql/words/errors.js";
import { behindPooler } from "../../availability.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const Item = table("items", z.object({ id: column(z.int(), { primaryKey: true }), n: z.int() }));

/** A database that fails so often, with these, and then answers every statement with one row. */
function failing(
  codes: readonly QueryErrorCode[],
  options: { retries?: number },
  where: "statement" | "commit" = "statement",
) {
  const left = [...codes];
  const sent: string[] = [];
  const fail = () => {
    const code = left.shift();
    if (code !== undefined) throw new QueryError(code, "it failed");
  };
  const run: Driver["run"] = async ({ sql, prepared }): Promise<DriverResult> => {
    sent.push(sql.slice(0, 6));
    if (where === "statement") fail();
    return { rows: prepared.givesRows ? [[1, 5]] : [], affected: 1 };
  };
  const driver: Driver = {
    run,
    connect: async () => ({
      run,
      open: () => Promise.reject(new Error("no streams here")),
      begin: async () => void sent.push("BEGIN"),
      control: async (command) => {
        sent.push(command.toUpperCase());
        if (command === "commit" && where === "commit") fail();
      },
      release: () => undefined,
    }),
    translate: (error) => new QueryError("QUERY_FAILED", "it failed", { cause: error }),
  };
  // The types of the package and of its source are two, of one thing.
  const db = makeDatabase("postgres", grammar, driver, options) as unknown as Database<"postgres">;
  return { db, items: db.repository(Item), sent };
}

const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
type Items = ReturnType<typeof failing>["items"];

const changes: readonly [string, (items: Items) => Promise<unknown>][] = [
  ["insert().exec", (items) => items.insert().exec({ id: 1, n: 5 })],
  ["insert().execMany", (items) => items.insert().execMany([{ id: 1, n: 5 }])],
  ["insert().execBatch", (items) => items.insert().execBatch([{ id: 1, n: 5 }])],
  ["an upsert", (items) => items.insert().onConflict("id").doUpdate().set("n", "n").exec({ id: 1, n: 5 })],
  ["modify().exec", (items) => items.modify().set("n", "n").where("id", "=", "id").exec({ id: 1, n: 5 })],
  [
    "modify().exec of what is not a key",
    (items) => items.modify().set("n", "m").where("n", "=", "n").exec({ n: 1, m: 5 }),
  ],
  [
    "modify().execMany",
    (items) => items.modify().set("n", "n").where("id", "=", "id").execMany({ id: 1, n: 5 }),
  ],
  [
    "modify().execBatch",
    (items) =>
      items
        .modify()
        .set("n", "n")
        .where("id", "=", "id")
        .execBatch([{ id: 1, n: 5 }]),
  ],
  ["modify().execPatch", (items) => items.modify().where("id", "=", "id").execPatch({ n: 5 }, { id: 1 })],
  ["remove().exec", (items) => items.remove().where("id", "=", "id").exec({ id: 1 })],
  ["remove().execMany", (items) => items.remove().where("id", "=", "id").execMany({ id: 1 })],
  [
    "remove().execBatch",
    (items) =>
      items
        .remove()
        .where("id", "=", "id")
        .execBatch([{ id: 1 }]),
  ],
];

describe("a call that changes rows", () => {
  test.each(changes)("%s is repeated after a deadlock and after a serialization failure", async (_, call) => {
    const { items, sent } = failing(["DEADLOCK", "SERIALIZATION_FAILURE", "DEADLOCK"], { retries: 3 });
    await call(items);
    const once = failing([], {});
    await call(once.items);
    const [verb] = once.sent.filter((word) => /^[IUD]/.test(word));
    expect(sent.filter((word) => word === verb)).toEqual(times(4, verb));
  });

  test.each(changes)("%s is sent once by default, and fails after the last retry", async (_, call) => {
    for (const options of [{}, { retries: 0 }]) {
      const { items, sent } = failing(times(5, "DEADLOCK"), options);
      expect(await sqlErrorOf(call(items))).toMatchObject({ code: "DEADLOCK" });
      expect(sent.filter((word) => /^[IUD]/.test(word))).toHaveLength(1);
    }
    const { items, sent } = failing(times(5, "DEADLOCK"), { retries: 2 });
    expect(await sqlErrorOf(call(items))).toMatchObject({ code: "DEADLOCK" });
    expect(sent.filter((word) => /^[IUD]/.test(word))).toHaveLength(3);
  });

  test.each([
    "CONNECTION_LOST",
    "UNKNOWN_OUTCOME",
    "LOCK_TIMEOUT",
    "READ_ONLY",
    "ABORTED",
    "QUERY_FAILED",
  ] as const)("is never repeated after %s", async (code) => {
    for (const [, call] of changes) {
      const { items, sent } = failing([code], { retries: 5 });
      expect(await sqlErrorOf(call(items))).toMatchObject({ code });
      expect(sent.filter((word) => /^[IUD]/.test(word))).toHaveLength(1);
    }
  });

  test("is repeated if its own COMMIT reports a rollback", async () => {
    const { items, sent } = failing(["DEADLOCK"], { retries: 1 }, "commit");
    await items
      .modify()
      .set("n", "n")
      .where("id", ">=", "id")
      .execBatch([
        { id: 1, n: 5 },
        { id: 2, n: 5 },
      ]);
    const work = ["BEGIN", "UPDATE", "UPDATE", "COMMIT"];
    expect(sent.filter((word) => word !== "ROLLBACK")).toEqual([...work, ...work]);
  });

  test("with the caller's SQL is repeated if it is a statement that changes rows", async () => {
    for (const text of [
      "UPDATE items SET n = 1",
      "insert into items values (1, 1)",
      "/* x */ DELETE FROM items",
      "MERGE INTO items",
    ]) {
      const { db, sent } = failing(["DEADLOCK"], { retries: 1 });
      expect(await db.sql(text).exec()).toBe(1);
      expect(sent).toHaveLength(2);
    }
    const { db, sent } = failing(["DEADLOCK"], { retries: 1 });
    const row = z.object({ id: z.int(), n: z.int() });
    await db.sql("UPDATE items SET n = 1 RETURNING id, n", row).exec();
    expect(sent).toHaveLength(2);
    // A procedure may have committed a part of its work.
    for (const text of ["CALL work()", "DO $$ BEGIN END $$", "WITH x AS (SELECT 1) SELECT * FROM x", ""]) {
      const { db, sent } = failing(["DEADLOCK"], { retries: 5 });
      expect(await sqlErrorOf(db.sql(text).exec())).toMatchObject({ code: "DEADLOCK" });
      expect(sent).toHaveLength(1);
    }
  });

  test("in a transaction is repeated only by the transaction's own retries", async () => {
    const { db, items, sent } = failing(["DEADLOCK", "DEADLOCK"], { retries: 5 });
    const change = items.modify().set("n", "n").where("id", "=", "id");
    const failed = db.transaction((tx) => change.exec({ id: 1, n: 5 }, { tx }));
    expect(await sqlErrorOf(failed)).toMatchObject({ code: "DEADLOCK" });
    expect(sent).toEqual(["BEGIN", "UPDATE", "ROLLBACK"]);
    await db.transaction((tx) => change.exec({ id: 1, n: 5 }, { tx }), { retries: 1 });
    expect(sent.filter((word) => word === "UPDATE")).toHaveLength(3);
  });

  test("reads are not repeated", async () => {
    const { items, sent } = failing(["DEADLOCK"], { retries: 5 });
    expect(await sqlErrorOf(items.query().exec())).toMatchObject({ code: "DEADLOCK" });
    expect(sent).toHaveLength(1);
  });
});

describe("a signal", () => {
  test("ends the retries in a pause, and prevents later ones", async () => {
    const { items, sent } = failing(times(100_000, "DEADLOCK"), { retries: 100_000 });
    const change = items.modify().set("n", "n").where("id", "=", "id");
    const controller = new AbortController();
    const error = sqlErrorOf(change.exec({ id: 1, n: 5 }, { signal: controller.signal }));
    await expect.poll(() => sent.length).toBeGreaterThan(2);
    controller.abort();
    expect(await error).toMatchObject({ code: "ABORTED" });
    const count = sent.length;
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(sent).toHaveLength(count);
  });

  test("ends the pause of a transaction's retries too", async () => {
    const { db } = failing(times(100_000, "DEADLOCK"), {});
    const running = db.transaction((tx) => tx.repository(Item).insert().exec({ id: 1, n: 5 }), {
      retries: 100_000,
      signal: AbortSignal.timeout(100),
    });
    expect(await sqlErrorOf(running)).toMatchObject({ code: "ABORTED" });
  });
});

describe("callbacks", () => {
  test("onRecord sees each record once, onScan the rows of every attempt, and events report each attempt", async () => {
    const { items, sent } = failing(["DEADLOCK", "DEADLOCK"], { retries: 3 }, "commit");
    const seen: string[] = [];
    items.onRecord((record) => {
      seen.push("record");
      record.n += 1;
    });
    items.onScan(() => {
      seen.push("scan");
    });
    const told: string[] = [];
    const off = on("db.query.completed", ({ operation }) => told.push(operation));
    expect(await items.insert().exec({ id: 1, n: 4 })).toEqual({ id: 1, n: 5 });
    off();
    expect(seen.filter((one) => one === "record")).toHaveLength(1);
    expect(seen.filter((one) => one === "scan")).toHaveLength(3);
    expect(told).toEqual(times(3, "INSERT"));
    expect(sent.filter((word) => word === "INSERT")).toHaveLength(3);
  });

  test("an error of a callback is reported at once, for any cause", async () => {
    const { items } = failing([], { retries: 3 });
    let calls = 0;
    items.onScan(() => {
      calls++;
      throw new QueryError("DEADLOCK", "of another database");
    });
    expect(await sqlErrorOf(items.insert().exec({ id: 1, n: 5 }))).toMatchObject({ code: "CALLBACK_FAILED" });
    expect(calls).toBe(1);
  });
});

describe("the option", () => {
  const makers: readonly [string, (options: { retries: number }) => unknown][] = [
    ["postgres", (options) => postgres(undefined, options)],
    ["mariadb", (options) => mariadb(undefined, options)],
    ["sqlite", (options) => sqlite(undefined, options)],
    ["oracle", (options) => oracle(undefined, options)],
  ];
  test.each(makers)("is a whole number from 0: %s", (_, make) => {
    make({ retries: 0 });
    make({ retries: 3 });
    for (const wrong of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, "3", null, true, 2 ** 60])
      expect(() => make({ retries: wrong as number })).toThrow(DeclarationError);
  });

  test("must be in an object", () => {
    for (const wrong of [null, 3, "retries", () => 3] as never[])
      for (const [, make] of makers) expect(() => make(wrong)).toThrow(DeclarationError);
  });

  test("prepare is accepted, and is true or false", () => {
    expect(postgres(undefined, { prepare: false }).dialect).toBe("postgres");
    expect(() => postgres(undefined, { prepare: "no" as never })).toThrow(DeclarationError);
  });
});

const there = servers.find(({ name }) => name === "postgres");
describe.skipIf(there?.available !== true)("on PostgreSQL, with snapshot isolation", () => {
  test("sixty writers of one row: some fail without retries, none with retries, and the sum is exact", async () => {
    const lent = (await there?.lend()) as Lent;
    await lent.db.createTables(Item);
    const name = new URL(lent.url as string).pathname.slice(1);
    await lent.run(`ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`);
    const pool = new pg.Pool({ connectionString: lent.url as string, max: 12 });
    const work = async (db: Database<"postgres">) => {
      const add = db.repository(Item).modify().setExpr("n", "+", "by").where("id", "=", "id");
      const all = await Promise.allSettled(times(60, undefined).map(() => add.exec({ id: 1, by: 1 })));
      return all.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    };
    const items = postgres(pool, { prepare: !behindPooler }).repository(Item);
    await items.insert().exec({ id: 1, n: 0 });
    // On a busy machine sixty may come one after the other, so that none meets another.
    let refused: unknown[] = [];
    let rounds = 0;
    for (; refused.length === 0 && rounds < 30; rounds++) refused = await work(postgres(pool));
    expect(new Set(refused)).toEqual(new Set(["SERIALIZATION_FAILURE"]));
    expect(await work(postgres(pool, { retries: 50 }))).toEqual([]);
    expect(await items.query().exec()).toEqual([{ id: 1, n: 60 * (rounds + 1) - refused.length }]);
    await pool.end();
    await lent.close();
  });
});
