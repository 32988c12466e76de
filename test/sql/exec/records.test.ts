/** A caller's record: validated, lent to a callback, and validated again where that changed it. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { column, json, table } from "../../../src/index.js";
import type { AnyTable } from "../../../src/sql/declare/declaration.js";
import {
  fixedValues,
  lent,
  returned,
  storable,
  validRecord,
  withFixedValues,
} from "../../../src/sql/exec/record.js";
import type { ParameterError } from "../../../src/sql/words/errors.js";
import { sqlErrorIn } from "../../kit/thrown.js";

const date = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (value) => value.toISOString(),
});
const Item = table(
  "items",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    word: z.string().trim(),
    size: z.int().nullable(),
    more: z.string().nullable(),
    meta: json(z.object({ at: date, words: z.array(z.string()) })).nullable(),
    bytes: z.instanceof(Uint8Array).nullable(),
    at: z.date().nullable(),
  }),
);
const at = new Date(0);
const thrown = (call: () => unknown) => {
  const { code, param, message } = sqlErrorIn(call) as ParameterError;
  return `${code} ${param}: ${message}`;
};

describe("a record", () => {
  const valid = (record: unknown, of: AnyTable = Item) => validRecord(record, of);

  test("is validated by the schemas of its table, without what is undefined", () => {
    expect(valid({ size: 1, word: " a " })).toEqual({ word: "a", size: 1 });
    const result = valid({ word: "a", size: null, more: undefined });
    expect(Object.keys(result)).toEqual(["word", "size"]);
    expect(valid({ word: "a", size: null, meta: { at, words: ["b"] } })).toEqual({
      word: "a",
      size: null,
      meta: { at, words: ["b"] },
    });
    expect(valid({ word: "a", size: 1, meta: undefined })).toEqual({ word: "a", size: 1 });
    expect(storable(Item)).toEqual(["word", "size", "more", "meta", "bytes", "at"]);
  });

  test("is refused with the key that does not fit", () => {
    for (const [odd, type] of [
      [null, "null"],
      [undefined, "undefined"],
      [[], "an array"],
      ["a", "a string"],
    ] as const)
      expect(thrown(() => valid(odd))).toBe(`PARAM_TYPE : a record must be an object, not ${type}`);
    expect(thrown(() => valid({ size: 1 }))).toBe('MISSING_PARAM word: key "word" is missing');
    expect(thrown(() => valid({ word: undefined, size: 1 }))).toBe(
      'MISSING_PARAM word: key "word" is missing',
    );
    expect(thrown(() => valid({ word: 7, size: 1 }))).toBe(
      'PARAM_TYPE word: key "word": Invalid input: expected string, received number',
    );
    expect(thrown(() => valid({ word: "a", size: 1, meta: { at: 7, words: [] } }))).toContain(
      'PARAM_TYPE meta: key "meta": ',
    );
    expect(thrown(() => valid({ word: "a", size: 1, meta: { at, words: [7] } }))).toContain(
      'PARAM_TYPE meta: key "meta": ',
    );
    for (const key of ["other", "id", "toString", ""])
      expect(thrown(() => valid({ word: "a", size: 1, [key]: 1 }))).toBe(
        `EXTRA_PARAM ${key}: unknown key ${JSON.stringify(key)}; keys: word, size, more, meta, bytes, at`,
      );
    const unreadable = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("secret");
        },
      },
    );
    expect(thrown(() => valid(unreadable))).toBe("PARAM_TYPE : a record must be an object that can be read");
  });

  test("has only its own keys, also where a column is named like a method", () => {
    const inherited = Object.assign(Object.create({ more: "inherited", other: 1 }), { word: "a", size: 1 });
    expect(valid(inherited)).toEqual({ word: "a", size: 1 });
    expect(valid(Object.assign(Object.create(null), { word: "a", size: 1 }))).toEqual({ word: "a", size: 1 });
    const Odd = table("odd", z.object({ toString: z.string(), id: z.int() }));
    expect(thrown(() => valid({ id: 1 }, Odd))).toBe('MISSING_PARAM toString: key "toString" is missing');
    expect(valid({ id: 1, toString: "a" }, Odd)).toEqual({ toString: "a", id: 1 });
  });

  test("has no fields that a scope fixes, whose values are added", () => {
    const scoped = { ...Item, fixed: new Map([["size", { value: 7 }]]) } as unknown as AnyTable;
    expect(storable(scoped)).toEqual(["word", "more", "meta", "bytes", "at", "size"]);
    expect(thrown(() => valid({ word: "a", size: 1 }, scoped))).toContain("EXTRA_PARAM size");
    expect(fixedValues(scoped)).toEqual({ size: 7 });
    const record = { word: "a" };
    expect(withFixedValues(record, fixedValues(scoped))).toEqual({ word: "a", size: 7 });
    expect(withFixedValues(record, fixedValues(Item))).toBe(record);
    expect(fixedValues(Item)).toEqual({});
  });
});

describe("a record that a callback had", () => {
  const base = () =>
    validRecord(
      { word: "a", size: 1, meta: { at, words: ["b"] }, bytes: new Uint8Array([1, 2]), at: new Date(5) },
      Item,
    );
  const changedBy = (change: (own: Record<string, unknown>) => void) => {
    const loan = lent(base());
    change(loan.own);
    return returned(loan, Item);
  };

  test("is the same if nothing changed, and a change of the copy is none of the record", () => {
    const loan = lent(base());
    expect(returned(loan, Item)).toBe(loan.valid);
    expect(loan.own).toEqual(loan.valid);
    loan.own["word"] = "b";
    expect(loan.valid["word"]).toBe("a");
  });

  test("has what was changed, validated, in the order of the columns", () => {
    expect(
      changedBy((own) => {
        own["word"] = " b ";
      }),
    ).toEqual({ ...base(), word: "b" });
    expect(
      changedBy((own) => {
        own["size"] = null;
      }),
    ).toMatchObject({ size: null });
    const added = changedBy((own) => {
      own["more"] = "m";
    });
    expect(Object.keys(added)).toEqual(["word", "size", "more", "meta", "bytes", "at"]);
    expect(
      changedBy((own) => {
        own["meta"] = { at: new Date(9), words: [] };
      }),
    ).toMatchObject({ meta: { at: new Date(9), words: [] } });
    expect(
      Object.keys(
        changedBy((own) => {
          Reflect.deleteProperty(own, "meta");
        }),
      ),
    ).toEqual(["word", "size", "bytes", "at"]);
    expect(
      Object.keys(
        changedBy((own) => {
          own["at"] = undefined;
        }),
      ),
    ).toEqual(["word", "size", "meta", "bytes"]);
  });

  test("has what was changed inside a value", () => {
    const meta = (own: Record<string, unknown>) => own["meta"] as { at: Date; words: unknown[] };
    expect(
      changedBy((own) => {
        meta(own).words.push("c");
      }),
    ).toMatchObject({ meta: { words: ["b", "c"] } });
    expect(
      thrown(() =>
        changedBy((own) => {
          meta(own).words.push(7);
        }),
      ),
    ).toContain("PARAM_TYPE meta");
    expect(
      thrown(() =>
        changedBy((own) => {
          (own["at"] as Date).setTime(Number.NaN);
        }),
      ),
    ).toContain("PARAM_TYPE at");
    expect(
      changedBy((own) => {
        (own["bytes"] as Uint8Array)[0] = 9;
      })["bytes"],
    ).toEqual(new Uint8Array([9, 2]));
  });

  test("is refused with the key that does not fit", () => {
    expect(
      thrown(() =>
        changedBy((own) => {
          own["word"] = 7;
        }),
      ),
    ).toContain('PARAM_TYPE word: key "word": ');
    expect(
      thrown(() =>
        changedBy((own) => {
          Reflect.deleteProperty(own, "word");
        }),
      ),
    ).toBe('MISSING_PARAM word: key "word" is missing');
    expect(
      thrown(() =>
        changedBy((own) => {
          own["other"] = 7;
        }),
      ),
    ).toContain("EXTRA_PARAM other");
    expect(
      thrown(() =>
        changedBy((own) => {
          own["meta"] = { at: "text", words: [] };
        }),
      ),
    ).toContain("PARAM_TYPE meta");
  });

  test("is validated again where a text does not show every change", () => {
    class Box {
      size = 1;
    }
    let validations = 0;
    const Held = table(
      "held",
      z.object({ id: z.int(), any: json(z.unknown().refine(() => ++validations > 0)) }),
    );
    const again = (any: unknown) => {
      const loan = lent(validRecord({ id: 1, any }, Held));
      validations = 0;
      returned(loan, Held);
      return validations > 0;
    };
    for (const shown of [
      { a: [1, { b: new Date(0) }] },
      [new Uint8Array([1])],
      Object.create(null) as unknown,
      "a",
      null,
      7,
    ])
      expect(again(shown), JSON.stringify(shown)).toBe(false);
    for (const hidden of [new Box(), { a: new Box() }, [[new Map()]], { a: () => 1 }])
      expect(again(hidden)).toBe(true);
  });
});
