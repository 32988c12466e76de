/** docs/relations.md says what is so: its query is the one below, which compiles, and its SQL is what is rendered. */
import { readFileSync } from "node:fs";
import { column, many, one, table } from "rowtype";
import { postgres } from "rowtype/postgres";
import { expect, test } from "vitest";
import { z } from "zod";

const page = readFileSync(new URL("../../docs/relations.md", import.meta.url), "utf8");
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
  { relations: { customer: one("customers", "customerId") } },
);
const db = postgres().repositories({ customers, orders });

// begin
const found = db.orders
  .query()
  .leftJoin("customer")
  .fields("id", "total", "customer.name")
  .where("customer.name", "LIKE", "like")
  .orderBy("customer.name", "asc");
// end

test("the query on the page is the one of this file", () => {
  const [, program = ""] = /\n\/\/ begin\n([\s\S]*?)\n\/\/ end\n/.exec(self) ?? [];
  expect(program).toContain("leftJoin");
  expect(page).toContain(program);
});

test("the SQL on the page is that of the query", () => {
  const sql = found.render().native.sql.replaceAll(/ (?=FROM|LEFT JOIN|WHERE|ORDER BY)/g, "\n");
  expect(page).toContain(`\`\`\`sql\n${sql}\n\`\`\``);
});
