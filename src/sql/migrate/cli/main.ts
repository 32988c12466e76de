/** The program `rowtype`: the build adds the line before this one that makes it executable. */
import { runCli } from "./run-cli.js";

process.exitCode = await runCli(process.argv.slice(2), {
  cwd: process.cwd(),
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
});
// A pool that the configuration does not close would keep the process running.
setTimeout(() => process.exit(), 1_000).unref();
