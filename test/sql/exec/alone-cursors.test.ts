/** A cursor of its own connection: what the connection is asked for in whatever way its reading ends. */
import { describe, expect, test } from "vitest";
import type { Driver, DriverConnection, DriverRequest } from "../../../src/sql/contract/driver.js";
import { openAlone } from "../../../src/sql/exec/cursor.js";

type Call = "begin" | "open" | "next" | "close" | "commit" | "rollback" | "release";

// Nothing looks into what is sent.
const request = { sql: "SELECT 1" } as unknown as DriverRequest;
class Failure extends Error {}

/** What becomes of a connection, by whether it is in doubt. */
const ends = new Map([
  [false, "release"],
  [true, "destroy"],
]);

/** A driver whose pages have so many rows, and whose calls fail that are named; it notes each call. */
function driverOf(pages: readonly number[], failing: readonly Call[] = []) {
  const calls: unknown[] = [];
  const rest = [...pages];
  const call = async <T>(name: Call, result: T, noted: unknown = name): Promise<T> => {
    calls.push(noted);
    if (failing.includes(name)) throw new Failure(name);
    return result;
  };
  const cursor = {
    next: () =>
      call(
        "next",
        Array.from({ length: rest.shift() ?? 0 }, () => [1]),
      ),
    close: () => call("close", undefined),
  };
  const connection: Partial<DriverConnection> = {
    begin: (isolation) => call("begin", undefined, isolation === undefined ? "begin" : ["begin", isolation]),
    open: () => call("open", cursor),
    control: (command) => call(command as Call, undefined),
    release: (inDoubt) => call("release", undefined, ends.get(inDoubt) ?? "neither"),
  };
  const driver: Partial<Driver> = { connect: async () => connection as DriverConnection };
  return { driver: driver as Driver, calls };
}

type Step = "next" | "close";

describe("a cursor outside transactions", () => {
  test.each<[string, readonly number[], readonly Call[], readonly Step[], readonly unknown[]]>([
    [
      "is read to the end",
      [2, 1],
      [],
      ["next", "next", "next"],
      ["next", "next", "next", "commit", "release"],
    ],
    ["has no rows", [], [], ["next"], ["next", "commit", "release"]],
    ["is closed at its end", [1], [], ["next", "next", "close"], ["next", "next", "commit", "release"]],
    ["is closed before its end", [2, 2], [], ["next", "close"], ["next", "close", "rollback", "release"]],
    ["is closed at once", [1], [], ["close"], ["close", "rollback", "release"]],
    ["is closed twice", [1], [], ["close", "close"], ["close", "rollback", "release"]],
    ["fails", [1], ["next"], ["next", "close"], ["next", "rollback", "release"]],
    ["cannot be closed", [1], ["close"], ["next", "close"], ["next", "close", "rollback", "release"]],
    ["is not committed", [], ["commit"], ["next"], ["next", "commit", "destroy"]],
    ["is not rolled back", [1], ["rollback"], ["next", "close"], ["next", "close", "rollback", "destroy"]],
  ])("that %s gives its connection back once", async (_, pages, failing, steps, asked) => {
    const { driver, calls } = driverOf(pages, failing);
    const cursor = await openAlone(driver, request, undefined);
    const fails = failing.includes("next") || failing.includes("close");
    const outcomes: unknown[] = [];
    for (const step of steps) outcomes.push(await cursor[step]().catch((error: unknown) => error));
    expect(outcomes.filter((outcome) => outcome instanceof Failure)).toHaveLength(fails ? 1 : 0);
    expect(calls).toEqual(["begin", "open", ...asked]);
    const read = outcomes.filter(Array.isArray).map(({ length }) => length);
    expect(read).toEqual([...pages, 0].slice(0, read.length));
  });

  test.each<[Call, readonly unknown[]]>([
    ["begin", ["begin", "rollback", "release"]],
    ["open", ["begin", "open", "rollback", "release"]],
  ])("whose %s fails is none, and its connection goes back", async (failing, asked) => {
    const { driver, calls } = driverOf([1], [failing]);
    await expect(openAlone(driver, request, undefined)).rejects.toThrow(Failure);
    expect(calls).toEqual(asked);
  });

  test("is the driver's own where it opens some", async () => {
    const { driver, calls } = driverOf([1]);
    const own = { next: async () => [], close: async () => undefined };
    const signal = new AbortController().signal;
    const given: unknown[] = [];
    const open: Driver["open"] = async (...args) => {
      given.push(...args);
      return own;
    };
    expect(await openAlone({ ...driver, open }, request, signal)).toBe(own);
    expect(given).toEqual([request, signal]);
    expect(calls).toEqual([]);
  });
});
