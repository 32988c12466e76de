/**
 * Plans of several statements, on a driver that answers from a script: which statements are sent, with what, and
 * what becomes of a refusal. The grammar is one that has no clause for conflicts; the servers that need such plans
 * have live tests of their own.
 */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { column, on, type SqlEvents, table } from "../../../src/index.js";
import type { Driver, DriverRequest, DriverResult } from "../../../src/sql/contract/driver.js";
import { sqlite } from "../../../src/sql/dialect/sqlite/grammar.js";
import { makeDatabase } from "../../../src/sql/door/database.js";
import { ConstraintError, QueryError } from "../../../src/sql/words/errors.js";
import { sqlErrorOf } from "../../kit/thrown.js";

const Stock = table(
  "stock",
  z.object({
    item: column(z.string(), { primaryKey: true }),
    code: column(z.string(), { unique: true }),
    count: column(z.int(), { default: "7" }),
    note: z.string().nullable(),
  }),
);
const Place = table("places", z.object({ shelf: z.int(), place: z.int(), note: z.string() }), {
  primaryKey: ["shelf", "place"],
});
const grammar = {
  ...sqlite,
  onConflict: undefined,
  locks: { ...sqlite.locks, update: " FOR UPDATE" },
};

type Answer = Partial<DriverResult> | Error;
const row = ["a", "c", 1, null];
const rows = (...list: readonly (readonly unknown[])[]): Answer => ({ rows: list });
const affected = (count: number): Answer => ({ affected: count });
const rival = (...fields: string[]) => new ConstraintError("UNIQUE_VIOLATION", "a key is taken", { fields });

/** A database whose driver gives these answers in turn and keeps what it was asked. */
function scripted(...answers: readonly Answer[]) {
  const sent: string[] = [];
  const params: (readonly unknown[])[] = [];
  const left = [...answers];
  const run = async (request: DriverRequest): Promise<DriverResult> => {
    sent.push(request.sql);
    params.push(request.params);
    const answer = left.shift() ?? new Error("nothing more was expected");
    if (answer instanceof Error) throw answer;
    return { rows: [], affected: 0, ...answer };
  };
  const driver: Driver = {
    run,
    connect: async () => ({
      run,
      open: () => Promise.reject(new Error("nothing is read in pages here")),
      begin: async () => void sent.push("BEGIN"),
      control: async (command) => void sent.push(command.toUpperCase()),
      release: () => undefined,
    }),
    translate: (error) => new QueryError("QUERY_FAILED", "the statement failed", { cause: error }),
  };
  const db = makeDatabase("sqlite", grammar, driver);
  return { db, stock: db.repository(Stock), sent, params };
}

const insert = 'INSERT INTO "stock" ("item", "code") VALUES (?, ?) RETURNING "item", "code", "count", "note"';
const update = 'UPDATE "stock" SET "code" = ? WHERE "item" = ?';
const read = 'SELECT "item", "code", "count", "note" FROM "stock" WHERE "item" = ? FOR UPDATE';
const find = 'SELECT 1 FROM "stock" WHERE "item" = ? FOR UPDATE';
const record = { item: "a", code: "c" };

