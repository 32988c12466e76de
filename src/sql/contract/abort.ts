/** What calls and drivers do where an `AbortSignal` ends something. */
import { QueryError } from "../words/errors.js";

/** How long a server has to give up a statement; then its connection is given up instead. */
const PATIENCE_MS = 1_000;

/** The error of a call that its signal has ended. */
export function aborted(signal: AbortSignal): QueryError {
  return new QueryError("ABORTED", "the call was aborted", { cause: signal.reason });
}

/** Throws `ABORTED` where the signal says so. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw aborted(signal);
}

/**
 * Waits for something no longer than the signal lets it.
 * @param abandon called once where the signal came first; what was waited for may still come.
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

/** Waits for a connection; one that comes after the signal is given back. */
export function acquired<C>(
  connecting: Promise<C>,
  signal: AbortSignal | undefined,
  giveBack: (connection: C) => unknown,
): Promise<C> {
  return orAborted(connecting, signal, () => {
    connecting.then(giveBack, ignore);
  });
}

/** What comes of something in the time that an aborted call still takes, or else `otherwise`. */
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

/** How a statement that is under way is ended. */
export interface Interruption {
  /** Asks the server to give the statement up, and resolves when it has heard; false where it cannot be asked. */
  readonly ask: () => Promise<boolean>;
  /** Whether an error is what such a statement fails with. */
  readonly isAnswer: (error: unknown) => boolean;
  /** Called where no answer comes: the connection is of no use any more. */
  readonly giveUp: () => void;
}

/**
 * Waits for an answer, or until the server has given up the statement because the signal says so. What it has done
 * before it heard of that is done, and told.
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
      // A question that is still under way would be about the next statement.
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

function ignore(): void {
  // The one who asked has been answered.
}
