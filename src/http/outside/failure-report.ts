/**
 * Where the error behind a 500 goes, which the client is told nothing of: to a function of the application, or to
 * stderr. What is written there is one entry that begins at the start of a line, whatever text the error holds.
 */
import { inspect } from "node:util";
import { familyOf } from "../../core/errors.js";
import { isolated } from "../../core/events.js";
import { HttpError } from "../contract/errors.js";
import type { RequestEvent } from "../contract/events.js";

/** Is given the error behind a 500, and the request. What it throws becomes a process warning. */
export type OnError = (error: Error, request: RequestEvent) => unknown;

/** What reports failures, and nothing for `false`. */
export function reporter(onError: false | OnError | undefined): OnError | undefined {
  if (onError === false) return undefined;
  if (onError === undefined) return writeEntry;
  return (error, request) => isolated("onError", () => onError(error, request));
}

function writeEntry(error: Error, { method, path }: RequestEvent): void {
  isolated("the report of a failure", () =>
    writeSafely(`${entryOf(`${method} ${path.slice(0, LONGEST_PATH)}`, error)}\n`),
  );
}

/** Entries under way. */
let pending = 0;

/** Where nobody reads stderr any more, an entry is lost, and not the process. */
function writeSafely(entry: string): void {
  const { stderr } = process;
  if (pending++ === 0) stderr.on("error", ignore);
  stderr.write(entry, () =>
    // The error is told after the end of the write.
    setImmediate(() => {
      if (--pending === 0) stderr.off("error", ignore);
    }),
  );
}

function ignore(): void {
  // There is nowhere left to tell it.
}

const LONGEST_PATH = 500;
const LONGEST_ENTRY = 16_000;
const MOST_CAUSES = 5;
/** What is no error is looked at without running anything of it. */
const INSPECTED = { depth: 1, customInspect: false } as const;

function entryOf(request: string, error: Error): string {
  const parts = [`${request}: ${described(error)}`];
  let inner: unknown = error;
  for (let depth = 0; depth < MOST_CAUSES && showsCause(inner); depth++) {
    inner = inner.cause;
    parts.push(`caused by ${inner instanceof Error ? described(inner) : inspect(inner, INSPECTED)}`);
  }
  const text = parts.join("\n");
  const cut = text.length > LONGEST_ENTRY ? `${text.slice(0, LONGEST_ENTRY)}…` : text;
  // A line that an error brings along is no entry of its own.
  return cut.replace(CONTROL, escaped).replace(/\n(?=\S)/g, "\n  ");
}

/** The driver's own error quotes values; what it says beyond them, ours says too. */
function showsCause(error: unknown): error is Error {
  if (!(error instanceof Error) || error.cause === undefined) return false;
  return familyOf(error) !== "sql" || ("code" in error && error.code === "CALLBACK_FAILED");
}

function described(error: Error): string {
  try {
    const { name, message, stack } = error;
    const undeclared =
      HttpError.is(error) && error.status !== 500 ? " (the handler does not declare it)" : "";
    // The stack begins with the message as it was when the error was made.
    const frames = /(?:\n\s+at .*)+$/.exec(String(stack))?.[0] ?? "";
    return `${name}: ${message}${undeclared}${frames}`;
  } catch {
    return "an error that cannot be read";
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are taken out.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
