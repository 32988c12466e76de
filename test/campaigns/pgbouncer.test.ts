/**
 * The live tests of PostgreSQL once more, through PgBouncer in transaction mode with three connections to the server:
 * what rowtype sends never counts on meeting the same connection of the server twice.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { answers, postgresUrl } from "../availability.js";
import { START_MS } from "./own-servers.js";
import { pgbouncerLacks, startPgbouncer } from "./pgbouncer.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const isThere = await answers(postgresUrl);

/** Tests of what a pooler hides: which connections the server has, and what is set on each. */
const apart: ReadonlyMap<string, string> = new Map([
  ["broken-connections.test.ts", "counts the server's connections after each fault"],
  ["postgres-clients.test.ts", "kills the sessions of each client, and looks at what they keep"],
  ["suite.test.ts", "counts and breaks the connections of a driver, and keeps prepared texts on them"],
  ["read-only.test.ts", "tells the server's connections apart"],
  ["dates.test.ts", "sets the zone of a session"],
  ["date-functions.test.ts", "sets the zone of a session"],
  ["date-forms.test.ts", "sets the zone of a session"],
  ["raw-columns.test.ts", "sets the zone of a session"],
]);

/** The files whose tests run on the server. */
function liveFiles(): string[] {
  return ["test/sql", "test/http"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => !path.startsWith("migrate/") && isForPool(basename(path)))
      .map((name) => `${folder}/${name}`)
      .filter((path) => /servers\.js|each-server\.js/.test(readFileSync(join(root, path), "utf8"))),
  );
}

const isForPool = (name: string) =>
  name.endsWith(".test.ts") && !name.startsWith("mariadb") && !apart.has(name);

/** The settings of the run around this one are not those of the run inside. */
function environment(url: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^VITEST|^TEST$|^NODE_ENV$/.test(name));
  return {
    ...Object.fromEntries(own),
    ROWTYPE_POSTGRES: url,
    ROWTYPE_POOLER: "transaction",
    ROWTYPE_REQUIRE: "postgres",
    // Nobody is there: only PostgreSQL is asked about.
    ROWTYPE_MARIADB: "mysql://root@127.0.0.1:1/none",
    H2_JAR: "/none",
    NO_COLOR: "1",
  };
}

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

test("PgBouncer is installed", ({ skip }) => {
  if (pgbouncerLacks !== undefined) skip(`no ${pgbouncerLacks}: the live tests through a pooler are skipped`);
  if (!isThere) skip("no postgres server answers: the live tests through a pooler are skipped");
});

describe.skipIf(pgbouncerLacks !== undefined || !isThere)("through PgBouncer in transaction mode", () => {
  test(
    "every live test of PostgreSQL passes, with three connections of the server",
    async ({ signal }) => {
      const pooler = await startPgbouncer();
      const folder = mkdtempSync(join(tmpdir(), "rowtype-pooled-"));
      try {
        const file = join(folder, "report.json");
        const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
        const args = ["run", "--project", "tests", ...liveFiles(), "-t", "postgres|PostgreSQL"];
        const child = spawn(process.execPath, [vitest, ...args, "--reporter=json", `--outputFile=${file}`], {
          cwd: root,
          env: environment(pooler.url),
          stdio: ["ignore", "ignore", "pipe"],
          // What takes too long is ended, with the pooler, and not left running.
          signal,
        });
        let said = "";
        child.stderr.setEncoding("utf8").on("data", (text: string) => {
          said = (said + text).slice(-5_000);
        });
        await once(child, "close");
        // What vitest itself could not do is not a report.
        const report = JSON.parse(readFileSync(file, "utf8")) as Report;
        const failed = report.testResults.flatMap(({ assertionResults, message, name }) => [
          ...assertionResults.flatMap(({ status, fullName, failureMessages }) =>
            status === "failed" ? [`${name}: ${fullName}: ${failureMessages.join()}`] : [],
          ),
          ...(assertionResults.length === 0 ? [`${name}: ${message}`] : []),
        ]);
        expect(failed).toEqual([]);
        expect(report.numPassedTests).toBeGreaterThan(300);
        expect(child.exitCode, said).toBe(0);
      } finally {
        rmSync(folder, { recursive: true, force: true });
        await pooler.end();
      }
    },
    900_000 + START_MS,
  );
});
