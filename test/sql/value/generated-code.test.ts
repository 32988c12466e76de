/** Functions that are generated for kept statements: they do what a loop does, and are not made where they may not be. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { globalConfig } from "zod/v4/core";
import type { Binder } from "../../../src/sql/value/binder.js";
import { type BoundPlace, generatedBind } from "../../../src/sql/value/generated-bind.js";
import { generatedRow } from "../../../src/sql/value/generated-row.js";
import type { Output } from "../../../src/sql/value/output.js";

const { jitless } = globalConfig;

const NAMES = ["a", "b", "__proto__", "constructor", 'q"uote', "line\u2028end", "", "v0", "params", "\ud800"];

describe.skipIf(jitless === true)("generated binders", () => {
  test("bind and check as a loop over the placeholders does", () => {
    const run = fc.record({
      places: fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.nat(2)), { minLength: 1, maxLength: 8 }),
      left: fc.option(fc.nat(9)),
      more: fc.option(fc.constantFrom(...NAMES)),
      value: fc.constantFrom(null, 0, "", undefined),
    });
    fc.assert(
      fc.property(run, ({ places, left, more, value }) => {
        const calls: unknown[] = [];
        const noted = (what: string): Binder => {
          return (given) => {
            calls.push([what, given]);
            return [what, given];
          };
        };
        const bound: BoundPlace[] = places.map(([name, checks], i) => ({
          name,
          bind: noted(`bind ${i}`),
          checks:
            checks === 0 ? undefined : Array.from({ length: checks }, (_, j) => noted(`check ${i} ${j}`)),
        }));
        const names = [...new Set(places.map(([name]) => name))];
        const params = Object.fromEntries(names.map((name, i) => [name, `given ${i}`]));
        const changed = left === null ? undefined : names[left];
        if (changed !== undefined) Object.defineProperty(params, changed, { value, enumerable: true });
        if (more !== null) Object.defineProperty(params, more, { value: "more", enumerable: true });
        const isWhole =
          Object.keys(params).length === names.length && names.every((name) => params[name] !== undefined);

        const values = generatedBind(bound)?.(params);
        const made = calls.splice(0);
        if (!isWhole) expect([values, made]).toEqual([undefined, []]);
        else {
          const looped = bound.map(({ name, bind, checks = [] }) => {
            const sent = bind(params[name]);
            for (const check of checks) check(params[name]);
            return sent;
          });
          expect(values).toEqual(looped);
          expect(made).toEqual(calls);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("leave a call with a missing or an inherited name to other code", () => {
    const bind = generatedBind([place("a"), place("b")]);
    expect(bind?.({ a: 1, b: 2 })).toEqual([1, 2]);
    for (const params of [{ a: 1 }, { a: 1, b: undefined }, { a: undefined, b: undefined }, {}])
      expect(bind?.(params)).toBeUndefined();
    expect(bind?.(Object.assign(Object.create({ b: 2 }), { a: 1 }))).toBeUndefined();
  });

  test("are made for 1 to 100 placeholders", () => {
    const made = (count: number) => generatedBind(Array.from({ length: count }, (_, i) => place(`p${i}`)));
    for (const count of [0, 101]) expect(made(count), `${count}`).toBeUndefined();
    for (const count of [1, 2, 100]) {
      const params = Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, i]));
      expect(made(count)?.(params), `${count}`).toEqual(Object.values(params));
    }
  });
});

const place = (name: string): BoundPlace => ({ name, bind: (value) => value, checks: undefined });

const output = (name: string, nullable: boolean): Output => ({
  name,
  nullable,
  kind: "text",
  fault: () => undefined,
  encode: (value) => value,
  decode: (value) => {
    if (value === "throws") throw new Error("unreadable");
    return value === "unfit" ? undefined : `read ${String(value)}`;
  },
});

describe.skipIf(jitless === true)("generated decoders", () => {
  test("read a row, or leave it whole to the decoder of others", () => {
    const row = fc.uniqueArray(
      fc.record({
        name: fc.constantFrom(...NAMES.filter((name) => name !== "__proto__")),
        nullable: fc.boolean(),
        value: fc.constantFrom("a", "b", 0, false, "", null, undefined, "throws", "unfit"),
      }),
      { selector: ({ name }) => name, minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(row, (columns) => {
        const others = { left: true };
        const left: unknown[] = [];
        const decode = generatedRow(
          columns.map(({ name, nullable }) => output(name, nullable)),
          (values) => {
            left.push(values);
            return others;
          },
        );
        const values = columns.map(({ value }) => value);
        const isNull = (value: unknown) => value === null || value === undefined;
        const isLeft = columns.some(
          ({ value, nullable }) => value === "throws" || value === "unfit" || (isNull(value) && !nullable),
        );
        const read = Object.fromEntries(
          columns.map(({ name, value }) => [name, isNull(value) ? null : `read ${String(value)}`]),
        );
        const found = decode?.(values);
        expect(found).toEqual(isLeft ? others : read);
        expect(left).toEqual(isLeft ? [values] : []);
        if (!isLeft) expect(Object.keys(found ?? {})).toEqual(Object.keys(read));
      }),
      { numRuns: 500 },
    );
  });

  test("are not made for a row that has a field of the name __proto__, in any place", () => {
    const otherwise = () => ({});
    expect(generatedRow([output("a", true)], otherwise)).toBeTypeOf("function");
    for (const names of [["__proto__"], ["a", "__proto__"], ["__proto__", "a"]])
      expect(
        generatedRow(
          names.map((name) => output(name, true)),
          otherwise,
        ),
      ).toBeUndefined();
  });
});

test("no code is generated where the application forbids it", () => {
  const before = { ...globalConfig };
  globalConfig.jitless = true;
  const made = [generatedBind([place("a")]), generatedRow([output("a", true)], () => ({}))];
  delete globalConfig.jitless;
  Object.assign(globalConfig, before);
  expect(made).toEqual([undefined, undefined]);
});
