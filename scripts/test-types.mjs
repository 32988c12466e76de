// The type tests: by tsd on the built package, and by plain tsc with every TypeScript that rowtype supports, which gets
// an exact copy of them. With `--quick`, only by tsd, whose own compiler is 5.9.3, and by the newest, which is the fastest;
// with `--rest`, by those that `--quick` leaves out.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyTypeTests } from "./exact-type-tests.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const require = createRequire(import.meta.url);

const isQuick = process.argv.includes("--quick");
const isRest = process.argv.includes("--rest");
const compilers = [...(isQuick ? [] : ["typescript59", "typescript"]), ...(isRest ? [] : ["typescript7"])];
const copy = mkdtempSync(join(tmpdir(), "rowtype-type-tests-"));
copyTypeTests(root, copy);
const checks = [
  ...(isRest ? [] : [["tsd", root, [join(root, "node_modules", "tsd", "dist", "cli.js")]]]),
  ...compilers.map((name) => {
    const { version } = require(`${name}/package.json`);
    const compiler = join(dirname(require.resolve(`${name}/package.json`)), "bin", "tsc");
    return [`tsc ${version}`, copy, [compiler, "-p", "tsconfig.typetests.json"]];
  }),
];

// Two at a time: each uses one core, and much of the memory of a small machine.
const waiting = [...checks];
let failed = 0;
async function work() {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    const [name, cwd, args] = check;
    const { code, said } = await run(cwd, args);
    if (code !== 0) failed++;
    process.stdout.write(said);
    console.log(`type tests by ${name}: ${code === 0 ? "passed" : "FAILED"}`);
  }
}

function run(cwd, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        said += text;
      });
    child.on("close", (code) => resolve({ code, said }));
  });
}

await Promise.all([work(), work()]);
rmSync(copy, { recursive: true });
process.exit(failed === 0 ? 0 : 1);
