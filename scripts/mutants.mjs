// `npm run test:mutants -- PATH…` plants faults in source files by Stryker and runs the tests that reach them, file by file.
//   PATH             a file or folder of `src`; one whose results are known is passed over
//   --survivors      runs again what survived, after tests have been added
//   --again          runs all of it again
//   --tests=A,B      the files of tests, in place of those that the map names
//   --map            makes the map: which files of tests reach which functions (runs all tests once)
//   --report         prints each folder's figures, and each survivor without a reason
// CONTRIBUTING says how results are kept.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { makeMap, testsFor } from "./mutants/map.mjs";
import { report } from "./mutants/report.mjs";
import { contentHash, entryOf, hasCode, hashOf, readResults, writeResult } from "./mutants/results.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    survivors: { type: "boolean" },
    again: { type: "boolean" },
    tests: { type: "string" },
    map: { type: "boolean" },
    report: { type: "boolean" },
  },
});

const sources = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => join(path, name))
        .sort()
    : [path];

if (values.map) makeMap();
for (const piece of piecesOf(positionals.flatMap(sources).filter(isAsked))) await runPiece(piece);
if (values.report) report();

function isAsked(file) {
  if (!hasCode(file)) return false;
  const known = readResults().get(contentHash(file));
  if (values.survivors) return known !== undefined && leftOf(known).length > 0;
  return known === undefined || values.again;
}

/** Files that the same tests reach, up to some hundred lines: their tests run once to see what each reaches. */
function piecesOf(files) {
  const pieces = [];
  for (const file of files) {
    const tests = values.tests?.split(",") ?? testsFor(file);
    if (tests.length === 0) {
      console.error(`${file}: no test is known to reach it; --map makes the map anew`);
      continue;
    }
    const lines = readFileSync(file, "utf8").split("\n").length;
    const last = pieces.at(-1);
    if (last !== undefined && last.lines + lines <= 800 && String(last.tests) === String(tests)) {
      last.files.push(file);
      last.lines += lines;
    } else pieces.push({ files: [file], tests, lines });
  }
  return pieces;
}

async function runPiece({ files, tests }) {
  const started = Date.now();
  const known = readResults();
  // A file may be edited while its mutants are run.
  const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
  const knownOf = (file) => known.get(hashOf(texts.get(file)));
  console.log(`${files.join(" ")}: ${tests.length} files of tests`);
  const asked = values.survivors
    ? Object.fromEntries(files.map((file) => [file, leftOf(knownOf(file)).map(({ key }) => key)]))
    : undefined;
  const left = new Set(files);
  globalThis.__rowtypeMutantsDone__ = (path, mutants) => {
    const file = relative(root, path);
    left.delete(file);
    const text = texts.get(file);
    const before = values.survivors ? knownOf(file) : undefined;
    const keys = before && new Set(leftOf(before).map(({ key }) => key));
    // Where one of them is may be others, which are killed.
    const own = mutants.filter(
      (mutant) => mutant.status !== "Ignored" && (keys?.has(entryOf(mutant, text).key) ?? true),
    );
    writeResult(file, text, own, before);
    const count = (status) => own.filter((mutant) => mutant.status === status).length;
    console.log(
      `${file}: ${count("Killed")} killed, ${count("Timeout")} timed out, ${count("Survived")} survived, ${count("NoCoverage")} not reached, ${count("RuntimeError")} failed to run`,
    );
  };
  await stryker(files, tests, asked);
  // In them there is nothing to change.
  for (const file of left) writeResult(file, texts.get(file), []);
  console.log(`in ${Math.round((Date.now() - started) / 1000)} s`);
}

async function stryker(mutate, tests, asked) {
  process.env.ROWTYPE_MUTANTS_TESTS = JSON.stringify(tests);
  // The runner passes over all others: a pattern for each would have Stryker look for files as often.
  process.env.ROWTYPE_MUTANTS_ASKED = JSON.stringify(asked ?? null);
  // Oracle's texts are compared; a Java process for each piece would take longer than the rest of it.
  process.env.H2_JAR = process.env.HSQLDB_JAR = "/none";
  const run = new Stryker({
    mutate,
    testRunner: "bundled-vitest",
    plugins: [join(root, "scripts/mutants/runner.mjs")],
    buildCommand: "node scripts/mutants/bundle.mjs",
    coverageAnalysis: "perTest",
    concurrency: 1,
    reporters: ["survivors"],
    // Texts are compared elsewhere: SQL in golden texts, messages in the texts of errors.
    mutator: { excludedMutations: ["StringLiteral"] },
    // The runner knows better what waits without end.
    timeoutMS: 1_800_000,
    dryRunTimeoutMinutes: 30,
    ignorePatterns: ["dist", "site", "bench", "type-tests", ".mutants"],
    tempDirName: ".stryker-tmp",
    cleanTempDir: "always",
    allowConsoleColors: false,
    logLevel: "warn",
    warnings: { slow: false },
  });
  await run.runMutationTest();
}

function leftOf({ survived, uncovered }) {
  return [...survived, ...uncovered];
}
