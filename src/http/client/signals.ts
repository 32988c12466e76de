/** The ends that a caller sets: a signal, a limit of time, and waits that these end. */
import { ClientError } from "./client-error.js";

/** The limits of time, by the signal of their call. */
const limits = new WeakMap<AbortSignal, AbortSignal>();

// Timers of browsers and of Node hold no more.
const LONGEST_MS = 2 ** 31 - 1;

/** The signal of a call that ends with its caller's signal, or after a time. */
export function withLimit(
  signal: AbortSignal | undefined,
  timeoutMs: number | undefined,
): AbortSignal | undefined {
  if (timeoutMs === undefined) return signal;
  const limit = AbortSignal.timeout(Math.min(Math.ceil(timeoutMs), LONGEST_MS));
  const both = AbortSignal.any(signal ? [signal, limit] : [limit]);
  limits.set(both, limit);
  return both;
}

/** The error for a failed, aborted or late connection. */
export function lost(given: unknown, signal: AbortSignal | undefined): ClientError {
  const reason: unknown = signal?.reason;
  const cause = given ?? reason;
  if (signal?.aborted !== true)
    return new ClientError("NETWORK", "the server cannot be reached, or the connection broke", { cause });
  const limit = limits.get(signal);
  return limit?.aborted === true && limit.reason === reason
    ? new ClientError("TIMEOUT", "the call took longer than its timeoutMs", { cause })
    : new ClientError("ABORTED", "the call was aborted", { cause });
}

/** @throws ClientError when the signal aborts first */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) reject(lost(undefined, signal));
      else resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end);
  });
}
