// What is known of each source file: one line of `test/mutants/results.jsonl`. It is found by the hash of the file's text
// without its imports, so that a file that moves keeps its results.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const PATH = "test/mutants/results.jsonl";

/** The text of a source file without its imports. */
export const bodyOf = (text) => text.replace(/^import\b[^;]*;\n/gm, "").trim();

export const contentHash = (file) =>
  createHash("sha256")
    .update(bodyOf(readFileSync(file, "utf8")))
    .digest("hex")
    .slice(0, 16);

/** Hash → what is known. */
export function readResults() {
  if (!existsSync(PATH)) return new Map();
  const lines = readFileSync(PATH, "utf8").split("\n").filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line)).map((result) => [result.hash, result]));
}

/** What names a mutant after edits elsewhere in its file: mutator, the line where it begins, and the change. */
export function keyOf({ mutatorName, location: { start, end }, replacement }, text) {
  const lines = text.split("\n");
  const part = lines.slice(start.line, end.line + 1);
  part[part.length - 1] = part.at(-1).slice(0, end.column);
  part[0] = part[0].slice(start.column);
  const line = lines[start.line].trim();
  const was = short(part.join(" "));
  return `${mutatorName} | ${line} | ${was === short(line) ? "all" : was} -> ${short(replacement)}`;
}

const short = (text) => {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length > 60 ? `${flat.slice(0, 40)}…${flat.slice(-18)}` : flat;
};

/** Writes the results of a file; those of a run of survivors are put in the place of what was known of these. */
export function writeResult(file, mutants, known) {
  const text = readFileSync(file, "utf8");
  const hash = contentHash(file);
  const entry = (mutant) => {
    const { start, end } = mutant.location;
    return { key: keyOf(mutant, text), at: [start.line + 1, start.column, end.line + 1, end.column] };
  };
  const of = (status) => mutants.filter((mutant) => mutant.status === status).map(entry);
  const seen = new Set(mutants.map((mutant) => entry(mutant).key));
  const old = (entries = []) => entries.filter(({ key }) => !seen.has(key));
  const before = (known?.survived.length ?? 0) + (known?.uncovered.length ?? 0);
  const survived = [...old(known?.survived), ...of("Survived")];
  const uncovered = [...old(known?.uncovered), ...of("NoCoverage")];
  const timeouts = (known?.timeouts ?? 0) + (known ? 0 : of("Timeout").length);
  const killed = known ? known.killed + before - survived.length - uncovered.length : of("Killed").length;
  const commit = execFileSync("git", ["rev-parse", "--short=10", "HEAD"], { encoding: "utf8" }).trim();
  const results = readResults();
  for (const [other, result] of results) if (result.file === file && other !== hash) results.delete(other);
  results.set(hash, { file, hash, commit, killed, timeouts, survived, uncovered });
  const order = [...results.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  writeFileSync(PATH, order.map((result) => `${JSON.stringify(result)}\n`).join(""));
}
