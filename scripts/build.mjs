// Builds `dist`: the compiler, then the files that the docs page serves, and the program `rowtype`.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const require = createRequire(import.meta.url);

rmSync(join(root, "dist"), { recursive: true, force: true });
const compiler = join(dirname(require.resolve("typescript7/package.json")), "bin", "tsc");
execFileSync(process.execPath, [compiler, "-p", root], { stdio: "inherit" });

const swagger = dirname(require.resolve("swagger-ui-dist/package.json"));
const target = join(root, "dist", "http", "describe", "swagger-ui");
mkdirSync(target, { recursive: true });
for (const file of ["swagger-ui-bundle.js", "swagger-ui.css", "LICENSE", "NOTICE"])
  cpSync(join(swagger, file), join(target, file));

const program = join(root, "dist", "sql", "migrate", "cli", "main.js");
writeFileSync(program, `#!/usr/bin/env node\n${readFileSync(program, "utf8")}`);
chmodSync(program, 0o755);
