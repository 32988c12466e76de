// What is known of each source file: one line of `test/mutants/results.jsonl`. It is found by the hash of the file's code:
// a file that moves keeps its results, and so does one whose comments or types change.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";

const PATH = "test/mutants/results.jsonl";

const { ESNext } = ts.ScriptTarget;
const compilerOptions = { removeComments: true, target: ESNext, module: ts.ModuleKind.ESNext };

/** The code of a source file, without types, comments and imports. */
const codeOf = (text) =>
  ts.transpileModule(text, { compilerOptions }).outputText.replace(/^import\b[^;]*;\n/gm, "");

/** Whether a source file holds more than types. */
export const hasCode = (file) => codeOf(readFileSync(file, "utf8")).trim() !== "export {};";

export const hashOf = (text) => createHash("sha256").update(codeOf(text)).digest("hex").slice(0, 16);

export const contentHash = (file) => hashOf(readFileSync(file, "utf8"));

/** Hash → what is known. */
export function readResults() {
  if (!existsSync(PATH)) return new Map();
  const lines = readFileSync(PATH, "utf8").split("\n").filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line)).map((result) => [result.hash, result]));
}

/** What names a mutant after edits elsewhere in its file: mutator, the line where it begins, and the change. */
export function keyOf(mutator, [line, column, endLine, endColumn], replacement, text) {
  const lines = text.split("\n").slice(line - 1, endLine);
  const first = lines[0].trim();
  lines[lines.length - 1] = lines.at(-1).slice(0, endColumn);
  lines[0] = lines[0].slice(column);
  const was = short(lines.join("\n"));
  return `${mutator} | ${first} | ${was === short(first) ? "all" : was} -> ${short(replacement)}`;
}

/** A mutant as results have it. Stryker counts its lines and columns from 1; here columns count from 0. */
export function entryOf({ mutatorName, replacement, location: { start, end } }, text) {
  const at = [start.line, start.column - 1, end.line, end.column - 1];
  return { key: keyOf(mutatorName, at, replacement, text), at };
}

const short = (text) => {
  const flat = text
    .replace(/\/\/ .*/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return flat.length > 60 ? `${flat.slice(0, 40)}…${flat.slice(-18)}` : flat;
};

/** Writes the results of a file; those of a run of survivors are put in the place of what was known of these. */
export function writeResult(file, text, mutants, known) {
  const hash = hashOf(text);
  const entry = (mutant) => entryOf(mutant, text);
  const of = (status) => mutants.filter((mutant) => mutant.status === status).map(entry);
  const seen = new Set(mutants.map((mutant) => entry(mutant).key));
  const old = (entries = []) => entries.filter(({ key }) => !seen.has(key));
  const before = (known?.survived.length ?? 0) + (known?.uncovered.length ?? 0);
  const survived = [...old(known?.survived), ...of("Survived")];
  const uncovered = [...old(known?.uncovered), ...of("NoCoverage")];
  const late = of("Timeout").length;
  const timeouts = (known?.timeouts ?? 0) + late;
  const killed = known
    ? known.killed + before - survived.length - uncovered.length - late
    : of("Killed").length;
  const commit = execFileSync("git", ["rev-parse", "--short=10", "HEAD"], { encoding: "utf8" }).trim();
  const results = readResults();
  for (const [other, result] of results) if (result.file === file && other !== hash) results.delete(other);
  results.set(hash, { file, hash, commit, killed, timeouts, survived, uncovered });
  const order = [...results.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  writeFileSync(PATH, order.map((result) => `${JSON.stringify(result)}\n`).join(""));
}
