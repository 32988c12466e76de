/**
 * The compile cost of queries over several tables, beside other libraries: 100 tables of 20 columns, related in a ring,
 * and 150 queries in three shapes, the same in each. Run by `npm run bench types`; see `types.mjs`.
 */
import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { joinedCompletion } from "./relation-completion.mjs";
import { eight, imports, mixOf, queryOf, tablesOf } from "./relation-type-cost.mjs";
import { compileProgram, compilers, inOnePlace, least, print, writeProgram } from "./type-program.mjs";

const TABLES = 100;
const QUERIES = 150;
const ROUNDS = 2;

const bench = dirname(dirname(fileURLToPath(import.meta.url)));
const peers = join(bench, "peers");

// As in the declarations of `relation-type-cost.mjs`.
const columns = [
  ["id", "id"],
  ["nextId", "whole"],
  ["parentId", "whole or null"],
  ["role", "role"],
  ["createdAt", "date with default"],
  ...["email", "name", "bio", "city", "zip", "note", "label", "kind"].map((name) => [name, "text"]),
  ...["score", "rank", "total", "size"].map((name) => [name, "number"]),
  ...["active", "flag"].map((name) => [name, "boolean"]),
  ["updatedAt", "date"],
];

const kysely = {
  id: "Generated<number>",
  whole: "number",
  "whole or null": "number | null",
  role: 'Generated<"admin" | "member">',
  "date with default": "Generated<Date>",
  text: "string",
  number: "number",
  boolean: "boolean",
  date: "Date",
};

const drizzle = {
  id: (name) => `integer("${name}").primaryKey({ autoIncrement: true })`,
  whole: (name) => `integer("${name}").notNull()`,
  "whole or null": (name) => `integer("${name}")`,
  role: (name) => `text("${name}", { enum: ["admin", "member"] }).notNull().default("member")`,
  "date with default": (name) =>
    `integer("${name}", { mode: "timestamp" }).notNull().default(sql\`CURRENT_TIMESTAMP\`)`,
  text: (name) => `text("${name}").notNull()`,
  number: (name) => `real("${name}").notNull()`,
  boolean: (name) => `integer("${name}", { mode: "boolean" }).notNull()`,
  date: (name) => `integer("${name}", { mode: "timestamp" }).notNull()`,
};

const after = (t, steps) => (t + steps) % TABLES;
const all = Array.from({ length: TABLES }, (_, t) => t);
const members = (t, write, end) =>
  columns.map(([name, kind]) => `  ${write(`${name}${t}`, kind)}${end}\n`).join("");
const imported = (names) => names.map((b) => `import { T${b} } from "./t${b}.js";\n`).join("");

/** The shapes, and what each library writes for them: the table `t`, and the next two or the one before. */
const shapes = ["left join of two", "join of three", "rows inside of rows"];

const drizzleJoins = {
  "left join of two": (t) => {
    const b = after(t, 1);
    return (
      `db.select({ id: T${t}.id${t}, next: { name: T${b}.name${b} } }).from(T${t})` +
      `.leftJoin(T${b}, eq(T${t}.nextId${t}, T${b}.id${b})).where(and(like(T${b}.name${b}, "a"), gt(T${t}.total${t}, 1)))` +
      `.orderBy(asc(T${b}.name${b})).all()`
    );
  },
  "join of three": (t) => {
    const [b, c] = [after(t, 1), after(t, 2)];
    return (
      `db.select({ id: T${t}.id${t}, next: { name: T${b}.name${b} }, third: { city: T${c}.city${c} } }).from(T${t})` +
      `.innerJoin(T${b}, eq(T${t}.nextId${t}, T${b}.id${b})).innerJoin(T${c}, eq(T${b}.nextId${b}, T${c}.id${c}))` +
      `.where(and(eq(T${c}.name${c}, "a"), lt(T${b}.score${b}, 1))).orderBy(asc(T${t}.id${t})).all()`
    );
  },
};

const drizzleTables = (name) =>
  Object.fromEntries(
    all.map((t) => [
      `t${t}.ts`,
      `import { sql } from "${name}";\nimport { integer, real, sqliteTable, text } from "${name}/sqlite-core";\n` +
        `export const T${t} = sqliteTable("t${t}", {\n` +
        `${members(t, (column, kind) => `${column}: ${drizzle[kind](column)}`, ",")}});\n`,
    ]),
  );
const drizzleImports = (name) => (t) =>
  `import { and, asc, eq, gt, like, lt } from "${name}";\nimport { db } from "./db.js";\n` +
  `export const used = [and, asc, eq, gt, like, lt, db];\n${imported([t, after(t, 1), after(t, 2)])}`;
