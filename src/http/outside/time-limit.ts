/**
 * How long others may take: providers, stores, the application's own functions. A process that stands still (it was
 * paused, or its machine was) finds its timers over before it reads what has come meanwhile. Such a limit is given
 * once more, so that an answer that is there is not called too late.
 */

/** So late a timer is only where the process stood still. */
const LATE_MS = 100;

/**
 * What `ask` gives, waited for no longer than so many milliseconds and no longer than until `gone` aborts. Its
 * signal aborts with either; who does not listen to it is not waited for all the same.
 * @throws what it throws, and the reason of the signal
 */
export async function within<T>(
  ms: number,
  what: string,
  ask: (signal: AbortSignal) => PromiseLike<T> | T,
  gone?: AbortSignal,
): Promise<T> {
  const patience = new AbortController();
  const { signal } = patience;
  const leave = () => patience.abort(gone?.reason);
  if (gone?.aborted) leave();
  gone?.addEventListener("abort", leave, { once: true });
  const limit = timeLimit(ms, () => patience.abort(new Error(`${what} did not answer in ${ms} ms`)));
  try {
    return await Promise.race([ask(signal), rejectOn(signal)]);
  } finally {
    limit.stop();
    gone?.removeEventListener("abort", leave);
  }
}

/** Calls `over` after so many milliseconds; where the process stood still, after at most as many again. */
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
