// What the compiler knows of queries as tables: their columns, their parameters, and every mistake that it refuses.
import { c, column, count, field, max, one, or, rowNumber, sum, table } from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true });
const customers = table("customers", z.object({ id, name: z.string(), since: z.date().nullable() }));
const orders = table(
  "orders",
  z.object({
    id,
    customerId: z.int().nullable(),
    total: z.bigint(),
    note: z.string().nullable(),
    at: z.date(),
  }),
  { relations: { customer: one("customers", "customerId") } },
);
const db = postgres();
const shop = db.repositories({ customers, orders });
const other = sqlite().repositories({ customers, orders });

const spent = shop.orders
  .query()
  .fields("customerId", sum("total").as("spent"), max("at").as("last"))
  .where("id", ">", "least")
  .groupBy("customerId")
  .as("spent");

async function rows() {
  // A left join of groups: the part is null as a whole, and all parameters are asked for.
  expectType<{ name: string; spent: { spent: bigint | null; last: Date | null } | null }[]>(
    await shop.customers
      .query()
      .leftJoinQuery(spent, "id", "customerId")
      .fields("name", "spent.spent", "spent.last")
      .where("spent.spent", ">", "most")
      .orderBy("spent.last", "desc")
      .exec({ least: 1, most: 2n }),
  );
  // An inner join; "*" and all of the query.
  expectType<
    {
      id: number;
      name: string;
      since: Date | null;
      spent: { customerId: number | null; spent: bigint | null; last: Date | null };
    }[]
  >(
    await shop.customers
      .query()
      .joinQuery(spent, "id", "customerId")
      .fields("*", "spent.*")
      .exec({ least: 1 }),
  );
  // Fields over a query have no prefix.
  const ranked = shop.orders
    .query()
    .fields(
      "id",
      "total",
      rowNumber()
        .over({ partitionBy: ["customerId"], orderBy: [["total", "desc"]] })
        .as("place"),
    )
    .as("ranked");
  expectType<{ id: number; total: bigint }[]>(
    await db.from(ranked).fields("id", "total").where("place", "<=", "n").exec({ n: 3 }),
  );
  expectType<{ id: number; total: bigint; place: number }[]>(await db.from(ranked).exec());
  // A query of a query, grouped and joined.
  expectType<{ place: number; all: bigint | null; n: number }[]>(
    await db
      .from(
        db
          .from(ranked)
          .whereOr(c("place", "=", "one"), or(c("total", ">", "two")))
          .as("again"),
      )
      .joinOn("c", customers, "id", "id")
      .fields("place", sum("total").as("all"), count().as("n"))
      .groupBy("place")
      .exec({ one: 1, two: 2n }),
  );
  // A joined field with a name of its own; a transaction.
  await db.transaction(async (tx) => {
    const named = shop.orders
      .query()
      .leftJoin("customer")
      .fields("id", field("customer.name").as("who"))
      .as("named");
    expectType<{ id: number; who: string | null }[]>(await tx.from(named).exec());
  });
  expectType<number>(await shop.customers.count().joinQuery(spent, "id", "customerId").exec({ least: 1 }));
  expectType<number>(await db.from(spent).count().exec({ least: 1 }));
  // Written once, standing twice.
  const once = db.with("once", shop.orders.query().fields("id", "customerId").where("note", "=", "note"));
  expectType<{ id: number; once: { id: number } | null }[]>(
    await db
      .from(once)
      .leftJoinQuery(once, "customerId", "customerId")
      .fields("id", "once.id")
      .exec({ note: "x" }),
  );
  // A recursion, with its level.
  const tree = db.recursive(
    "tree",
    shop.orders.query().fields("id", "note").where("id", "=", "top"),
    (self) =>
      shop.orders.query().joinQuery(self, "customerId", "id").fields("id", "note").where("note", "!=", "not"),
    { depth: "level" },
  );
  expectType<{ id: number; note: string | null; level: number }[]>(
    await db.from(tree).exec({ top: 1, not: "x" }),
  );
  // Parameters are known at run time afterwards.
  await db.from(spent).dynamic().where("spent", ">", "x").exec({ least: 1, x: 2n });
}

async function mistakes() {
  const query = shop.customers.query();
  // @ts-expect-error: a parameter of the query as a table is missing
  await query.joinQuery(spent, "id", "customerId").exec();
  // @ts-expect-error: of the wrong type
  await db.from(spent).exec({ least: "1" });
  // @ts-expect-error: no field of the query
  query.joinQuery(spent, "id", "total");
  // @ts-expect-error: fields of two kinds
  query.joinQuery(spent, "name", "customerId");
  // @ts-expect-error: a field that the query does not have
  db.from(spent).where("total", ">", "x");
  // @ts-expect-error: an operator of texts
  db.from(spent).where("spent", "LIKE", "x");
  // @ts-expect-error: an unnamed query
  query.joinQuery(shop.orders.query(), "id", "customerId");
  // @ts-expect-error: a table
  db.from(orders);
  // @ts-expect-error: a relation, of which a query has none
  db.from(spent).join("customer");
  // @ts-expect-error: a query of another dialect
  query.joinQuery(other.orders.query().as("o"), "id", "customerId");
  // @ts-expect-error: and another one
  db.from(other.orders.query().as("o"));
  // @ts-expect-error: a field that is not grouped
  shop.orders.query().fields("id", count().as("n")).groupBy("note").as("x");
  // @ts-expect-error: a part of a row is not a column
  shop.orders.query().join("customer").fields("id", "customer.name").as("x");
}

void rows;
void mistakes;