const everyTable = `import * as tables from "./tables.js";\n`;
const reexported = all.map((t) => `export { T${t} } from "./t${t}.js";\n`).join("");

const libraries = [
  {
    name: "rowtype",
    folder: join(bench, ".generated", "relations"),
    tables: tablesOf(),
    imports: () => imports,
    query: queryOf,
  },
  {
    name: "kysely 0.28",
    package: "kysely",
    folder: join(peers, ".generated", "kysely-relations"),
    tables: {
      ...Object.fromEntries(
        all.map((t) => [
          `t${t}.ts`,
          `import type { Generated } from "kysely";\nexport interface T${t} {\n` +
            `${members(t, (column, kind) => `${column}: ${kysely[kind]}`, ";")}}\n`,
        ]),
      ),
      "db.ts":
        `import { Kysely, type SqliteDialect } from "kysely";\n` +
        all.map((t) => `import type { T${t} } from "./t${t}.js";\n`).join("") +
        `export interface Tables {\n${all.map((t) => `  t${t}: T${t};\n`).join("")}}\n` +
        `export const db = new Kysely<Tables>({ dialect: undefined as unknown as SqliteDialect });\n`,
    },
    imports: () =>
      `import { jsonArrayFrom } from "kysely/helpers/sqlite";\nimport { db } from "./db.js";\nexport const used = jsonArrayFrom;\n`,
    query: (shape, t) => {
      const [b, c, z] = [after(t, 1), after(t, 2), after(t, TABLES - 1)];
      if (shape === "left join of two")
        return (
          `db.selectFrom("t${t}").leftJoin("t${b}", "t${b}.id${b}", "t${t}.nextId${t}")` +
          `.select(["t${t}.id${t}", "t${b}.name${b}"]).where("t${b}.name${b}", "like", "a")` +
          `.where("t${t}.total${t}", ">", 1).orderBy("t${b}.name${b}", "asc").execute()`
        );
      if (shape === "join of three")
        return (
          `db.selectFrom("t${t}").innerJoin("t${b}", "t${b}.id${b}", "t${t}.nextId${t}")` +
          `.innerJoin("t${c}", "t${c}.id${c}", "t${b}.nextId${b}")` +
          `.select(["t${t}.id${t}", "t${b}.name${b}", "t${c}.city${c}"]).where("t${c}.name${c}", "=", "a")` +
          `.where("t${b}.score${b}", "<", 1).orderBy("t${t}.id${t}", "asc").execute()`
        );
      return (
        `db.selectFrom("t${t}").select((e) => ["t${t}.id${t}", jsonArrayFrom(e.selectFrom("t${z}")` +
        `.select(["t${z}.id${z}", "t${z}.name${z}"]).whereRef("t${z}.nextId${z}", "=", "t${t}.id${t}")` +
        `.where("t${z}.name${z}", "like", "a")).as("before")]).execute()`
      );
    },
  },
  {
    name: "drizzle-orm 0.45",
    package: "drizzle-orm",
    folder: join(peers, ".generated", "drizzle-relations"),
    tables: {
      ...drizzleTables("drizzle-orm"),
      "tables.ts":
        reexported +
        `import { relations } from "drizzle-orm";\n` +
        imported(all) +
        all
          .map((t) => {
            const [b, z] = [after(t, 1), after(t, TABLES - 1)];
            return (
              `export const R${t} = relations(T${t}, ({ one, many }) => ({\n` +
              `  next: one(T${b}, { fields: [T${t}.nextId${t}], references: [T${b}.id${b}], relationName: "next${t}" }),\n` +
              `  parent: one(T${t}, { fields: [T${t}.parentId${t}], references: [T${t}.id${t}], relationName: "parent${t}" }),\n` +
              `  before: many(T${z}, { relationName: "next${z}" }),\n}));\n`
            );
          })
          .join(""),
      "db.ts":
        `import { drizzle } from "drizzle-orm/sqlite-proxy";\n${everyTable}` +
        `export const db = drizzle(async () => ({ rows: [] }), { schema: tables });\n`,
    },
    imports: drizzleImports("drizzle-orm"),
    query: (shape, t) => {
      const z = after(t, TABLES - 1);
      return (
        drizzleJoins[shape]?.(t) ??
        `db.query.T${t}.findMany({ columns: { id${t}: true }, with: { before: { columns: { id${z}: true, name${z}: true }, ` +
          `where: (one, { like: matches }) => matches(one.name${z}, "a") } } })`
      );
    },
  },
  {
    name: "drizzle-orm 1.0 rc 5",
    package: "drizzle-orm-1",
    folder: join(peers, ".generated", "drizzle-1-relations"),
    tables: {
      ...drizzleTables("drizzle-orm-1"),
      "tables.ts": reexported,
      "db.ts":
        `import { defineRelations } from "drizzle-orm-1";\nimport { drizzle, type SqliteProxyExecutors } from "drizzle-orm-1/sqlite-proxy";\n${everyTable}` +
        `const relations = defineRelations(tables, (r) => ({\n` +
        all
          .map((t) => {
            const [b, z] = [after(t, 1), after(t, TABLES - 1)];
            return (
              `  T${t}: {\n    next: r.one.T${b}({ from: r.T${t}.nextId${t}, to: r.T${b}.id${b} }),\n` +
              `    parent: r.one.T${t}({ from: r.T${t}.parentId${t}, to: r.T${t}.id${t} }),\n` +
              `    before: r.many.T${z}({ from: r.T${t}.id${t}, to: r.T${z}.nextId${z} }),\n  },\n`
            );
          })
          .join("") +
        `}));\ndeclare const executors: SqliteProxyExecutors;\nexport const db = drizzle(executors, { relations });\n`,
    },
    imports: drizzleImports("drizzle-orm-1"),
    query: (shape, t) => {
      const z = after(t, TABLES - 1);
      return (
        drizzleJoins[shape]?.(t) ??
        `db.query.T${t}.findMany({ columns: { id${t}: true }, with: { before: { columns: { id${z}: true, name${z}: true }, ` +
          `where: { name${z}: { like: "a" } } } } })`
      );
    },
  },
];

