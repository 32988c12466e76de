/** What calls and drivers do where an `AbortSignal` ends something. */
import { QueryError } from "../errors.js";

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

function ignore(): void {
  // The one who asked has been answered.
}
