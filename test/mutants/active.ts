/**
 * Loads the bundled sources anew for each mutant, and says to them which mutant is active. Stryker's instrumented code
 * reads it, and counts how often a mutant is reached, or by which test.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeEach, type TaskMeta } from "vitest";

/** What `scripts/mutants/runner.mjs` writes before each run. */
interface Active {
  readonly round: string;
  readonly mutant?: string;
  readonly hitLimit?: number;
}

/** What instrumented code reads and writes. */
interface Namespace {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: unknown;
}

interface Module {
  promise?: unknown;
  exports?: unknown;
  evaluated: boolean;
  readonly importers: Set<string>;
}

declare global {
  // The name that Stryker's instrumenter gives it.
  var __stryker__: Namespace | undefined;
  var __rowtypeBuilt__: unknown;
  var __rowtypeRound__: string | undefined;
  // What vitest tells its worker.
  var __vitest_worker__: {
    readonly filepath: string;
    readonly evaluatedModules: { readonly idToModuleMap: Map<string, Module> };
  };
}
declare module "vitest" {
  interface TaskMeta {
    mutantCoverage?: unknown;
  }
}

const folder = pathToFileURL(`${process.cwd()}/.mutants/`);
const active = JSON.parse(readFileSync(new URL("active.json", folder), "utf8")) as Active;
globalThis.__stryker__ ??= {};
const own = globalThis.__stryker__;

if (globalThis.__rowtypeRound__ !== active.round) {
  globalThis.__rowtypeRound__ = active.round;
  own.activeMutant = active.mutant;
  own.currentTestId = undefined;
  if (active.hitLimit !== undefined) {
    // A mutant that loops without end throws after so many rounds.
    own.hitCount = 0;
    own.hitLimit = active.hitLimit;
  }
  // The modules of tests hold values of the sources, except those that only hold databases.
  for (const [path, module] of globalThis.__vitest_worker__.evaluatedModules.idToModuleMap) {
    if (/vitest\/dist|vitest-virtual|test\/(postgres-databases|availability|mutants\/active)\.ts/.test(path))
      continue;
    delete module.promise;
    delete module.exports;
    module.evaluated = false;
    module.importers.clear();
  }
  globalThis.__rowtypeBuilt__ = await import(new URL(`all-${active.round}.js`, folder).href);
}

if (active.mutant === undefined) {
  // A file of tests is a test of its own name for all that happens outside of tests.
  const file = `${globalThis.__vitest_worker__.filepath}#`;
  own.currentTestId = file;
  let meta: TaskMeta = {};
  beforeEach(({ task }) => {
    meta = task.file.meta;
    own.currentTestId = `${file}${task.id}`;
  });
  afterEach(() => {
    own.currentTestId = file;
  });
  afterAll(() => {
    meta.mutantCoverage = own.mutantCoverage;
    own.currentTestId = undefined;
  });
}
