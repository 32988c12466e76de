/** What is kept, bounded by number and by weight: held against a list that is searched and moved by hand. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Lru } from "../../src/core/lru.js";

const keysOf = <K, V>(lru: Lru<K, V>): K[] => [...lru.entries()].map(([key]) => key);

describe("Lru", () => {
  test("beyond its number the entry that was unused the longest makes room", () => {
    const out: string[] = [];
    const lru = new Lru<string, number>({ max: 3, onEvict: (value, key) => out.push(`${key}${value}`) });
    lru.set("a", 1);
    lru.set("b", 2);
    lru.set("c", 3);
    expect(lru.get("a")).toBe(1);
    lru.set("d", 4);
    expect(out).toEqual(["b2"]);
    expect(lru.get("b")).toBeUndefined();
    expect(keysOf(lru)).toEqual(["c", "a", "d"]);
    expect(lru.size).toBe(3);
  });

  test("what was used stays for one more round, and what is left makes room", () => {
    const out: string[] = [];
    const used = new Set(["a", "b"]);
    const lru = new Lru<string, string>({
      max: 3,
      wasUsed: (value) => used.delete(value),
      onEvict: (_, key) => out.push(key),
    });
    for (const key of ["a", "b", "c", "d"]) lru.set(key, key);
    expect(out).toEqual(["c"]);
    lru.set("e", "e");
    expect(out).toEqual(["c", "d"]);
    for (const key of ["a", "b", "e"]) used.add(key);
    // Where all were used, there is room for no other, once.
    lru.set("f", "f");
    expect(out).toEqual(["c", "d", "f"]);
    lru.set("g", "g");
    expect(out).toEqual(["c", "d", "f", "a"]);
  });

  test("a value that takes another's place is the newest, and nothing is evicted", () => {
    const out: string[] = [];
    const lru = new Lru<string, number>({ max: 2, onEvict: (_, key) => out.push(key) });
    lru.set("a", 1);
    lru.set("b", 2);
    lru.set("a", 3);
    expect(out).toEqual([]);
    lru.set("c", 4);
    expect(out).toEqual(["b"]);
    expect(lru.get("a")).toBe(3);
  });

  test("beyond its weight as many make room as must, and what alone is too heavy drives out nobody", () => {
    const out: string[] = [];
    const lru = new Lru<string, string>({
      max: 100,
      maxWeight: 10,
      weigh: (value) => value.length,
      onEvict: (_, key) => out.push(key),
    });
    lru.set("a", "1234");
    lru.set("b", "1234");
    lru.set("c", "123456789");
    expect(out).toEqual(["a", "b"]);
    expect(lru.weight).toBe(9);
    lru.set("d", "12345678901");
    expect(out).toEqual(["a", "b", "d"]);
    expect(keysOf(lru)).toEqual(["c"]);
    lru.set("c", "1");
    expect(lru.weight).toBe(1);
  });

  test("what is deleted or cleared is not evicted, and weighs nothing", () => {
    const out: string[] = [];
    const lru = new Lru<string, number>({
      max: 2,
      maxWeight: 10,
      weigh: (value) => value,
      onEvict: (_, k) => out.push(k),
    });
    lru.set("a", 5);
    expect(lru.delete("a")).toBe(true);
    expect(lru.delete("a")).toBe(false);
    lru.set("b", 5);
    lru.clear();
    expect([lru.size, lru.weight, out, keysOf(lru)]).toEqual([0, 0, [], []]);
    lru.set("c", 5);
    expect(keysOf(lru)).toEqual(["c"]);
  });

  test("an entry may be deleted while the entries are read", () => {
    const lru = new Lru<number, number>({ max: 10 });
    for (let i = 0; i < 10; i++) lru.set(i, i);
    for (const [key] of lru.entries()) if (key % 2 === 0) lru.delete(key);
    expect(keysOf(lru)).toEqual([1, 3, 5, 7, 9]);
  });

  test("any sequence of calls leaves what a plain list would", () => {
    const key = fc.integer({ min: 0, max: 7 });
    const action = fc.oneof(
      fc.record({ kind: fc.constant("get" as const), key }),
      fc.record({ kind: fc.constant("set" as const), key, value: fc.integer({ min: 0, max: 6 }) }),
      fc.record({ kind: fc.constant("delete" as const), key }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const evicted: number[] = [];
        const lru = new Lru<number, number>({
          max: 4,
          maxWeight: 12,
          weigh: (value) => value,
          onEvict: (_, one) => evicted.push(one),
        });
        let list: [number, number][] = [];
        const gone: number[] = [];
        for (const one of actions) {
          const found = list.find(([k]) => k === one.key);
          if (one.kind === "get") expect(lru.get(one.key)).toBe(found?.[1]);
          if (found !== undefined) list = list.filter((entry) => entry !== found);
          if (one.kind === "get" && found !== undefined) list.push(found);
          if (one.kind === "delete") expect(lru.delete(one.key)).toBe(found !== undefined);
          if (one.kind !== "set") continue;
          lru.set(one.key, one.value);
          list.push([one.key, one.value]);
          while (list.length > 4 || list.reduce((sum, [, weight]) => sum + weight, 0) > 12)
            gone.push(list.shift()?.[0] ?? -1);
        }
        expect([...lru.entries()]).toEqual(list);
        expect(evicted).toEqual(gone);
        expect(lru.weight).toBe(list.reduce((sum, [, weight]) => sum + weight, 0));
      }),
    );
  });
});
