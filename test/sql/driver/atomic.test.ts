/** Databases whose driver has no sessions, but `atomic`: what goes as one, what is refused, what is stored when it fails. */
import Sqlite from "better-sqlite3";
import { type AnyTable, add, column, many, on as onEvent, one, table } from "rowtype";
import { type AtomicDatabase, type Driver, databaseOver } from "rowtype/driver";
import type { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type AtomicDriver, atomicDriver } from "../../kit/atomic-driver.js";
import { sqlErrorOf } from "../../kit/thrown.js";

const id = () => column(z.int(), { primaryKey: true, generated: true });
const orders = table(
  "orders",
  z.object({
    id: id(),
    code: column(z.string(), { unique: true }),
    note: column(z.string().nullable(), { default: "'none'" }),
  }),
  { relations: { lines: many("lines", "orderId") } },
);
const lines = table("lines", z.object({ id: id(), orderId: z.int(), qty: z.int() }), {
  relations: { order: one("orders", "orderId") },
});
const papers = table(
  "papers",
  z.object({ id: id(), title: z.string(), version: column(z.int(), { auto: "version" }) }),
);
const left = table(
  "lefts",
  z.object({ id: id(), other: column(z.int(), { references: (): AnyTable => right }) }),
);
const right = table(
  "rights",
  z.object({ id: id(), other: column(z.int(), { references: (): AnyTable => left }) }),
);
const tables = { orders, lines, papers };
const NEEDS = { code: "UNSUPPORTED", hint: "it needs an interactive transaction" };

let driven: AtomicDriver;
let db: AtomicDatabase<"sqlite">;
let handle: Sqlite.Database;
const shop = () => db.repositories(tables);
const codes = async () =>
  (await shop().orders.query().fields("code").orderBy("code", "asc").exec()).map(({ code }) => code);
/** What was sent since the last look. */
const sent = () => driven.sent.splice(0);

beforeEach(async () => {
  handle = new Sqlite(":memory:");
  driven = atomicDriver(handle);
  db = databaseOver("sqlite", driven.driver);
  await db.createTables(orders, lines, papers);
  sent();
});
afterEach(() => void handle.close());

