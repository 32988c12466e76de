/**
 * Programs that are compiled for measurements: written to a folder of `.generated`, compiled by each TypeScript,
 * reported in a table. Instantiations are exact; compare times within one run only.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { compilerOptions } from "./type-cost.mjs";

const require = createRequire(import.meta.url);

/** The oldest and the newest TypeScript that rowtype supports. */
export const compilers = ["typescript59", "typescript7"].map((name) => {
  const manifest = require.resolve(`${name}/package.json`);
  return { version: require(manifest).version, path: join(dirname(manifest), "bin", "tsc") };
});

/** Writes a folder of files, and for each project the configuration that compiles some of them. */
export function writeProgram(folder, files, projects) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  for (const [project, names] of Object.entries(projects))
    writeFileSync(join(folder, `${project}.json`), JSON.stringify({ compilerOptions, files: names }));
}

/** What has TypeScript 7 check all files in one place: in several, each counts the types that they share. */
export const inOnePlace = ({ version }) => (version.startsWith("5.") ? [] : ["--checkers", "1"]);

/** Runs one compiler on one project: its own figures, and the CPU seconds of the process. */
export function compileProgram(compiler, folder, project, options = []) {
  // The shell's `times` also counts the native process that TypeScript 7 starts.
  const script = '"$@"; code=$?; times; exit $code';
  const args = [
    process.execPath,
    compiler.path,
    "-p",
    `${project}.json`,
    "--extendedDiagnostics",
    ...options,
  ];
  const { status, stdout } = spawnSync("sh", ["-c", script, "sh", ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0)
    throw new Error(`${folder} does not compile on ${compiler.version}:\n${stdout.slice(0, 600)}`);
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

/** The minimum of a figure over rounds. */
export const least = (rounds, key) => Math.min(...rounds.map((one) => one[key]));

/** A table: the first column left-aligned, the others right-aligned. */
export function print(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => String(row[i]).length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i])))
        .join("  "),
    );
  console.log();
}
