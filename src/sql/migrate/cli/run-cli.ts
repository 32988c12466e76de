/** Runs one command and returns its exit code. Everything that a command needs from outside is passed to it. */
import { readFile } from "node:fs/promises";
import { visible } from "../../../core/errors.js";
import { packageFile } from "../../../core/package-file.js";
import { isSqlError } from "../../words/errors.js";
import { DriftError, MigrationError } from "../words/errors.js";
import type { Answer } from "./answer.js";
import { readArguments, USAGE } from "./arguments.js";
import { commands } from "./commands.js";

/** Where a command runs, and where its output goes. */
interface Terminal {
  readonly cwd: string;
  out(text: string): void;
  error(text: string): void;
}

/** Nothing is left to do. */
const DONE = 0;
/** Differences, pending files, a refusal: a person must look at them. */
const OPEN = 1;
/** An error. */
const FAILED = 2;

const FOR_PEOPLE: ReadonlySet<string> = new Set([
  "MIGRATION_CHANGED",
  "MIGRATION_MISSING",
  "MIGRATION_REFUSED",
  "MIGRATION_LOCKED",
  "DRIFT",
]);

/** Runs a command; never throws, and never asks. */
export async function runCli(argv: readonly string[], terminal: Terminal): Promise<number> {
  // Known before the arguments are read, so that a mistake in them is JSON too.
  const isJson = argv.includes("--json");
  try {
    const { command, values, rest } = readArguments(argv);
    if (command === "help") terminal.out(USAGE);
    if (command === "version") terminal.out(`${await version()}\n`);
    if (command === "help" || command === "version") return DONE;
    const answer: Answer = await commands[command]({ values, rest, cwd: terminal.cwd });
    terminal.out(isJson ? `${JSON.stringify(answer.json, null, 2)}\n` : answer.text);
    return answer.isOpen ? OPEN : DONE;
  } catch (error) {
    const { code, message, facts } = described(error);
    if (isJson) terminal.out(`${JSON.stringify({ error: { code, message, ...facts } }, null, 2)}\n`);
    else {
      terminal.error(`${code}: ${message}\n`);
      if (error instanceof DriftError) terminal.out(error.text);
    }
    return FOR_PEOPLE.has(code) ? OPEN : FAILED;
  }
}

function described(error: unknown) {
  const facts =
    error instanceof MigrationError
      ? { file: error.file, step: error.step }
      : error instanceof DriftError
        ? { text: error.text }
        : {};
  if (isSqlError(error)) return { code: error.code, message: error.message, facts };
  const message = error instanceof Error ? error.message : String(error);
  return { code: "ERROR", message: visible(message), facts };
}

async function version(): Promise<string> {
  const manifest = await readFile(packageFile("package.json"), "utf8");
  return String(JSON.parse(manifest).version);
}