describe("an upsert without a conflict clause", () => {
  test("updates, and reads the updated row", async () => {
    const { stock, sent, params } = scripted(affected(1), rows(row));
    const upsert = stock.insert().onConflict("item").doUpdate();
    expect(await upsert.exec(record)).toEqual({ item: "a", code: "c", count: 1, note: null });
    expect(sent).toEqual(["BEGIN", update, read, "COMMIT"]);
    expect(params).toEqual([["c", "a"], ["a"]]);
  });

  test("inserts if nothing was updated, and returns the inserted row", async () => {
    const { stock, sent } = scripted(affected(0), rows(row));
    await stock.insert().onConflict("item").doUpdate().exec(record);
    expect(sent).toEqual(["BEGIN", update, insert, "COMMIT"]);
  });

  test("starts again if a concurrent writer has inserted the row", async () => {
    const { stock, sent } = scripted(affected(0), rival("item"), affected(1), rows(row));
    await stock.insert().onConflict("item").doUpdate().exec(record);
    expect(sent).toEqual(["BEGIN", update, insert, update, read, "COMMIT"]);
  });

  test("a violation of another key is reported at once, without a retry", async () => {
    const { stock, sent } = scripted(affected(0), rival("code"));
    const error = await sqlErrorOf(stock.insert().onConflict("item").doUpdate().exec(record));
    expect(error).toMatchObject({ code: "UNIQUE_VIOLATION", fields: ["code"] });
    expect(sent).toEqual(["BEGIN", update, insert, "ROLLBACK"]);
  });

  test.each([
    ["a", []],
    ["both fields of the key", ["shelf", "place"]],
    ["both in the other order", ["place", "shelf"]],
  ])("of a key of two fields starts again after a violation of %s key", async (_, fields) => {
    const { db, sent } = scripted(affected(0), rival(...fields), affected(1), rows([1, 2, "n"]));
    const upsert = db.repository(Place).insert().onConflict("shelf", "place").doUpdate();
    await upsert.exec({ shelf: 1, place: 2, note: "n" });
    expect(sent.map((sql) => sql.split(" ", 1)[0])).toEqual([
      "BEGIN",
      "UPDATE",
      "INSERT",
      "UPDATE",
      "SELECT",
      "COMMIT",
    ]);
  });

  test.each([[["shelf"]], [["place"]], [["note"]], [["shelf", "note"]], [["shelf", "place", "note"]]])(
    "of a key of two fields reports a violation of %j at once",
    async (fields) => {
      const { db, sent } = scripted(affected(0), rival(...fields));
      const upsert = db.repository(Place).insert().onConflict("shelf", "place").doUpdate();
      const error = await sqlErrorOf(upsert.exec({ shelf: 1, place: 2, note: "n" }));
      expect(error).toMatchObject({ code: "UNIQUE_VIOLATION", fields });
      expect(sent.at(-1)).toBe("ROLLBACK");
      expect(sent).toHaveLength(4);
    },
  );

  test("does not start again forever", async () => {
    const refusals = Array.from({ length: 9 }, (_, i) => (i % 2 === 0 ? affected(0) : rival()));
    const { stock, sent } = scripted(...refusals, rival());
    const error = await sqlErrorOf(stock.insert().onConflict("item").doUpdate().exec(record));
    expect(error).toMatchObject({ code: "UNIQUE_VIOLATION" });
    expect(sent.filter((sql) => sql === insert)).toHaveLength(5);
  });

  test("runs in the transaction that it is given", async () => {
    const { db, stock, sent } = scripted(affected(1), rows(row));
    await db.transaction((tx) => stock.insert().onConflict("item").doUpdate().execTx(tx, record));
    expect(sent).toEqual(["BEGIN", update, read, "COMMIT"]);
  });

  test("sets fields to other fields of the record, to defaults of those it leaves out, and to parameters", async () => {
    const { stock, sent, params } = scripted(affected(1), rows(row));
    const upsert = stock
      .insert()
      .onConflict("code")
      .doUpdate()
      .set("item", "newItem")
      .set("note", "code")
      .set("count", "count");
    await upsert.exec(record, { newItem: "b" });
    expect(sent.slice(1, 3)).toEqual([
      'UPDATE "stock" SET "item" = ?, "note" = ?, "count" = (7) WHERE "code" = ?',
      'SELECT "item", "code", "count", "note" FROM "stock" WHERE "code" = ? FOR UPDATE',
    ]);
    expect(params).toEqual([["b", "c", "c"], ["c"]]);
    const moved = scripted(affected(1), rows(row));
    await moved.stock
      .insert()
      .onConflict("item")
      .doUpdate()
      .set("item", "newItem")
      .exec(record, { newItem: "b" });
    expect(moved.params).toEqual([["b", "a"], ["b"]]);
  });

  test("a batch goes one by one, and counts each record", async () => {
    const { stock, sent } = scripted(affected(1), rows(row), affected(0), rows(row));
    const upsert = stock.insert().onConflict("item").doUpdate();
    expect(await upsert.execBatch([record, { item: "b", code: "d" }])).toBe(2);
    expect(sent).toEqual(["BEGIN", update, read, update, insert, "COMMIT"]);
  });
});

describe("keeping an existing row without a conflict clause", () => {
  test("is an insert: the first with its text runs in a transaction, the next ones do not need one", async () => {
    const { stock, sent } = scripted(rows(row), rows(row));
    const upsert = stock.insert().onConflict("item").doNothing();
    expect(await upsert.exec(record)).toMatchObject({ item: "a" });
    expect(sent).toEqual(["BEGIN", insert, "COMMIT"]);
    expect(await upsert.exec(record)).toMatchObject({ item: "a" });
    expect(sent.slice(3)).toEqual([insert]);
  });

  test("a refusal is analysed: a row with the key gives null", async () => {
    const { stock, sent } = scripted(rival(), rows([1]));
    expect(await stock.insert().onConflict("item").doNothing().exec(record)).toBeNull();
    expect(sent).toEqual(["BEGIN", insert, "ROLLBACK", "BEGIN", find, "COMMIT"]);
  });

  test("a violation of another key is reported", async () => {
    const { stock, sent } = scripted(rival(), rows(), rival("code"));
    const error = await sqlErrorOf(stock.insert().onConflict("item").doNothing().exec(record));
    expect(error).toMatchObject({ code: "UNIQUE_VIOLATION", fields: ["code"] });
    expect(sent).toEqual(["BEGIN", insert, "ROLLBACK", "BEGIN", find, insert, "ROLLBACK"]);
  });

  test("any other error is reported unchanged", async () => {
    const { stock, sent } = scripted(new ConstraintError("CHECK_VIOLATION", "no", {}));
    const error = await sqlErrorOf(stock.insert().onConflict("item").doNothing().exec(record));
    expect(error).toMatchObject({ code: "CHECK_VIOLATION" });
    expect(sent).toEqual(["BEGIN", insert, "ROLLBACK"]);
  });
});

test("several statements are reported as one, with the text that render shows", async () => {
  const told: [string, object][] = [];
  const names = ["db.query.started", "db.query.completed", "db.query.failed"] as const;
  const offs = names.map((name) => on(name, (event) => told.push([name, event])));
  const { stock } = scripted(affected(1), rows(row), affected(0), rival("code"));
  const upsert = stock.insert().onConflict("item").doUpdate();
  await upsert.exec(record);
  await sqlErrorOf(upsert.exec(record));
  for (const off of offs) off();
  const statement = { table: "stock", operation: "INSERT", sql: insert };
  expect(told).toMatchObject([
    ["db.query.started", statement],
    ["db.query.completed", { ...statement, rowsReturned: 1 }],
    ["db.query.started", statement],
    ["db.query.failed", { ...statement, error: { code: "UNIQUE_VIOLATION" } }],
  ] satisfies [keyof SqlEvents, object][]);
});
