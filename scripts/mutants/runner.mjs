// A runner of tests for Stryker, over vitest. Stryker's own one loads some hundred modules anew for each mutant, and takes a
// file that cannot be imported for one whose tests pass. Here one process runs many mutants and loads the bundled
// sources anew for each; a failure anywhere kills a mutant; and tests that reach it run before whole files do.
import { linkSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import { createVitest, ForksPoolWorker } from "vitest/node";

// Where mutants are that are to be run; all of them, if null.
const asked = JSON.parse(process.env.ROWTYPE_MUTANTS_ASKED ?? "null");
// A process keeps each copy of the sources that it has loaded.
const ROUNDS = 40;
// After a failure the rest of a file may end; what then still waits is ended.
const GRACE_MS = 2_000;
// The files of tests of this piece, those first that should run first.
const files = JSON.parse(process.env.ROWTYPE_MUTANTS_TESTS ?? "[]");

class BundledVitest {
  static inject = [];
  #round = 0;
  // When a test or hook last ended, when a test first failed, and the longest time between two ends without a mutant.
  #moved = 0;
  #failed = 0;
  #longest = 0;
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

  async mutantRun({ activeMutant, testFilter, hitLimit, sandboxFileName }) {
    const { start, end } = activeMutant.location;
    const place = `${relative(process.cwd(), sandboxFileName)}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;
    if (asked !== null && !asked.includes(place)) return { status: "survived", nrOfTests: 0 };
    if ((this.#round + 1) % ROUNDS === 0) await this.#control(testFilter);
    this.#setActive({ mutant: activeMutant.id, hitLimit: hitLimit ?? 1e9 });
    for (const specs of phases(testFilter)) {
      const { failure, ran, stands } = await this.#run(specs);
      if (stands) return { status: "timeout" };
      if (failure !== undefined)
        return { status: "killed", killedBy: [], failureMessage: failure, nrOfTests: ran };
    }
    return { status: "survived", nrOfTests: testFilter?.length ?? 0 };
  }

  /** Without a mutant the tests pass, after all those before it too; then the process is ended. */
  async #control(testFilter) {
    this.#setActive({ mutant: "none", hitLimit: 1e9 });
    const [specs] = phases(testFilter);
    const { failure } = await this.#run(specs);
    Kept.end();
    if (failure !== undefined) throw new Error(`tests fail without a mutant: ${failure}`);
  }

  /** Notes that the tests go on. */
  #watcher() {
    const moves = () => {
      const now = Date.now();
      if (this.#round === 1) this.#longest = Math.max(this.#longest, now - this.#moved);
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
    this.#isLoading = true;
    const limit = this.#round === 1 ? 600_000 : Math.min(12_000, 5_000 + 3 * this.#longest);
    let stands = false;
    const watch = setInterval(() => {
      const now = Date.now();
      if (
        this.#failed > 0
          ? now - this.#failed < GRACE_MS
          : now - this.#moved < (this.#isLoading ? 60_000 : limit)
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

/** First the tests that reach the mutant, then the files that reach it outside of tests; all files without a filter. */
function phases(filter) {
  if (filter === undefined) return [files.map((file) => ({ file }))];
  const tests = new Map();
  const whole = new Set();
  for (const id of filter) {
    const at = id.indexOf("#");
    const [file, test] = [id.slice(0, at), id.slice(at + 1)];
    if (test === "") whole.add(file);
    else tests.set(file, [...(tests.get(file) ?? []), test]);
  }
  return [
    files.filter((file) => tests.has(file)).map((file) => ({ file, testIds: tests.get(file) })),
    files.filter((file) => whole.has(file)).map((file) => ({ file })),
  ].filter((specs) => specs.length > 0);
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
