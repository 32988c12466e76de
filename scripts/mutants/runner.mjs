// A runner of tests for Stryker, over vitest. Stryker's own one loads some hundred modules anew for each mutant, and takes a
// file that cannot be imported for one whose tests pass. Here one process runs many mutants and loads the bundled
// sources anew for each; a failure anywhere kills a mutant; and tests that reach it run before whole files do.
import { linkSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import { createVitest, ForksPoolWorker } from "vitest/node";
import { keyOf } from "./results.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
// The keys of the mutants that are to be run, by file; all of them, if null.
const asked = JSON.parse(process.env.ROWTYPE_MUTANTS_ASKED ?? "null");
// A process keeps each copy of the sources that it has loaded.
const ROUNDS = 40;
// After a failure the rest of a file may end; what then still waits is ended.
const GRACE_MS = 2_000;
// What tests fail with that wait, on a slow machine too.
const LATE = /timed out|in time\b/i;
// The files of tests of this piece, those first that should run first.
const files = JSON.parse(process.env.ROWTYPE_MUTANTS_TESTS ?? "[]");

class BundledVitest {
  static inject = [];
  #round = 0;
  // When a test or hook last ended, when a test first failed, and the longest time between two ends of a run.
  #moved = 0;
  #failed = 0;
  #longest = 0;
  // After so long without an end of a test or hook, a run is taken to stand still.
  #patience = 600_000;
  #isLoading = true;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    process.env.NODE_ENV = "test";
    this.vitest = await createVitest("test", {
      config: "test/mutants/vitest.config.ts",
      watch: false,
      bail: 1,
      maxConcurrency: 1,
      reporters: [this.#watcher()],
      sequence: { sequencer: InOrder, setupFiles: "list" },
      pool: { name: "kept", createPoolWorker: (options) => new Kept(options) },
    });
    await this.vitest.standalone();
    this.project = this.vitest.projects[0];
  }

  async dryRun() {
    this.#setActive({});
    const found = await this.#run(files.map((file) => ({ file })));
    if (found.failure !== undefined) return { status: "error", errorMessage: found.failure };
    this.#patience = Math.min(12_000, 5_000 + 3 * this.#longest);
    const tests = found.modules.flatMap((module) => {
      const file = relative(process.cwd(), module.moduleId);
      const own = [...module.children.allTests()].map((test) => ({
        id: `${file}#${test.id}`,
        name: test.fullName,
        fileName: module.moduleId,
        timeSpentMs: test.diagnostic()?.duration ?? 0,
        status: test.result().state === "passed" ? 0 : 2,
      }));
      const { duration } = module.diagnostic();
      return [
        { id: `${file}#`, name: file, fileName: module.moduleId, timeSpentMs: duration, status: 0 },
        ...own,
      ];
    });
    const last = found.modules.at(-1)?.meta().mutantCoverage ?? { static: {}, perTest: {} };
    const perTest = Object.fromEntries(
      Object.entries(last.perTest).map(([id, hits]) => [relative(process.cwd(), id), hits]),
    );
    return { status: "complete", tests, mutantCoverage: { static: last.static, perTest } };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    if (!isAsked(activeMutant)) return { status: "survived", nrOfTests: 0 };
    if ((this.#round + 1) % ROUNDS === 0) {
      await this.#control(phases(testFilter)[0]);
      Kept.end();
    }
    for (const specs of phases(testFilter)) {
      let found = await this.#runMutant(activeMutant, hitLimit, specs);
      const isLate = found.stands || LATE.test(found.failure ?? "");
      if (isLate) found = await this.#runPatiently(activeMutant, hitLimit, specs);
      const { failure, ran, stands } = found;
      if (stands || (failure !== undefined && isLate)) return { status: "timeout" };
      if (failure !== undefined)
        return { status: "killed", killedBy: [], failureMessage: failure, nrOfTests: ran };
    }
    return { status: "survived", nrOfTests: testFilter?.length ?? 0 };
  }

  #runMutant({ id }, hitLimit, specs) {
    this.#setActive({ mutant: id, hitLimit: hitLimit ?? 1e9 });
    return this.#run(specs);
  }

  /** Perhaps only the machine is slow: what the same tests take now without the mutant says how long to wait. */
  async #runPatiently(mutant, hitLimit, specs) {
    const before = this.#patience;
    this.#patience = 120_000;
    await this.#control(specs);
    this.#patience = Math.max(before, 5_000 + 5 * this.#longest);
    const found = await this.#runMutant(mutant, hitLimit, specs);
    this.#patience = before;
    return found;
  }

  /** Without a mutant the tests pass, after all those before it too. */
  async #control(specs) {
    this.#setActive({ mutant: "none", hitLimit: 1e9 });
    const { failure, stands } = await this.#run(specs);
    if (failure !== undefined || stands) throw new Error(`tests fail without a mutant: ${failure}`);
  }

  /** Notes that the tests go on. */
  #watcher() {
    const moves = () => {
      const now = Date.now();
      this.#longest = Math.max(this.#longest, now - this.#moved);
      this.#moved = now;
    };
    // To load a file takes as long as the machine likes.
    const loads = (isLoading) => () => {
      this.#isLoading = isLoading;
      this.#moved = Date.now();
    };
    return {
      onTestModuleQueued: loads(true),
      onTestModuleCollected: loads(false),
      onTestModuleEnd: loads(true),
      onHookEnd: moves,
      onTestCaseResult: (test) => {
        moves();
        if (test.result().state === "failed") this.#failed ||= Date.now();
      },
    };
  }

  #setActive(active) {
    const round = ++this.#round;
    // Of another name, it is loaded anew.
    linkSync(".mutants/all.js", `.mutants/all-${process.pid}-${round}.js`);
    writeFileSync(".mutants/active.json", JSON.stringify({ round: `${process.pid}-${round}`, ...active }));
  }

  async #run(asked) {
    this.vitest.state.filesMap.clear();
    this.vitest.state.errorsSet.clear();
    const specs = asked.map(({ file, testIds }) =>
      this.project.createSpecification(`${process.cwd()}/${file}`, testIds && { testIds }),
    );
    this.#moved = Date.now();
    this.#failed = 0;
    this.#longest = 0;
    this.#isLoading = true;
    let stands = false;
    const watch = setInterval(() => {
      const now = Date.now();
      if (
        this.#failed > 0
          ? now - this.#failed < GRACE_MS
          : now - this.#moved < (this.#isLoading ? Math.max(60_000, this.#patience) : this.#patience)
      )
        return;
      stands = this.#failed === 0;
      Kept.end();
    }, 100);
    const { testModules, unhandledErrors } = await this.vitest
      .runTestSpecifications(specs)
      .finally(() => clearInterval(watch));
    const failed = testModules
      .flatMap((module) => [
        ...module.errors(),
        ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
        ...[...module.children.allTests("failed")].flatMap((test) => test.result().errors),
      ])
      .concat(unhandledErrors);
    const failure = failed.length > 0 ? String(failed[0]?.message ?? failed[0]) : undefined;
    return { failure, stands, modules: testModules, ran: testModules.length };
  }

  async dispose() {
    await this.vitest?.close();
    Kept.end();
  }
}

