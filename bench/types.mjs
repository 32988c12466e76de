/**
 * The type benchmark: what a program of 100 tables and 500 queries costs the compiler, beside the same program
 * of bare interfaces and of other libraries. Run by `npm run bench:types`; `npm ci --prefix bench/peers` installs
 * the peers. Instantiations are exact; times are ratios to the floor, each the least of rounds that take turns.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { completionCost } from "./type-completion.mjs";
import { compilerOptions, typeCost } from "./type-cost.mjs";
import { isInstalled, libraries, QUERIES, shapes, sourcesOf, TABLES } from "./type-sources.mjs";

const ROUNDS = 2;
const require = createRequire(import.meta.url);
const compilers = ["typescript59", "typescript7"].map((name) => {
  const manifest = require.resolve(`${name}/package.json`);
  return { version: require(manifest).version, path: join(dirname(manifest), "bin", "tsc") };
});

/** Writes the folders of a library: its tables alone, and with the queries. */
function generate(library) {
  const { tables, queries } = sourcesOf(library);
  rmSync(library.folder, { recursive: true, force: true });
  mkdirSync(library.folder, { recursive: true });
  for (const [name, text] of Object.entries({ ...tables, ...queries }))
    writeFileSync(join(library.folder, name), text);
  for (const [project, files] of [
    ["tables", Object.keys(tables)],
    ["all", [...Object.keys(tables), ...Object.keys(queries)]],
  ])
    writeFileSync(join(library.folder, `${project}.json`), JSON.stringify({ compilerOptions, files }));
}

/** Runs one compiler on one project: its own figures, and the CPU seconds of the process. */
function run(compiler, library, project) {
  // The shell's `times` also counts the native process that TypeScript 7 starts.
  const script = '"$@"; code=$?; times; exit $code';
  const args = [process.execPath, compiler.path, "-p", `${project}.json`, "--extendedDiagnostics"];
  const { status, stdout } = spawnSync("sh", ["-c", script, "sh", ...args], {
    cwd: library.folder,
    encoding: "utf8",
  });
  if (status !== 0)
    throw new Error(`${library.name} does not compile on ${compiler.version}:\n${stdout.slice(0, 600)}`);
  const figure = (label) => Number(new RegExp(`^${label}:\\s+([\\d.]+)`, "m").exec(stdout)?.[1]);
  const cpu = [
    ...stdout
      .trimEnd()
      .split("\n")
      .at(-1)
      .matchAll(/(\d+)m([\d.]+)s/g),
  ];
  return {
    instantiations: figure("Instantiations"),
    check: figure("Check time"),
    cpu: cpu.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0),
  };
}

const least = (rounds, key) => Math.min(...rounds.map((one) => one[key]));

function measure(compiler, measured) {
  const figures = new Map(measured.map((library) => [library, { rounds: [] }]));
  for (const library of measured) figures.get(library).tables = run(compiler, library, "tables");
  for (let round = 0; round < ROUNDS; round++)
    for (const library of measured) figures.get(library).rounds.push(run(compiler, library, "all"));
  return figures;
}

function print(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => String(row[i]).length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i])))
        .join("  "),
    );
  console.log();
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

const completions = completionCost(measured);
print([
  ["TypeScript 5.9, a completion after an edit", "CPU"],
  ...measured.map((library) => [
    library.name,
    (completions.get(library) / completions.get(measured[0])).toFixed(2),
  ]),
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
