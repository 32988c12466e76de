/** `databaseOver`: databases over drivers of others, what their types lack, and what a mistake of a driver becomes. */
import Sqlite from "better-sqlite3";
import pg from "pg";
import { add, column, type Database, DeclarationError, decimal, table } from "rowtype";
import {
  type AtomicDatabase,
  type Driver,
  databaseOver,
  type Statement,
  type StatementDatabase,
} from "rowtype/driver";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { postgresDriver, sqliteDriver } from "../../kit/small-drivers.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { lendDatabase } from "../../postgres-databases.js";
import { servers } from "../../servers.js";

const Item = table(
  "items",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: column(z.string().nullable(), { unique: true }),
    wide: z.bigint().nullable(),
    isOn: z.boolean().nullable(),
    bytes: z.instanceof(Uint8Array).nullable(),
    price: decimal(8, 2).nullable(),
    at: z.date().nullable(),
  }),
);
const none = { name: null, wide: null, isOn: null, bytes: null, price: null, at: null };
const full = {
  ...{ name: "a'ü", wide: -(2n ** 63n), isOn: true, bytes: new Uint8Array([0, 255]) },
  ...{ price: "-9.50", at: new Date("2026-01-02T03:04:05.678Z") },
};
const postgresServer = servers.find(({ name }) => name === "postgres");

interface World {
  readonly db: Database;
  close(): Promise<void>;
}
const worlds: readonly (readonly [name: string, isThere: boolean, open: () => Promise<World>])[] = [
  [
    "SQLite over better-sqlite3",
    true,
    async () => {
      const handle = new Sqlite(":memory:");
      return { db: databaseOver("sqlite", sqliteDriver(handle)), close: async () => void handle.close() };
    },
  ],
  [
    "PostgreSQL over pg",
    postgresServer?.available === true,
    async () => {
      const { url, giveBack } = await lendDatabase();
      const pool = new pg.Pool({ connectionString: url, max: 2 });
      const close = async () => {
        await pool.end();
        await giveBack();
      };
      return { db: databaseOver("postgres", postgresDriver(pool)), close };
    },
  ],
];

