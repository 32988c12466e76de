// Tables, expressions, conditions, texts and schemas of specs of two types stand together: in lists, choices, promises, maps and parameters.
import {
  and,
  avg,
  c,
  column,
  count,
  enumType,
  field,
  lower,
  many,
  mul,
  one,
  or,
  param,
  raw,
  rowNumber,
  sum,
  table,
  value,
  view,
} from "rowtype";
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
const db = sqlite();
const pg = postgres();
const shop = db.repositories({ orders, lines });
const totals = view("totals", z.object({ orderId: z.int(), total: z.number() }), { as: "SELECT 1" });
const counts = view("counts", z.object({ sku: z.string(), n: z.bigint() }), { as: "SELECT 1" });
declare const chosen: boolean;
declare function keep(...things: readonly unknown[]): void;

// Expressions.
{
  const a = lower("sku");
  const b = sum(mul("qty", "total"));
  const d = rowNumber().over({ orderBy: [["id", "asc"]] });
  const e = value(1);
  const f = param("p", z.int());
  const g = raw(z.int())`1`;
  const h = field("id");
  const list = [a, b, d, e, f, g, h];
  const choice = chosen ? a : chosen ? h : b;
  let last: typeof a | typeof b | typeof d | typeof e | typeof f | typeof g | typeof h = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d | typeof e | typeof f | typeof g | typeof h) => it;
  const map = new Map<string, typeof a | typeof b | typeof d | typeof e | typeof f | typeof g | typeof h>(
    list.map((it, i) => [`${i}`, it]),
  );
  const promise = Promise.all([
    Promise.resolve(a),
    Promise.resolve(b),
    Promise.resolve(d),
    Promise.resolve(e),
    Promise.resolve(f),
    Promise.resolve(g),
    Promise.resolve(h),
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
    take(g),
    take(h),
  );
}

// Named expressions.
{
  const a = lower("sku").as("a");
  const b = count().as("n");
  const d = avg("qty").as("m");
  const list = [a, b, d];
  const choice = chosen ? a : chosen ? d : b;
  let last: typeof a | typeof b | typeof d = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d) => it;
  const map = new Map<string, typeof a | typeof b | typeof d>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b), Promise.resolve(d)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b), take(d));
}

// Conditions.
{
  const a = c("id", "=", "i");
  const b = and(c("sku", "=", "s"), c("qty", ">", "q"));
  const d = or(c("total", "<", "t"));
  const list = [a, b, d];
  const choice = chosen ? a : chosen ? d : b;
  let last: typeof a | typeof b | typeof d = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d) => it;
  const map = new Map<string, typeof a | typeof b | typeof d>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b), Promise.resolve(d)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b), take(d));
}

// Tables.
{
  const a = orders;
  const b = lines;
  const d = totals;
  const e = counts;
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

// Enums.
{
  const a = enumType("a", ["x"]);
  const b = enumType("b", ["y", "z"]);
  const list = [a, b];
  const choice = chosen ? a : chosen ? b : b;
  let last: typeof a | typeof b = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b) => it;
  const map = new Map<string, typeof a | typeof b>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b));
}

// Columns.
{
  const a = column(z.int(), { primaryKey: true });
  const b = column(z.string(), { default: "1" });
  const d = z.date();
  const list = [a, b, d];
  const choice = chosen ? a : chosen ? d : b;
  let last: typeof a | typeof b | typeof d = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d) => it;
  const map = new Map<string, typeof a | typeof b | typeof d>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b), Promise.resolve(d)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b), take(d));
}

// Sql.
{
  const a = db.sql("SELECT :a", z.object({ a: z.int() }));
  const b = pg.sql("UPDATE t SET a = :a AND :b");
  const d = db.sql("SELECT 1", z.object({ b: z.string() }));
  const list = [a, b, d];
  const choice = chosen ? a : chosen ? d : b;
  let last: typeof a | typeof b | typeof d = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d) => it;
  const map = new Map<string, typeof a | typeof b | typeof d>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b), Promise.resolve(d)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b), take(d));
}

// Specs.
{
  const a = shop.orders.specs();
  const b = shop.lines.specs({ fields: ["sku"], relations: { order: { fields: ["id"] } } });
  const d = db.repository(totals).specs();
  const list = [a, b, d];
  const choice = chosen ? a : chosen ? d : b;
  let last: typeof a | typeof b | typeof d = a;
  for (const it of list) last = it;
  const take = (it: typeof a | typeof b | typeof d) => it;
  const map = new Map<string, typeof a | typeof b | typeof d>(list.map((it, i) => [`${i}`, it]));
  const promise = Promise.all([Promise.resolve(a), Promise.resolve(b), Promise.resolve(d)]);
  keep(list, choice, last, map, promise, new Set(list), Promise.all(list), take(a), take(b), take(d));
}
