// The map of which files of tests call which functions of the sources. It is made by one run of all tests, and kept in
// `test/mutants/map.json`: for each source file the hash of its text without imports, and the numbers of the tests to run.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contentHash } from "./results.mjs";

const PATH = "test/mutants/map.json";
// So many files of tests call each function, where there are so many, and so many are run in all.
const DEPTH = 4;
const MOST = 14;

/** Runs all tests once, and writes down which of them to run for which source file. */
export function makeMap() {
  const folder = mkdtempSync(join(tmpdir(), "rowtype-mutants-"));
  const noted = join(folder, "called.jsonl");
  const env = { ...process.env, ROWTYPE_MUTANTS_MAP: noted };
  const run = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config",
    "test/mutants/map.config.ts",
    "--reporter=dot",
  ];
  spawnSync(process.execPath, run, { stdio: "inherit", env });
  writeMap(noted);
  rmSync(folder, { recursive: true });
}

/** Chooses the tests from what has been noted of each file of tests. */
export function writeMap(noted) {
  const seen = readFileSync(noted, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const sources = [...new Set(seen.flatMap(({ called }) => Object.keys(called)))].sort().filter(existsSync);
  const names = seen.map(({ test }) => test).sort();
  const lines = sources.map((file) => {
    const chosen = choose(seen, file).map((test) => names.indexOf(test));
    return `${JSON.stringify(file)}: ${JSON.stringify([contentHash(file), ...chosen])}`;
  });
  const tests = names.map((name) => JSON.stringify(name)).join(",\n");
  writeFileSync(PATH, `{"tests": [\n${tests}\n],\n"sources": {\n${lines.join(",\n")}\n}}\n`);
}

/** The quick ones first, until each function is called by enough of them. */
function choose(seen, file) {
  const rest = seen.filter(({ called }) => called[file] !== undefined);
  const depth = new Map();
  const tests = [];
  const gain = ({ called }) => called[file].filter((name) => (depth.get(name) ?? 0) < DEPTH).length;
  const worth = (one) => gain(one) / (1000 + one.took);
  while (tests.length < MOST && rest.length > 0) {
    const best = rest.reduce((a, b) => (worth(b) > worth(a) ? b : a));
    if (gain(best) === 0) break;
    rest.splice(rest.indexOf(best), 1);
    tests.push(best);
    for (const name of best.called[file]) depth.set(name, (depth.get(name) ?? 0) + 1);
  }
  return tests.sort((a, b) => a.took - b.took).map(({ test }) => test);
}

/** A test that loads the sources a second time gets the bundle once more. */
const isFit = (test) => existsSync(test) && !readFileSync(test, "utf8").includes("resetModules");

/** The files of tests that reach a source file: those that import it, and those of the map. */
export function testsFor(file) {
  return [...new Set([...importersOf(file), ...mappedTo(file)])].filter(isFit);
}

/** It may have moved, or been edited, since the map was made. */
function mappedTo(file) {
  if (!existsSync(PATH)) return [];
  const { tests, sources } = JSON.parse(readFileSync(PATH, "utf8"));
  const hash = contentHash(file);
  const [, ...chosen] = Object.values(sources).find(([known]) => known === hash) ?? sources[file] ?? [];
  return chosen.map((i) => tests[i]);
}

function importersOf(file) {
  const named = `/${file.replace(/\.ts$/, ".js")}"`;
  return readdirSync("test", { recursive: true })
    .map((name) => join("test", name))
    .filter((path) => path.endsWith(".test.ts") && !path.startsWith("test/campaigns/"))
    .filter((path) => readFileSync(path, "utf8").includes(named))
    .sort();
}
