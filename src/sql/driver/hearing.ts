/** Waits for a driver, which ends a call when its signal fires; one that does not is not waited for longer. */
import { orInterrupted } from "../contract/abort.js";

/**
 * The answer of a driver.
 * @param isAborted whether an error is that of a call whose signal has fired
 * @param giveUp is called when the driver has not ended the call in time
 */
export function hearing<T>(
  running: Promise<T>,
  signal: AbortSignal | undefined,
  isAborted: (error: unknown) => boolean,
  giveUp: () => void,
): Promise<T> {
  if (signal === undefined) return running;
  // The driver has the signal: nothing needs to be asked.
  return orInterrupted(running, signal, { ask: async () => true, isAnswer: isAborted, giveUp });
}
