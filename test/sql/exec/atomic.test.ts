/** Bound calls run together: in order, all or nothing, as often as they are given, checked when they are bound. */
import { column, count, type Database, many, on, one, SqlError, table } from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { behind, targets } from "../../kit/behind-wire.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { Wire } from "../../kit/wire.js";
import { type Lent, servers, titleOf } from "../../servers.js";

const id = () => column(z.int(), { primaryKey: true, generated: true });
const orders = table(
  "at_orders",
  z.object({
    id: id(),
    code: column(z.string(), { type: "varchar(40)", unique: true }),
    at: z.date().nullable(),
    body: z.instanceof(Uint8Array).nullable(),
  }),
  { relations: { lines: many("lines", "orderId") } },
);
const lines = table("at_lines", z.object({ id: id(), orderId: z.int(), qty: z.int() }), {
  relations: { order: one("orders", "orderId") },
});
const module = { orders, lines };
const open = (db: Database) => (db as unknown as Database<"sqlite">).repositories(module);
const plain = { at: null, body: null };

for (const server of servers.filter(({ name }) => name !== "oracle" && name !== "h2"))
  describe.skipIf(!server.available)(`atomic on ${titleOf(server)}`, () => {
    let lent: Lent;
    let db: Database<"sqlite">;
    let shop: ReturnType<typeof open>;
    beforeAll(async () => {
      lent = await server.lend();
      db = lent.db as unknown as Database<"sqlite">;
      shop = open(lent.db);
      await db.createTables(orders, lines);
    });
    afterAll(() => lent.close());
    beforeEach(async () => {
      await lent.run("DELETE FROM at_lines");
      await lent.run("DELETE FROM at_orders");
    });
    const codes = async () =>
      (await shop.orders.query().fields("code").orderBy("code", "asc").exec()).map(({ code }) => code);

    test("every kind of call, in order, each seeing those before", async () => {
      const [first] = await db.atomic([shop.orders.insert().bind({ code: "a", ...plain })]);
      const byCode = shop.orders.query().where("code", "=", "code");
      const results = await db.atomic([
        shop.orders.insert().bindMany([
          { code: "b", ...plain },
          { code: "c", ...plain },
        ]),
        shop.orders.modify().set("code", "to").where("code", "=", "from").bind({ from: "b", to: "bb" }),
        shop.orders
          .modify()
          .set("at", "at")
          .where("code", ">", "code")
          .bindMany({ at: new Date(0), code: "b" }),
        byCode.fields("at").bind({ code: "bb" }),
        shop.orders.select().fields("id").where("code", "=", "code").bind({ code: "a" }),
        shop.orders.remove().where("code", "=", "code").bind({ code: "c" }),
        shop.orders.remove().where("code", "=", "code").bindMany({ code: "bb" }),
        shop.orders.count().bind(),
        byCode.exists().bind({ code: "bb" }),
        shop.orders
          .insert()
          .with("lines")
          .bind({ code: "d", ...plain, lines: [{ qty: 1 }, { qty: 2 }] }),
        shop.orders.query().fields("code").orderBy("code", "asc").page(1).bind(),
        shop.orders
          .query()
          .fields("code")
          .union(shop.orders.query().fields("code"))
          .orderBy("code", "desc")
          .bind(),
        shop.lines.query().fields(count().as("n")).bind(),
        db.sql("UPDATE at_lines SET qty = qty + :by").bind({ by: 10 }),
        shop.lines.sum("qty").bind(),
      ]);
      expect(results[0].map(({ code }) => code)).toEqual(["b", "c"]);
      expect(results[1]).toMatchObject({ code: "bb" });
      expect(results[2].map(({ code }) => code).sort()).toEqual(["bb", "c"]);
      expect(results[3]).toEqual([{ at: new Date(0) }]);
      expect(results[4]).toEqual({ id: first.id });
      expect(results[5]).toBe(1);
      expect(results[6]).toMatchObject([{ code: "bb" }]);
      expect(results[7]).toBe(1);
      expect(results[8]).toBe(false);
      expect(results[9]).toMatchObject({ code: "d", lines: [{ qty: 1 }, { qty: 2 }] });
      expect(results[10].rows).toEqual([{ code: "a" }]);
      expect(results[10].next).not.toBeNull();
      expect(results[11]).toEqual([{ code: "d" }, { code: "a" }]);
      expect(results[12]).toEqual([{ n: 2 }]);
      expect(results[13]).toBe(2);
      expect(results[14]).toBe(23);
      expect(await codes()).toEqual(["a", "d"]);
    });

    test("a failure at any place undoes all, and has its place", async () => {
      await shop.orders.insert().exec({ code: "taken", ...plain });
      const length = 4;
      for (let wrong = 0; wrong < length; wrong++) {
        const calls = (broken: ReturnType<typeof failing>[number]) =>
          Array.from({ length }, (_, i) =>
            i === wrong ? broken : shop.orders.insert().bind({ code: `n${i}`, ...plain }),
          );
        for (const broken of failing()) {
          const error = await sqlErrorOf(db.atomic(calls(broken)));
          expect(error).toMatchObject({ index: wrong });
          expect(["UNIQUE_VIOLATION", "NO_ROWS", "MULTIPLE_ROWS", "QUERY_FAILED"]).toContain(error.code);
          expect(await codes()).toEqual(["taken"]);
        }
      }
    });
    const failing = () => [
      shop.orders.insert().bind({ code: "taken", ...plain }),
      shop.orders.insert().bindMany([
        { code: "free", ...plain },
        { code: "taken", ...plain },
      ]),
      shop.orders.modify().set("code", "code").where("id", "=", "id").bind({ id: -1, code: "x" }),
      shop.orders.select().where("id", "=", "id").bind({ id: -1 }),
      db.sql("UPDATE at_nothing SET a = 1").bind(),
    ];

    test("a bound call is checked at once, and keeps its values", async () => {
      const loose = shop.orders as unknown as {
        insert(): { bind(...of: unknown[]): unknown; bindMany(...of: unknown[]): unknown };
        query(): { where(...of: string[]): { bind(...of: unknown[]): unknown } };
      };
      const byCode = loose.query().where("code", "=", "code");
      const wrong: [() => unknown, string][] = [
        [() => loose.insert().bind({ code: 1, ...plain }), "PARAM_TYPE"],
        [() => loose.insert().bind(undefined), "PARAM_TYPE"],
        [() => loose.insert().bindMany([{ code: "a", ...plain }, {}]), "MISSING_PARAM"],
        [() => byCode.bind({}), "MISSING_PARAM"],
        [() => byCode.bind({ code: 7 }), "PARAM_TYPE"],
        [() => byCode.bind({ code: "a", other: 1 }), "EXTRA_PARAM"],
        [() => loose.query().where("nobody", "=", "x").bind({ x: 1 }), "INVALID_FIELD"],
        [() => db.sql("UPDATE at_lines SET qty = :n").bind({ n: Symbol() } as never), "PARAM_TYPE"],
      ];
      for (const [bind, code] of wrong) {
        let thrown: unknown;
        try {
          bind();
        } catch (error) {
          thrown = error;
        }
        expect(thrown).toBeInstanceOf(SqlError);
        expect(String(thrown)).not.toContain("record 0");
        expect(thrown).toMatchObject({ code });
      }

      const record = { code: "k0", at: new Date(5), body: new Uint8Array([1, 2]) };
      const call = shop.orders.insert().bind(record);
      record.code = "changed";
      record.at.setTime(99);
      record.body[0] = 9;
      expect(Object.isFrozen(call)).toBe(true);
      expect(call.dialect).toBe(lent.db.dialect);
      const [stored] = await db.atomic([call]);
      expect(stored).toMatchObject({ code: "k0", at: new Date(5), body: new Uint8Array([1, 2]) });
      // The same call again.
      const again = shop.lines.insert().bind({ orderId: stored.id, qty: 1 });
      await db.atomic([again, again]);
      await db.atomic([again]);
      expect(await shop.lines.count().exec()).toBe(3);
    });

    test("nothing is sent for none; what is no call, or one of another database, is refused before anything is sent", async () => {
      const statements: string[] = [];
      const off = on("db.query.started", ({ sql }) => statements.push(sql));
      expect(await db.atomic([])).toEqual([]);
      const here = shop.orders.insert().bind({ code: "a", ...plain });
      const loose = db as unknown as { atomic(calls: unknown, options?: unknown): Promise<unknown> };
      const elsewhere = sqlite()
        .repositories(module)
        .orders.insert()
        .bind({ code: "b", ...plain });
      const refused: [unknown, object][] = [
        [undefined, { code: "PARAM_TYPE" }],
        ["calls", { code: "PARAM_TYPE" }],
        [[here, Promise.resolve(here)], { code: "PARAM_TYPE", index: 1 }],
        [[here, shop.orders.query()], { code: "PARAM_TYPE", index: 1 }],
        [[here, null], { code: "PARAM_TYPE", index: 1 }],
        [[here, { dialect: lent.db.dialect }], { code: "PARAM_TYPE", index: 1 }],
        [[here, elsewhere], { code: "TRANSACTION_REQUIRED", index: 1 }],
      ];
      for (const [calls, expected] of refused)
        expect(await sqlErrorOf(loose.atomic(calls))).toMatchObject(expected);
      expect(await sqlErrorOf(loose.atomic([here], { signal: AbortSignal.abort() }))).toMatchObject({
        code: "ABORTED",
      });
      await expect(loose.atomic([here], { isolated: 1 })).rejects.toThrow("isolated");
      expect(await sqlErrorOf(loose.atomic([here], { isolation: "none" }))).toMatchObject({
        code: "PARAM_TYPE",
      });
      expect(statements).toEqual([]);
      off();
      const inside = db.transaction(async () => db.atomic([here]));
      expect(await sqlErrorOf(inside)).toMatchObject({ code: "TRANSACTION_REQUIRED" });
      expect(await codes()).toEqual([]);
    });

    test("scopes and callbacks are those of each builder, and a failing callback undoes all", async () => {
      const scoped = shop.lines.scope({ orderId: 7 });
      await shop.lines.insert().execBatch([
        { orderId: 7, qty: 1 },
        { orderId: 8, qty: 1 },
      ]);
      const seen: unknown[] = [];
      shop.orders.onScan((row) => void seen.push(row.code));
      const [changed] = await db.atomic([
        scoped.modify().set("qty", "qty").whereNotNull("id").bindMany({ qty: 5 }),
        shop.orders.insert().bind({ code: "seen", ...plain }),
      ]);
      expect(changed).toHaveLength(1);
      expect(seen).toEqual(["seen"]);
      shop.orders.onScan(() => {
        throw new Error("no");
      });
      const failed = db.atomic([
        shop.lines.insert().bind({ orderId: 9, qty: 1 }),
        shop.orders.insert().bind({ code: "unseen", ...plain }),
      ]);
      expect(await sqlErrorOf(failed)).toMatchObject({ code: "CALLBACK_FAILED", index: 1 });
      shop.orders.onScan(null);
      expect(await shop.lines.count().exec()).toBe(2);
      expect(await codes()).toEqual(["seen"]);
    });

    const target = targets[server.name];
    if (target === undefined) return;
    test("a connection that is cut after any number of bytes: all or nothing", async () => {
      const wire = await Wire.before(target);
      const there = behind[server.name]?.(wire.port, lent);
      if (there === undefined) throw new Error("no way to the server");
      const far = open(there.db as unknown as Database);
      try {
        // Each round has codes of its own: a server may end the transaction of a cut connection a moment later.
        const calls = (round: number) =>
          [0, 1, 2].map((i) => far.orders.insert().bind({ code: `w${round}.${i}`, ...plain }));
        const storedIn = async (round: number) =>
          (await codes()).filter((code) => code.startsWith(`w${round}.`)).length;
        let [stored, lost] = [0, 0];
        for (let round = 0; round < 24; round++) {
          const call = (there.db as unknown as Database<"sqlite">).atomic(calls(round)).then(
            () => "stored",
            (error: unknown) => (error instanceof SqlError ? error.code : "other"),
          );
          const cutting = setTimeout(() => wire.cut(), round / 2);
          const outcome = await call;
          clearTimeout(cutting);
          expect(["stored", "CONNECTION_LOST", "UNKNOWN_OUTCOME"]).toContain(outcome);
          const few = new Map([
            ["stored", [3]],
            ["CONNECTION_LOST", [0]],
            ["UNKNOWN_OUTCOME", [0, 3]],
          ]).get(String(outcome));
          expect(few).toContain(await storedIn(round));
          if (outcome === "stored") stored++;
          else lost++;
        }
        expect(stored + lost).toBe(24);
        expect(lost).toBeGreaterThan(0);
      } finally {
        await there.end();
        await wire.close();
      }
    });
  });

test("without a handle a call is bound, and refused where it is executed", async () => {
  const db = postgres();
  const call = db
    .repository(orders)
    .insert()
    .bind({ code: "a", ...plain });
  expect(await sqlErrorOf(db.atomic([call]))).toMatchObject({ code: "NO_CONNECTION" });
});
