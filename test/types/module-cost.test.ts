/**
 * What takes a table, a repository or a query of a module costs the compiler the same however many tables the module has:
 * no form may look at the tables that it does not name. Joins of repositories once did: 1,200 instantiations a table.
 */
import { describe, expect, test } from "vitest";
import { costOf } from "../../bench/compiler/type-cost.mjs";

const KINDS = ["z.string()", "z.int()", "z.boolean()", "z.date()", "z.number().nullable()"];
const fields = Array.from({ length: 8 }, (_, i) => `c${i}: ${KINDS[i % KINDS.length]}`).join(", ");

/** A module of tables, each with relations to two others, and repositories of all of them. */
function moduleOf(tables: number): string {
  const names = Array.from({ length: tables }, (_, i) => `t${i}`);
  const declared = names.map(
    (name, i) =>
      `export const ${name} = table("${name}", z.object({ id, a: z.int(), b: z.int(), ${fields} }), { relations: { next: one("t${(i + 1) % tables}", "a"), after: many("t${(i + 2) % tables}", "a") } });`,
  );
  return `import { column, many, one, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";
const id = column(z.int(), { primaryKey: true, generated: true });
${declared.join("\n")}
export const database = sqlite();
export const db = database.repositories({ ${names.join(", ")} });
`;
}

const on = {
  "two fields": '"a", "b"',
  "lists of fields": '["a", "c0"], ["b", "c5"]',
  "a condition": 'compare("a", "<", "o.b")',
};
const kinds = ["joinOn", "leftJoinOn", "rightJoinOn", "fullJoinOn"];
const ways = Object.entries(on);

/** Rows of a table that the first one has a relation to. In the place of an argument, they are inferred with the call around. */
const rows = {
  "whole rows": "db.t1.query()",
  "rows with a condition": 'db.t1.query().where("a", "=", "a")',
  "some fields": 'db.t1.query().fields("id", "a", "b")',
  "an expression": 'db.t1.query().fields("a", "b", upper("c0").as("loud"))',
};

const forms: Readonly<Record<string, string>> = Object.fromEntries([
  ...kinds.flatMap((kind) =>
    ways.flatMap(([by, given]) =>
      ["t1", "db.t1", 'db.t1.scope({ c0: "x" })'].map((joined) => [
        `${kind} of ${joined} by ${by}`,
        `db.t0.query().${kind}("o", ${joined}, ${given})`,
      ]),
    ),
  ),
  ...kinds
    .map((kind) => kind.replace("On", "Query"))
    .flatMap((kind) =>
      ways.map(([by, given]) => [
        `${kind} by ${by}`,
        `db.t0.query().${kind}(db.t1.query().as("o"), ${given})`,
      ]),
    ),
  ...ways.flatMap(([by, given]) =>
    Object.entries(rows).map(([of, query]) => [
      `withOn of ${of} by ${by}`,
      `db.t0.query().withOn("o", ${query}, ${given})`,
    ]),
  ),
  ...ways
    .slice(0, 2)
    .flatMap(([by, given]) =>
      Object.entries(rows).map(([of, query]) => [
        `whereExistsOn of ${of} by ${by}`,
        `db.t0.query().whereExistsOn(${query}, ${given})`,
      ]),
    ),
  ...Object.entries(rows).flatMap(([of, query]) => [
    [`with of ${of}`, `db.t0.query().with("next", ${query})`],
    [`whereExists of ${of}`, `db.t0.query().whereExists("next", ${query})`],
    [`exists of ${of}`, `db.t0.query().whereAnd(exists("next", ${query}))`],
    [`with of the database, of ${of}`, `database.from(database.with("o", ${query}))`],
    [`union of ${of}`, `${query}.union(${query})`],
    [`a query that is named, of ${of}`, `db.t0.query().joinQuery(${query}.as("o"), "a", "b")`],
  ]),
  [
    "whereExistsOn by a condition",
    `db.t0.query().whereExistsOn(db.t1.query().as("o"), ${on["a condition"]})`,
  ],
  ["whereQuery", 'db.t0.query().whereQuery("a", "IN", db.t1.query().fields("b"))'],
  ["join", 'db.t0.query().join("next")'],
  ["fullJoin", 'db.t0.query().fullJoin("next")'],
  ["with", 'db.t0.query().with("next", db.t1.query().with("next"))'],
  ["whereExists", 'db.t0.query().whereExists("after", db.t2.query())'],
  ["exists in a condition", 'db.t0.query().whereAnd(exists("after", db.t2.query()))'],
  ["of a relation", 'db.t0.query().fields("id", of("after", count()).as("n"))'],
  ["a query that is named", 'db.t0.query().joinQuery(database.with("o", db.t1.query()), "a", "b")'],
  ["from", 'database.from(db.t1.query().as("o")).fields("a")'],
  ["with of the database", 'database.from(database.with("o", db.t1.query())).fields("a")'],
  [
    "recursive",
    'database.from(database.recursive("o", db.t1.query().fields("a", "b"), (self) => db.t1.query().fields("a", "b").joinQuery(self, "a", "b"))).fields("a")',
  ],
  [
    "execFrom",
    'db.t0.insert().execFrom(db.t1.query().fields("a", "b", "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"))',
  ],
  ["union", 'db.t0.query().fields("a").union(db.t1.query().fields("a"))'],
  ["nested insert", 'db.t0.insert().with("after")'],
  ["specs", 'db.t0.specs({ relations: { next: { fields: ["id", "a"] } } })'],
]);

const cost = (tables: number, given: readonly string[]) =>
  costOf({
    "module.ts": moduleOf(tables),
    "use.ts": `import { compare, count, exists, of, upper } from "rowtype";
import { database, db, t1 } from "./module.js";
export const used = [db.t0, database, t1, compare, count, exists, of, upper] as const;
${given.map((form, i) => `export const it${i} = ${form};`).join("\n")}
`,
  });

const [few, many] = [4, 14];

describe("what a module of more tables costs", () => {
  const none = cost(many, []) - cost(few, []);
  const more = (...given: readonly string[]) => cost(many, given) - cost(few, given) - none;

  test("the forms that take its tables, repositories and queries: nothing", () => {
    // All of them in one program are fast; which one it is, is asked only if there is one.
    const grown = more(...Object.values(forms));
    const names =
      Math.abs(grown) <= 20 ? [] : Object.keys(forms).filter((name) => more(forms[name] ?? "") > 10);
    expect({ grown: Math.abs(grown) <= 20 ? 0 : grown, names }).toEqual({ grown: 0, names: [] });
  });

  // Where the relation leads is asked before the relation is known. Measured: 350.
  test("setFrom: 35 a table, which is to fall", () => {
    expect(more('db.t0.modify().setFrom("c0", "next", "c5").where("id", "=", "id")')).toBeLessThanOrEqual(
      35 * (many - few),
    );
  });
});
