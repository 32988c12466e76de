/**
 * What loading a subpath costs over what it needs anyway: CPU time of a new process that imports both, less that of one
 * that imports the packages alone. Run by `npm run bench import`. The processes take turns, the least of the rounds
 * counts; only the share of the whole is a result.
 */
import { printedBy } from "./kit/in-turns.mjs";

const ROUNDS = 15;
const subjects = {
  rowtype: ["zod"],
  "rowtype/postgres": ["zod", "pg"],
  "rowtype/mariadb": ["zod", "mysql2"],
  "rowtype/sqlite": ["zod", "better-sqlite3"],
  "rowtype/http": ["zod", "express"],
  "rowtype/http/client": [],
};

/** Milliseconds of CPU time of a process that imports these. */
function loading(specifiers) {
  const imports = specifiers.map((one) => `import ${JSON.stringify(one)};`).join("");
  const code = `${imports} const { user, system } = process.cpuUsage(); console.log((user + system) / 1000);`;
  return printedBy(["--input-type=module", "-e", code]);
}

const times = new Map(Object.keys(subjects).map((name) => [name, { alone: [], both: [] }]));
for (let round = 0; round < ROUNDS; round++)
  for (const [name, needed] of Object.entries(subjects)) {
    times.get(name).alone.push(loading(needed));
    times.get(name).both.push(loading([...needed, name]));
  }
for (const [name, { alone, both }] of times) {
  const [least, whole] = [Math.min(...alone), Math.min(...both)];
  const of = subjects[name].length === 0 ? "an empty program" : subjects[name].join(" and ");
  console.log(`${name}: ${(whole / least).toFixed(2)} × ${of} (+${(whole - least).toFixed(0)} ms)`);
}