/** Measures and prints: instantiations in all and for a query, and CPU as a ratio to rowtype. */
export function printRelationTypes() {
  const measured = libraries.filter(
    (library) => library.package === undefined || existsSync(join(peers, "node_modules", library.package)),
  );
  const queries = ({ imports: start, query }) =>
    Object.fromEntries(
      Array.from({ length: QUERIES }, (_, q) => {
        const t = (q * 7) % TABLES;
        return [`q${q}.ts`, `${start(t)}export const q = ${query(shapes[q % shapes.length], t)};\n`];
      }),
    );
  for (const library of measured) {
    const written = { ...library.tables, ...queries(library) };
    writeProgram(library.folder, written, { tables: Object.keys(library.tables), all: Object.keys(written) });
  }
  console.log(`${TABLES} related tables of 20 columns, ${QUERIES} queries: ${shapes.join(", ")}`);
  for (const compiler of compilers) {
    const figures = new Map(measured.map((library) => [library, []]));
    const tables = new Map(
      measured.map((library) => [library, compileProgram(compiler, library.folder, "tables")]),
    );
    for (let round = 0; round < ROUNDS; round++)
      for (const library of measured)
        figures.get(library).push(compileProgram(compiler, library.folder, "all"));
    const floor = least(figures.get(measured[0]), "cpu");
    const rows = [[`TypeScript ${compiler.version}`, "instantiations", "per query", "CPU"]];
    for (const library of libraries) {
      const own = figures.get(library);
      if (own === undefined) {
        rows.push([library.name, "not installed", "", ""]);
        continue;
      }
      const [{ instantiations }] = own;
      const each = Math.round((instantiations - tables.get(library).instantiations) / QUERIES);
      rows.push([
        library.name,
        instantiations.toLocaleString("en"),
        each.toLocaleString("en"),
        (least(own, "cpu") / floor).toFixed(2),
      ]);
    }
    print(rows);
  }
  printMix();
  print([
    ["TypeScript 5.9, a completion in a joined query ÷ over one table, CPU", joinedCompletion().toFixed(2)],
  ]);
  for (const library of measured) rmSync(library.folder, { recursive: true, force: true });
}

function printMix() {
  const folder = join(bench, ".generated", "mix");
  const tables = tablesOf();
  const queries = mixOf(eight);
  const all = [...Object.keys(tables), ...Object.keys(queries)];
  writeProgram(folder, { ...tables, ...queries }, { tables: Object.keys(tables), all });
  const each = compilers.map((compiler) => {
    const [declared, total] = ["tables", "all"].map((part) =>
      compileProgram(compiler, folder, part, inOnePlace(compiler)),
    );
    const mean = (total.instantiations - declared.instantiations) / Object.keys(queries).length;
    return [`TypeScript ${compiler.version}`, Math.round(mean).toLocaleString("en")];
  });
  print([[`rowtype, a query of eight shapes: ${eight.join(", ")}`, ""], ...each]);
  rmSync(folder, { recursive: true, force: true });
}
