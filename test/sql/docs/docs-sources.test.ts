/** docs/relations.md says what is so of queries as tables: its queries are those below, and its SQL is what they render. */
import { readFileSync } from "node:fs";
import { column, max, rowNumber, sum, table } from "rowtype";
import { postgres } from "rowtype/postgres";
import { expect, test } from "vitest";
import { z } from "zod";

const page = readFileSync(new URL("../../../docs/relations.md", import.meta.url), "utf8");
const self = readFileSync(new URL(import.meta.url), "utf8");

const id = column(z.int(), { primaryKey: true });
const customers = table("customers", z.object({ id, name: z.string() }));
const orders = table("orders", z.object({ id, customerId: z.int().nullable(), total: z.number() }));
const employees = table("employees", z.object({ id, name: z.string(), managerId: z.int().nullable() }));
const database = postgres();
const db = database.repositories({ customers, orders, employees });

// begin
const spent = db.orders
  .query()
  .fields("customerId", sum("total").as("sum"), max("total").as("most"))
  .groupBy("customerId")
  .as("spent");
const found = db.customers
  .query()
  .leftJoinQuery(spent, "id", "customerId")
  .fields("name", "spent.sum", "spent.most")
  .where("spent.sum", ">", "least");
// end

// begin
const ranked = db.orders
  .query()
  .fields(
    "id",
    "customerId",
    "total",
    rowNumber()
      .over({ partitionBy: ["customerId"], orderBy: [["total", "desc"]] })
      .as("place"),
  )
  .as("ranked");
const best = database.from(ranked).fields("id", "total").where("place", "<=", "n");
// end

// begin
const large = database.with("large", db.orders.query().where("total", ">", "least"));
const pairs = database
  .from(large)
  .joinQuery(large, "customerId", "customerId")
  .fields("id", "large.id")
  .whereFields("id", "<", "large.id");
// end

// begin
const tree = database.recursive(
  "tree",
  db.employees.query().fields("id", "name").whereNull("managerId"),
  (self) => db.employees.query().joinQuery(self, "managerId", "id").fields("id", "name"),
  { maxDepth: 20, depth: "level" },
);
const staff = database.from(tree).orderBy("level", "asc");
// end

test("the queries on the page are those of this file", () => {
  const programs = [...self.matchAll(/\n\/\/ begin\n([\s\S]*?)\n\/\/ end\n/g)].map(
    ([, program = ""]) => program,
  );
  expect(programs.length).toBeGreaterThan(2);
  for (const program of programs) expect(page).toContain(program);
});

test("the SQL on the page is that of the queries", () => {
  for (const query of [found, best, pairs, staff]) {
    const sql = query
      .render()
      .native.sql.replaceAll(/ (?=FROM|LEFT JOIN|WHERE|SELECT "own")|(?<!LEFT) (?=JOIN)/g, "\n");
    expect(page).toContain(`\`\`\`sql\n${sql}\n\`\`\``);
  }
});
