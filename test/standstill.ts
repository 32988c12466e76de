/** Waits that no clock ends too early, however busy the machine is. */
import { setImmediate, setTimeout } from "node:timers/promises";
import { expect } from "vitest";
import { HANG_MS } from "./stopwatch.js";

/** Waits a moment, and then until this process has taken what had come in: a late timer goes before it. */
export async function settle(ms = 30): Promise<void> {
  await setTimeout(ms);
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}

/** Expects that a number that grows comes to a standstill, and gives the last one. */
export async function expectStandstill(look: () => number): Promise<number> {
  let since = performance.now();
  let last = look();
  for (const begun = since; performance.now() - since < 300; ) {
    await settle(20);
    const now = look();
    if (now !== last) since = performance.now();
    last = now;
    expect(performance.now() - begun, "it never stands still").toBeLessThan(HANG_MS);
  }
  return last;
}
