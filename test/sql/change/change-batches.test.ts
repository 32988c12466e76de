/** Many changes at once: one statement where the rule allows it, and what each record changes alone. */
import { add, c, column, type Database, decimal, json, on, param, raw, table } from "rowtype";
import { recording } from "rowtype/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { foldedText } from "../../../src/sql/exec/meeting.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const Account = table(
  "accounts",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    tenantId: z.int(),
    email: column(z.string(), { unique: true }),
    name: column(z.string(), {
      type: { mariadb: "varchar(60) COLLATE utf8mb4_general_ci", sqlite: "TEXT COLLATE NOCASE" },
    }),
    balance: z.int(),
    total: decimal(12, 2),
    at: z.date(),
    doc: json(z.object({ seen: z.int() })),
    data: z.instanceof(Uint8Array).nullable(),
  }),
);

const Node = table(
  "nodes",
  z.object({ id: column(z.int(), { primaryKey: true }), upId: z.int().nullable() }),
  {
    foreignKeys: [{ columns: ["upId"], references: () => Node, onDelete: "cascade" }],
  },
);

const rowOf = (id: number) => ({
  id,
  tenantId: 1 + (id % 2),
  email: `e${id}`,
  name: `n${id}`,
  balance: 0,
  total: "0.00",
  at: new Date(Date.UTC(2026, 0, id + 1)),
  doc: { seen: 0 },
  data: null,
});

const numbers = (length: number) => Array.from({ length }, (_, i) => i);
const on3 = servers.filter(({ name }) => name === "sqlite" || name === "postgres" || name === "mariadb");

