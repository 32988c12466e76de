// Builds `dist`: declarations by the compiler, a file for each module; code by the bundler, a file for each subpath and
// for what several of them share: a few files load in a third of the time that hundreds take. Then the files that the docs page serves, and the program `rowtype`.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "dist");
const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

rmSync(dist, { recursive: true, force: true });
const compiler = join(dirname(require.resolve("typescript7/package.json")), "bin", "tsc");
execFileSync(process.execPath, [compiler, "-p", root, "--emitDeclarationOnly"], { stdio: "inherit" });

// What users import, and the program.
const entries = [
  ...Object.values(manifest.exports).flatMap(({ default: file }) => file ?? []),
  manifest.bin.rowtype,
].map((file) => file.replace(/^\.\/dist\/(.+)\.js$/, "$1"));
const bundle = await rolldown({
  input: Object.fromEntries(entries.map((entry) => [entry, join(root, "src", `${entry}.ts`)])),
  cwd: root,
  // Some subpaths run in browsers.
  platform: "neutral",
  external: (id) => !/^[./]/.test(id),
  resolve: { extensionAlias: { ".js": [".ts"] } },
  transform: { target: "es2023" },
  // Modules have no effect but what they export, and a module that is reached is wanted whole.
  treeshake: false,
  onLog(level, { message }) {
    throw new Error(`${level}: ${message}`);
  },
});
await bundle.write({
  dir: dist,
  format: "esm",
  chunkFileNames: "chunks/[name]-[hash].js",
  // The declarations have them.
  comments: { jsdoc: false },
});
await bundle.close();

const swagger = dirname(require.resolve("swagger-ui-dist/package.json"));
const target = join(dist, "swagger-ui");
mkdirSync(target);
for (const file of ["swagger-ui-bundle.js", "swagger-ui.css", "LICENSE", "NOTICE"])
  cpSync(join(swagger, file), join(target, file));

const program = join(root, manifest.bin.rowtype);
writeFileSync(program, `#!/usr/bin/env node\n${readFileSync(program, "utf8")}`);
chmodSync(program, 0o755);
