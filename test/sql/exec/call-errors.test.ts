/** What happens after an error: work that is repeated, promises that are awaited, and the parameter that the error is about. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { column, table } from "../../../src/index.js";
import type { RefusedValue } from "../../../src/sql/contract/driver.js";
import { Underway } from "../../../src/sql/contract/underway.js";
import { sqlite } from "../../../src/sql/dialect/sqlite/grammar.js";
import type { Request } from "../../../src/sql/exec/prepared.js";
import { aboutParameter } from "../../../src/sql/exec/refused-value.js";
import { repeated } from "../../../src/sql/exec/repeat.js";
import type { Session } from "../../../src/sql/exec/session.js";
import type { ListPiece, Piece } from "../../../src/sql/render/plan.js";
import { QueryError, type SqlErrorCode } from "../../../src/sql/words/errors.js";
import { sqlErrorOf } from "../../kit/thrown.js";

const Item = table(
  "items",
  z.object({ id: column(z.int(), { primaryKey: true }), word: column(z.string(), { name: "a_word" }) }),
);

describe("work that is repeated", () => {
  const after = new Set<SqlErrorCode>(["SERIALIZATION_FAILURE", "DEADLOCK"]);
  const conflict = () => new QueryError("DEADLOCK", "again");
  const failing = (times: number, error: () => Error) => {
    let ran = 0;
    const work = () => {
      if (ran++ < times) throw error();
      return ran;
    };
    return { work, ran: () => ran };
  };

  test("runs again after these errors alone, as often as it may", async () => {
    for (const retries of [0, 1, 3]) {
      const { work } = failing(retries, conflict);
      expect(await repeated(work, { retries, after, signal: undefined })).toBe(retries + 1);
      const more = failing(retries + 1, conflict);
      const error = await sqlErrorOf(repeated(more.work, { retries, after, signal: undefined }));
      expect([error.code, more.ran()]).toEqual(["DEADLOCK", retries + 1]);
    }
    for (const error of [
      new QueryError("QUERY_FAILED", "x"),
      new RangeError("x"),
      Object.assign(new Error("x"), { code: "DEADLOCK" }),
    ]) {
      const once = failing(1, () => error);
      await expect(repeated(once.work, { retries: 3, after, signal: undefined })).rejects.toBe(error);
      expect(once.ran()).toBe(1);
    }
  });

  test("ends in a pause when the signal aborts, and goes on with a signal that does not", async () => {
    const controller = new AbortController();
    const { work, ran } = failing(9, conflict);
    const calls = repeated(
      () => {
        controller.abort();
        return work();
      },
      {
        retries: 9,
        after,
        signal: controller.signal,
      },
    );
    expect((await sqlErrorOf(calls)).code).toBe("ABORTED");
    expect(ran()).toBe(1);
    const { signal } = new AbortController();
    expect(await repeated(failing(2, conflict).work, { retries: 2, after, signal })).toBe(3);
  });
});

test("promises under way are awaited until all have settled, whatever they settle to", async () => {
  const underway = new Underway();
  expect(underway.isNone).toBe(true);
  await underway.none();
  const ends: { resolve(): void; reject(): void }[] = [];
  const open = () => new Promise<void>((resolve, reject) => ends.push({ resolve, reject }));
  const [followed, failed] = [underway.follow(open()), underway.follow(open())];
  let done = 0;
  const waits = [underway.none(), underway.none()].map((wait) => wait.then(() => void done++));
  ends[0]?.resolve();
  await followed;
  expect([underway.isNone, done]).toEqual([false, 0]);
  ends[1]?.reject();
  await expect(failed).rejects.toBeUndefined();
  await Promise.all(waits);
  expect([underway.isNone, done]).toEqual([true, 2]);
  // And again.
  underway.follow(open());
  const again = underway.none();
  ends[2]?.resolve();
  await again;
  expect(underway.isNone).toBe(true);
});

describe("an error about a value", () => {
  type Given = {
    readonly name: string;
    readonly sets?: string;
    readonly index?: number;
    readonly row?: number;
  };
  const about = (
    refused: RefusedValue | undefined,
    given: readonly (Given | undefined)[],
    values: readonly unknown[],
    calculated?: readonly string[],
  ) => {
    const request = {
      prepared: { table: Item, calculated, givenAt: (place: number) => given[place] },
      values,
    } as unknown as Request;
    const session = {
      driver: { refusedValue: () => refused },
      grammar: sqlite,
    } as unknown as Session;
    const error = aboutParameter(
      new Error("x"),
      new QueryError("QUERY_FAILED", "it failed (22003)"),
      request,
      session,
    );
    if (error !== undefined) expect(error.cause).toMatchObject({ message: "x" });
    return error && [error.code, error.param, error.index, error.message];
  };
  const of = (name: string, index?: number) => [
    "PARAM_TYPE",
    name,
    index,
    name === ""
      ? "a value does not fit its column (22003)"
      : `${index === undefined ? "" : `record ${index}: `}parameter "${name}" has a value that the database does not take (22003)`,
  ];
  const a = { name: "a", sets: "word" };
  const b = { name: "b", sets: "id" };

  test("is about the parameter of its place, which is another where lists are written out", () => {
    const among: ListPiece = {
      left: [],
      slot: 1,
      name: "list",
      storage: undefined,
      template: undefined,
      between: "x IN (",
      close: ")",
      form: { empty: "1 = 0", most: 9, joint: " OR " },
      within: undefined,
    };
    const pieces: readonly Piece[] = ["a = ", 0, " AND ", among, " AND b = ", 2];
    const given = [{ name: "a" }, undefined, { name: "b" }];
    const at = (place: number) => {
      const prepared = { table: Item, pieces, givenAt: (slot: number) => given[slot] };
      const request = { prepared, values: ["x", [7, 8], "y"] } as unknown as Request;
      const session = { driver: { refusedValue: () => ({ place }) }, grammar: sqlite } as unknown as Session;
      return aboutParameter(new Error("x"), new QueryError("QUERY_FAILED", "x"), request, session)?.param;
    };
    expect([0, 1, 2, 3, 4].map(at)).toEqual(["a", undefined, undefined, "b", undefined]);
  });

  test("says the last words in parentheses of the server's message, and is none that no driver and no text knows", () => {
    const said = (
      message: string,
      driver: object = { refusedValue: () => ({ place: 0 }) },
      more: object = { givenAt: () => a },
    ) =>
      aboutParameter(
        new Error("x"),
        new QueryError("QUERY_FAILED", message),
        { prepared: { table: Item, ...more }, values: ["x"] } as unknown as Request,
        { driver, grammar: sqlite } as unknown as Session,
      )?.message;
    const about = 'parameter "a" has a value that the database does not take';
    expect(said("it (then) failed (22003)")).toBe(`${about} (22003)`);
    for (const message of ["it failed", "it (then) failed"]) expect(said(message)).toBe(`${about} `);
    expect(said("it failed", {})).toBeUndefined();
    for (const refused of [{ place: 0 }, { column: "a_word" }, { longerThan: 0 }])
      expect(said("it failed", { refusedValue: () => refused }, {})).toBeUndefined();
  });

  test("is about the parameter of its place, and of no other", () => {
    expect(about(undefined, [a], ["x"])).toBeUndefined();
    expect(about({ place: 1 }, [a, b], ["x", 1])).toEqual(of("b"));
    expect(about({ place: 0 }, [undefined, b], ["x", 1])).toBeUndefined();
    expect(about({ place: 2 }, [a, b], ["x", 1])).toBeUndefined();
    expect(about({ place: 0 }, [{ ...a, index: 4 }], ["x"])).toEqual(of("a", 4));
  });

  test("is about what the column was set to, if that is one parameter and nothing was calculated", () => {
    expect(about({ column: "a_word" }, [a, b], ["x", 1])).toEqual(of("a"));
    expect(about({ column: "word" }, [a, b], ["x", 1])).toBeUndefined();
    expect(about({ column: "a_word" }, [a, b], ["x", 1], ["word"])).toBeUndefined();
    expect(about({ column: "a_word" }, [a, b], ["x", 1], ["id"])).toEqual(of("a"));
    expect(about({ column: "a_word" }, [{ name: "a" }, b], ["x", 1])).toBeUndefined();
    expect(about({ column: "a_word" }, [a, { ...a, name: "c" }], ["x", "y"])).toBeUndefined();
    const rows = [0, 1, 2].map((row) => ({ ...a, row, index: row + 10 }));
    for (const row of [0, 1, 2])
      expect(about({ column: "a_word", row }, rows, ["x", "y", "z"])).toEqual(of("a", row + 10));
    expect(about({ column: "a_word", row: 7 }, rows, ["x", "y", "z"])).toBeUndefined();
    // Twice the same value of one record.
    expect(about({ column: "a_word" }, [rows[1], rows[1]], ["x", "x"])).toEqual(of("a", 11));
    // Of several rows it is unknown which.
    expect(about({ column: "a_word" }, rows, ["x", "y", "z"])).toEqual(of("a"));
    expect(about({ column: "a_word", row: 1 }, [a], ["x"])).toEqual(of("a"));
  });

  test("is about a value that can have caused it; of several parameters it names none", () => {
    const both = [a, { name: "c", sets: "id" }];
    expect(about({ longerThan: 3 }, both, ["four", "ab"])).toEqual(of("a"));
    expect(about({ longerThan: 4 }, both, ["four", "ab"])).toBeUndefined();
    // Characters count, not their halves.
    expect(about({ longerThan: 2 }, both, ["\u{1f600}\u{1f600}", ["ab", "abc"]])).toEqual(of("c"));
    expect(about({ longerThan: 1 }, both, ["ab", "cd"])).toEqual(of(""));
    expect(about({ longerThan: 1 }, both, ["ab", "c"], ["id"])).toBeUndefined();
    expect(about({ longerThan: 1 }, [{ name: "a" }], ["ab"])).toBeUndefined();
    expect(about({ longerThan: 1 }, both, [77, null])).toBeUndefined();
    for (const value of [100, -100, 99.5, 100n, "100", [1, 100]])
      expect(about({ from: 100 }, both, [value, 1]), String(value)).toEqual(of("a"));
    for (const value of [99.4, -99, "99", 99n, null, true, new Date(), [1]])
      expect(about({ from: 100 }, both, [value, 1]), String(value)).toBeUndefined();
  });
});
