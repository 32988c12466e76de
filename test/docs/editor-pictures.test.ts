/**
 * The pictures of an editor in `docs/pictures` are what the language service of TypeScript says of this program.
 * `ROWTYPE_WRITE_DOCS=1` draws them anew.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openEditor } from "../types/editor.js";
import { drawEditor, type Shown } from "./editor-picture.js";

const prelude = `import { column, decimal, many, one, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true, generated: true });
const customers = table("customers", z.object({ id, name: z.string(), since: z.date() }), {
  relations: { orders: many("orders", "customerId") },
});
const orders = table(
  "orders",
  z.object({
    id,
    customerId: column(z.int().nullable(), { references: () => customers }),
    total: decimal(10, 2),
    paid: z.boolean(),
  }),
  { relations: { customer: one("customers", "customerId"), lines: many("lines", "orderId") } },
);
const lines = table("lines", z.object({ id, orderId: z.int(), sku: z.string(), qty: z.int() }));
const db = sqlite().repositories({ customers, orders, lines });
`;
const editor = openEditor(prelude);
const firstLine = prelude.split("\n").length;

const joined = `const found = db.orders.query()
  .leftJoin("customer")
  .fields("id", "total", "customer.name")
  .with("lines", db.lines.query().fields("sku", "qty"))`;

/** What is drawn; `|` is the cursor, and behind it stands the word that an error is about. */
const pictures: readonly {
  readonly name: string;
  readonly says: string;
  readonly code: string;
  readonly ask: (text: string, code: string) => Shown;
}[] = [
  {
    name: "complete-fields",
    says: "The editor completes the fields of both tables inside where",
    code: `${joined}\n  .where("|")`,
    ask: (text) => ({ kind: "completions", names: editor.completions(text) }),
  },
  {
    name: "complete-operators",
    says: "The editor completes the operators of a text",
    code: `${joined}\n  .where("customer.name", "|")`,
    ask: (text) => ({ kind: "completions", names: editor.completions(text) }),
  },
  {
    name: "hover",
    says: "The hover of the rows: a customer that may be null, and lines nested in each order",
    code: `${joined}
  .where("customer.name", "ICONTAINS", "name");

const rows| = await found.exec({ name: "ann" });`,
    ask: (text) => ({ kind: "hover", text: editor.hover(text) }),
  },
  {
    name: "error",
    says: "The error of a misspelt field lists the fields that there are",
    code: `const found = db.orders.query()
  .join("customer")
  .fields("id", |"customer.nmae");`,
    ask(text, code) {
      const [said = ""] = editor.errors(text);
      // Behind the names stands what else is allowed, which takes more lines than the picture has.
      const names = said.slice(0, said.indexOf(" | Fitting"));
      const length = /^"[^"]*"/.exec(code)?.[0].length ?? 0;
      return { kind: "error", text: `${names} | …`, length };
    },
  },
];

const { ROWTYPE_WRITE_DOCS: write } = process.env;

test.each(pictures)("the picture $name shows what the editor shows", ({ name, says, code, ask }) => {
  const at = code.indexOf("|");
  const plain = code.slice(0, at) + code.slice(at + 1);
  const shown = ask(code.replace("|", "/*|*/"), plain.slice(at));
  expect(shown.kind === "completions" ? shown.names : shown.text).not.toHaveLength(0);
  // A hover is asked behind its word, and shown below it.
  const start = shown.kind === "hover" ? plain.lastIndexOf(" ", at - 1) + 1 : at;
  const svg = drawEditor({ file: "orders.ts", says, code: plain, firstLine, at: start, shown });
  const file = new URL(`../../docs/pictures/${name}.svg`, import.meta.url);
  if (write === "1") writeFileSync(file, svg);
  expect(existsSync(file) ? readFileSync(file, "utf8") : "").toBe(svg);
});
