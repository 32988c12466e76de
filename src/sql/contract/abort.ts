/** How calls and drivers handle an `AbortSignal`. */
import { describeType } from "../../core/errors.js";
import { ignore } from "../../core/values.js";
import { ParameterError, QueryError } from "../words/errors.js";

/** The time that a server has to cancel a statement, in milliseconds; after it the connection is closed. */
const PATIENCE_MS = 1_000;

/** The error of a call that its signal has aborted. */
export function aborted(signal: AbortSignal): QueryError {
  return new QueryError("ABORTED", "the call was aborted", { cause: signal.reason });
}

/**
 * Throws `ABORTED` if the signal is aborted.
 * @throws {ParameterError} `PARAM_TYPE` for a value that is not a signal: a later listener would fail when a connection
 * is already held.
 */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  if (typeof signal?.aborted !== "boolean" || typeof signal.addEventListener !== "function")
    throw new ParameterError(
      "PARAM_TYPE",
      "signal",
      "",
      `signal is an AbortSignal, not ${describeType(signal)}`,
    );
  if (signal.aborted) throw aborted(signal);
}

/**
 * Waits for a promise until the signal aborts.
 * @param abandon called once if the signal aborts first; the promise may still settle later.
 * @throws {QueryError} `ABORTED`
 */
export function orAborted<T>(
  running: Promise<T>,
  signal: AbortSignal | undefined,
  abandon: () => void,
): Promise<T> {
  if (signal === undefined) return running;
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(aborted(signal));
      abandon();
    };
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    running.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Waits for a connection; a connection that arrives after the abort is returned. */
export function acquired<C>(
  connecting: Promise<C>,
  signal: AbortSignal | undefined,
  giveBack: (connection: C) => unknown,
): Promise<C> {
  return orAborted(connecting, signal, () => {
    connecting.then(giveBack, ignore);
  });
}

/** The result of a promise within the time that an aborted call may still take, or else `otherwise`. */
export async function inPatience<T>(running: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, otherwise);
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** How a running statement is interrupted. */
interface Interruption {
  /**
   * Asks the server to cancel the statement; resolves when the server has received the request, with false if it
   * cannot be sent.
   */
  readonly ask: () => Promise<boolean>;
  /** Whether an error is the one that a cancelled statement fails with. */
  readonly isAnswer: (error: unknown) => boolean;
  /** Called if no answer arrives: the connection is not usable any more. */
  readonly giveUp: () => void;
}

/**
 * Waits for an answer, or until the server has cancelled the statement because the signal aborted. A statement
 * that finished before returns its result.
 * @throws {QueryError} `ABORTED`
 */
export function orInterrupted<T>(
  running: Promise<T>,
  signal: AbortSignal,
  { ask, isAnswer, giveUp }: Interruption,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let asking: Promise<boolean> | undefined;
    let timer: NodeJS.Timeout | undefined;
    const abandon = () => {
      giveUp();
      reject(aborted(signal));
    };
    const abort = () => {
      timer = setTimeout(abandon, PATIENCE_MS);
      asking = ask();
      void asking.then((isAsked) => isAsked || abandon());
    };
    const settle = async (tell: () => void) => {
      signal.removeEventListener("abort", abort);
      // A cancel request that is still under way could hit the next statement.
      await asking;
      clearTimeout(timer);
      tell();
    };
    signal.addEventListener("abort", abort, { once: true });
    running.then(
      (result) => settle(() => resolve(result)),
      (error) => settle(() => reject(asking !== undefined && isAnswer(error) ? aborted(signal) : error)),
    );
  });
}
