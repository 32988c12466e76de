/** The tests over bundled sources, in which a mutant is active; `scripts/mutants` runs them. */
import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import shared from "../../vitest.config.js";

const [project] = shared.test?.projects ?? [];
if (typeof project !== "object" || !("test" in project))
  throw new Error("the first project is that of the tests");

const root = fileURLToPath(new URL("../../", import.meta.url));
const src = `${root}src`;
const PREFIX = "\0built:";
// As `scripts/mutants/bundle.mjs` writes it.
const exported = JSON.parse(readFileSync(`${root}.mutants/exports.json`, "utf8")) as Readonly<
  Record<string, { readonly module: string; readonly names: readonly string[] }>
>;

export default defineConfig({
  root,
  resolve: project.resolve ?? {},
  plugins: [
    {
      name: "bundled-sources",
      enforce: "pre",
      resolveId(id, importer) {
        const at = id.startsWith(".") && importer !== undefined ? resolve(dirname(importer), id) : id;
        if (!at.startsWith(`${src}/`)) return undefined;
        const entry = relative(src, at).replace(/\.[jt]s$/, "");
        return entry in exported ? `${PREFIX}${entry}` : undefined;
      },
      load(id) {
        const built = id.startsWith(PREFIX) ? exported[id.slice(PREFIX.length)] : undefined;
        if (built === undefined) return undefined;
        // `active.ts` has loaded the bundle.
        return `export const { ${built.names.join(", ")} } = globalThis.__rowtypeBuilt__.${built.module};`;
      },
    },
  ],
  test: {
    ...project.test,
    globalSetup: ["test/run.ts", "test/oracle/java.ts"],
    setupFiles: ["test/mutants/active.ts", "test/setup-shared.ts"],
    maxWorkers: 1,
    // A mutant that waits without end fails sooner than a test of a busy machine.
    testTimeout: 40_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000, interval: 10 } },
    // The files run in one process, in the order in which they are named.
    isolate: false,
    // Node loads the bundle: vite would transform it each time.
    server: { deps: { external: [/\/\.mutants\/all-/] } },
    // The first of them loads the sources.
    sequence: { setupFiles: "list" },
  },
});
