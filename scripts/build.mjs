// Builds `dist`: declarations by the compiler, a file for each module; code by the bundler, a file for each subpath and
// for what several of them share: a few files load in a third of the time that hundreds take. Then the files that the docs page serves, and the program `rowtype`.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "dist");
const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

rmSync(dist, { recursive: true, force: true });
const compiler = join(dirname(require.resolve("typescript7/package.json")), "bin", "tsc");
execFileSync(process.execPath, [compiler, "-p", root, "--emitDeclarationOnly"], { stdio: "inherit" });

await bundle(dist);

const swagger = dirname(require.resolve("swagger-ui-dist/package.json"));
const target = join(dist, "swagger-ui");
mkdirSync(target);
for (const file of ["swagger-ui-bundle.js", "swagger-ui.css", "LICENSE", "NOTICE"])
  cpSync(join(swagger, file), join(target, file));

const program = join(root, manifest.bin.rowtype);
writeFileSync(program, `#!/usr/bin/env node\n${readFileSync(program, "utf8")}`);
chmodSync(program, 0o755);
