// Builders of two types stand together: in lists, choices, promises, maps and parameters.
import { column, count, many, max, one, sum, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true, generated: true });
const orders = table("orders", z.object({ id, total: z.number(), customer: z.string(), at: z.date() }), {
  relations: { lines: many("lines", "orderId") },
});
const lines = table(
  "lines",
  z.object({ id, sku: z.string(), qty: z.int(), orderId: z.int(), note: z.string().nullable() }),
  { relations: { order: one("orders", "orderId") } },
);
const databases = { sqlite: sqlite(), postgres: postgres(), mariadb: mariadb(), oracle: oracle() };
const db = databases.sqlite;
const pg = databases.postgres;
const shop = db.repositories({ orders, lines });
const o = db.repository(orders);
const l = db.repository(lines);
declare const chosen: boolean;
declare function keep(...things: readonly unknown[]): void;

// Queries.
{
  const a = shop.orders.query();
  const b = shop.lines.query();
  const d = shop.orders.query().fields("id").where("total", ">", "t");
  const e = o.query();
  const f = pg.repository(lines).query();
  const list = [a, b, d, e, f];
  const choice = chosen ? a : chosen ? f : b;
  let last: typeof a | typeof b | typeof d | typeof e | typeof f = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d | typeof e | typeof f) => it;
  const map = new Map<string, typeof a | typeof b | typeof d | typeof e | typeof f>(
    list.map((it, i) => [`${i}`, it]),
  );
  const promise = Promise.all([
    Promise.resolve(a),
    Promise.resolve(b),
    Promise.resolve(d),
    Promise.resolve(e),
    Promise.resolve(f),
  ]);
  keep(
    list,
    choice,
    last,
    map,
    promise,
    new Set(list),
    Promise.all(list),
    take(a),
    take(b),
    take(d),
    take(e),
    take(f),
  );
}

// Joined.
{
  const a = shop.orders.query().join("lines");
  const b = shop.lines.query().leftJoin("order").fields("id", "order.total");
  const d = shop.lines.query();
  const list = [a, b, d];
  const choice = chosen ? a : chosen ? d : b;
  let last: typeof a | typeof b | typeof d = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d) => it;
  const map = new Map<string, typeof a | typeof b | typeof d>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b), Promise.resolve(d)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b), take(d));
}

// Nested.
{
  const a = shop.orders.query().with("lines");
  const b = shop.lines.query().with("order", shop.orders.query().fields("id"));
  const d = o.query();
  const list = [a, b, d];
  const choice = chosen ? a : chosen ? d : b;
  let last: typeof a | typeof b | typeof d = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d) => it;
  const map = new Map<string, typeof a | typeof b | typeof d>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b), Promise.resolve(d)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b), take(d));
}

// Selects.
{
  const a = shop.orders.select().where("id", "=", "i");
  const b = shop.lines.select().fields("sku");
  const list = [a, b];
  const choice = chosen ? a : chosen ? b : b;
  let last: typeof a | typeof b = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b) => it;
  const map = new Map<string, typeof a | typeof b>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b));
}

// Grouped.
{
  const a = o.query().fields("customer", sum("total").as("t")).groupBy("customer");
  const b = l.query().fields("sku", count().as("n"), max("qty").as("m")).groupBy("sku");
  const list = [a, b];
  const choice = chosen ? a : chosen ? b : b;
  let last: typeof a | typeof b = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b) => it;
  const map = new Map<string, typeof a | typeof b>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b));
}

// Aggregates.
{
  const a = o.sum("total");
  const b = l.count();
  const d = shop.lines.max("qty");
  const e = o.query().count();
  const f = shop.orders.query().join("lines").count();
  const list = [a, b, d, e, f];
  const choice = chosen ? a : chosen ? f : b;
  let last: typeof a | typeof b | typeof d | typeof e | typeof f = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d | typeof e | typeof f) => it;
  const map = new Map<string, typeof a | typeof b | typeof d | typeof e | typeof f>(
    list.map((it, i) => [`${i}`, it]),
  );
  const promise = Promise.all([
    Promise.resolve(a),
    Promise.resolve(b),
    Promise.resolve(d),
    Promise.resolve(e),
    Promise.resolve(f),
  ]);
  keep(
    list,
    choice,
    last,
    map,
    promise,
    new Set(list),
    Promise.all(list),
    take(a),
    take(b),
    take(d),
    take(e),
    take(f),
  );
}

// Exists.
{
  const a = o.query().exists();
  const b = shop.lines.query().exists();
  const d = o.count();
  const list = [a, b, d];
  const choice = chosen ? a : chosen ? d : b;
  let last: typeof a | typeof b | typeof d = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d) => it;
  const map = new Map<string, typeof a | typeof b | typeof d>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b), Promise.resolve(d)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b), take(d));
}

