// Runs `test/runtimes/program.mjs` on Node 20, 22, 24 and 26, Bun and Deno, each as a package of npm, and prints a line for
// each runtime and part; then `facts.mjs`, what the client of SQLite does there; then `examples.mjs`, except on Deno, because the examples import TypeScript by the names of
// JavaScript. A runtime that cannot be installed, or a server that is not named by ROWTYPE_POSTGRES or ROWTYPE_MARIADB,
// is a skip with its name. Arguments choose runtimes: `npm run test:runtimes -- node@24 bun`.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const programs = join(dirname(fileURLToPath(import.meta.url)), "..", "test", "runtimes");
const commands = {
  "node@20": "node",
  "node@22": "node",
  "node@24": "node",
  "node@26": "node",
  bun: "bun",
  deno: "deno run --allow-all",
};

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !(name in commands));
if (unknown !== undefined)
  throw new Error(`unknown runtime ${unknown}; runtimes: ${Object.keys(commands).join(", ")}`);

/** Runs a command with a package's programs on the path. A runtime that hangs is ended. */
function withPackage(name, command) {
  return spawnSync("npm", ["exec", "--yes", `--package=${name}`, "--call", command], {
    encoding: "utf8",
    timeout: 180_000,
    killSignal: "SIGKILL",
    env: {
      ROWTYPE_POSTGRES: "postgres://postgres@127.0.0.1:5432/postgres",
      ROWTYPE_MARIADB: "mysql://root@127.0.0.1:3306/test",
      ...process.env,
    },
  });
}

const totals = { ok: 0, skipped: 0, failed: 0 };
for (const name of asked.length > 0 ? asked : Object.keys(commands)) {
  const command = commands[name];
  if (withPackage(name, `${command.split(" ")[0]} --version`).status !== 0) {
    console.log(`${name}: skipped, it cannot be installed`);
    totals.skipped++;
    continue;
  }
  const here = ["program.mjs", "facts.mjs", ...(name === "deno" ? [] : ["examples.mjs"])];
  for (const program of here) runProgram(name, `${command} ${JSON.stringify(join(programs, program))}`);
}
console.log(`runtimes: ${totals.ok} ok, ${totals.skipped} skipped, ${totals.failed} failed`);
process.exit(totals.failed > 0 || totals.ok === 0 ? 1 : 0);

/** Runs a program, prints its lines and counts them. */
function runProgram(name, call) {
  const { stdout, stderr, status } = withPackage(name, call);
  process.stdout.write(stdout);
  for (const result of Object.keys(totals))
    totals[result] += stdout.match(new RegExp(` · .*: ${result}`, "g"))?.length ?? 0;
  // A runtime that crashes says nothing of the part that it was in.
  if (status !== 0 && !stdout.includes(": failed")) {
    console.log(`${name}: failed, it ended with ${status}\n${stderr}`);
    totals.failed++;
  }
}
