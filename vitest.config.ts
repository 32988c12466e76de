import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));

// Tests import what users import; here it stands for the source, so that a change needs no build.
const alias = [
  { find: /^rowtype$/, replacement: source("index.ts") },
  { find: /^rowtype\/table$/, replacement: source("table.ts") },
  { find: /^rowtype\/(driver|migrate|testing)$/, replacement: source("sql/$1/index.ts") },
  { find: /^rowtype\/driver\/test$/, replacement: source("sql/driver-test/index.ts") },
  { find: /^rowtype\/(postgres|mariadb|sqlite|oracle)$/, replacement: source("sql/drivers/$1.ts") },
  {
    find: /^rowtype\/http\/(client|jwt|oauth|session|session\/sql|sql|testing|wire)$/,
    replacement: source("http/$1/index.ts"),
  },
  { find: /^rowtype\/(http|openapi)$/, replacement: source("$1/index.ts") },
];
// Another client of SQLite in the place of better-sqlite3: `node` (by Node 22.16 or later) or `bun` (by Bun).
const sqliteClient = process.env["ROWTYPE_SQLITE"];
if (sqliteClient !== undefined)
  alias.push({
    find: /^better-sqlite3$/,
    replacement: fileURLToPath(new URL(`test/kit/sqlite-clients/${sqliteClient}.ts`, import.meta.url)),
  });
// What hangs is found a little later; what waits for a busy machine does not fail.
const limits = {
  // Under Bun the names of a package that vitest leaves to the runtime are lost.
  ...(sqliteClient === "bun" ? { server: { deps: { inline: [/zod/] } } } : {}),
  testTimeout: 120_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000, interval: 10 } },
};
const shared = { setupFiles: ["test/setup.ts"] };
// They compare times of the same work, or the size of the heap: a process in which other tests have run would change
// what they measure.
const alone = [
  "test/sql/exec/exec-cost.test.ts",
  "test/http/stream-cost.test.ts",
  "test/http/row-cost.test.ts",
  "test/sql/builder/memory.test.ts",
];

export default defineConfig({
  test: {
    // Most tests wait for a server or a socket now and then: one worker would leave the second of two cores idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: [
      "test/run.ts",
      "test/report-servers.ts",
      "test/oracle/start-grammar.ts",
      "test/oracle/java.ts",
    ],
    projects: [
      {
        resolve: { alias },
        test: {
          name: "tests",
          include: ["test/**/*.test.ts"],
          exclude: ["test/campaigns/**", ...alone],
          // The files of a worker share its process and its modules: to load these anew for each takes long.
          isolate: false,
          ...limits,
          setupFiles: ["test/setup-shared.ts"],
        },
      },
      {
        resolve: { alias },
        test: { name: "alone", include: alone, ...limits, setupFiles: shared.setupFiles },
      },
      // The lower end of the range of `oracledb` that the package allows; the other tests run on the upper one.
      {
        resolve: { alias },
        test: {
          name: "oracledb6",
          include: ["test/oracle/driver.test.ts"],
          env: { ROWTYPE_ORACLEDB: "oracledb6" },
          ...limits,
          ...shared,
        },
      },
      // Kills, races, random programs, clusters; `test/rounds.ts` says how many.
      {
        resolve: { alias },
        test: {
          name: "campaigns",
          include: ["test/campaigns/**/*.test.ts"],
          ...limits,
          setupFiles: shared.setupFiles,
        },
      },
    ],
  },
});