// Compounds.
{
  const a = o.query().fields("id").union(l.query().fields("id"));
  const b = l.query().fields("sku").unionAll(l.query().fields("sku"));
  const list = [a, b];
  const choice = chosen ? a : chosen ? b : b;
  let last: typeof a | typeof b = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b) => it;
  const map = new Map<string, typeof a | typeof b>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b));
}

// Pages.
{
  const a = o.query().orderBy("id", "asc").page(2);
  const b = l.query().fields("sku").orderBy("id", "asc").page(2);
  const list = [a, b];
  const choice = chosen ? a : chosen ? b : b;
  let last: typeof a | typeof b = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b) => it;
  const map = new Map<string, typeof a | typeof b>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b));
}

// Dynamic.
{
  const a = o.query().dynamic();
  const b = l.query().dynamic();
  const d = o.modify().dynamic();
  const e = l.insert().dynamic();
  const list = [a, b, d, e];
  const choice = chosen ? a : chosen ? e : b;
  let last: typeof a | typeof b | typeof d | typeof e = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d | typeof e) => it;
  const map = new Map<string, typeof a | typeof b | typeof d | typeof e>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([
    Promise.resolve(a),
    Promise.resolve(b),
    Promise.resolve(d),
    Promise.resolve(e),
  ]);
  keep(
    list,
    choice,
    last,
    map,
    promise,
    new Set(list),
    Promise.all(list),
    take(a),
    take(b),
    take(d),
    take(e),
  );
}

// Inserts.
{
  const a = o.insert();
  const b = l.insert();
  const d = shop.orders.insert();
  const e = pg.repository(lines).insert();
  const list = [a, b, d, e];
  const choice = chosen ? a : chosen ? e : b;
  let last: typeof a | typeof b | typeof d | typeof e = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d | typeof e) => it;
  const map = new Map<string, typeof a | typeof b | typeof d | typeof e>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([
    Promise.resolve(a),
    Promise.resolve(b),
    Promise.resolve(d),
    Promise.resolve(e),
  ]);
  keep(
    list,
    choice,
    last,
    map,
    promise,
    new Set(list),
    Promise.all(list),
    take(a),
    take(b),
    take(d),
    take(e),
  );
}

// Upserts.
{
  const a = o.insert().onConflict("id").doUpdate();
  const b = l.insert().onConflict("id").doNothing();
  const d = shop.lines.insert().onConflict("id").doUpdate().set("qty", "q");
  const list = [a, b, d];
  const choice = chosen ? a : chosen ? d : b;
  let last: typeof a | typeof b | typeof d = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d) => it;
  const map = new Map<string, typeof a | typeof b | typeof d>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b), Promise.resolve(d)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b), take(d));
}

// Conflicts.
{
  const a = o.insert().onConflict("id");
  const b = l.insert().onConflict("id");
  const list = [a, b];
  const choice = chosen ? a : chosen ? b : b;
  let last: typeof a | typeof b = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b) => it;
  const map = new Map<string, typeof a | typeof b>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b));
}

// Modifies.
{
  const a = o.modify().set("total", "t").where("id", "=", "i");
  const b = l.modify().set("sku", "s");
  const d = shop.lines.modify();
  const list = [a, b, d];
  const choice = chosen ? a : chosen ? d : b;
  let last: typeof a | typeof b | typeof d = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d) => it;
  const map = new Map<string, typeof a | typeof b | typeof d>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b), Promise.resolve(d)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b), take(d));
}

// Removes.
{
  const a = o.remove().where("id", "=", "i");
  const b = l.remove();
  const d = shop.orders.remove().whereExists("lines");
  const list = [a, b, d];
  const choice = chosen ? a : chosen ? d : b;
  let last: typeof a | typeof b | typeof d = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d) => it;
  const map = new Map<string, typeof a | typeof b | typeof d>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b), Promise.resolve(d)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b), take(d));
}

// Returning.
{
  const a = o.remove().where("id", "=", "i").returning("id");
  const b = l.insert().returning("sku");
  const list = [a, b];
  const choice = chosen ? a : chosen ? b : b;
  let last: typeof a | typeof b = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b) => it;
  const map = new Map<string, typeof a | typeof b>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b));
}

// Sources.
{
  const a = o.query().as("a");
  const b = l.query().fields("sku").as("b");
  const d = db.with("w", l.query());
  const list = [a, b, d];
  const choice = chosen ? a : chosen ? d : b;
  let last: typeof a | typeof b | typeof d = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d) => it;
  const map = new Map<string, typeof a | typeof b | typeof d>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b), Promise.resolve(d)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b), take(d));
}

// Queries of sources.
{
  const a = db.from(o.query().as("a"));
  const b = db.from(l.query().fields("sku").as("b"));
  const d = o.query();
  const list = [a, b, d];
  const choice = chosen ? a : chosen ? d : b;
  let last: typeof a | typeof b | typeof d = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d) => it;
  const map = new Map<string, typeof a | typeof b | typeof d>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b), Promise.resolve(d)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b), take(d));
}
