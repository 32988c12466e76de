// What the compiler knows of pages: their rows, their parameters, and the cursor beside them.
import {
  column,
  type Database,
  many,
  one,
  type ParamsOf,
  type QuerySpec,
  type ResultOf,
  table,
} from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true });
const customers = table("customers", z.object({ id, name: z.string() }), {
  relations: { orders: many("orders", "customerId") },
});
const orders = table(
  "orders",
  z.object({ id, customerId: z.int().nullable(), total: z.bigint(), placedAt: z.date() }),
  { relations: { customer: one("customers", "customerId") } },
);
const shop = sqlite().repositories({ customers, orders });

const page = shop.orders
  .query()
  .leftJoin("customer")
  .fields("id", "customer.name")
  .where("total", ">", "least")
  .orderBy("placedAt", "desc")
  .orderBy("id", "asc")
  .page(20);

async function walk() {
  let after: string | undefined;
  do {
    const { rows, next } = await page.exec({ least: 1n }, { after });
    expectType<{ id: number; customer: { name: string } | null }[]>(rows);
    expectType<string | null>(next);
    after = next ?? undefined;
  } while (after !== undefined);
  expectType<{ least: bigint }>({} as ParamsOf<typeof page>);
  expectType<string | null>({} as ResultOf<typeof page>["next"]);
}

async function withoutParameters(signal: AbortSignal, db: Database<"sqlite">) {
  const all = shop.orders.query().orderBy("id", "asc").page(2);
  await all.exec();
  await all.exec({ after: "cursor", signal });
  await all.exec({}, { after: "cursor" });
  await db.transaction(async (tx) => {
    await all.exec({ tx, after: "cursor" });
    await all.execTx(tx, {}, { after: "cursor" });
    await page.execTx(tx, { least: 1n }, { after: "cursor" });
  });
  // @ts-expect-error a cursor is a text
  await all.exec({ after: 4 });
  // @ts-expect-error the next of the last page would be the first one again
  await all.exec({ after: null });
  // @ts-expect-error there are no parameters
  await all.exec({ least: 1n });
}

async function mistakes() {
  // @ts-expect-error a parameter is missing
  await page.exec();
  // @ts-expect-error options do not take the place of parameters
  await page.exec({ after: "cursor" });
  // @ts-expect-error the parameter is a bigint
  await page.exec({ least: "1" }, { after: "cursor" });
  // @ts-expect-error a size is a number
  shop.orders.query().orderBy("id", "asc").page("20");
  // @ts-expect-error pages are complete
  page.where("id", "=", "id");
  // @ts-expect-error set operations have no pages
  shop.orders.query().union(shop.orders.query()).page(2);
}

async function open(spec: QuerySpec) {
  const dynamic = shop.orders
    .query()
    .fields("id")
    .dynamic()
    .where("total", ">", "least")
    .orderBy("id", "asc")
    .page(2);
  expectType<{ id: number }[]>((await dynamic.exec({ least: 1n }, { after: "cursor" })).rows);
  const { rows } = await shop.orders.pageFromSpec(spec).exec({ any: 1 }, { after: "cursor" });
  expectType<Partial<{ id: number; customerId: number | null; total: bigint; placedAt: Date }>[]>(rows);
  const { query } = shop.orders.specs();
  await shop.orders.pageFromSpec(query.parse({})).exec();
}

export { mistakes, open, walk, withoutParameters };