for (const server of on3)
  describe.skipIf(!server.available)(`changes at once on ${server.name}`, () => {
    let lent: Lent;
    let db: Database<"sqlite">;
    const sent: string[] = [];
    let off: () => void = () => undefined;
    beforeAll(async () => {
      lent = await server.lend();
      db = lent.db as unknown as Database<"sqlite">;
      await db.createTables(Account, Node);
    });
    afterAll(() => lent.close());
    beforeEach(async () => {
      await db.repository(Account).remove().where("id", ">=", "id").exec({ id: 0 });
      await db.repository(Account).insert().execBatch(numbers(30).map(rowOf));
      sent.length = 0;
      off = on("db.query.started", ({ sql, operation }) => sent.push(`${operation} ${sql}`));
    });
    afterEach(() => off());

    const accounts = () => db.repository(Account);
    const paid = () => accounts().modify().setExpr("balance", "+", "by").where("id", "=", "id");
    const balances = async () =>
      (await accounts().query().fields("balance").orderBy("id", "asc").exec()).map(({ balance }) => balance);

    test("a list by key is one statement, with values of every kind", async () => {
      const data = new Uint8Array([0, 39, 92, 255]);
      const update = accounts()
        .modify()
        .set("email", "email")
        .set("total", "total")
        .set("at", "at")
        .set("data", "data")
        .setPath("doc", ["seen"], "seen")
        .set("balance", add("balance", param("by", z.int())))
        .where("id", "=", "id");
      const list = numbers(30).map((id) => ({
        id,
        email: `é"\\\n${id}`,
        total: "-12.50",
        at: new Date(Date.UTC(1999, 1, id + 1, 1, 2, 3, 45)),
        data: id === 3 ? null : data,
        seen: id,
        by: id,
      }));
      expect(await update.execBatch(list)).toBe(30);
      expect(sent).toHaveLength(1);
      expect(sent[0]).toMatch(/^UPDATE_BATCH /);
      const rows = await accounts().query().orderBy("id", "asc").exec();
      expect(rows).toEqual(
        list.map(({ id, email, total, at, seen, by, ...more }) => ({
          ...rowOf(id),
          ...{ email, total, at, data: more.data, doc: { seen }, balance: by },
        })),
      );
    });

    test("records of one key go into successive statements, so that arithmetic adds up", async () => {
      const list = [1, 2, 1, 3, 1, 99].map((id) => ({ id, by: 10 }));
      expect(await paid().execBatch(list)).toBe(5);
      expect(sent).toHaveLength(3);
      expect((await balances()).slice(0, 5)).toEqual([0, 30, 10, 10, 0]);
    });

    test("so do records whose texts a collation takes for equal", async () => {
      const byName = accounts().modify().setExpr("balance", "+", "by").where("name", "=", "name");
      const names = ["n1", "N1", "n1 ", "n2", "ń1"];
      const alone = await Promise.all(
        names.map((name) => accounts().count().where("name", "=", "name").exec({ name })),
      );
      sent.length = 0;
      expect(await byName.execBatch(names.map((name) => ({ name, by: 1 })))).toBe(
        alone.reduce((sum, one) => sum + one, 0),
      );
      expect(sent).toHaveLength(4);
      const met = alone[0] ?? 0;
      const sum = (alone[1] ?? 0) + (alone[2] ?? 0) + (alone[4] ?? 0) + met;
      expect((await balances()).slice(1, 3)).toEqual([sum, 1]);
    });

    test("execEach gives the rows in the order of the list, and null where none met", async () => {
      const list = [7, 99, 3, 7].map((id) => ({ id, by: 5 }));
      expect(await paid().execEach(list)).toEqual([
        { ...rowOf(7), balance: 5 },
        null,
        { ...rowOf(3), balance: 5 },
        { ...rowOf(7), balance: 10 },
      ]);
      const shown = paid().returning("id", add("balance", param("more", z.int())).as("sum"));
      expect(await shown.execEach([1, 2].map((id) => ({ id, by: 1, more: 100 * id })))).toEqual([
        { id: 1, sum: 101 },
        { id: 2, sum: 201 },
      ]);
      const removed = await accounts()
        .remove()
        .where("id", "=", "id")
        .execEach([{ id: 4 }, { id: 99 }, { id: 2 }, { id: 4 }]);
      expect(removed.map((row) => row?.id ?? null)).toEqual([4, null, 2, null]);
      expect(await accounts().count().exec()).toBe(28);
    });

    test("a record that meets several rows is MULTIPLE_ROWS with its index, and nothing is changed", async () => {
      const all = accounts().modify().setExpr("balance", "+", "by").where("tenantId", "=", "tenant");
      const list = [9, 8, 1, 2].map((tenant) => ({ tenant, by: 1 }));
      const error = await sqlErrorOf(all.execEach(list));
      expect(error).toMatchObject({ code: "MULTIPLE_ROWS", table: "accounts", index: 2 });
      expect(await all.execBatch(list.slice(0, 2))).toBe(0);
      const gone = accounts().remove().where("tenantId", "=", "tenant");
      const both = [{ tenant: 9 }, { tenant: 2 }];
      expect(await sqlErrorOf(gone.execEach(both))).toMatchObject({ code: "MULTIPLE_ROWS", index: 1 });
      const inside = db.transaction(async (tx) => {
        await paid().execEach([{ id: 1, by: 1 }], { tx });
        await all.execEach(list, { tx }).catch(() => undefined);
        return accounts().sum("balance").exec({ tx });
      });
      expect(await inside).toBe(1);
    });

    test("an error of the server has the index of its record, and nothing is changed", async () => {
      const rename = accounts().modify().set("email", "email").where("id", "=", "id");
      const list = numbers(20).map((id) => ({ id, email: id === 13 ? "e29" : `new ${id}` }));
      const failed = { code: "UNIQUE_VIOLATION", fields: ["email"], index: 13 };
      expect(await sqlErrorOf(rename.execBatch(list))).toMatchObject(failed);
      expect(await sqlErrorOf(rename.execEach(list))).toMatchObject(failed);
      const kept = await db.transaction(async (tx) => {
        const error = await sqlErrorOf(rename.execBatch(list, { tx }));
        expect(error).toMatchObject(failed);
        return rename.execBatch(list.slice(0, 5), { tx });
      });
      expect(kept).toBe(5);
      const emails = await accounts().query().fields("email").orderBy("id", "asc").exec();
      expect(emails.slice(3, 7).map(({ email }) => email)).toEqual(["new 3", "new 4", "e5", "e6"]);
    });

    test("a wrong value has the index of its record, and nothing is sent", async () => {
      const list = [...numbers(500).map((id) => ({ id, by: 1 })), { id: 1, by: "x" as never }];
      for (const call of [paid().execBatch(list), paid().execEach(list)])
        expect(await sqlErrorOf(call)).toMatchObject({ code: "PARAM_TYPE", param: "by", index: 500 });
      expect(sent).toEqual([]);
    });

    test("other conditions, a set field in a condition, and raw text are sent record by record", async () => {
      const repository = accounts();
      const builders = [
        repository.modify().setExpr("balance", "+", "by").where("id", "<=", "id").where("id", ">=", "id"),
        repository.modify().setExpr("balance", "+", "by").set("id", "id").where("id", "=", "id"),
        repository
          .modify()
          .setExpr("balance", "+", "by")
          .whereOr(c("id", "=", "id")),
      ];
      for (const builder of builders) {
        sent.length = 0;
        expect(await builder.execBatch([3, 4, 3].map((id) => ({ id, by: 1 })))).toBe(3);
        expect(sent).toHaveLength(3);
      }
      const byText = repository.modify().set("balance", raw(z.int())`balance + 1`).where("id", "=", "id");
      expect(await byText.execBatch([3, 4, 3].map((id) => ({ id })))).toBe(3);
      expect(sent).toHaveLength(6);
      expect((await balances()).slice(2, 6)).toEqual([0, 8, 4, 0]);
    });

    test("rows that take others with them are removed record by record", async () => {
      const nodes = db.repository(Node);
      await nodes.insert().execBatch([
        { id: 1, upId: null },
        { id: 2, upId: 1 },
      ]);
      const remove = nodes.remove().where("id", "=", "id");
      expect((await remove.execEach([{ id: 1 }, { id: 2 }])).map((row) => row?.id ?? null)).toEqual([
        1,
        null,
      ]);
    });

    test("a scope holds, and constants are no parameters", async () => {
      const own = accounts().scope({ tenantId: 2 });
      const update = own.modify().setExpr("balance", "+", "by").where("id", "=", "id");
      expect(await update.execBatch([1, 2, 3].map((id) => ({ id, by: 1 })))).toBe(2);
      expect(sent).toHaveLength(1);
      expect((await update.execEach([1, 2].map((id) => ({ id, by: 1 })))).map((row) => row?.balance)).toEqual(
        [2, undefined],
      );
    });

    test("an aborted call sends nothing, an empty list neither, and a transaction decides", async () => {
      const list = [1, 2].map((id) => ({ id, by: 1 }));
      const signal = AbortSignal.abort();
      for (const call of [paid().execBatch(list, { signal }), paid().execEach(list, { signal })])
        expect(await sqlErrorOf(call)).toMatchObject({ code: "ABORTED" });
      expect(await paid().execBatch([])).toBe(0);
      expect(await paid().execEach([])).toEqual([]);
      expect(sent).toEqual([]);
      const left = db.transaction(async (tx) => {
        await paid().execBatch(list, { tx });
        await paid().execEach(list, { tx });
        throw new Error("left");
      });
      await expect(left).rejects.toThrow("left");
      expect((await balances()).slice(0, 3)).toEqual([0, 0, 0]);
    });

    test("onScan sees the rows in the order of the list, and its error undoes the call", async () => {
      const scanned: unknown[] = [];
      const told = accounts();
      told.onScan(({ id, balance = 0 }) => {
        scanned.push(id);
        if (balance > 5) throw new Error("too much");
      });
      const update = told.modify().setExpr("balance", "+", "by").where("id", "=", "id");
      await update.execEach([5, 99, 4].map((id) => ({ id, by: 1 })));
      expect(scanned).toEqual([5, 4]);
      const error = await sqlErrorOf(update.execEach([5, 4].map((id) => ({ id, by: 5 }))));
      await told
        .remove()
        .where("id", "=", "id")
        .execEach([{ id: 9 }, { id: 8 }]);
      expect(scanned.slice(-2)).toEqual([9, 8]);
      told.onScan(null);
      expect(error).toMatchObject({ code: "CALLBACK_FAILED", index: 0 });
      expect((await balances()).slice(4, 6)).toEqual([1, 1]);
    });
  });

