/**
 * What becomes of a result, each part alone: rows are decoded, put into the order of their records, read while they can
 * be undone, and shown to callbacks; a batch is stored together or one by one.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { column, table } from "../../../src/index.js";
import type { AnyTable } from "../../../src/sql/declare/declaration.js";
import type { Grammar } from "../../../src/sql/dialect/grammar/grammar.js";
import { Unreadable } from "../../../src/sql/dialect/grammar/values.js";
import { postgres } from "../../../src/sql/dialect/postgres/grammar.js";
import { sqlite } from "../../../src/sql/dialect/sqlite/grammar.js";
import type { RequestCall } from "../../../src/sql/exec/call.js";
import type { Callbacks } from "../../../src/sql/exec/callbacks.js";
import { decodeValue, rowDecoder } from "../../../src/sql/exec/decode.js";
import { placed, UnclearOrder } from "../../../src/sql/exec/placed.js";
import type { PreparedPlan } from "../../../src/sql/exec/prepared.js";
import { isScannedInside, scannedInside } from "../../../src/sql/exec/scan-nested.js";
import {
  atomically,
  isDoubted,
  runAndRead,
  togetherOrOneByOne,
  undoable,
} from "../../../src/sql/exec/undo.js";
import { MANY_ROWS } from "../../../src/sql/value/generated-row.js";
import type { NestedOutput, Output } from "../../../src/sql/value/output.js";
import { DecodeError, NoRowsError, QueryError } from "../../../src/sql/words/errors.js";
import { sqlErrorIn } from "../../kit/thrown.js";

const Item = table("items", z.object({ id: column(z.int(), { primaryKey: true }) }));
const Note = table("notes", z.object({ id: column(z.int(), { primaryKey: true }) }));

const output = (name: string, more: Partial<Output> = {}): Output => ({
  name,
  kind: "text",
  nullable: false,
  fault: () => undefined,
  encode: (value) => value,
  decode: (value) => {
    if (value === "throws") throw new RangeError("secret");
    if (value === "unreadable") throw new Unreadable("text that can be read");
    return value === "unfit" || value === undefined ? undefined : `<${String(value)}>`;
  },
  ...more,
});
const fault = (call: () => unknown) => {
  const error = sqlErrorIn(call) as DecodeError;
  expect(error).toBeInstanceOf(DecodeError);
  return `${error.field}: ${error.kind}`;
};

describe("a decoder of rows", () => {
  const decode = (outputs: readonly Output[], values: readonly unknown[]) =>
    rowDecoder(Item, outputs)(values);

  test("gives an object by the names, of the first row as of the many after it", () => {
    const read = rowDecoder(Item, [output("a"), output("b", { nullable: true })]);
    for (let i = 0; i < MANY_ROWS + 3; i++) {
      expect(read([i, null])).toEqual({ a: `<${i}>`, b: null });
      expect(Object.keys(read(["x", "y"]))).toEqual(["a", "b"]);
      expect(fault(() => read([null, 1]))).toBe("a: text: it is null");
      expect(fault(() => read(["x", "unfit"]))).toBe("b: text");
    }
  });

  test("names the field that does not fit, and why", () => {
    const at = (value: unknown, more: Partial<Output> = {}) =>
      fault(() => decode([output("a", more)], [value]));
    for (const none of [null, undefined]) {
      expect(at(none)).toBe("a: text: it is null");
      expect(decode([output("a", { ifNull: 7 })], [none])).toEqual({ a: 7 });
      expect(decode([output("a", { ifNull: 7, nullable: true })], [none])).toEqual({ a: null });
    }
    expect(at("unfit")).toBe("a: text");
    expect(at("throws")).toBe("a: text");
    expect(at("unreadable")).toBe("a: text that can be read");
    const cause = sqlErrorIn(() => decodeValue(Item, output("a"), "throws")).cause;
    expect(cause).toBeInstanceOf(RangeError);
    expect(decodeValue(Item, output("a"), "x")).toBe("<x>");
  });

  test("leaves out what is read for the cursor alone", () => {
    expect(decode([output("a"), output("b", { hidden: true })], ["x", "unfit"])).toEqual({ a: "<x>" });
  });

  test("sets the values of a part inside it, which is null if its first value says so", () => {
    const inside = (part: string, name?: string) => ({ inside: { part, name } });
    const flag = output("flag", { ...inside("p"), decode: Number });
    const outputs = [output("a"), flag, output("x", inside("p", "x")), output("y", inside("p", "y"))];
    expect(decode(outputs, ["1", 1, "2", "3"])).toEqual({ a: "<1>", p: { x: "<2>", y: "<3>" } });
    expect(decode(outputs, ["1", 0, "unfit", "3"])).toEqual({ a: "<1>", p: null });
    expect(fault(() => decode(outputs, ["1", 1, "2", "unfit"]))).toBe("y: text");
    expect(fault(() => decode(outputs, ["unfit", 1, "2", "3"]))).toBe("a: text");
    expect(fault(() => decode(outputs, ["1", 1, null, "3"]))).toBe("x: text: it is null");
    // A part of the name of an inherited member.
    const named = [output("x", inside("toString", "x")), output("y", inside("toString", "__proto__"))];
    expect(JSON.stringify(decode(named.slice(0, 1), ["1"]))).toBe('{"toString":{"x":"<1>"}}');
    const two = [output("x", inside("p", "x")), output("y", inside("q", "y")), output("z", inside("p", "z"))];
    expect(decode(two, ["1", "2", "3"])).toEqual({ p: { x: "<1>", z: "<3>" }, q: { y: "<2>" } });
  });

  describe("of rows inside rows", () => {
    const nested = (gives: NestedOutput["gives"], more: Partial<NestedOutput> = {}): NestedOutput => ({
      table: Note,
      outputs: [output("a"), output("b", { nullable: true })],
      gives,
      mostValues: undefined,
      holds: undefined,
      ...more,
    });
    const read = (value: unknown, of: NestedOutput, more: Partial<Output> = {}) =>
      decode([output("notes", { nested: of, kind: "rows", ...more })], [value]);
    const whole = "notes: nested rows as a whole: the server has cut them; ask for fewer at once";

    test("reads a list, the first row of a list, and a row, parsed or as text", () => {
      const rows = [
        ["1", null],
        ["2", "3"],
      ];
      const objects = [
        { a: "<1>", b: null },
        { a: "<2>", b: "<3>" },
      ];
      for (const shape of [(value: unknown) => value, JSON.stringify]) {
        expect(read(shape(rows), nested("list"))).toEqual({ notes: objects });
        expect(read(shape([]), nested("list"))).toEqual({ notes: [] });
        expect(read(shape(rows), nested("first"))).toEqual({ notes: objects[0] });
        expect(read(shape([]), nested("first"), { nullable: true })).toEqual({ notes: null });
        expect(read(shape(rows[1]), nested("row"))).toEqual({ notes: objects[1] });
      }
      expect(fault(() => read([], nested("first")))).toBe("notes: rows: there is none");
      for (const odd of [{}, "7", "{}", 7])
        expect(fault(() => read(odd, nested("list")))).toBe("notes: rows");
      for (const odd of [{}, "7"]) expect(fault(() => read(odd, nested("first")))).toBe("notes: rows");
      expect(fault(() => read("[[", nested("list")))).toBe("notes: rows");
      expect(fault(() => read([["unfit", "1"]], nested("list")))).toBe("notes.a: text");
    });

    test("refuses rows that are cut, and lists that hold fewer than were found", () => {
      for (const odd of [[["1"]], [["1", "2", "3"]], [7], [{ a: 1, b: 2 }]])
        expect(fault(() => read(odd, nested("list")))).toBe(whole);
      for (const odd of [["1"], {}]) expect(fault(() => read(odd, nested("row")))).toBe(whole);
      const two = nested("list", { holds: (found) => Math.min(found, 2) });
      const row = ["1", null];
      for (const [found, count] of [
        [0, 0],
        [1, 1],
        [2, 2],
        [9, 2],
      ] as const)
        expect(read([found, Array(count).fill(row)], two)).toEqual({
          notes: Array(count).fill({ a: "<1>", b: null }),
        });
      expect(read([0, null], two)).toEqual({ notes: [] });
      expect(read([0], two)).toEqual({ notes: [] });
      for (const odd of [
        [1, null],
        [2, [row]],
        [1, [row, row]],
        [0, [row]],
        [1, 7],
      ])
        expect(fault(() => read(odd, two))).toBe(whole);
    });

    test("joins a row that was split into several arrays", () => {
      const outputs = ["a", "b", "c"].map((name) => output(name, { decode: (value) => value }));
      const split = nested("list", { mostValues: 2, outputs });
      const joined = { notes: [{ a: "1", b: "2", c: "3" }] };
      expect(read([[["1", "2"], ["3"]]], split)).toEqual(joined);
      for (const odd of [
        [["1", "2"]],
        [
          ["1", "2"],
          ["3", "4"],
        ],
      ])
        expect(fault(() => read([odd], split))).toBe(whole);
      // As many as fit are not split.
      const lists = [[["1", "2"], ["3"], "4"]];
      expect(read(lists, nested("list", { mostValues: 3, outputs }))).toEqual({
        notes: [{ a: ["1", "2"], b: ["3"], c: "4" }],
      });
      expect(read([["1", "2", "3"]], nested("list", { outputs }))).toEqual(joined);
    });

    test("reads them beside other values, and keeps the cause of a fault inside them", () => {
      const outputs = [output("id"), output("notes", { nested: nested("list"), kind: "rows" })];
      expect(decode(outputs, ["1", [["2", "3"]]])).toEqual({ id: "<1>", notes: [{ a: "<2>", b: "<3>" }] });
      expect(sqlErrorIn(() => decode(outputs, ["1", [["throws", "3"]]])).cause).toBeInstanceOf(RangeError);
      const held = nested("list", { holds: (found) => found });
      expect(fault(() => read('"ab"', held))).toBe("notes: rows");
    });
  });
});

describe("rows of a batch", () => {
  const expected = { table: "items", isKey: false, mayMiss: false };

  test("come into the order of their records, whatever their order, as far as they show it", () => {
    const record = fc.record({
      a: fc.nat(3),
      b: fc.constantFrom<unknown>("x", "y", null, new Uint8Array([1])),
    });
    const run = fc.array(record, { minLength: 1, maxLength: 6 }).chain((records) =>
      fc.record({
        records: fc.constant(records),
        order: fc.shuffledSubarray(
          records.map((_, i) => i),
          { minLength: records.length },
        ),
        fields: fc.constantFrom(["a"], ["b"], ["a", "b"], ["b", "a"]),
        changed: fc.constantFrom(undefined, "a", "b"),
      }),
    );
    fc.assert(
      fc.property(run, ({ records, order, fields, changed }) => {
        // A trigger gives a field another value in every second row.
        const rows = order.map((i) => ({
          ...records[i],
          ...(changed === undefined || i % 2 === 1 ? {} : { [changed]: `changed ${i}` }),
          of: i,
        }));
        const telling = fields.filter((field) => field !== changed);
        const result = placed(rows, { ...expected, records, fields }, true);
        const asIs = telling.length === 0;
        if (asIs) expect(result).toEqual(rows);
        for (const [i, row] of result.entries())
          for (const field of telling) expect(row?.[field]).toEqual(records[i]?.[field as "a"]);
        expect(new Set(result)).toEqual(new Set(rows));
        // Rows of equal records keep their order.
        if (!asIs)
          for (const [i, row] of result.entries())
            for (const [j, other] of result.entries())
              if (i < j && telling.every((field) => row?.[field] === other?.[field]))
                expect(rows.indexOf(row as never)).toBeLessThan(rows.indexOf(other as never));
      }),
      { numRuns: 400 },
    );
  });

  test("may be missing where their keys existed, and nowhere else", () => {
    const records = [{ a: 1 }, { a: 2 }, { a: 3 }];
    const rows = [{ a: 3 }, { a: 1 }];
    const may = { ...expected, records, fields: ["a"], isKey: true, mayMiss: true };
    expect(placed(rows, may, true)).toEqual([{ a: 1 }, null, { a: 3 }]);
    expect(placed([], may, true)).toEqual([null, null, null]);
    expect(() => placed(rows, { ...may, mayMiss: false }, true)).toThrow(NoRowsError);
    expect(() => placed(rows, { ...may, mayMiss: false }, false)).toThrow(NoRowsError);
  });

  test("that do not show their records are an error while it can be undone, and taken as they are after", () => {
    const records = [{ a: 1 }, { a: 2 }];
    const odd: readonly (readonly [rows: readonly { a: number }[], more: object])[] = [
      [[{ a: 7 }, { a: 8 }], { isKey: true }],
      [[{ a: 7 }], { mayMiss: true }],
      [[{ a: 1 }, { a: 1 }], { isKey: true }],
      [[{ a: 1 }, { a: 2 }, { a: 2 }], {}],
    ];
    for (const [rows, more] of odd) {
      const of = { ...expected, records, fields: ["a"], ...more };
      expect(() => placed(rows, of, true), JSON.stringify(rows)).toThrow(UnclearOrder);
      const found = placed(rows, of, false);
      expect(found).toEqual(rows);
      expect(found).not.toBe(rows);
    }
    // In place they are right, even if they were a key.
    expect(placed([{ a: 1 }, { a: 2 }], { ...expected, records, fields: ["a"], isKey: true }, true)).toEqual(
      records,
    );
    // Without a field that tells, a key may be another row's.
    expect(() =>
      placed([{ a: 1 }, { a: 2 }], { ...expected, records, fields: [], isKey: true }, true),
    ).toThrow(UnclearOrder);
    expect(placed([{ a: 2 }, { a: 1 }], { ...expected, records, fields: [] }, true)).toEqual([
      { a: 2 },
      { a: 1 },
    ]);
  });
});

describe("a result that may have to be undone", () => {
  const refused = (code: "QUERY_FAILED" | "DEADLOCK", cause?: unknown) =>
    new QueryError(code, "x", { cause });
  const reader = {
    read: ({ rows }: { rows: readonly unknown[] }) => ["read", ...rows],
    facts: () => ({ rowsReturned: 1 }),
  };
  const result = (row: unknown) => ({ rows: [[row]], affected: 0 });
  const request = { sql: "", params: [] } as never;

  test("is read at once, or while the statement can be undone if it is doubted", async () => {
    const calls: string[] = [];
    const session = {
      run: () => {
        calls.push("run");
        return result("plain");
      },
      runChecked: (_: unknown, check: (one: unknown) => void) => {
        const own = result("checked");
        calls.push("checked");
        check(own);
        return own;
      },
    };
    const on = (given: object) =>
      ({ session: { ...session, ...given }, signal: undefined }) as unknown as RequestCall;
    expect(runAndRead(request, reader, on({}))).toEqual(["read", ["plain"]]);
    expect(runAndRead(request, { ...reader, isDoubted: true }, on({}))).toEqual(["read", ["checked"]]);
    expect(calls).toEqual(["run", "checked"]);
    const later = on({ run: async () => result("later"), runChecked: async () => result("unchecked") });
    expect(await runAndRead(request, reader, later)).toEqual(["read", ["later"]]);
    expect(await runAndRead(request, { ...reader, isDoubted: true }, later)).toEqual(["read", ["unchecked"]]);
    // Each result is read once.
    let reads = 0;
    const counting = { isDoubted: true, read: () => ++reads, facts: reader.facts };
    expect([runAndRead(request, counting, on({})), reads]).toEqual([1, 1]);
    const other = on({
      runChecked: (_: unknown, check: (one: unknown) => void) => {
        check(result("first"));
        return result("second");
      },
    });
    expect([runAndRead(request, counting, other), reads]).toEqual([3, 3]);
    const of = (runChecked: unknown) => ({ session: { driver: { runChecked } } }) as unknown as RequestCall;
    expect([
      isDoubted(false, of(undefined)),
      isDoubted(true, of(undefined)),
      isDoubted(
        false,
        of(() => {}),
      ),
    ]).toEqual([false, true, true]);
  });

  test("is all of the work or none, where callbacks may fail on it", async () => {
    const calls: unknown[] = [];
    const session = {
      driver: {},
      changing: (run: () => unknown) => {
        calls.push("changing");
        return run();
      },
      atomically: (work: (inner: unknown) => unknown, options: object) => {
        calls.push(options);
        return work("inner");
      },
    };
    const call = { session, signal: undefined, operation: "insert" } as unknown as RequestCall;
    const none: Callbacks = { onScan: null, onRecord: null };
    const some = () => undefined;
    const work = async ({ session: at, operation }: RequestCall) => [at, operation];
    for (const [callbacks, callsBack] of [
      [none, false],
      [{ ...none, onScan: some }, true],
      [{ ...none, onRecord: some }, true],
    ] as const) {
      expect(await atomically(call, callbacks, work)).toEqual(["inner", "insert"]);
      expect(calls.splice(0)).toEqual(["changing", { signal: undefined, callsBack }]);
      const [at] = await undoable(call, callbacks, work);
      expect(at).toBe(callbacks.onScan === null ? session : "inner");
      expect(calls.splice(0)).toHaveLength(callbacks.onScan === null ? 1 : 2);
    }
  });

  test("of a batch is stored one by one after a refusal that only the batch has", async () => {
    const unique = Object.assign(refused("QUERY_FAILED"), { code: "UNIQUE_VIOLATION" });
    const cases: readonly (readonly [Error, refused: boolean, unclear: readonly Grammar[]])[] = [
      [refused("QUERY_FAILED"), true, []],
      [unique, true, []],
      [refused("DEADLOCK"), false, []],
      [new RangeError("x"), false, []],
      [Object.assign(new Error("x"), { code: "QUERY_FAILED" }), false, []],
      [refused("DEADLOCK", new UnclearOrder()), false, [sqlite, postgres]],
      [refused("DEADLOCK", { code: "21000" }), false, [postgres]],
      [refused("DEADLOCK", { code: "21001" }), false, []],
      [new UnclearOrder(), false, []],
      [new Error("x", { cause: new UnclearOrder() }), false, []],
    ];
    for (const [error, isRefused, unclear] of cases)
      for (const mayBeRefused of [true, false])
        for (const unclearOn of [undefined, sqlite, postgres]) {
          const together = () => Promise.reject(error);
          const stored = togetherOrOneByOne({
            together,
            oneByOne: async () => "one by one",
            mayBeRefused,
            unclearOn,
          }).catch((found: unknown) => found);
          const again =
            (isRefused && mayBeRefused) || (unclearOn !== undefined && unclear.includes(unclearOn));
          expect(await stored).toBe(again ? "one by one" : error);
        }
    const whole = {
      together: async () => "together",
      oneByOne: () => Promise.reject(new Error("x")),
      mayBeRefused: true,
      unclearOn: postgres,
    };
    expect(await togetherOrOneByOne(whole)).toBe("together");
  });
});

describe("callbacks of nested rows", () => {
  const called: string[] = [];
  const scanOf = (name: string) => (row: object) => void called.push(`${name} ${JSON.stringify(row)}`);
  const nestedOf = (of: AnyTable, outputs: readonly Output[] = []): NestedOutput => ({
    table: of,
    outputs,
    gives: "list",
    mostValues: undefined,
    holds: undefined,
  });
  const inner = output("items", { nested: nestedOf(Item) });
  const outer = [output("id"), output("notes", { nested: nestedOf(Note, [inner]) })];
  const prepared = (nests: boolean, all: readonly Output[] = outer) =>
    ({ plan: { nests }, output: all }) as unknown as PreparedPlan;
  const call = {
    operation: "query",
    signal: undefined,
    session: { handle: undefined },
  } as unknown as RequestCall;
  const callbacksOf = (names: readonly string[]) => (of: AnyTable) =>
    names.includes(of.name) ? { onScan: scanOf(of.name), onRecord: null } : undefined;
  const rows = [
    {
      id: 1,
      notes: [
        { id: 2, items: [{ id: 3 }, { id: 4 }] },
        { id: 5, items: null },
      ],
    },
    { id: 6, notes: { id: 7 } },
    { id: 8, notes: null },
    { id: 9 },
  ];
  const scan = async (names: readonly string[], nests = true) => {
    called.length = 0;
    const done = scannedInside(rows, prepared(nests), { table: Item, callbacksOf: callbacksOf(names) }, call);
    await done;
    return done === undefined ? undefined : called.map((one) => one.replace(/,"(notes|items)".*/, "}"));
  };

  test("come before those of the row around, each for its own table", async () => {
    expect(await scan(["items"])).toEqual([
      'items {"id":3}',
      'items {"id":4}',
      'items {"id":1}',
      'items {"id":6}',
      'items {"id":8}',
      'items {"id":9}',
    ]);
    expect(await scan(["notes"])).toEqual(['notes {"id":2}', 'notes {"id":5}', 'notes {"id":7}']);
    expect((await scan(["items", "notes"]))?.slice(0, 5)).toEqual([
      'items {"id":3}',
      'items {"id":4}',
      'notes {"id":2}',
      'notes {"id":5}',
      'items {"id":1}',
    ]);
  });

  test("are none where no nested rows are read, or nobody asked for them", async () => {
    expect(await scan([])).toBeUndefined();
    expect(await scan(["items", "notes"], false)).toBeUndefined();
    const is = (all: readonly Output[], names: readonly string[]) =>
      isScannedInside(prepared(true, all), { callbacksOf: callbacksOf(names) });
    expect([
      is(outer, ["notes"]),
      is(outer, ["items"]),
      is(outer, ["others"]),
      is([output("id")], ["items"]),
    ]).toEqual([true, true, false, false]);
    expect(
      isScannedInside(prepared(true), { callbacksOf: () => ({ onScan: null, onRecord: () => 1 }) }),
    ).toBe(false);
  });
});
