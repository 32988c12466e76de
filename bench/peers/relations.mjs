/** The queries of the table "Coming from Kysely, Drizzle or Prisma" in the words of Kysely and of Drizzle, on SQLite. */
import { and, eq, exists, gt, inArray, like, lt, notExists, relations, sum } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import * as lite from "drizzle-orm/sqlite-core";
import { Kysely, ParseJSONResultsPlugin, SqliteDialect } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/sqlite";

const id = () => lite.integer("id").primaryKey();
const customers = lite.sqliteTable("customers", { id: id(), name: lite.text("name").notNull() });
const orders = lite.sqliteTable("orders", {
  id: id(),
  customerId: lite.integer("customerId"),
  total: lite.integer("total").notNull(),
});
const lines = lite.sqliteTable("lines", {
  id: id(),
  orderId: lite.integer("orderId").notNull(),
  sku: lite.text("sku").notNull(),
});
const tags = lite.sqliteTable("tags", {
  id: id(),
  name: lite.text("name").notNull(),
});
const orderTags = lite.sqliteTable("orderTags", {
  orderId: lite.integer("orderId").notNull(),
  tagId: lite.integer("tagId").notNull(),
});
const seats = lite.sqliteTable("seats", {
  room: lite.integer("room").notNull(),
  place: lite.integer("place").notNull(),
  name: lite.text("name").notNull(),
});
const guests = lite.sqliteTable("guests", {
  id: id(),
  room: lite.integer("room").notNull(),
  place: lite.integer("place").notNull(),
});
const later = lite.alias(orders, "later");
const schema = {
  customers,
  orders,
  lines,
  orderRelations: relations(orders, ({ many }) => ({ lines: many(lines) })),
  lineRelations: relations(lines, ({ one }) => ({
    order: one(orders, { fields: [lines.orderId], references: [orders.id] }),
  })),
};

