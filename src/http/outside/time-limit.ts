/**
 * Time limits for providers, stores and the application's own functions. After a pause of the process or its machine,
 * timers run before the data that arrived during the pause is read. The limit then starts once more: an answer that has
 * already arrived does not count as late.
 */

/** Something did not answer within its time limit. */
export class TimeLimitError extends Error {
  override get name(): string {
    return "TimeLimitError";
  }
}

/** A timer that is this late shows that the process was paused. */
const LATE_MS = 100;

/**
 * The result of `ask` within `ms` milliseconds and before `gone` aborts. The signal of `ask` aborts with either; the
 * promise rejects then, even if `ask` ignores its signal.
 * @throws the error of `ask`, the reason of `gone`, and a TimeLimitError
 */
export async function within<T>(
  ms: number,
  what: string,
  ask: (signal: AbortSignal) => PromiseLike<T> | T,
  gone?: AbortSignal,
): Promise<T> {
  const limited = new AbortController();
  const { signal } = limited;
  const leave = () => limited.abort(gone?.reason);
  if (gone?.aborted) leave();
  gone?.addEventListener("abort", leave, { once: true });
  const limit = timeLimit(ms, () => limited.abort(new TimeLimitError(`${what} did not answer in ${ms} ms`)));
  try {
    return await Promise.race([ask(signal), rejectOn(signal)]);
  } finally {
    limit.stop();
    gone?.removeEventListener("abort", leave);
  }
}

/** Calls `over` after `ms` milliseconds. If the process was paused, it waits at most `ms` more. */
function timeLimit(ms: number, over: () => void): { stop(): void } {
  const due = performance.now() + ms;
  let timer = setTimeout(() => {
    const late = performance.now() - due;
    if (late < LATE_MS) over();
    else timer = setTimeout(over, Math.min(late, ms));
  }, ms);
  return { stop: () => clearTimeout(timer) };
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