describe("atomic", () => {
  test("is one call of the driver: in order, each seeing those before, with the tuple of their results", async () => {
    const shopped = shop();
    const byCode = shopped.orders.query().fields("code").where("code", "=", "code");
    const results = await db.atomic([
      shopped.orders.insert().bind({ code: "a", note: null }),
      byCode.bind({ code: "a" }),
      shopped.orders.modify().set("note", "note").where("code", "=", "code").bind({ note: "n", code: "a" }),
      shopped.orders.modify().set("note", "note").whereNotNull("id").bindMany({ note: "m" }),
      shopped.orders.insert().bindMany([
        { code: "b", note: null },
        { code: "c", note: null },
      ]),
      shopped.orders.query().orderBy("id", "asc").page(2).bind(),
      shopped.orders.count().bind(),
      shopped.orders.remove().where("code", "=", "code").bind({ code: "b" }),
      shopped.orders.select().fields("note").where("code", "=", "code").bind({ code: "c" }),
      db.sql("SELECT count(*) AS n FROM orders", z.object({ n: z.int() })).bind(),
      db.sql("UPDATE orders SET note = :note").bind({ note: "z" }),
    ]);
    expect(sent()).toEqual([expect.objectContaining({ length: 11 })]);
    const first: { id: number; code: string; note: string | null } = results[0];
    expect(first).toEqual({ id: 1, code: "a", note: null });
    const found: { code: string }[] = results[1];
    expect(found).toEqual([{ code: "a" }]);
    expect(results.slice(2)).toEqual([
      { id: 1, code: "a", note: "n" },
      [{ id: 1, code: "a", note: "m" }],
      [
        { id: 2, code: "b", note: null },
        { id: 3, code: "c", note: null },
      ],
      {
        rows: [expect.objectContaining({ id: 1 }), expect.objectContaining({ id: 2 })],
        next: expect.any(String),
      },
      3,
      1,
      { note: null },
      [{ n: 2 }],
      2,
    ]);
    expect(await db.atomic([])).toEqual([]);
    sent();
  });

  test("a call that is refused undoes all; which one it was, the driver does not say", async () => {
    await shop().orders.insert().exec({ code: "taken", note: null });
    const call = (code: string) => shop().orders.insert().bind({ code, note: null });
    const ended: string[] = [];
    const off = onEvent("db.query.failed", ({ error }) => ended.push(error.code));
    const error = await sqlErrorOf(db.atomic([call("a"), call("taken"), call("b")]));
    off();
    expect(error).toMatchObject({ code: "UNIQUE_VIOLATION", fields: ["code"] });
    expect(error).not.toHaveProperty("stored");
    expect(Object(error).index).toBeUndefined();
    expect(ended).toHaveLength(3);
    expect(await codes()).toEqual(["taken"]);
    const only = await sqlErrorOf(db.atomic([call("taken")]));
    expect(only).toMatchObject({ code: "UNIQUE_VIOLATION", index: 0 });
  });

  test("a Bound of several texts, or one that must be undone afterwards, is UNSUPPORTED, and nothing is sent", async () => {
    const { orders: own } = shop();
    const ok = own.insert().bind({ code: "a", note: null });
    const several = [
      // Records of other columns are other texts.
      own.insert().bindMany([{ code: "b", note: null }, { code: "c" }]),
      own
        .insert()
        .with("lines")
        .bind({ code: "d", note: null, lines: [{ qty: 1 }] }),
      own.modify().set("note", "note").where("note", "=", "old").bind({ note: "x", old: "y" }),
    ];
    for (const call of several)
      expect(await sqlErrorOf(db.atomic([ok, call, ok]))).toMatchObject({ ...NEEDS, index: 1 });
    expect(sent()).toEqual([]);
    expect(await codes()).toEqual([]);
  });

  test("an error of a result comes after all is stored: it says so, and where", async () => {
    const { orders: own, lines: inside } = shop();
    await db.sql("INSERT INTO lines (orderId, qty) VALUES (7, 9007199254740993)").exec();
    const order = (code: string) => own.insert().bind({ code, note: null });
    const byOrder = inside.modify().set("orderId", "to").where("id", "=", "id");
    const failed = db.atomic([order("a"), byOrder.bind({ to: 8, id: 1 })]);
    expect(await sqlErrorOf(failed)).toMatchObject({ code: "DECODE_FAILED", stored: true, index: 1 });
    expect(await inside.count().where("orderId", "=", "to").exec({ to: 8 })).toBe(1);
    const none = db.atomic([order("b"), byOrder.bind({ to: 8, id: 2 })]);
    expect(await sqlErrorOf(none)).toMatchObject({ code: "NO_ROWS", stored: true, index: 1 });
    own.onScan(() => {
      throw new Error("refused");
    });
    const scanned = db.atomic([own.insert().bind({ code: "c", note: null })]);
    expect(await sqlErrorOf(scanned)).toMatchObject({ code: "CALLBACK_FAILED", stored: true, index: 0 });
    own.onScan(null);
    expect(await codes()).toEqual(["a", "b", "c"]);
  });

  test("a record that its callback refuses sends nothing, and one that waits keeps its place", async () => {
    const { orders: own, lines: inside } = shop();
    own.onRecord(async (record) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (record.code === "no") throw new Error("refused");
    });
    const order = (code: string) => own.insert().bind({ code, note: null });
    const line = inside.insert().bind({ orderId: 1, qty: 1 });
    const refused = await sqlErrorOf(db.atomic([line, order("no"), line]));
    expect(refused).toMatchObject({ code: "CALLBACK_FAILED", index: 1 });
    expect(refused).not.toHaveProperty("stored");
    expect(sent()).toEqual([]);
    await db.atomic([order("a"), line, order("b")]);
    own.onRecord(null);
    const [list] = sent();
    expect(Array.from(list ?? [], (text) => text.split(" ")[2])).toEqual(['"orders"', '"lines"', '"orders"']);
  });

  test("what it cannot do is refused before anything is sent", async () => {
    const call = shop().orders.insert().bind({ code: "a", note: null });
    const loose = db as unknown as { atomic(calls: unknown, options?: unknown): Promise<unknown> };
    const elsewhere = sqlite().repositories(tables).orders.insert().bind({ code: "b", note: null });
    const refused: [unknown, unknown, object][] = [
      [[call], { isolation: "serializable" }, { code: "UNSUPPORTED" }],
      [[call], { signal: AbortSignal.abort() }, { code: "ABORTED" }],
      [[call, elsewhere], undefined, { code: "TRANSACTION_REQUIRED", index: 1 }],
      [[call, Promise.resolve(call)], undefined, { code: "PARAM_TYPE", index: 1 }],
      [undefined, undefined, { code: "PARAM_TYPE" }],
    ];
    for (const [calls, options, expected] of refused)
      expect(await sqlErrorOf(loose.atomic(calls, options))).toMatchObject(expected);
    expect(sent()).toEqual([]);
  });
});

