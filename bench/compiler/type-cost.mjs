/**
 * Measures the compile cost of rowtype in instantiations: the number is the same on every machine, so a test can
 * assert it. Compiles the built package with TypeScript 5.9 in this process; the sources exist in memory only.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript59";
import { libraries, QUERIES, sourcesOf } from "./type-sources.mjs";

/**
 * The compiler's settings in every measurement of types, as `compilerOptions` of a tsconfig: those of a new
 * project, with the libraries of the target and of Node, which every compared program must read.
 */
export const compilerOptions = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  target: "es2023",
  module: "nodenext",
  types: ["node"],
  skipLibCheck: true,
};

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), ".generated", "memory");
const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, folder);

// The files on disk are read once for all programs.
const parsed = new Map();

/** Compiles the files; returns the number of instantiations and the texts of all errors. */
function compile(files) {
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  const texts = new Map(Object.entries(files).map(([name, text]) => [join(folder, name), text]));
  host.fileExists = (name) => texts.has(name) || fileExists(name);
  host.readFile = (name) => texts.get(name) ?? readFile(name);
  host.directoryExists = (name) => name === folder || ts.sys.directoryExists(name);
  host.getSourceFile = (name, language) => {
    const text = texts.get(name);
    if (text !== undefined) return ts.createSourceFile(name, text, language);
    if (!parsed.has(name)) parsed.set(name, getSourceFile.call(host, name, language));
    return parsed.get(name);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  const errors = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  return { instantiations: program.getInstantiationCount(), errors };
}

/** The number of instantiations of files that must compile. */
export function costOf(files) {
  const { instantiations, errors } = compile(files);
  if (errors.length > 0) throw new Error(`the measured sources do not compile: ${errors[0]}`);
  return instantiations;
}

const wide = Array.from({ length: 60 }, (_, i) => `c${i}`);
const kinds = ["z.string()", "z.int()", "z.boolean()", "z.date()", "z.number().nullable()"];
const wideTable =
  `import { table } from "rowtype";\nimport { sqlite } from "rowtype/sqlite";\nimport { z } from "zod";\n` +
  `export const r = sqlite().repository(table("wide", z.object({\n` +
  `${wide.map((name, i) => `  ${name}: ${kinds[i % kinds.length]},\n`).join("")}})));\n`;

const withChain = (chain) => ({
  "wide.ts": wideTable,
  "chain.ts": `import { r } from "./wide.js";\nexport const q = r.query()${chain};\n`,
});

// A table of 20 columns, and one query over it.
const table20 =
  `import { table } from "rowtype";\nimport { sqlite } from "rowtype/sqlite";\nimport { z } from "zod";\n` +
  `export const r = sqlite().repository(table("wide", z.object({\n` +
  `${wide
    .slice(0, 20)
    .map((name, i) => `  ${name}: ${kinds[i % kinds.length]},\n`)
    .join("")}})));\n`;
const withExpressions = (chain) => ({
  "wide.ts": table20,
  "chain.ts":
    `import { count, dateTrunc, field, lower, mul, param, raw, sum, trim } from "rowtype";\n` +
    `import { z } from "zod";\nimport { r } from "./wide.js";\nexport const q = r.query()${chain};\n`,
});
const withValues = (chain) => ({
  "wide.ts": table20,
  "chain.ts": `import { c, value } from "rowtype";\nimport { r } from "./wide.js";\nexport const q = r.query()${chain};\n`,
});
// Two tables of 20 columns with relations, and one query over them.
const columns20 = `id, a: z.int(), b: z.int(), ${wide
  .slice(0, 17)
  .map((name, i) => `${name}: ${kinds[i % kinds.length]}`)
  .join(", ")}`;
const related =
  `import { column, many, one, table } from "rowtype";\nimport { sqlite } from "rowtype/sqlite";\nimport { z } from "zod";\n` +
  `const id = column(z.int(), { primaryKey: true, generated: true });\n` +
  `export const wides = table("wide", z.object({ ${columns20} }), { relations: { other: one("others", "a"), list: many("others", "a") } });\n` +
  `export const others = table("others", z.object({ ${columns20} }));\n` +
  `export const db = sqlite().repositories({ wides, others });\n`;
const withTwo = (query) => ({
  "wide.ts": related,
  "query.ts":
    `import { and, compare } from "rowtype";\nimport { db, others } from "./wide.js";\n` +
    `export const q = ${query};\n`,
});
const range = 'and(compare("c3", ">=", "o.c3"), compare("c3", "<", "o.c8"))';
const hole = (operand) => `$\{${operand}}`;
const rawText = `raw(z.number())\`f(${hole('field("c0")')}, ${hole('param("q", z.string())')})\`.as("rank")`;
const gross = 'sum(mul("c1", param("rate"))).as("gross")';
const month = 'dateTrunc("month", "c3").as("month")';
const search = '.where(lower(trim("c0")), "=", "search")';

const wheres = (count) =>
  Array.from({ length: count }, (_, i) => `.where("${wide[i % wide.length]}", "=", "p${i}")`).join("");

// Forty names in 1,700 characters, texts in quotes and comments among them.
const named = Array.from({ length: 40 }, (_, i) => `name_${String(i).padStart(2, "0")}`);
const sqlText = `SELECT a FROM t -- all :of them\nWHERE ${named
  .map((name, i) => `${i % 4 === 0 ? `x${i} = 'text ${i}' OR ` : `d${i} >= 1 AND `}c${i} <> :${name}`)
  .join(" AND ")}`.padEnd(1_700, " ");
const withSql = (text, params = "") => ({
  "wide.ts": wideTable,
  "sql.ts": `import { sqlite } from "rowtype/sqlite";\nexport const q = sqlite().sql(\`${text}\`).exec(${params});\n`,
});

if (sqlText.length !== 1_700) throw new Error("the text of db.sql must have 1,700 characters");

/** Measures; see `type-cost.d.mts`. */
export async function typeCost() {
  const { tables, queries } = sourcesOf(libraries.find(({ name }) => name === "rowtype"));
  const declared = costOf(tables);
  const total = costOf({ ...tables, ...queries });

  const bare = costOf(withChain(""));
  const over = (chain) => costOf(withChain(chain)) - bare;
  const misspelt = compile(withChain('.where("c7x", "=", "p0")'));
  if (misspelt.errors.length !== 1) throw new Error("a misspelt field must be one error");

  const firstWhere60 = over(wheres(1));
  const noExpressions = costOf(withExpressions(""));
  const first = (chain) => costOf(withExpressions(chain)) - noExpressions;
  const noValues = costOf(withValues(""));
  const firstValue = (chain) => costOf(withValues(chain)) - noValues;
  const noJoin = costOf(withTwo("db.wides.query()"));
  const firstOfTwo = (query) => costOf(withTwo(query)) - noJoin;
  return {
    total,
    perQuery: Math.round((total - declared) / QUERIES),
    firstWhere60,
    furtherWhere: Math.round((over(wheres(11)) - firstWhere60) / 10),
    misspeltWhere60: misspelt.instantiations - bare,
    fieldsOfThree: over('.fields("c0", "c1", "c2")'),
    chain160: over(wheres(160)),
    firstSum: first(`.fields(${gross})`),
    firstOperandWhere: first(search),
    firstDateGroup: first(`.fields(${month}, count().as("n")).groupBy("month")`),
    firstRaw: first(`.fields(${rawText})`),
    firstOfAll: first(`.fields("c0", ${gross}, ${month}, ${rawText})${search}.groupBy("c0", "month")`),
    firstValues: firstValue('.where("c1", ">", value(300)).where("c0", "=", value("x"))'),
    firstValueInGroup: firstValue('.whereOr(c("c1", ">", value(300)), c("c0", "=", "x"))'),
    firstRangeOfValues: firstValue('.whereBetween("c1", value(1), value(2))'),
    firstFullJoin: firstOfTwo('db.wides.query().fullJoin("other")'),
    firstJoinByPairs: firstOfTwo('db.wides.query().joinOn("o", others, ["a", "b"], ["a", "b"])'),
    firstJoinByRange: firstOfTwo(`db.wides.query().leftJoinOn("o", others, ${range})`),
    firstExistsByCondition: firstOfTwo(
      'db.wides.query().whereExistsOn(db.others.query().as("o"), compare("c3", ">=", "o.c3"))',
    ),
    firstNestedInsert: firstOfTwo(
      '() => db.wides.insert().with("list").exec({ a: 1, b: 1, c0: "", c1: 1, c2: true, c3: new Date(), c5: "", c6: 1, c7: true, c8: new Date(), c10: "", c11: 1, c12: true, c13: new Date(), c15: "", c16: 1, list: [] })',
    ),
    sqlNames40:
      costOf(withSql(sqlText, `{ ${named.map((name) => `${name}: 1`)} }`)) - costOf(withSql("SELECT 1")),
  };
}
