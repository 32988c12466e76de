/**
 * The package as the source is now, for programs that run in processes of their own: bundled by the run itself into a
 * folder with a copy of the programs, so that they import it and not what `npm run build` made at some time.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

/** The package, and a program that imports it. */
export interface Built {
  /** Programs in this folder, and below it, find the package. */
  readonly folder: string;
  readonly program: string;
  remove(): void;
}

/** Bundles the source beside a copy of a program of this folder. */
export function buildFor(program: string): Built {
  // In the repository, so that the packages that it needs are found above.
  const folder = mkdtempSync(join(home, "built-"));
  const own = join(folder, "node_modules", "rowtype");
  mkdirSync(own, { recursive: true });
  // A scope of its own: in that of the repository the name is the repository itself.
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "campaign", type: "module" }));
  cpSync(join(root, "package.json"), join(own, "package.json"));
  execFileSync(process.execPath, [join(root, "scripts", "bundle.mjs"), join(own, "dist")]);
  cpSync(join(home, program), join(folder, program));
  return { folder, program: join(folder, program), remove: () => rmSync(folder, { recursive: true }) };
}