describe("a call of several statements", () => {
  test("goes as one atomic where none needs the rows of another, and is all or nothing", async () => {
    const { orders: own } = shop();
    const mixed = [{ code: "a", note: null }, { code: "b" }];
    expect(await own.insert().execBatch(mixed)).toBe(2);
    expect(sent()).toEqual([expect.objectContaining({ length: 2 })]);
    const more = [{ code: "c", note: null }, { code: "d" }];
    expect((await own.insert().execMany(more)).map((row) => row.code)).toEqual(["c", "d"]);
    expect(sent()).toEqual([expect.objectContaining({ length: 2 })]);
    const byId = own.modify().set("note", "note").where("id", "=", "id");
    // The same row twice: two statements, in order.
    const twice = [1, 2, 1].map((one, i) => ({ id: one, note: `n${i}` }));
    expect(await byId.execBatch(twice)).toBe(3);
    expect(sent()).toEqual([expect.objectContaining({ length: 2 })]);
    expect(await own.query().fields("id", "note").orderBy("id", "asc").limit(2).exec()).toEqual([
      { id: 1, note: "n2" },
      { id: 2, note: "n1" },
    ]);
    const taken = [{ code: "e", note: null }, { code: "a" }];
    expect(await sqlErrorOf(own.insert().execBatch(taken))).toMatchObject({ code: "UNIQUE_VIOLATION" });
    expect(await codes()).toEqual(["a", "b", "c", "d"]);
    // Two tables that reference each other are dropped together.
    await db.createTables(left, right);
    sent();
    await db.dropTables(left, right);
    expect(sent()).toEqual([expect.objectContaining({ length: 3 })]);
  });

  test("is UNSUPPORTED where one needs the rows of another, or may have to be undone, and nothing is sent", async () => {
    const { orders: own, papers: versioned } = shop();
    const calls: readonly (() => Promise<unknown>)[] = [
      () =>
        own
          .insert()
          .with("lines")
          .exec({ code: "a", note: null, lines: [{ qty: 1 }] }),
      () => own.modify().set("note", "note").where("note", "=", "old").exec({ note: "x", old: "y" }),
      () =>
        own
          .modify()
          .set("note", "note")
          .where("note", "=", "old")
          .execEach([{ note: "x", old: "y" }]),
      // The rows of several records are read by a second statement.
      () =>
        own
          .modify()
          .set("note", "note")
          .where("id", "=", "id")
          .execEach([1, 2].map((one) => ({ note: "x", id: one }))),
      () =>
        versioned
          .modify()
          .set("title", "title")
          .where("id", "=", "id")
          .execBatch([1, 2].map((one) => ({ title: "x", id: one, version: 1 }))),
    ];
    for (const call of calls) expect(await sqlErrorOf(call())).toMatchObject(NEEDS);
    expect(sent()).toEqual([]);
  });

  test("that cannot be read after it was stored says so, and is not sent again", async () => {
    const { orders: own } = shop();
    own.onScan(({ code }) => {
      if (code === "b") throw new Error("refused");
    });
    const many = own.insert().execMany([{ code: "a", note: "n" }, { code: "b" }, { code: "c", note: "n" }]);
    expect(await sqlErrorOf(many)).toMatchObject({ code: "CALLBACK_FAILED", index: 1, stored: true });
    own.onScan(null);
    expect(sent()).toHaveLength(1);
    expect(await codes()).toEqual(["a", "b", "c"]);
  });
});

