import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  asIdle,
  expectBelow,
  expectCost,
  expectMoment,
  expectSoon,
  idleClock,
  idleCost,
  stopwatch,
} from "./stopwatch.js";

/** Keeps the processor busy. */
function burn(ms: number): string {
  const elapsed = stopwatch();
  while (elapsed() < ms);
  return "burnt";
}

/** A function of which only the call of this number is fast. */
function slowBut(call: number, slow: () => unknown): () => unknown {
  let calls = 0;
  return () => (++calls === call ? undefined : slow());
}

describe("work that is measured again", () => {
  test("passes with its first fast measurement, and gives what the work gave", async () => {
    let runs = 0;
    expect(await expectCost(2, () => burn(++runs === 3 ? 0 : 60))).toBe("burnt");
    expect(runs).toBe(3);
    const measured = [9, 8, 2, 7];
    await expectBelow(3, () => measured.shift() ?? 0);
    expect(measured).toEqual([7]);
    const waits = slowBut(2, () => setTimeout(60));
    await expectSoon(50, async () => waits());
    await expectMoment(
      slowBut(4, () => burn(60)),
      () => burn(1),
      { moment: 50 },
    );
  });

  test("that always takes too long fails, with all measurements", async () => {
    await expect(expectCost(0.1, () => burn(20), "this")).rejects.toThrow(
      /^this: measured (\d+\.\d\d(, )?){5}:/,
    );
    await expect(expectCost(0.1, async () => burn(20))).rejects.toThrow("to be less than 0.1");
    await expect(expectSoon(0.1, () => setTimeout(60))).rejects.toThrow("to be less than 0.1");
    await expect(expectBelow(3, () => 3, { attempts: 2 })).rejects.toThrow(/^measured 3.00, 3.00:/);
    await expect(expectBelow(3, () => Number.NaN)).rejects.toThrow("to be less than 3");
  });

  test("may take three times as long as other work that is slow, and no longer", async () => {
    await expectMoment(
      () => burn(20),
      () => burn(20),
      { moment: 10 },
    );
    const tooLong = expectMoment(
      () => burn(100),
      () => burn(5),
      { moment: 10 },
    );
    await expect(tooLong).rejects.toThrow("to be less than 10");
  });

  test("may take longer where known work takes longer, and is never allowed less", async () => {
    expect(asIdle(90, 12, 4)).toBe(30);
    expect(asIdle(90, 3, 4)).toBe(90);
    expect(idleCost(90)).toBeGreaterThan(0);
    expect(idleCost(90)).toBeLessThanOrEqual(90);
    expect(await idleClock(90)).toBeGreaterThan(0);
    expect(await idleClock(90)).toBeLessThanOrEqual(90);
  });

  test("that fails is a failure at once", async () => {
    let runs = 0;
    const failing = expectCost(10, () => {
      runs++;
      throw new RangeError("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(runs).toBe(1);
  });
});