const plain = table(
  "plain",
  z.object({ id: column(z.int(), { primaryKey: true }), n: z.int(), note: z.string() }),
);

test("the text is one for every length of list, and a long list is one statement for each 10,000", async () => {
  for (const dialect of ["postgres", "mariadb", "sqlite"] as const) {
    const db = recording(dialect);
    const update = db.repository(plain).modify().set("n", "n").where("id", "=", "id");
    const list = numbers(100_000).map((id) => ({ id, n: 1 }));
    await update.execBatch(list.slice(0, 2));
    await update.execBatch(list.slice(0, 777));
    await update.execBatch(list);
    expect(db.statements).toHaveLength(12);
    expect(new Set(db.statements.map(({ sql }) => sql)).size).toBe(1);
    const before = db.statements.length;
    const wrong = update.execBatch([...list, { id: 1.5, n: 1 }]);
    expect(await sqlErrorOf(wrong)).toMatchObject({ code: "PARAM_TYPE", index: 100_000 });
    expect(db.statements).toHaveLength(before);
  }
});

test("texts that a collation may take for equal are folded to the same", () => {
  const alike = [
    ["Straße", "STRASSE", "strase"],
    ["é", "E\u0301", "e"],
    ["ﬁn", "FIN"],
    ["a b-c", "abc ", "ABC"],
    ["カ", "か", "が"],
    ["æ", "AE"],
    ["ı", "I", "i"],
    ["😀", "😁"],
  ];
  for (const list of alike) expect(new Set(list.map(foldedText)).size, list.join()).toBe(1);
  expect(foldedText("a1")).not.toBe(foldedText("a2"));
  expect(foldedText("+")).not.toBe(foldedText("="));
});
