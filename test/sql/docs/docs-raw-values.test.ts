/**
 * The table of docs/expressions.md that says what columns, parameters and constants are in raw text.
 * `ROWTYPE_WRITE_DOCS=1` writes it anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { inspect } from "node:util";
import { type AnyTable, column, decimal, field, json, param, raw, table, vector } from "rowtype";
import { recording } from "rowtype/testing";
import { expect, test } from "vitest";
import { z } from "zod";

// biome-ignore lint/suspicious/noExplicitAny: the table is made of schemas that no compiler knows here.
type Untyped = any;

const page = new URL("../../../docs/expressions.md", import.meta.url);
const dialects = ["postgres", "mariadb", "sqlite", "oracle"] as const;

const at = new Date("2026-03-08T23:30:00.000Z");
const types = { postgres: "timestamp", mariadb: "datetime(6)", sqlite: "INTEGER" };

const rows: readonly (readonly [label: string, schema: z.ZodType, value: unknown])[] = [
  ["z.string()", z.string(), "a"],
  [
    'column(z.string(), { type: { postgres: "uuid" } })',
    column(z.string(), { type: { postgres: "uuid" } }),
    "2f1c7dd2-…",
  ],
  ["z.int()", z.int(), 7],
  [
    'column(z.int(), { type: { postgres: "smallint" } })',
    column(z.int(), { type: { postgres: "smallint" } }),
    7,
  ],
  ["z.number()", z.number(), 1.5],
  ["z.bigint()", z.bigint(), 7n],
  ["z.boolean()", z.boolean(), true],
  ["z.date()", z.date(), at],
  [
    `column(z.date(), { type: ${inspect(types).replaceAll("'", '"')} })`,
    column(z.date(), { type: types }),
    at,
  ],
  ["z.instanceof(Uint8Array)", z.instanceof(Uint8Array), new Uint8Array([1, 255])],
  ["decimal(10, 2)", decimal(10, 2), "1.50"],
  ["json(z.object({ a: z.int() }))", json(z.object({ a: z.int() })), { a: 1 }],
  ["z.array(z.int())", z.array(z.int()), [1, 2]],
  ["vector(2)", vector(2), [0.5, 1]],
];

const id = column(z.int(), { primaryKey: true });

/** The type of a column, and a parameter beside it: its text, and what the driver is given. */
async function cellOf(
  schema: z.ZodType,
  value: unknown,
  dialect: (typeof dialects)[number],
): Promise<string> {
  const T = table("t", z.object({ id, f: schema })) as AnyTable;
  const db = recording(dialect);
  try {
    await db.createTables(T);
    const own = raw(z.boolean())`${field("f")} is ${param("p", schema)}` as Untyped;
    const query: Untyped = db.repository(T as Untyped).query();
    await query.fields("id").whereRaw(own).exec({ p: value });
  } catch (error) {
    if (Object(error).code === "UNSUPPORTED") return "–";
    throw error;
  }
  const [created, asked] = db.statements;
  const [, type = ""] = /["`]f["`] (.+?)(?: NOT NULL|,?\n)/.exec(created?.sql ?? "") ?? [];
  const [, text = ""] = /\(["`]f["`] is (.*)\)$/.exec(asked?.sql ?? "") ?? [];
  const [sent] = asked?.params ?? [];
  return `\`${type}\` · \`${text}\` · \`${inspect(sent, { breakLength: Number.POSITIVE_INFINITY })}\``;
}

test("docs/expressions.md says what a column and a parameter beside it are in raw text", async () => {
  const lines = ["| schema | PostgreSQL | MariaDB | SQLite | Oracle |", "|---|---|---|---|---|"];
  for (const [label, schema, value] of rows) {
    const cells: string[] = [];
    for (const dialect of dialects) cells.push(await cellOf(schema, value, dialect));
    lines.push(`| \`${label}\` | ${cells.join(" | ")} |`);
  }
  const made = `<!-- values in raw text -->\n${lines.join("\n")}\n<!-- end -->`;
  const text = readFileSync(page, "utf8");
  if (process.env["ROWTYPE_WRITE_DOCS"] === "1")
    writeFileSync(
      page,
      text.replace(/<!-- values in raw text -->[\s\S]*?<!-- end -->/, () => made),
    );
  expect(readFileSync(page, "utf8")).toContain(made);
});
