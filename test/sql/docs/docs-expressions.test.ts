/**
 * docs/expression-tasks.md says what is so: its programs are those of `docs-expressions.tasks.ts`, which compile; the
 * SQL beside them is what each dialect is sent, and what they print comes back from every server.
 * `ROWTYPE_WRITE_DOCS=1` writes the blocks anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { inspect } from "node:util";
import type { Database } from "rowtype";
import * as rowtype from "rowtype";
import { recording } from "rowtype/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Lent, servers } from "../../servers.js";
import { Account, fill, Invoice, shopOf, tasks } from "./docs-expressions.tasks.js";

const page = new URL("../../../docs/expression-tasks.md", import.meta.url);
const programs = readFileSync(new URL("docs-expressions.tasks.ts", import.meta.url), "utf8");
const dialects = { postgres: "PostgreSQL", mariadb: "MariaDB", sqlite: "SQLite", oracle: "Oracle" } as const;

const shopIn = (db: Database) => shopOf(db as unknown as Database<"sqlite">);

/** The lines between the marks of a task, without what they are indented by. */
function programOf(task: string): string {
  const [, marked = ""] = programs.split(`// begin: ${task}\n`);
  const [, lines = ""] = /^([\s\S]*?)\n *\/\/ end\n/.exec(marked) ?? [];
  const [indent = ""] = /^ */.exec(lines) ?? [];
  return lines.replaceAll(new RegExp(`^${indent}`, "gm"), "");
}

/** What a task sends in each dialect, a line for each clause. */
async function statementsOf(run: (typeof tasks)[string]): Promise<string> {
  const texts: string[] = [];
  for (const [dialect, title] of Object.entries(dialects)) {
    const db = recording(dialect as keyof typeof dialects, ({ sql }) => answerTo(sql));
    await run(shopIn(db as unknown as Database));
    texts.push(`-- ${title}`, ...db.statements.map(({ sql }) => `${sql.replaceAll(clause, "\n  ")};`));
  }
  return texts.join("\n");
}

// What a program needs to go on: a count, the row that it stored.
function answerTo(sql: string): readonly Readonly<Record<string, unknown>>[] {
  if (sql.startsWith("SELECT COUNT(*)")) return [{ count: 0 }];
  return sql.includes("INSERT") ? [{ id: 9, tenantId: 2, name: "", email: "", settings: { theme: "" } }] : [];
}

const clause =
  / (?=(?:FROM "|FROM `|WHERE|GROUP BY|HAVING|ORDER BY|LIMIT|FETCH|VALUES|ON CONFLICT|SET|RETURNING) ?)/g;

/** What a task gives, as `console.log` prints it. */
const printed = (result: unknown) => inspect(result, { depth: null, breakLength: 100, compact: 1 });

/** The text of a task on the page, from its heading to the next. */
function sectionOf(task: string, text: string): string {
  const [, after = ""] = text.split(new RegExp(`^### ${task}$`, "m"));
  return after.split(/^##/m)[0] ?? "";
}

const fenced = /^```(\w+)\n([\s\S]*?)\n```$/gm;

/** The body of the first block of a language in a section. */
function blockOf(language: string, section: string): string | undefined {
  return [...section.matchAll(fenced)].find(([, found]) => found === language)?.[2];
}

/** Compares a block of a task with what it must be, or writes it there. */
function hold(task: string, language: "ts" | "js" | "sql", body: string): void {
  const text = readFileSync(page, "utf8");
  const section = sectionOf(task, text);
  const { ROWTYPE_WRITE_DOCS: write } = process.env;
  if (write === "1" && section !== "") {
    const written = section.replace(fenced, (block, found: string) =>
      found === language ? `\`\`\`${language}\n${body}\n\`\`\`` : block,
    );
    writeFileSync(
      page,
      text.replace(section, () => written),
    );
    return;
  }
  expect(body).not.toBe("");
  expect(blockOf(language, section)).toBe(body);
}

describe("docs/expression-tasks.md", () => {
  test("has the tables, and every task once", () => {
    hold("The tables", "ts", programOf("The tables"));
    const text = readFileSync(page, "utf8");
    const [, part = ""] = text.split(/^## Tasks$/m);
    const headings = [...(part.split(/^## /m)[0] ?? "").matchAll(/^### (.+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(["The tables", ...Object.keys(tasks)]);
  });

  test.each(Object.entries(tasks))("has the program and the SQL of %s", async (task, run) => {
    hold(task, "ts", programOf(task));
    hold(task, "sql", await statementsOf(run));
  });
});

describe("the tables of docs/expressions.md and docs/sql.md", () => {
  const rows = ["expressions.md", "sql.md"].flatMap((name) =>
    readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("|")),
  );
  // A name as code, by itself or with what it takes.
  const saidIn = (name: string) => rows.filter((row) => new RegExp(`\`+\\s?${name}\\b`).test(row));
  const { and, between, c, field, inserted, isNull, not, notBetween, notNull, or, param, raw, value } =
    rowtype;
  const others = {
    and,
    between,
    c,
    field,
    inserted,
    isNull,
    not,
    notBetween,
    notNull,
    or,
    param,
    raw,
    value,
  };

  test.each([...Object.keys(rowtype.fn), ...Object.keys(others)])("have a row with %s", (name) => {
    expect(saidIn(name)).not.toEqual([]);
  });
});

// H2 takes longer to start than it has to say here: the cases of each function run on it.
for (const server of servers.filter(({ name }) => name !== "h2"))
  describe.skipIf(!server.available)(
    `docs/expression-tasks.md prints what comes back on ${server.name}`,
    () => {
      let lent: Lent;
      let shop: ReturnType<typeof shopOf>;
      beforeAll(async () => {
        lent = await server.lend();
        shop = shopIn(lent.db);
      });
      afterAll(() => lent.close());

      test.each(Object.entries(tasks))("%s", async (task, run) => {
        await shop.db.dropTables(Account, Invoice);
        await shop.db.createTables(Account, Invoice);
        await fill(shop);
        hold(task, "js", printed(await run(shop)));
      });
    },
  );
