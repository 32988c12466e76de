// The figures of each folder against the goal, and the survivors that nobody has given a reason for.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { contentHash, hasCode, readResults } from "./results.mjs";

const REASONS = "test/mutants/reasons.txt";

// The part of killed mutants, of those that change what a program does.
const GOALS = {
  "src/sql/exec": 95,
  "src/sql/value": 95,
  "src/http/session": 95,
  "src/http/jwt": 95,
  "src/sql/specs": 95,
  "src/sql/migrate/run": 95,
  "src/sql/resolve": 90,
  "src/sql/render": 90,
  "src/sql/dialect": 90,
  "src/sql/migrate": 90,
  "src/http/pipeline": 90,
  "src/http/contract": 90,
  "src/schema": 90,
};

/** File and key of a survivor → `equivalent: why` or `campaign: which`. */
function readReasons() {
  const reasons = new Map();
  if (!existsSync(REASONS)) return reasons;
  let file = "";
  let keys = [];
  for (const line of readFileSync(REASONS, "utf8").split("\n")) {
    if (line.trim() === "" || line.startsWith("//")) continue;
    if (line.startsWith("# ")) file = line.slice(2).trim();
    else if (/^\s/.test(line)) {
      for (const key of keys) reasons.set(`${file}: ${key}`, line.trim());
      keys.push(undefined);
    } else {
      if (keys.includes(undefined)) keys = [];
      keys.push(line.trim());
    }
  }
  return reasons;
}

const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(hasCode)
    .sort();

const folderOf = (file) =>
  Object.keys(GOALS).find((folder) =>
    folder.endsWith("/run") ? isOfRunning(file, folder) : file.startsWith(`${folder}/`),
  );

/** Migrations have files about running: `run.ts`, `run-steps.ts` and, once they stand in a folder, those in it. */
const isOfRunning = (file, folder) =>
  [`${folder}.ts`, `${folder}/`, `${folder}-`].some((start) => file.startsWith(start));

/** Prints both. */
export function report() {
  const results = readResults();
  const reasons = readReasons();
  const used = new Set();
  const open = [];
  const roots = Object.keys(GOALS).filter((folder) => existsSync(folder));
  const files = [...new Set(roots.flatMap(filesOf))];
  console.log("folder                killed of          goal  timed out  equivalent  files run");
  for (const [folder, goal] of Object.entries(GOALS)) {
    const own = files.filter((file) => folderOf(file) === folder);
    const run = own.flatMap((file) => results.get(contentHash(file)) ?? []);
    const sum = { killed: 0, late: 0, left: 0, equivalent: 0 };
    for (const { file, killed, timeouts, survived, uncovered } of run) {
      sum.killed += killed + timeouts;
      sum.late += timeouts;
      for (const { key } of [...survived, ...uncovered]) {
        const name = `${file}: ${key}`;
        const reason = reasons.get(name);
        if (reason !== undefined) used.add(name);
        else open.push(`${file}: ${key}`);
        if (reason?.startsWith("equivalent: ")) sum.equivalent++;
        else sum.left++;
      }
    }
    const all = sum.killed + sum.left;
    const part = all === 0 ? "not yet run" : `${((100 * sum.killed) / all).toFixed(1)} %`.padStart(7);
    const of = all === 0 ? "" : `of ${all}`;
    console.log(
      `${folder.padEnd(20)} ${part.padEnd(8)} ${of.padEnd(9)} ≥${goal} %  ${String(sum.late).padStart(9)}  ${String(sum.equivalent).padStart(10)}  ${run.length} of ${own.length}`,
    );
  }
  if (open.length > 0)
    console.log(
      `\n${open.length} survivors without a reason:\n${open.map((name) => `  ${name}`).join("\n")}`,
    );
  const unused = [...reasons.keys()].filter((name) => !used.has(name));
  if (unused.length > 0)
    console.log(
      `\n${unused.length} reasons for no survivor:\n${unused.map((name) => `  ${name}`).join("\n")}`,
    );
}
