// Repositories, databases and transactions of two types stand together: in lists, choices, promises, maps and parameters.
import { type AnyTable, column, many, one, type Transaction, table, view } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { recording } from "rowtype/testing";
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
const totals = view("totals", z.object({ orderId: z.int(), total: z.number() }), { as: "SELECT 1" });
const counts = view("counts", z.object({ sku: z.string(), n: z.bigint() }), { as: "SELECT 1" });
const shops = {
  one: shop,
  other: pg.repositories({ orders, lines }),
  plain: db.repositories({ totals, counts }),
};
declare const tx: Transaction<"sqlite">;
declare const pgTx: Transaction<"postgres">;
declare const chosen: boolean;
declare function keep(...things: readonly unknown[]): void;

// Repositories of two tables.
{
  const a = o;
  const b = l;
  const list = [a, b];
  const choice = chosen ? a : chosen ? b : b;
  let last: typeof a | typeof b = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b) => it;
  const map = new Map<string, typeof a | typeof b>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b));
}

// Repositories with relations.
{
  const a = shop.orders;
  const b = shop.lines;
  const list = [a, b];
  const choice = chosen ? a : chosen ? b : b;
  let last: typeof a | typeof b = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b) => it;
  const map = new Map<string, typeof a | typeof b>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b));
}

// Repositories of dialects.
{
  const a = o;
  const b = pg.repository(orders);
  const d = databases.mariadb.repository(lines);
  const e = databases.oracle.repository(orders);
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

// Repositories and scopes.
{
  const a = o.scope({ customer: "a" });
  const b = l.scope({ orderId: 1 });
  const d = o;
  const list = [a, b, d];
  const choice = chosen ? a : chosen ? d : b;
  let last: typeof a | typeof b | typeof d = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d) => it;
  const map = new Map<string, typeof a | typeof b | typeof d>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b), Promise.resolve(d)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b), take(d));
}

// Repositories with and without relations.
{
  const a = shop.orders;
  const b = o;
  const d = l;
  const list = [a, b, d];
  const choice = chosen ? a : chosen ? d : b;
  let last: typeof a | typeof b | typeof d = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d) => it;
  const map = new Map<string, typeof a | typeof b | typeof d>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b), Promise.resolve(d)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b), take(d));
}

// Repositories of transactions.
{
  const a = tx.repository(orders);
  const b = pgTx.repository(lines);
  const d = o;
  const list = [a, b, d];
  const choice = chosen ? a : chosen ? d : b;
  let last: typeof a | typeof b | typeof d = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d) => it;
  const map = new Map<string, typeof a | typeof b | typeof d>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b), Promise.resolve(d)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b), take(d));
}

// Repositories of views and of any table.
{
  const a = db.repository(totals);
  const b = db.repository(counts);
  const d = o;
  const e = db.repository(orders as AnyTable);
  const f = pg.repository(lines as AnyTable);
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

// Sets of repositories.
{
  const a = shops.one;
  const b = shops.other;
  const d = shops.plain;
  const list = [a, b, d];
  const choice = chosen ? a : chosen ? d : b;
  let last: typeof a | typeof b | typeof d = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d) => it;
  const map = new Map<string, typeof a | typeof b | typeof d>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b), Promise.resolve(d)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b), take(d));
}

// Databases.
{
  const a = db;
  const b = pg;
  const d = databases.mariadb;
  const e = databases.oracle;
  const f = recording("postgres");
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

// Transactions.
{
  const a = tx;
  const b = pgTx;
  const list = [a, b];
  const choice = chosen ? a : chosen ? b : b;
  let last: typeof a | typeof b = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b) => it;
  const map = new Map<string, typeof a | typeof b>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b));
}

// Database and tx.
{
  const a = db;
  const b = tx;
  const d = pg;
  const e = pgTx;
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
