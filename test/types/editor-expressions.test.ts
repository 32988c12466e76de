/** What an editor shows of queries with expressions: the reports that docs/expression-tasks.md tells of. */
import { describe, expect, test } from "vitest";
import { openEditor } from "./editor.js";

const editor = openEditor(`
import { add, column, count, dateTrunc, decimal, field, inserted, json, lower, mul, param, path, raw, sum, table, trim, value } from "rowtype";
import { postgres } from "rowtype/postgres";
import { z } from "zod";
const Line = table("lines", z.object({
  id: column(z.int(), { primaryKey: true, generated: true }),
  orderId: z.int(), sku: z.string(), qty: z.int(), price: decimal(10, 2),
}));
const Invoice = table("invoices", z.object({ id: column(z.int(), { primaryKey: true }), paidAt: z.date().nullable() }));
const Note = table("notes", z.object({
  id: column(z.int(), { primaryKey: true }), vec: z.string(),
  settings: json(z.object({ theme: z.enum(["dark", "light"]), size: z.number().optional() })),
}));
const Stock = table("stock", z.object({ item: column(z.string(), { primaryKey: true }), count: z.int() }));
const db = postgres();
const [lines, invoices, notes, stock] = [db.repository(Line), db.repository(Invoice), db.repository(Note), db.repository(Stock)];
`);

const revenue = `lines.query()
  .fields("orderId", sum(mul("qty", "price")).as("gross"), sum(mul(mul("price", "qty"), param("rate", decimal(5, 4)))).as("tax"))
  .where(lower(trim("sku")), "=", "sku").groupBy("orderId").orderBy("gross", "desc")`;
const found = `notes.query()
  .fields("id", raw(z.number())\`ts_rank(\${field("vec")}, plainto_tsquery(\${param("q", z.string())}))\`.as("rank"))
  .whereRaw(raw(z.boolean())\`\${field("vec")} @@ plainto_tsquery(\${param("q", z.string())})\`).orderBy("rank", "desc")`;

/** The hover on the rows of a query. */
const rows = (query: string, params = "") =>
  editor.hover(`const rows = await ${query}.exec(${params}); rows/*|*/`);

describe("the hover on rows", () => {
  test("of sums of products is digits, or null", () => {
    expect(rows(revenue, `{ rate: "0.19", sku: "a" }`)).toBe(
      "const rows: {\n    orderId: number;\n    gross: string | null;\n    tax: string | null;\n}[]",
    );
  });

  test("of months is dates", () => {
    const perMonth = `invoices.query().fields(dateTrunc("month", "paidAt").as("month"), count().as("n")).groupBy("month").orderBy("month", "asc")`;
    expect(rows(perMonth)).toBe("const rows: {\n    month: Date | null;\n    n: number;\n}[]");
  });

  test("of text of one's own is what its schema says", () => {
    expect(rows(found, `{ q: "a" }`)).toBe("const rows: {\n    id: number;\n    rank: number;\n}[]");
  });

  test("of a path is the member's type", () => {
    const themes = `notes.query().fields(path("settings", "theme").as("theme"), path("settings", "size").as("size"))`;
    expect(rows(themes)).toBe('const rows: {\n    theme: "dark" | "light";\n    size: number | null;\n}[]');
  });

  test("of an upsert is the row", () => {
    const upsert = `stock.insert().onConflict("item").doUpdate().set("count", add("count", inserted("count")))`;
    expect(rows(upsert, `{ item: "a", count: 1 }`)).toBe(
      "const rows: {\n    item: string;\n    count: number;\n}",
    );
  });
});

describe("an editor offers", () => {
  const cases = [
    ["the parameters of a sum", `${revenue}.exec({ /*|*/ })`, ["rate", "sku"]],
    [
      "the aliases in an order",
      `${revenue.replace('"gross", "desc"', '"/*|*/", "desc"')}`,
      ["gross", "tax", "orderId"],
    ],
  ] as const;
  editor.open(cases.map(([, text]) => text));

  test.each(cases)("%s", (_, text, offered) => {
    expect(editor.completions(text)).toEqual(expect.arrayContaining([...offered]));
  });
});
