/** The tests, one file at a time, with a note of which functions each calls. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import shared from "../../vitest.config.js";

const [project] = shared.test?.projects ?? [];
if (typeof project !== "object" || !("test" in project))
  throw new Error("the first project is that of the tests");

export default defineConfig({
  root: fileURLToPath(new URL("../../", import.meta.url)),
  resolve: project.resolve ?? {},
  test: {
    ...project.test,
    globalSetup: shared.test?.globalSetup ?? [],
    maxWorkers: 1,
    setupFiles: ["test/mutants/functions-of-test.ts", "test/setup-shared.ts"],
    exclude: [...(project.test?.exclude ?? []), "test/{architecture,docs,demo,types}/**"],
  },
});
