/** What a transaction asks its connection for in whatever way it ends, and in what state it gives the connection back. */
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Driver, DriverConnection } from "../../../src/sql/contract/driver.js";
import { sqlite } from "../../../src/sql/dialect/sqlite/grammar.js";
import { makeDatabase } from "../../../src/sql/door/database.js";
import { QueryError } from "../../../src/sql/words/errors.js";
import { sqlErrorOf } from "../../kit/thrown.js";

type Call =
  | "begin"
  | "run"
  | "savepoint"
  | "release savepoint"
  | "rollback to savepoint"
  | "commit"
  | "rollback";
/** How a call fails: as a statement does, because its connection is lost, or never. */
type Way = "fails" | "is lost" | "hangs";
type Failing = { readonly [C in Call]?: Way };

const CODES = { fails: "QUERY_FAILED", "is lost": "CONNECTION_LOST" } as const;

/** A database whose calls fail that are named; it notes each call, and whether the connection comes back in doubt. */
function databaseOf(failing: Failing) {
  const calls: string[] = [];
  const call = async <T>(name: Call, result: T): Promise<T> => {
    calls.push(name);
    const way = failing[name];
    if (way === "hangs") return new Promise(() => undefined);
    if (way !== undefined) throw new QueryError(CODES[way], name);
    return result;
  };
  const connection: Partial<DriverConnection> = {
    begin: () => call("begin", undefined),
    run: () => call("run", { rows: [], affected: 0 }),
    control: (command) => call(command as Call, undefined),
    release: (inDoubt) => void calls.push(inDoubt ? "in doubt" : "clean"),
  };
  const driver: Partial<Driver> = {
    connect: async () => connection as DriverConnection,
    translate: () => new QueryError("QUERY_FAILED", "an error of the driver"),
  };
  return { db: makeDatabase("sqlite", sqlite, driver as Driver), calls };
}

const ran = ["begin", "run"];

describe("a transaction", () => {
  test.each<[string, Failing, readonly string[], string | undefined]>([
    ["that succeeds", {}, [...ran, "commit", "clean"], undefined],
    ["whose statement fails", { run: "fails" }, [...ran, "rollback", "clean"], "QUERY_FAILED"],
    ["whose statement is lost", { run: "is lost" }, [...ran, "in doubt"], "CONNECTION_LOST"],
    [
      "whose statement and rollback fail",
      { run: "fails", rollback: "fails" },
      [...ran, "rollback", "in doubt"],
      "QUERY_FAILED",
    ],
    [
      "whose statement fails and whose rollback is lost",
      { run: "fails", rollback: "is lost" },
      [...ran, "rollback", "in doubt"],
      "QUERY_FAILED",
    ],
    ["that cannot begin", { begin: "fails" }, ["begin", "in doubt"], "QUERY_FAILED"],
    ["whose beginning is lost", { begin: "is lost" }, ["begin", "in doubt"], "CONNECTION_LOST"],
    ["whose commit is refused", { commit: "fails" }, [...ran, "commit", "rollback", "clean"], "QUERY_FAILED"],
    [
      "whose commit is refused and whose rollback fails",
      { commit: "fails", rollback: "fails" },
      [...ran, "commit", "rollback", "in doubt"],
      "QUERY_FAILED",
    ],
    ["whose commit is lost", { commit: "is lost" }, [...ran, "commit", "in doubt"], "UNKNOWN_OUTCOME"],
  ])("%s", async (_, failing, expected, code) => {
    const { db, calls } = databaseOf(failing);
    const running = db.transaction((tx) => tx.sql("SELECT 1").exec());
    if (code === undefined) await running;
    else expect(await sqlErrorOf(running)).toMatchObject({ code });
    expect(calls).toEqual(expected);
  });

  test.each<[string, Failing, readonly string[]]>([
    ["succeeds", {}, ["savepoint", "run", "release savepoint", "commit", "clean"]],
    [
      "fails",
      { run: "fails" },
      ["savepoint", "run", "rollback to savepoint", "release savepoint", "commit", "clean"],
    ],
    ["cannot begin", { savepoint: "fails" }, ["savepoint", "commit", "clean"]],
    [
      "cannot be undone",
      { run: "fails", "rollback to savepoint": "fails" },
      ["savepoint", "run", "rollback to savepoint", "commit", "clean"],
    ],
    [
      "cannot be released",
      { "release savepoint": "fails" },
      ["savepoint", "run", "release savepoint", "commit", "clean"],
    ],
  ])("whose inner one %s", async (_, failing, expected) => {
    const { db, calls } = databaseOf(failing);
    await db.transaction(async (tx) => {
      await tx.transaction((inner) => inner.sql("SELECT 1").exec()).catch(() => undefined);
    });
    expect(calls).toEqual(["begin", ...expected]);
  });

  describe("that a signal ends", () => {
    afterEach(() => void vi.useRealTimers());

    test.each<[string, Failing, readonly string[], string]>([
      ["while its work hangs", {}, ["rollback", "clean"], "ABORTED"],
      ["and whose rollback hangs too", { rollback: "hangs" }, ["rollback", "in doubt"], "ABORTED"],
      ["and whose rollback fails", { rollback: "fails" }, ["rollback", "in doubt"], "ABORTED"],
      ["while its commit hangs", { commit: "hangs" }, ["commit", "in doubt"], "UNKNOWN_OUTCOME"],
    ])("%s", async (_, failing, expected, code) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const { db, calls } = databaseOf(failing);
      const abort = new AbortController();
      let ended: unknown;
      const work = () => (failing.commit === undefined ? new Promise(() => undefined) : Promise.resolve());
      db.transaction(work, { signal: abort.signal }).then(
        () => {
          ended = "it was stored";
        },
        (error: unknown) => {
          ended = error;
        },
      );
      await vi.advanceTimersByTimeAsync(1);
      abort.abort();
      // A server has a second to answer.
      await vi.advanceTimersByTimeAsync(1_000);
      expect(ended).toMatchObject({ code });
      expect(calls).toEqual(["begin", ...expected]);
    });
  });
});
