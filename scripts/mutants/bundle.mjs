// Bundles the sources that tests import into one file, which loads in a fraction of the time that hundreds take: each
// mutant has it loaded anew. Stryker calls this in its copy of the project, where the sources carry the mutants.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = process.cwd();
const src = join(root, "src");
const target = join(root, ".mutants");

const entries = new Set();
for (const file of readdirSync(join(root, "test"), { recursive: true })) {
  if (!file.endsWith(".ts") || file.startsWith("campaigns/")) continue;
  const text = readFileSync(join(root, "test", file), "utf8");
  for (const [, path] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+\.js)"/g)) {
    const at = resolve(root, "test", dirname(file), path).replace(/\.js$/, ".ts");
    if (at.startsWith(`${src}/`)) entries.add(relative(src, at).replace(/\.ts$/, ""));
  }
}
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
for (const { default: file } of Object.values(manifest.exports))
  if (file !== undefined) entries.add(file.replace(/^\.\/dist\/(.+)\.js$/, "$1"));

const named = [...entries].sort();
const all = named
  .map((entry, i) => `export * as m${i} from ${JSON.stringify(join(src, `${entry}.ts`))};`)
  .join("\n");
const bundle = await rolldown({
  input: "all",
  cwd: root,
  platform: "node",
  external: (id) => id !== "all" && !/^[./]/.test(id),
  resolve: { extensionAlias: { ".js": [".ts"] } },
  treeshake: false,
  plugins: [
    {
      name: "all",
      resolveId: (id) => (id === "all" ? id : undefined),
      load: (id) => (id === "all" ? all : undefined),
    },
  ],
});
const file = join(target, "all.js");
await bundle.write({ file, format: "esm", codeSplitting: false });
await bundle.close();

// What each of them exports.
const modules = await import(pathToFileURL(file).href);
const exported = Object.fromEntries(
  named.map((entry, i) => [entry, { module: `m${i}`, names: Object.keys(modules[`m${i}`]) }]),
);
writeFileSync(join(target, "exports.json"), JSON.stringify(exported));
process.exit();
