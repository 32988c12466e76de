/** docs/relations.md says what is so: its query is the one below, which compiles, and its SQL is what is rendered. */
import { readFileSync } from "node:fs";
import { column, many, one, table } from "rowtype";
import { postgres } from "rowtype/postgres";
import { expect, test } from "vitest";
import { z } from "zod";

const page = readFileSync(new URL("../../../docs/relations.md", import.meta.url), "utf8");
const self = readFileSync(new URL(import.meta.url), "utf8");

const customers = table(
  "customers",
  z.object({ id: column(z.int(), { primaryKey: true, generated: true }), name: z.string() }),
  { relations: { orders: many("orders", "customerId") } },
);
const orders = table(
  "orders",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    customerId: column(z.int().nullable(), { references: "customers(id)" }),
    total: z.number(),
  }),
  { relations: { customer: one("customers", "customerId"), lines: many("lines", "orderId") } },
);
const lines = table(
  "lines",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    orderId: z.int(),
    sku: z.string(),
    qty: z.int(),
  }),
);
const db = postgres().repositories({ customers, orders, lines });

// begin
const found = db.orders
  .query()
  .leftJoin("customer")
  .fields("id", "total", "customer.name")
  .where("customer.name", "LIKE", "like")
  .orderBy("customer.name", "asc");
// end

// begin
const newest = db.orders
  .query()
  .leftJoin("customer")
  .fields("id", "total", "customer.name")
  .where("total", ">", "least")
  .orderBy("total", "desc")
  .orderBy("id", "asc")
  .page(20);
// end

// begin
const list = db.orders
  .query()
  .fields("id")
  .with(
    "lines",
    db.lines.query().fields("sku", "qty").where("qty", ">=", "least").orderBy("qty", "desc").limit(3),
  )
  .with("customer", db.customers.query().fields("name"))
  .where("total", ">", "total")
  .orderBy("id", "asc");
// end

test("the queries on the page are those of this file", () => {
  const programs = [...self.matchAll(/\n\/\/ begin\n([\s\S]*?)\n\/\/ end\n/g)].map(
    ([, program = ""]) => program,
  );
  expect(programs).toHaveLength(3);
  for (const program of programs) {
    expect(program).toContain("db.orders");
    expect(page).toContain(program);
  }
});

test("the SQL on the page is that of the queries", () => {
  for (const { native } of [found.render(), newest.renderAfter()]) {
    const sql = native.sql.replaceAll(/ (?=FROM|LEFT JOIN|WHERE|ORDER BY|LIMIT)/g, "\n");
    expect(page).toContain(`\`\`\`sql\n${sql}\n\`\`\``);
  }
});

test("the SQL of nested rows on the page is that of the query, but for its lines", () => {
  const sql = page.slice(page.indexOf('SELECT "id",\n  (SELECT coalesce'));
  expect(sql.replaceAll(/\s+/g, " ")).toContain(`${list.render().native.sql} \`\`\``);
});
