/** What the three compilers say of a text: each error with its place and its message, as their command lines print it. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const require = createRequire(import.meta.url);

/** The compilers that rowtype supports, by the names of their packages here. */
export const COMPILERS = { "5.9": "typescript59", "6.0": "typescript", "7.0": "typescript7" } as const;

/** The version of a compiler. */
export type Version = keyof typeof COMPILERS;

/** An error: its place, from 1, and its message, whose first line is what an editor shows first. */
export interface Said {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const compilerOptions = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  target: "es2023",
  module: "nodenext",
  types: ["node"],
  skipLibCheck: true,
  pretty: false,
};

/** The errors of a program of one file, which sees the package as users do: by its declarations in `dist`. */
export async function errorsOf(version: Version, text: string): Promise<readonly Said[]> {
  const folder = mkdtempSync(join(tmpdir(), "rowtype-messages-"));
  try {
    for (const name of ["node_modules", "dist", "package.json"])
      symlinkSync(join(root, name), join(folder, name));
    writeFileSync(join(folder, "program.ts"), text);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
    return readErrors(await run(COMPILERS[version], folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(name: string, folder: string): Promise<string> {
  const compiler = join(dirname(require.resolve(`${name}/package.json`)), "bin", "tsc");
  return new Promise((resolve) => {
    // It fails whenever there are errors: what it prints is the answer.
    const options = { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 24 } as const;
    execFile(process.execPath, [compiler, "-p", "."], options, (_, stdout) => resolve(stdout));
  });
}

const HEAD = /^program\.ts\((\d+),(\d+)\): error TS\d+: (.*)$/;

/** The lines after the first of an error are indented. */
function readErrors(printed: string): readonly Said[] {
  const found: { line: number; column: number; message: string }[] = [];
  for (const text of printed.split("\n")) {
    const [, line, column, message = ""] = HEAD.exec(text) ?? [];
    const last = found.at(-1);
    if (line !== undefined) found.push({ line: Number(line), column: Number(column), message });
    else if (last !== undefined && text.startsWith(" ")) last.message += `\n${text}`;
    else if (text.trim() !== "") throw new Error(`the compiler says: ${text}`);
  }
  return found;
}