/** A process that goes on after a run: vitest would end it, and start another. */
class Kept extends ForksPoolWorker {
  static #process;
  name = "kept";
  #isNew = false;

  static end() {
    Kept.#process?.kill("SIGKILL");
    Kept.#process = undefined;
  }

  async start() {
    const kept = Kept.#process;
    if (kept !== undefined && kept.exitCode === null && kept.signalCode === null && kept.connected) {
      this._fork = kept;
      return;
    }
    await super.start();
    this.#isNew = true;
    Kept.#process = this._fork;
  }

  send(message) {
    if (message.type === "stop") this.#answer("stopped");
    else if (message.type === "start" && !this.#isNew) this.#answer("started");
    else super.send(message);
  }

  #answer(type) {
    const kept = this._fork;
    setImmediate(() => kept.emit("message", { type, __vitest_worker_response__: true }));
  }

  async stop() {
    for (const event of ["message", "error", "exit"]) this._fork.removeAllListeners(event);
    this._fork = undefined;
  }
}

/**
 * First the tests that reach the mutant, then their files as a whole: what one test has made, others may use. All files
 * without a filter.
 */
function phases(filter) {
  if (filter === undefined) return [files.map((file) => ({ file }))];
  const tests = new Map();
  const whole = new Set();
  for (const id of filter) {
    const at = id.indexOf("#");
    const [file, test] = [id.slice(0, at), id.slice(at + 1)];
    whole.add(file);
    if (test !== "") tests.set(file, [...(tests.get(file) ?? []), test]);
  }
  return [
    files.filter((file) => tests.has(file)).map((file) => ({ file, testIds: tests.get(file) })),
    files.filter((file) => whole.has(file)).map((file) => ({ file })),
  ].filter((specs) => specs.length > 0);
}

function isAsked({ fileName, mutatorName, replacement, location: { start, end } }) {
  if (asked === null) return true;
  const at = [start.line + 1, start.column, end.line + 1, end.column];
  const text = readFileSync(fileName, "utf8");
  return asked[relative(root, fileName)]?.includes(keyOf(mutatorName, at, replacement, text)) === true;
}

/** Files run in the order in which they are named. */
class InOrder {
  async shard(specs) {
    return specs;
  }
  async sort(specs) {
    return specs;
  }
}

const shown = (text = "") => text.replace(/\s+/g, " ").slice(0, 90);

/** Prints what survives, and hands over the mutants of each file as soon as all of them have been run. */
class Survivors {
  static inject = [];
  #tested = 0;
  #killed = 0;
  #planned = new Map();
  #results = new Map();

  onMutationTestingPlanReady({ mutantPlans }) {
    for (const { mutant } of mutantPlans)
      this.#planned.set(mutant.fileName, (this.#planned.get(mutant.fileName) ?? 0) + 1);
  }

  onMutantTested(result) {
    const results = this.#results.get(result.fileName) ?? [];
    this.#results.set(result.fileName, results);
    if (results.push(result) === this.#planned.get(result.fileName))
      globalThis.__rowtypeMutantsDone__(result.fileName, results);
    this.#print(result);
  }

  #print({ status, fileName, location, mutatorName, replacement, statusReason }) {
    if (status === "Ignored") return;
    if (++this.#tested % 50 === 0) console.log(`  ${this.#tested} mutants`);
    if (status === "Killed") {
      // Now and then, what a mutant was killed by.
      if (++this.#killed % 25 === 0) console.log(`  killed: ${shown(statusReason)}`);
      return;
    }
    if (status === "NoCoverage" || (asked !== null && status === "Survived")) return;
    const { line, column } = location.start;
    const why = status === "RuntimeError" ? ` (${shown(statusReason)})` : "";
    console.log(
      `  ${status}: ${relative(process.cwd(), fileName)}:${line}:${column} ${mutatorName} -> ${shown(replacement)}${why}`,
    );
  }
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, "bundled-vitest", BundledVitest),
  declareClassPlugin(PluginKind.Reporter, "survivors", Survivors),
];
