// The type tests: by tsd on the built package, and by plain tsc of every TypeScript that rowtype supports.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const require = createRequire(import.meta.url);

const compilers = ["typescript59", "typescript", "typescript7"];
const checks = [
  ["tsd", [join(root, "node_modules", "tsd", "dist", "cli.js")]],
  ...compilers.map((name) => {
    const { version } = require(`${name}/package.json`);
    const compiler = join(dirname(require.resolve(`${name}/package.json`)), "bin", "tsc");
    return [`tsc ${version}`, [compiler, "-p", join(root, "tsconfig.typetests.json")]];
  }),
];

let failed = 0;
for (const [name, args] of checks) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) failed++;
  console.log(`type tests by ${name}: ${status === 0 ? "passed" : "FAILED"}`);
}
process.exit(failed === 0 ? 0 : 1);
