// Bundles the code: a file for each subpath and for what several of them share. `node scripts/bundle.mjs FOLDER` writes
// it into a folder, as the campaigns do that run what the source is.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

export async function bundle(folder) {
  // What users import, and the program.
  const entries = [
    ...Object.values(manifest.exports).flatMap(({ default: file }) => file ?? []),
    manifest.bin.rowtype,
  ].map((file) => file.replace(/^\.\/dist\/(.+)\.js$/, "$1"));
  const bundled = await rolldown({
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
  await bundled.write({
    dir: folder,
    format: "esm",
    chunkFileNames: "chunks/[name]-[hash].js",
    // The declarations have them.
    comments: { jsdoc: false },
  });
  await bundled.close();
}

const [, script, folder] = process.argv;
if (resolve(script) === fileURLToPath(import.meta.url) && folder !== undefined) await bundle(resolve(folder));
