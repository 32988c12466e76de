/**
 * Reports the error of a 500, which the client never sees, to a function of the application or to stderr. On stderr it
 * is one entry: only its first line is not indented, whatever text the error contains.
 */

import { inspect } from "node:util";
import { familyOf, visible } from "../../core/errors.js";
import { isolated } from "../../core/events.js";
import { ignore } from "../../core/values.js";
import { HttpError } from "../contract/errors.js";
import type { RequestEvent } from "../contract/events.js";

/** Receives the error of a 500, and the request. If it throws, a process warning is emitted. */
export type OnError = (error: Error, request: RequestEvent) => unknown;

/** The function that reports failures; `undefined` for `false`. */
export function reporter(onError: false | OnError | undefined): OnError | undefined {
  if (onError === false) return undefined;
  if (onError === undefined) return writeEntry;
  return (error, request) => isolated("onError", () => onError(error, request));
}

/** A kind of failure that any client can cause is reported once in this time. */
const SELDOM_MS = 60_000;

/**
 * Reports at most one error of each class per minute. This is for failures that a client can cause, who could otherwise
 * fill the log.
 */
export function seldom(report: OnError): OnError {
  const reportedAt = new WeakMap<object, number>();
  return (error, request) => {
    // Every error has a prototype, which identifies its class.
    const kind: object = Object.getPrototypeOf(error) ?? Error.prototype;
    const last = reportedAt.get(kind);
    const now = performance.now();
    if (last !== undefined && now - last < SELDOM_MS) return;
    reportedAt.set(kind, now);
    report(error, request);
  };
}

function writeEntry(error: Error, { method, path }: RequestEvent): void {
  isolated("the report of a failure", () =>
    writeSafely(`${entryOf(`${method} ${path.slice(0, LONGEST_PATH)}`, error)}\n`),
  );
}

/** The number of unfinished entries. */
let pending = 0;

/** If stderr is closed, the entry is lost and the process continues. */
function writeSafely(entry: string): void {
  const { stderr } = process;
  if (pending++ === 0) stderr.on("error", ignore);
  stderr.write(entry, () =>
    // Node emits the error after the callback of the write.
    setImmediate(() => {
      if (--pending === 0) stderr.off("error", ignore);
    }),
  );
}

const LONGEST_PATH = 500;
const LONGEST_ENTRY = 16_000;
const MOST_CAUSES = 5;
/** A cause that is not an error is shown without running its code. */
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
  // A line break in an error must not begin another entry.
  return cut.replace(/[^\n\t]+/g, visible).replace(/\n(?=\S)/g, "\n  ");
}

/** A driver's error quotes values, and our error has the rest of its message: it is not shown. */
function showsCause(error: unknown): error is Error {
  if (!(error instanceof Error) || error.cause === undefined) return false;
  return familyOf(error) !== "sql" || ("code" in error && error.code === "CALLBACK_FAILED");
}

function described(error: Error): string {
  try {
    const { name, message, stack } = error;
    const undeclared =
      HttpError.is(error) && error.status !== 500 ? " (the handler does not declare it)" : "";
    // The stack begins with the message from the time when the error was made.
    const frames = /(?:\n\s+at .*)+$/.exec(String(stack))?.[0] ?? "";
    return `${name}: ${message}${undeclared}${frames}`;
  } catch {
    return "an error that cannot be read";
  }
}
