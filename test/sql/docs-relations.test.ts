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

test("the queries on the page are those of this file", () => {
  const programs = [...self.matchAll(/\n\/\/ begin\n([\s\S]*?)\n\/\/ end\n/g)].map(
    ([, program = ""]) => program,
  );
  expect(programs).toHaveLength(2);
  for (const program of programs) {
    expect(program).toContain("leftJoin");
    expect(page).toContain(program);
  }
});

test("the SQL on the page is that of the queries", () => {
  for (const { native } of [found.render(), newest.renderAfter()]) {
    const sql = native.sql.replaceAll(/ (?=FROM|LEFT JOIN|WHERE|ORDER BY|LIMIT)/g, "\n");
    expect(page).toContain(`\`\`\`sql\n${sql}\n\`\`\``);
  }
});
