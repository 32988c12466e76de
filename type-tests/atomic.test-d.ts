// What the compiler knows of bound calls: their values, and the tuple that `atomic` resolves to.
import { type Bound, column, many, one, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { postgres } from "rowtype/postgres";
import { expectType } from "tsd";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true, generated: true });
const orders = table("orders", z.object({ id, total: z.string(), note: z.string().nullable() }), {
  relations: { lines: many("lines", "orderId") },
});
const lines = table("lines", z.object({ id, orderId: z.int(), sku: z.string() }), {
  relations: { order: one("orders", "orderId") },
});
const database = postgres();
const db = database.repositories({ orders, lines });
const byId = db.orders.query().fields("total").where("id", "=", "id");

const insert = db.orders.insert().bind({ total: "1" });
expectType<Bound<{ id: number; total: string; note: string | null }, "postgres">>(insert);
const inserts = db.orders
  .insert()
  .returning("id")
  .bindMany([{ total: "1" }]);
expectType<Bound<{ id: number }[], "postgres">>(inserts);
const rows = byId.bind({ id: 1 });
expectType<Bound<{ total: string }[], "postgres">>(rows);
const text = database.sql("UPDATE orders SET total = :total").bind({ total: "2" });
expectType<Bound<number, "postgres">>(text);

async function together() {
  const results = await database.atomic([
    db.orders.insert().bind({ total: "1" }),
    db.orders.modify().set("note", "note").where("id", "=", "id").bind({ note: "a", id: 1 }),
    db.orders.modify().set("note", "note").where("total", "=", "total").bindMany({ note: "a", total: "1" }),
    db.orders.remove().where("id", "=", "id").bind({ id: 1 }),
    byId.bind({ id: 7 }),
    db.orders.select().fields("id").where("id", "=", "id").bind({ id: 7 }),
    db.orders.count().bind(),
    byId.count().bind({ id: 1 }),
    byId.union(byId).bind({ id: 1 }),
    db.orders
      .insert()
      .with("lines")
      .bind({ total: "1", lines: [{ sku: "a" }] }),
    byId.dynamic().bind({ id: 1 }),
    text,
  ]);
  expectType<{ id: number; total: string; note: string | null }>(results[0]);
  expectType<{ id: number; total: string; note: string | null }>(results[1]);
  expectType<{ id: number; total: string; note: string | null }[]>(results[2]);
  expectType<number>(results[3]);
  expectType<{ total: string }[]>(results[4]);
  expectType<{ id: number }>(results[5]);
  expectType<number>(results[6]);
  expectType<number>(results[7]);
  expectType<{ total: string }[]>(results[8]);
  expectType<string>(results[9].lines[0]?.sku ?? "");
  expectType<{ total: string }[]>(results[10]);
  expectType<number>(results[11]);
  // A list of any length.
  expectType<{ total: string }[][]>(await database.atomic([1, 2].map((one) => byId.bind({ id: one }))));
  expectType<[]>(await database.atomic([]));
  await database.atomic([rows], { isolation: "serializable", signal: AbortSignal.timeout(1) });
}

async function refuses() {
  // @ts-expect-error a parameter of another type
  byId.bind({ id: "1" });
  // @ts-expect-error no parameter
  byId.bind();
  // @ts-expect-error options are those of atomic
  byId.bind({ id: 1 }, { signal: AbortSignal.timeout(1) });
  // @ts-expect-error a record without a field
  db.orders.insert().bind({});
  // @ts-expect-error a change without a condition
  db.orders.remove().bind();
  // @ts-expect-error a builder is no bound call
  await database.atomic([byId]);
  // @ts-expect-error a promise is no bound call
  await database.atomic([byId.exec({ id: 1 })]);
  // @ts-expect-error a call of another dialect
  await database.atomic([mariadb().repositories({ orders, lines }).orders.query().bind()]);
  // @ts-expect-error no such option
  await database.atomic([rows], { retries: 1 });
  // @ts-expect-error a transaction is one already
  await database.transaction(async (tx) => tx.atomic([rows]));
}

export const all = [together, refuses];