test("mistakes of atomic are named, and say that the driver has stored what it answered", async () => {
  for (const [answer, words] of [
    [undefined, "atomic gives a list of 2 results, one for each statement"],
    [[{ rows: [], affected: 0 }], "atomic gives a list of 2 results, one for each statement"],
    [
      [
        { rows: [[1]], affected: 1 },
        { rows: [[1]], affected: 1 },
      ],
      "a row has 3 values, one for each column, not 1",
    ],
  ] as const) {
    const wrong = databaseOver("sqlite", { ...driven.driver, atomic: async () => answer as never });
    const call = wrong.repository(orders).insert().bind({ code: "a", note: null });
    expect(await sqlErrorOf(wrong.atomic([call, call]))).toMatchObject({
      code: "QUERY_FAILED",
      message: `the driver made a mistake: ${words}`,
      stored: true,
    });
  }
  const silent = databaseOver("sqlite", {
    ...driven.driver,
    atomic: () => new Promise<never>(() => undefined),
  });
  const call = silent.repository(orders).insert().bind({ code: "a", note: null });
  const late = silent.atomic([call], { signal: AbortSignal.timeout(20) });
  expect(await sqlErrorOf(late)).toMatchObject({ code: "ABORTED" });
});

test("in the types there is no transaction, stream, execTx nor lock; without the method no atomic", async () => {
  const none: Driver = { run: () => ({ rows: [], affected: 0 }) };
  const bare = databaseOver("postgres", none);
  const own = bare.repository(orders);
  const loose = bare.repository(orders as AnyTable).insert();
  const { tx } = {
    tx: undefined as never as Parameters<Parameters<ReturnType<typeof postgres>["transaction"]>[0]>[0],
  };
  const misuses = () => [
    // @ts-expect-error no atomic
    bare.atomic([]),
    // @ts-expect-error no transaction
    db.transaction(async () => 1),
    // @ts-expect-error no stream
    own.query().stream(),
    // @ts-expect-error nor of a dynamic query
    own.query().dynamic().stream(),
    // @ts-expect-error nor of a set operation
    own.query().union(own.query()).stream(),
    // @ts-expect-error no execTx
    own.query().execTx(tx),
    // @ts-expect-error nor here
    own.insert().execTx(tx, { code: "a", note: null }),
    // @ts-expect-error nor here
    own.modify().set("note", "note").where("id", "=", "id").execTx(tx, { note: "n", id: 1 }),
    // @ts-expect-error nor here
    own.remove().where("id", "=", "id").execTx(tx, { id: 1 }),
    // @ts-expect-error nor here
    own.count().execTx(tx),
    // @ts-expect-error nor of pages
    own.query().orderBy("id", "asc").page(2).execTx(tx),
    // @ts-expect-error nor of a table that is not known
    loose.execTx(tx, {}),
    // @ts-expect-error nor behind a conflict
    loose.onConflict("id").doNothing().execTx(tx, {}),
    // @ts-expect-error nor of texts
    bare.sql("SELECT 1").execTx(tx),
    // @ts-expect-error no lock
    own.select().where("id", "=", "id").forUpdate(),
    // @ts-expect-error nor this one
    own.select().where("id", "=", "id").forShare(),
  ];
  expect(misuses).toBeTypeOf("function");
  // What remains is typed as ever.
  const page: Promise<{ rows: { id: number }[]; next: string | null }> = own
    .query()
    .fields("id")
    .orderBy("id", "asc")
    .page(2)
    .exec();
  expect(await page).toEqual({ rows: [], next: null });
  expect(() => own.query().fields(add("id", "id").as("twice")).build()).not.toThrow();
});