describe.each(worlds)("a full driver: %s", (_, isThere, open) => {
  const there = test.skipIf(!isThere);
  let world: World;
  let db: Database<"sqlite">;
  beforeAll(async () => {
    if (!isThere) return;
    world = await open();
    db = world.db as unknown as Database<"sqlite">;
  });
  beforeEach(async () => {
    if (!isThere) return;
    await db.dropTables(Item);
    await db.createTables(Item);
  });
  afterAll(() => world?.close());

  there("stores and gives values exactly", async () => {
    const items = db.repository(Item);
    for (const row of [
      { id: 1, ...full },
      { id: 2, ...none },
    ]) {
      expect(await items.insert().exec(row)).toEqual(row);
      expect(await items.query().where("id", "=", "id").exec({ id: row.id })).toEqual([row]);
    }
    expect(
      await db
        .sql("SELECT id, name AS n FROM items WHERE id = :id", z.object({ id: z.int(), n: z.string() }))
        .exec({ id: 1 }),
    ).toEqual([{ id: 1, n: full.name }]);
  });

  there("holds transactions and savepoints, and reads streams", async () => {
    const undone = db.transaction(async (tx) => {
      await tx
        .repository(Item)
        .insert()
        .exec({ id: 1, ...none });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await db.transaction(async (tx) => {
      const items = tx.repository(Item);
      await items.insert().execBatch(Array.from({ length: 600 }, (__, id) => ({ id, ...none })));
      const inner = tx.transaction((inside) =>
        inside
          .repository(Item)
          .insert()
          .exec({ id: 5, ...none }),
      );
      expect(await sqlErrorOf(inner)).toMatchObject({ code: "UNIQUE_VIOLATION", fields: ["id"] });
      let count = 0;
      for await (const { id } of items.query().orderBy("id", "asc").stream()) expect(id).toBe(count++);
      expect(count).toBe(600);
    });
    expect(await db.repository(Item).count().exec()).toBe(600);
  });

  there("undoes a change that cannot be read", async () => {
    const repository = db.repository(Item);
    await repository.insert().exec({ id: 1, ...none });
    repository.onScan(() => {
      throw new Error("refused");
    });
    const change = repository.modify().set("name", "name").where("id", "=", "id").returning("id");
    expect(await sqlErrorOf(change.exec({ id: 1, name: "x" }))).toMatchObject({ code: "CALLBACK_FAILED" });
    repository.onScan(null);
    expect(await repository.query().fields("name").exec()).toEqual([{ name: null }]);
  });

  there("says what a constraint is about, and what a signal ends", async () => {
    const items = db.repository(Item);
    await items.insert().exec({ id: 1, ...none, name: "x" });
    expect(await sqlErrorOf(items.insert().exec({ id: 2, ...none, name: "x" }))).toMatchObject({
      code: "UNIQUE_VIOLATION",
      fields: ["name"],
    });
    const call = items.insert().exec({ id: 3, ...none }, { signal: AbortSignal.abort() });
    expect(await sqlErrorOf(call)).toMatchObject({ code: "ABORTED" });
    expect(await items.count().exec()).toBe(1);
  });
});

describe("a driver without connect()", () => {
  const open = (more: Partial<Driver> = {}) => {
    const handle = new Sqlite(":memory:");
    const { run } = sqliteDriver(handle);
    return databaseOver("sqlite", { run, ...more });
  };
  const withItems = async (more?: Partial<Driver>) => {
    const db = open(more);
    await db.createTables(Item);
    return db;
  };

  test("runs single statements", async () => {
    const db = await withItems();
    const items = db.repository(Item);
    const row = { id: 1, ...full };
    expect(await items.insert().exec(row)).toEqual(row);
    expect(await items.query().exec()).toEqual([row]);
    expect(await items.remove().where("id", "=", "id").exec({ id: 1 })).toBe(1);
    await db.ping();
  });

  test("a database of it is none with transactions, in its type and in fact", () => {
    const db: StatementDatabase<"sqlite"> = open();
    const atomic: AtomicDatabase<"sqlite"> = databaseOver("sqlite", {
      run: () => ({ rows: [], affected: 0 }),
      atomic: async () => [],
    });
    // @ts-expect-error there is no transaction
    expect(db.transaction).toBeUndefined();
    // @ts-expect-error nor here
    expect(atomic.transaction).toBeUndefined();
    // @ts-expect-error bound calls run together in a transaction
    expect(db.atomic).toBeUndefined();
    // @ts-expect-error a database without transactions is none with them
    const wrong: Database<"sqlite"> = db;
    expect(wrong.dialect).toBe("sqlite");
    const dialect: "sqlite" = db.dialect;
    expect(dialect).toBe("sqlite");
    // @ts-expect-error Oracle is not behind this door
    expect(() => databaseOver("oracle", { run: () => ({ rows: [], affected: 0 }) })).toThrow(
      DeclarationError,
    );
    const pgLike = databaseOver("postgres", { run: () => ({ rows: [], affected: 0 }) });
    // @ts-expect-error there are no locks
    expect(() => pgLike.repository(Item).select().where("id", "=", "id").forUpdate().build()).not.toThrow();
    const rows: Promise<{ id: number }[]> = db
      .repository(Item)
      .query()
      .fields("id")
      .where("id", ">", "n")
      .exec({ n: 1 });
    return rows.catch(() => undefined);
  });

  test("what needs a transaction is UNSUPPORTED, and nothing is sent", async () => {
    const sent: string[] = [];
    const run = (statement: Statement) => {
      sent.push(statement.sql);
      return { rows: [], affected: 0 };
    };
    const db = databaseOver("sqlite", { run });
    const stream = async () => {
      const untyped = db as unknown as Database<"sqlite">;
      for await (const _ of untyped.repository(Item).query().stream());
    };
    expect(await sqlErrorOf(stream())).toMatchObject({
      code: "UNSUPPORTED",
      hint: "it needs an interactive transaction",
    });
    expect(sent).toEqual([]);
  });

  test("an error after the change was stored says so", async () => {
    const db = await withItems();
    const items = db.repository(Item);
    await db.sql("INSERT INTO items (id, name) VALUES (9007199254740993, 'n')").exec();
    const rename = items.modify().set("name", "name").where("name", "=", "old").returning("id");
    expect(await sqlErrorOf(rename.exec({ name: "m", old: "n" } as never))).toMatchObject({
      code: "DECODE_FAILED",
      stored: true,
    });
    expect(await items.query().fields("name").exec()).toEqual([{ name: "m" }]);
    items.onScan(() => {
      throw new Error("refused");
    });
    expect(await sqlErrorOf(items.insert().exec({ id: 1, ...none }))).toMatchObject({
      code: "CALLBACK_FAILED",
      stored: true,
    });
    items.onScan(null);
    expect(await items.count().exec()).toBe(2);
  });

  test("native is UNSUPPORTED without the method", async () => {
    expect(await sqlErrorOf(open().native("SELECT 1"))).toMatchObject({ code: "UNSUPPORTED" });
  });

  test("a driver that lacks functions refuses what needs them, with its name, and takes the rest", async () => {
    const db = await withItems({ lacks: ["functions"] });
    const items = db.repository(Item);
    const calculated = () => items.query().fields(add("id", "id").as("twice")).build();
    expect(calculated).toThrow(
      expect.objectContaining({
        code: "UNSUPPORTED",
        feature: "arithmetic with whole numbers with this driver",
      }),
    );
    expect(await items.query().fields("id").exec()).toEqual([]);
  });

  test("a driver that lacks bigints refuses tables with them", () => {
    const db = open({ lacks: ["bigints"] });
    expect(() => db.repository(Item)).toThrow(expect.objectContaining({ code: "UNSUPPORTED" }));
    db.repository(table("others", z.object({ id: column(z.int(), { primaryKey: true }) })));
  });
});

describe("mistakes of a driver are errors that name them", () => {
  const query = (run: () => unknown, more: object = {}) =>
    databaseOver("postgres", { run: run as Driver["run"], ...more })
      .repository(table("t", z.object({ id: column(z.int(), { primaryKey: true }), n: z.int() })))
      .query()
      .exec();
  const mistakes: readonly (readonly [answer: unknown, words: string])[] = [
    [undefined, "run gave undefined, not a result"],
    [{ rows: [{ id: "1", n: "1" }], affected: 1 }, "a row is a list of values, not an object"],
    [{ rows: [["1"]], affected: 1 }, "a row has 2 values, one for each column, not 1"],
    [{ rows: [["1", true]], affected: 1 }, "a boolean is no value of a row"],
    [{ rows: [], affected: "1" }, "affected is a whole number from 0, not a string"],
    [{ rows: [], affected: 1.5 }, "affected is a whole number from 0, not 1.5"],
    [{ rows: "none", affected: 0 }, "rows is a list, not a string"],
  ];
  test.each(mistakes)("%j", async (answer, words) => {
    for (const run of [() => answer, async () => answer])
      expect(await sqlErrorOf(query(run))).toMatchObject({
        code: "QUERY_FAILED",
        message: `the driver made a mistake: ${words}`,
      });
  });

  const thrown = (error: unknown, more: object = {}) =>
    sqlErrorOf(
      query(() => {
        throw error;
      }, more),
    );
  test("an error that is a text, and one in fault", async () => {
    expect(await thrown("a text")).toMatchObject({ code: "QUERY_FAILED" });
    const fault = () => {
      throw new Error("in fault");
    };
    expect(await thrown(new Error("x"), { fault })).toMatchObject({
      code: "QUERY_FAILED",
      message: "the driver made a mistake: fault threw an error",
    });
    expect(await thrown(new Error("x"), { fault: () => ({}) })).toMatchObject({ code: "QUERY_FAILED" });
  });

  test("a fault becomes the code of the dialect", async () => {
    const as = (fault: object) => thrown(new Error("x"), { fault: () => fault });
    expect(await as({ message: "m", sqlState: "23505", constraint: "t_pkey" })).toMatchObject({
      code: "UNIQUE_VIOLATION",
      constraint: "t_pkey",
      fields: ["id"],
    });
    expect(await as({ message: "m", sqlState: "40P01" })).toMatchObject({ code: "DEADLOCK" });
    expect(await as({ message: "m", kind: "lost" })).toMatchObject({ code: "CONNECTION_LOST" });
    expect(await as({ message: "m", kind: "aborted" })).toMatchObject({ code: "ABORTED" });
    const sqlite = databaseOver("sqlite", {
      run: () => {
        throw new Error("x");
      },
      fault: () => ({ message: "UNIQUE constraint failed: t.id", errno: 2067 }),
    });
    expect(await sqlErrorOf(sqlite.sql("SELECT 1").exec())).toMatchObject({ code: "UNIQUE_VIOLATION" });
  });

  test("a driver that never answers is not waited for after the signal", async () => {
    const db = databaseOver("sqlite", { run: () => new Promise<never>(() => undefined) });
    const call = db.sql("SELECT 1").exec(undefined, { signal: AbortSignal.timeout(20) });
    expect(await sqlErrorOf(call)).toMatchObject({ code: "ABORTED" });
  });

  test("what is no driver is a declaration error", () => {
    for (const driver of [
      undefined,
      null,
      {},
      { run: 1 },
      { run: () => undefined, connect: 1 },
      { run: () => undefined, lacks: ["x"] },
    ])
      expect(() => databaseOver("sqlite", driver as never)).toThrow(DeclarationError);
    expect(() => databaseOver("mysql" as never, { run: () => ({ rows: [], affected: 0 }) })).toThrow(
      DeclarationError,
    );
  });
});

test("two databases over one driver share its transactions", async () => {
  const driver = sqliteDriver(new Sqlite(":memory:"));
  const [a, b] = [databaseOver("sqlite", driver), databaseOver("sqlite", driver)];
  await a.createTables(Item);
  await a.transaction(async (tx) => {
    expect(await sqlErrorOf(b.repository(Item).count().exec())).toMatchObject({
      code: "TRANSACTION_REQUIRED",
    });
    expect(await b.repository(Item).count().exec(undefined, { tx })).toBe(0);
  });
});

test("a driver says how many parameters a statement takes, and batches are split for it", async () => {
  const lengths: number[] = [];
  const run = ({ params }: Statement) => {
    lengths.push(params.length);
    return { rows: [], affected: 0 };
  };
  const atomic = async (statements: readonly Statement[]) => statements.map(run);
  const own = table("o", z.object({ id: column(z.int(), { primaryKey: true }), name: z.string() }));
  const records = Array.from({ length: 120 }, (_, id) => ({ id, name: "n" }));
  const db = databaseOver("sqlite", { run, atomic, mostParams: 100 });
  await db.repository(own).insert().execBatch(records);
  expect(lengths).toEqual([100, 100, 40]);
  for (const mostParams of [0, -1, 1.5, "9" as never])
    expect(() => databaseOver("sqlite", { run, mostParams })).toThrow(DeclarationError);
});