/** The rows of each query, in the shape that the library gives; both are in the order of the id. */
export function comingFrom(handle) {
  const kysely = new Kysely({
    dialect: new SqliteDialect({ database: handle }),
    plugins: [new ParseJSONResultsPlugin()],
  });
  const db = drizzle(handle, { schema });
  const joined = () =>
    kysely.selectFrom("orders").innerJoin("customers", "customers.id", "orders.customerId");
  const isOf = eq(customers.id, orders.customerId);
  const linesOf = (...more) => and(eq(lines.orderId, orders.id), ...more);
  const kyselyLines = (eb) => eb.selectFrom("lines").whereRef("lines.orderId", "=", "orders.id");
  const drizzleLines = (...more) =>
    db
      .select()
      .from(lines)
      .where(linesOf(...more));
  return {
    kysely: {
      join: () =>
        joined().select(["orders.id", "customers.name as customerName"]).orderBy("orders.id").execute(),
      "left join": () =>
        kysely
          .selectFrom("orders")
          .leftJoin("customers", "customers.id", "orders.customerId")
          .select(["orders.id", "customers.name as customerName"])
          .orderBy("orders.id")
          .execute(),
      "filter by a joined field": () =>
        joined().select("orders.id").where("customers.name", "like", "A%").orderBy("orders.id").execute(),
      "nested list": () =>
        kysely
          .selectFrom("orders")
          .select((eb) => [
            "orders.id",
            jsonArrayFrom(kyselyLines(eb).select("lines.sku").orderBy("lines.id").limit(3)).as("lines"),
          ])
          .orderBy("orders.id")
          .execute(),
      "rows that have others": () =>
        kysely
          .selectFrom("orders")
          .select("orders.id")
          .where(({ exists: there, selectFrom }) =>
            there(kyselyLines({ selectFrom }).select("lines.id").where("lines.sku", "=", "A1")),
          )
          .orderBy("orders.id")
          .execute(),
      "rows that have none": () =>
        kysely
          .selectFrom("orders")
          .select("orders.id")
          .where(({ not, exists: there, selectFrom }) =>
            not(there(kyselyLines({ selectFrom }).select("lines.id"))),
          )
          .orderBy("orders.id")
          .execute(),
      "a count of related rows": () =>
        kysely
          .selectFrom("orders")
          .select((eb) => [
            "orders.id",
            kyselyLines(eb)
              .select((inner) => inner.fn.countAll().as("n"))
              .as("lines"),
          ])
          .orderBy("orders.id")
          .execute(),
      "a list from a query": () =>
        kysely
          .selectFrom("orders")
          .select("orders.id")
          .where("customerId", "in", (eb) =>
            eb.selectFrom("customers").select("customers.id").where("customers.name", "=", "Ann"),
          )
          .orderBy("orders.id")
          .execute(),
      "groups over a join": () =>
        joined()
          .select((eb) => ["customers.name as customerName", eb.fn.sum("orders.total").as("spent")])
          .groupBy("customers.name")
          .orderBy("customers.name")
          .execute(),
      "a query as a table": () =>
        kysely
          .selectFrom(kysely.selectFrom("orders").selectAll().where("total", ">", 15).as("best"))
          .select("best.id")
          .orderBy("best.id")
          .execute(),
      "a constant": () =>
        kysely.selectFrom("orders").select("id").where("total", ">", 15).orderBy("id").execute(),
      "join by a range": () =>
        kysely
          .selectFrom("orders")
          .innerJoin("orders as later", (join) => join.onRef("orders.id", "<", "later.id"))
          .select(["orders.id", "later.id as laterId"])
          .orderBy("orders.id")
          .orderBy("later.id")
          .execute(),
      "a right join": () =>
        kysely
          .selectFrom("lines")
          .rightJoin("orders", "orders.id", "lines.orderId")
          .select(["lines.id", "orders.id as orderId"])
          .orderBy("orders.id")
          .orderBy("lines.id")
          .execute(),
      "through a table": () =>
        kysely
          .selectFrom("orders")
          .innerJoin("orderTags", "orderTags.orderId", "orders.id")
          .innerJoin("tags", "tags.id", "orderTags.tagId")
          .select(["orders.id", "tags.name as tagsName"])
          .orderBy("orders.id")
          .orderBy("tags.name")
          .execute(),
      "a key of two columns": () =>
        kysely
          .selectFrom("guests")
          .innerJoin("seats", (join) =>
            join.onRef("seats.room", "=", "guests.room").onRef("seats.place", "=", "guests.place"),
          )
          .select(["guests.id", "seats.name as seatName"])
          .orderBy("guests.id")
          .execute(),
    },
    drizzle: {
      "a constant": () =>
        db.select({ id: orders.id }).from(orders).where(gt(orders.total, 15)).orderBy(orders.id),
      "join by a range": () =>
        db
          .select({ id: orders.id, later: { id: later.id } })
          .from(orders)
          .innerJoin(later, lt(orders.id, later.id))
          .orderBy(orders.id, later.id),
      "a right join": () =>
        db
          .select({ id: lines.id, order: { id: orders.id } })
          .from(lines)
          .rightJoin(orders, eq(orders.id, lines.orderId))
          .orderBy(orders.id, lines.id),
      "through a table": () =>
        db
          .select({ id: orders.id, tags: { name: tags.name } })
          .from(orders)
          .innerJoin(orderTags, eq(orderTags.orderId, orders.id))
          .innerJoin(tags, eq(tags.id, orderTags.tagId))
          .orderBy(orders.id, tags.name),
      "a key of two columns": () =>
        db
          .select({ id: guests.id, seat: { name: seats.name } })
          .from(guests)
          .innerJoin(seats, and(eq(seats.room, guests.room), eq(seats.place, guests.place)))
          .orderBy(guests.id),
      join: () =>
        db
          .select({ id: orders.id, customer: { name: customers.name } })
          .from(orders)
          .innerJoin(customers, isOf)
          .orderBy(orders.id),
      "left join": () =>
        db
          .select({ id: orders.id, customer: { name: customers.name } })
          .from(orders)
          .leftJoin(customers, isOf)
          .orderBy(orders.id),
      "filter by a joined field": () =>
        db
          .select({ id: orders.id })
          .from(orders)
          .innerJoin(customers, isOf)
          .where(like(customers.name, "A%"))
          .orderBy(orders.id),
      "nested list": () =>
        db.query.orders.findMany({
          columns: { id: true },
          with: { lines: { columns: { sku: true }, orderBy: lines.id, limit: 3 } },
          orderBy: orders.id,
        }),
      "rows that have others": () =>
        db
          .select({ id: orders.id })
          .from(orders)
          .where(exists(drizzleLines(eq(lines.sku, "A1"))))
          .orderBy(orders.id),
      "rows that have none": () =>
        db.select({ id: orders.id }).from(orders).where(notExists(drizzleLines())).orderBy(orders.id),
      "a count of related rows": () =>
        db
          .select({ id: orders.id, lines: db.$count(lines, linesOf()) })
          .from(orders)
          .orderBy(orders.id),
      "a list from a query": () =>
        db
          .select({ id: orders.id })
          .from(orders)
          .where(
            inArray(
              orders.customerId,
              db.select({ id: customers.id }).from(customers).where(eq(customers.name, "Ann")),
            ),
          )
          .orderBy(orders.id),
      "groups over a join": () =>
        db
          .select({ customer: { name: customers.name }, spent: sum(orders.total).mapWith(Number) })
          .from(orders)
          .innerJoin(customers, isOf)
          .groupBy(customers.name)
          .orderBy(customers.name),
      "a query as a table": () => {
        const best = db.$with("best").as(
          db
            .select()
            .from(orders)
            .where(inArray(orders.total, [20, 30, 40])),
        );
        return db.with(best).select({ id: best.id }).from(best).orderBy(best.id);
      },
    },
    /** Rows in rows as each library gives them, for the bench. */
    nested: {
      "kysely, jsonArrayFrom": () =>
        kysely
          .selectFrom("orders")
          .select((eb) => [
            "orders.id",
            jsonArrayFrom(kyselyLines(eb).select(["lines.id", "lines.sku"])).as("lines"),
          ])
          .execute(),
      // What it makes is sent when it is awaited.
      "drizzle-orm, findMany": async () =>
        await db.query.orders.findMany({
          columns: { id: true },
          with: { lines: { columns: { id: true, sku: true } } },
        }),
    },
  };
}
