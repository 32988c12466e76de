import { expect } from "vitest";

/**
 * Starts to measure; the function that it gives tells how many milliseconds of work have gone by since. That is
 * the processor's time where the clock says more, so that a machine busy with other things fails no test.
 */
export function stopwatch(): () => number {
  const clock = performance.now();
  const cpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return Math.min(performance.now() - clock, (user + system) / 1000);
  };
}

/**
 * Expects that work took no more than 300 ms; on a busy machine, no more than three times what other work takes there,
 * of which it is known that it takes long.
 */
export function expectMoment(took: number, other: () => unknown, what?: string): void {
  if (took < 300) return;
  const elapsed = stopwatch();
  other();
  expect(took, what).toBeLessThan(3 * elapsed());
}
