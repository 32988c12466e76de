/** docs/architecture.md tells of files that exist, of each file of two big folders, and of a query as it really runs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";
import { z } from "zod";
import { column, table } from "../../src/index.js";
import type { AnyBuilder } from "../../src/sql/builder/builder.js";
import type { Driver, DriverRequest } from "../../src/sql/contract/driver.js";
import { grammars } from "../../src/sql/dialect/grammars.js";
import { makeDatabase } from "../../src/sql/door/database.js";
import { renderStatement } from "../../src/sql/render/statement.js";
import { sourceFiles } from "./imports.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "docs/architecture.md"), "utf8");

/** The text of a section, up to the next heading of its level. */
function section(title: string): string {
  const [, text] = page.split(`\n## ${title}\n`);
  if (text === undefined) throw new Error(`docs/architecture.md has no section ${title}`);
  return text.split("\n## ")[0] ?? "";
}

test.each(["resolve", "migrate"])("every file of %s has a line", (folder) => {
  const base = join(root, "src/sql", folder);
  const files = sourceFiles(base);
  const title = `${folder === "resolve" ? "Resolve" : "Migrate"}, file by file`;
  const told = [...section(title).matchAll(/^\| `([^`]+\.ts)` \| \S/gm)].map(([, name]) => name);
  expect(told.sort()).toEqual(files.sort());
});

test("the answers to the ten questions name files that exist", () => {
  const answers = [...section("Ten questions").matchAll(/^\d+\. .*\? `([^`]+)`/gm)].map(
    ([, file]) => file ?? "",
  );
  expect(answers).toHaveLength(10);
  const exists = new Set(sourceFiles(join(root, "src")));
  expect(answers.filter((file) => !exists.has(file))).toEqual([]);
});

const texts = sourceFiles(join(root, "src")).map((file) => readFileSync(join(root, "src", file), "utf8"));

/** Whether a name of the page is declared: `name`, `name(…)`, or `Class.member`. */
function isDeclared(code: string): boolean {
  const [name = "", member] = code.replace(/\(.*\)$/, "").split(".");
  const ofName = new RegExp(`\\b(?:function|class|interface|const|type) ${name}\\b`);
  const declaring = texts.filter((text) => ofName.test(text));
  if (declaring.length === 0) return texts.some((text) => isMember(name, text));
  return member === undefined || declaring.some((text) => isMember(member, text));
}

function isMember(name: string, text: string): boolean {
  return new RegExp(`^ +(?:(?:readonly|protected|override|static|async|get) )*#?${name}[(<?:]`, "m").test(
    text,
  );
}

test("the three flows name functions, classes and members that exist", () => {
  const named = [...section("Three flows").matchAll(/`([^`\n/]+)`/g)].map(([, code = ""]) => code);
  const names = named.filter((code) => /^#?[\w.]+(?:\(.*\))?$/.test(code) && !code.endsWith(".ts"));
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !isDeclared(name.replace("#", "")))).toEqual([]);
  expect(["Builder.step", "ChainMemoryy", "handlee()"].filter(isDeclared)).toEqual([]);
});

const Order = table(
  "orders",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    customer: z.string(),
    placedAt: column(z.date(), { name: "placed_at" }),
  }),
);

test("the query of the page has these values at every station", async () => {
  const grammar = grammars.get("postgres");
  if (grammar === undefined) throw new Error("there is no grammar of PostgreSQL");
  const sent: DriverRequest[] = [];
  const driverRows = [["Ann", "2026-03-01 09:30:00.5+00"]];
  // The part of a driver that one query needs.
  const driver = {
    run: async (request: DriverRequest) => {
      sent.push(request);
      return { rows: driverRows, affected: 0 };
    },
  } as unknown as Driver;
  const query = makeDatabase("postgres", grammar, driver)
    .repository(Order)
    .query()
    .fields("customer", "placedAt")
    .where("placedAt", ">=", "since")
    .orderBy("customer", "asc")
    .limit(2);
  const since = new Date("2026-03-01T00:00:00.000Z");
  const rows = await query.exec({ since });

  // The typed builder is an untyped one.
  const { draft } = query as unknown as AnyBuilder;
  if (!("resolved" in draft)) throw new Error("a query is a draft of one statement");
  const resolved = draft.resolved as Parameters<typeof renderStatement>[0];
  const plan = renderStatement(resolved, grammar);
  const stations = [
    draft.spec,
    pick(resolved, ["kind", "items", "where", "orderBy", "paging"]),
    pick(plan, ["rendered", "slots"]),
    sent.map(({ sql, params }) => ({ sql, params }))[0],
    driverRows,
    rows,
  ].map((value) => JSON.parse(JSON.stringify(value, shown)));
  const blocks = [...section("One query, from draft to rows").matchAll(/```json\n([\s\S]*?)```/g)];
  expect(blocks.map(([, text = ""]) => JSON.parse(text))).toEqual(stations);
});

function pick(value: object, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(value, name)]));
}

/** A field by its text, a function by a word; what belongs to the declaration is left out. */
function shown(key: string, value: unknown): unknown {
  if (["layout", "table", "storage", "schema", "column", "output", "dates", "isEquality"].includes(key))
    return undefined;
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null || !("kind" in value) || value.kind !== "field")
    return value;
  return "sql" in value ? { field: value.sql } : value;
}
