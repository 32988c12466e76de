/**
 * Measures the compile cost of queries over several tables in instantiations, as `type-cost.mjs` does for those over one:
 * 100 tables of 20 columns in one module, related in a ring and to themselves, and 200 queries. No column name occurs in
 * two tables.
 */
import { costOf } from "./type-cost.mjs";

const TABLES = 100;
const QUERIES = 200;

const columns = (t) =>
  [
    `id${t}: column(z.int(), { primaryKey: true, generated: true })`,
    `nextId${t}: z.int()`,
    `parentId${t}: z.int().nullable()`,
    `role${t}: column(z.enum(["admin", "member"]), { default: "'member'" })`,
    `createdAt${t}: column(z.date(), { default: "CURRENT_TIMESTAMP" })`,
    ...["email", "name", "bio", "city", "zip", "note", "label", "kind"].map(
      (name) => `${name}${t}: z.string()`,
    ),
    ...["score", "rank", "total", "size"].map((name) => `${name}${t}: z.number()`),
    ...["active", "flag"].map((name) => `${name}${t}: z.boolean()`),
    `updatedAt${t}: z.date()`,
  ].join(",\n  ");

const after = (t, steps) => (t + steps) % TABLES;

const table = (t) =>
  `import { column, many, one, table } from "rowtype";\nimport { z } from "zod";\n` +
  `export const T${t} = table("t${t}", z.object({\n  ${columns(t)},\n}), {\n` +
  `  relations: { next: one("T${after(t, 1)}", "nextId${t}"), parent: one("T${t}", "parentId${t}"), ` +
  `before: many("T${after(t, TABLES - 1)}", "nextId${after(t, TABLES - 1)}") },\n});\n`;

const shared = {
  "tables.ts": Array.from({ length: TABLES }, (_, t) => `export { T${t} } from "./t${t}.js";\n`).join(""),
  "db.ts":
    `import { sqlite } from "rowtype/sqlite";\nimport * as tables from "./tables.js";\n` +
    `export const db = sqlite().repositories(tables);\n`,
};

/** The shapes by name: a query of the table `t`. */
const shapes = {
  "one table": (t) =>
    `fields("id${t}", "name${t}").where("name${t}", "LIKE", "n").where("total${t}", ">", "t")` +
    `.orderBy("name${t}", "asc").exec({ n: "a", t: 1 })`,
  "left join of two": (t) => {
    const b = after(t, 1);
    return (
      `leftJoin("next").fields("id${t}", "next.name${b}").where("next.name${b}", "LIKE", "n")` +
      `.where("total${t}", ">", "t").orderBy("next.name${b}", "asc").exec({ n: "a", t: 1 })`
    );
  },
  "join of three": (t) => {
    const [b, c] = [after(t, 1), after(t, 2)];
    return (
      `join("next").join("next.next", "third").fields("id${t}", "next.name${b}", "third.city${c}")` +
      `.where("third.name${c}", "=", "n").where("next.score${b}", "<", "s").orderBy("id${t}", "asc").exec({ n: "a", s: 1 })`
    );
  },
  "join of five": (t) => {
    const [b, c, d, e] = [1, 2, 3, 4].map((steps) => after(t, steps));
    return (
      `join("next", "b").join("b.next", "c").join("c.next", "d").join("d.next", "e")` +
      `.fields("id${t}", "b.name${b}", "c.name${c}", "d.name${d}", "e.name${e}").where("e.flag${e}", "=", "f").exec({ f: true })`
    );
  },
  "self join": (t) =>
    `leftJoin("parent").fields("name${t}", "parent.name${t}").where("parent.total${t}", ">", "t").exec({ t: 1 })`,
  "group by over a join": (t) => {
    const b = after(t, 1);
    return (
      `join("next").fields("next.name${b}", sum("total${t}").as("spent"), count().as("n"))` +
      `.where("next.active${b}", "=", "a").groupBy("next.name${b}").having("n", ">", "m").orderBy("n", "desc")` +
      `.exec({ a: true, m: 1 })`
    );
  },
  "rows inside of rows": (t) => {
    const b = after(t, TABLES - 1);
    return (
      `fields("id${t}").with("before", db.T${b}.query().fields("id${b}", "name${b}").where("name${b}", "LIKE", "n"))` +
      `.exec({ n: "a" })`
    );
  },
  "rows that have others": (t) => {
    const b = after(t, TABLES - 1);
    return (
      `fields("id${t}").whereExists("before", db.T${b}.query().where("name${b}", "LIKE", "n"))` +
      `.where("total${t}", ">", "t").exec({ n: "a", t: 1 })`
    );
  },
  "join of a grouped query": (t) => {
    const b = after(t, TABLES - 1);
    return (
      `joinQuery(db.T${b}.query().fields("nextId${b}", sum("total${b}").as("spent")).groupBy("nextId${b}").as("best"), ` +
      `"id${t}", "nextId${b}").fields("id${t}", "best.spent").where("best.spent", ">", "s").exec({ s: 1 })`
    );
  },
};

// Forty tables in one query: what is too deep for the compiler would not compile.
const joinOfForty = () => {
  const names = Array.from({ length: 40 }, (_, i) => `j${i + 1}`);
  const joins = names.map((name, i) => `leftJoin("${i === 0 ? "" : `j${i}.`}next", "${name}")`);
  return (
    `${joins.join(".")}.fields("id0", "j40.name40").where("j40.name40", "=", "n").orderBy("j20.name20", "asc")` +
    `.exec({ n: "a" })`
  );
};

/** The start of every file of queries. */
export const imports = `import { count, sum } from "rowtype";\nimport { db } from "./db.js";\nexport const used = [count, sum];\n`;
const text = (chain, t) => `export const q = db.T${t}.query().${chain};\n`;
const query = (shape, t) => text(shapes[shape](t), t);

/** The files of the tables. */
export function tablesOf() {
  const tables = { ...shared };
  for (let t = 0; t < TABLES; t++) tables[`t${t}.ts`] = table(t);
  return tables;
}

/** A query of the table `t`, as an expression. */
export const queryOf = (shape, t) => `db.T${t}.query().${shapes[shape](t)}`;

/** The eight shapes of a mix: all but that of one table. A table has two of them. */
export const eight = Object.keys(shapes).slice(1);

/** The files of 200 queries in these shapes. */
export const mixOf = (names) =>
  Object.fromEntries(
    Array.from({ length: QUERIES }, (_, q) => [
      `q${q}.ts`,
      imports + query(names[q % names.length], (q * 7) % TABLES),
    ]),
  );

/** Measures; see `relation-type-cost.d.mts`. */
export function relationTypeCost(firsts) {
  const tables = tablesOf();
  const queries = mixOf(eight);
  const declared = costOf(tables);
  const total = costOf({ ...tables, ...queries });
  const bare = costOf({ ...tables, "first.ts": imports });
  const first = Object.fromEntries(
    firsts.map((shape) => [shape, costOf({ ...tables, "first.ts": imports + query(shape, 0) }) - bare]),
  );
  const forty = costOf({ ...tables, "first.ts": imports + text(joinOfForty(), 0) }) - bare;
  return { declared, total, perQuery: Math.round((total - declared) / QUERIES), first, forty };
}
