/**
 * Bounds of time and of size that no busy machine and no cold process fails: such a machine makes a measurement worse,
 * never better. So what can be done again is measured until one measurement holds the bound, and milliseconds are those
 * of an idle machine: a measurement above the bound is divided by how much slower known work is in the same moment.
 * What cannot be done again has `HANG_MS`.
 */
import { setTimeout } from "node:timers/promises";
import { expect } from "vitest";

/**
 * For what cannot be measured again, in milliseconds: only what hangs, or waits for a limit that does not belong
 * there, takes as long.
 */
export const HANG_MS = 30_000;

const ATTEMPTS = 5;

/**
 * Starts to measure; the function that it gives tells how many milliseconds of work have gone by since. That is
 * the processor's time where the clock says more, so that other processes do not count.
 */
export function stopwatch(): () => number {
  const clock = performance.now();
  const cpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return Math.min(performance.now() - clock, (user + system) / 1000);
  };
}

/** What `turns` of known work take on an idle machine on which the bounds hold, in milliseconds. */
const IDLE_MS = { cost: 4, clock: 20 } as const;

const KNOWN = JSON.stringify(Array.from({ length: 400 }, (_, id) => ({ id, name: `n${id}`, list: [id] })));

/** Milliseconds as an idle machine would have taken them: `known` is what known work takes now, and takes there. */
export function asIdle(ms: number, known: number, idle: number): number {
  return ms / Math.max(1, known / idle);
}

/** Milliseconds of work, as an idle machine would have taken them. */
export function idleCost(ms: number): number {
  const elapsed = stopwatch();
  for (let turn = 0; turn < 20; turn++) JSON.stringify(JSON.parse(KNOWN));
  return asIdle(ms, elapsed(), IDLE_MS.cost);
}

/** Milliseconds of the clock, in which one may have waited for a turn, as an idle machine would have taken them. */
export async function idleClock(ms: number): Promise<number> {
  const started = performance.now();
  for (let turn = 0; turn < 10; turn++) {
    JSON.stringify(JSON.parse(KNOWN));
    await setTimeout(1);
  }
  return asIdle(ms, performance.now() - started, IDLE_MS.clock);
}

/**
 * Measures until a measurement is below `bound`, up to `attempts` times, and fails where none is. `measure` does the
 * same work each time: none that only the first call does.
 */
export async function expectBelow(
  bound: number,
  measure: () => number | Promise<number>,
  { what, attempts = ATTEMPTS }: { readonly what?: string; readonly attempts?: number } = {},
): Promise<void> {
  const seen: number[] = [];
  while (seen.length < attempts && !seen.some((one) => one < bound)) seen.push(await measure());
  const all = seen.map((one) => one.toFixed(2)).join(", ");
  expect(Math.min(...seen), `${what === undefined ? "" : `${what}: `}measured ${all}`).toBeLessThan(bound);
}

/** Expects that some work costs less than `ms`, as `stopwatch` measures it. Gives what the last of it gave. */
export async function expectCost<T>(ms: number, work: () => T | Promise<T>, what?: string): Promise<T> {
  let result: T | undefined;
  const measure = async () => {
    const elapsed = stopwatch();
    result = await work();
    const took = elapsed();
    return took < ms ? took : idleCost(took);
  };
  await expectBelow(ms, measure, what === undefined ? {} : { what });
  // It has run at least once.
  return result as T;
}

/** Expects that what waits for something is over in less than `ms` of the clock. */
export async function expectSoon(
  ms: number,
  wait: () => Promise<unknown>,
  options?: Parameters<typeof expectBelow>[2],
): Promise<void> {
  const measure = async () => {
    const started = performance.now();
    await wait();
    const took = performance.now() - started;
    return took < ms ? took : await idleClock(took);
  };
  await expectBelow(ms, measure, options);
}

/**
 * Expects that some work costs no more than 300 ms; on a slow machine, no more than three times what other work costs
 * there, of which it is known that it takes long. Gives what the last of it gave.
 */
export async function expectMoment<T>(
  work: () => T | Promise<T>,
  other: () => unknown,
  { moment = 300, what }: { readonly moment?: number; readonly what?: string } = {},
): Promise<T> {
  let result: T | undefined;
  const measure = async () => {
    const elapsed = stopwatch();
    result = await work();
    const took = elapsed();
    if (took < moment) return took;
    const compared = stopwatch();
    await other();
    return (took / (3 * compared())) * moment;
  };
  await expectBelow(moment, measure, what === undefined ? {} : { what });
  // It has run at least once.
  return result as T;
}
