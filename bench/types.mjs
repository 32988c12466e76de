/**
 * The type benchmark: the compile cost of a program of 100 tables and 500 queries, compared with the same
 * program of bare interfaces and in other libraries. Run by `npm run bench types`; `npm ci --prefix bench/peers`
 * installs the peers. Instantiations are exact; times are ratios to the floor, each the minimum over interleaved
 * rounds.
 */
import { rmSync } from "node:fs";
import { printRelationTypes } from "./compiler/relation-types.mjs";
import { editCost } from "./compiler/type-completion.mjs";
import { typeCost } from "./compiler/type-cost.mjs";
import { compileProgram, compilers, least, print, writeProgram } from "./compiler/type-program.mjs";
import { isInstalled, libraries, QUERIES, shapes, sourcesOf, TABLES } from "./compiler/type-sources.mjs";

const ROUNDS = 2;

/** Writes the folders of a library: only its tables, and the tables with the queries. */
function generate(library) {
  const { tables, queries } = sourcesOf(library);
  const all = { ...tables, ...queries };
  writeProgram(library.folder, all, { tables: Object.keys(tables), all: Object.keys(all) });
}

function measure(compiler, measured) {
  const figures = new Map(measured.map((library) => [library, { rounds: [] }]));
  for (const library of measured)
    figures.get(library).tables = compileProgram(compiler, library.folder, "tables");
  for (let round = 0; round < ROUNDS; round++)
    for (const library of measured)
      figures.get(library).rounds.push(compileProgram(compiler, library.folder, "all"));
  return figures;
}

const measured = libraries.filter(isInstalled);
for (const library of measured) generate(library);

console.log(`${TABLES} tables of 20 columns, ${QUERIES} queries: ${shapes.join(", ")}`);

for (const compiler of compilers) {
  const figures = measure(compiler, measured);
  const floor = figures.get(measured[0]);
  const rows = [[`TypeScript ${compiler.version}`, "instantiations", "per query", "check time", "CPU"]];
  for (const library of libraries) {
    const own = figures.get(library);
    if (own === undefined) {
      rows.push([library.name, "not installed", "", "", ""]);
      continue;
    }
    const [{ instantiations }] = own.rounds;
    const ratio = (key) => (least(own.rounds, key) / least(floor.rounds, key)).toFixed(2);
    rows.push([
      library.name,
      instantiations.toLocaleString("en"),
      Math.round((instantiations - own.tables.instantiations) / QUERIES).toLocaleString("en"),
      ratio("check"),
      ratio("cpu"),
    ]);
  }
  print(rows);
}

const completions = editCost(measured, "completion");
const errors = editCost(measured, "errors");
/** Of the interfaces, and of the tables as Zod schemas alone. */
const times = (costs, library) =>
  measured
    .slice(0, 2)
    .map((base) =>
      Number.isNaN(costs.get(library)) ? "not reported" : (costs.get(library) / costs.get(base)).toFixed(2),
    );
print([
  [
    "TypeScript 5.9, CPU after an edit",
    ...measured.slice(0, 2).map(({ name }) => `completion ÷ ${name}`),
    ...measured.slice(0, 2).map(({ name }) => `errors ÷ ${name}`),
  ],
  ...measured.map((library) => [library.name, ...times(completions, library), ...times(errors, library)]),
]);

const cost = await typeCost();
print([
  ["rowtype, instantiations on TypeScript 5.9", ""],
  ["a query of the program above", cost.perQuery],
  ["first where, 60 columns", cost.firstWhere60],
  ["first where, 60 columns, misspelt", cost.misspeltWhere60],
  ["a further where", cost.furtherWhere],
  ["fields of three", cost.fieldsOfThree],
  ["a chain of 160 where", cost.chain160],
]);
for (const library of measured) rmSync(library.folder, { recursive: true, force: true });

printRelationTypes();
