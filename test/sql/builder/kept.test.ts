/**
 * A builder that has been called often binds its parameters by a generated function; one that is new does not. Both
 * give the same values, or the same error.
 */
import Sqlite from "better-sqlite3";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { column, table } from "../../../src/index.js";
import { sqlite } from "../../../src/sql/drivers/sqlite.js";
import { MANY_CALLS } from "../../../src/sql/value/generated-bind.js";
import { ParameterError } from "../../../src/sql/words/errors.js";

const Item = table(
  "items",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: z.string(),
    count: z.int().nullable(),
    active: z.boolean(),
  }),
);
const handle = new Sqlite(":memory:");
const db = sqlite(handle);
const items = db.repository(Item);
beforeAll(() => db.createTables(Item));
afterAll(() => handle.close());

/** What stands behind the placeholders, or the error. */
type Drafted = { readonly draft: { request(params: unknown): { readonly values: readonly unknown[] } } };
function bound(builder: object, params: unknown): unknown {
  // The draft is what a call asks; that the driver's rows are right too, the last test shows.
  const { draft } = builder as Drafted;
  try {
    return draft.request(params).values;
  } catch (error) {
    if (!(error instanceof ParameterError)) throw error;
    const { code, param, message } = error;
    return { code, param, message };
  }
}

/** A builder with conditions of these names, kept and called often, and the same in a fresh database. */
function pair(names: readonly string[], good: readonly unknown[]) {
  const build = (repository: typeof items) =>
    names.reduce(
      (query, name, i) => query.dynamic().where(FIELDS[i % FIELDS.length] ?? "id", "=", name),
      repository.query().dynamic(),
    );
  const kept = build(items);
  const params = Object.fromEntries(names.map((name, i) => [name, good[i % good.length]]));
  for (let i = 0; i < MANY_CALLS + 2; i++) bound(kept, params);
  return { kept, fresh: () => build(sqlite(handle).repository(Item)), params };
}

const FIELDS = ["id", "name", "count", "active"] as const;
const GOOD = [1, "tea", 2, true];
const NAMES = [
  "id",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "params",
  "given",
  "v0",
  "bind0",
  "name",
];
const odd = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    Number.NaN,
    1.5,
    2 ** 60,
    "",
    "a\0b",
    "\ud800",
    [],
    {},
    new Date(0),
    1n,
    true,
    7,
  ),
  fc.constantFrom("tea", 1, false),
);

describe("a kept builder", () => {
  test("takes and refuses what a fresh one does", () => {
    const run = fc.record({
      names: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 6 }),
      changes: fc.array(fc.tuple(fc.nat(7), odd), { maxLength: 3 }),
      shape: fc.constantFrom("plain", "null prototype", "inherited", "hidden", "getter", "more", "symbol"),
    });
    const kinds = { bound: 0, refused: 0 };
    fc.assert(
      fc.property(run, ({ names, changes, shape }) => {
        const { kept, fresh, params } = pair(names, GOOD);
        const entries = Object.entries(params);
        for (const [at, value] of changes) {
          const entry = entries[at];
          if (entry !== undefined) entry[1] = value;
        }
        const given = shaped(Object.fromEntries(entries), shape);
        const of = bound(kept, given);
        expect(of).toEqual(bound(fresh(), given));
        kinds[Array.isArray(of) ? "bound" : "refused"]++;
      }),
      { numRuns: 600 },
    );
    expect(kinds.bound).toBeGreaterThan(30);
    expect(kinds.refused).toBeGreaterThan(30);
  });

  test("reads no value from a prototype, not even from one that was polluted", () => {
    const { kept, fresh } = pair(["id", "name"], GOOD);
    Object.defineProperty(Object.prototype, "id", {
      value: 1,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    try {
      for (const builder of [kept, fresh()])
        expect(bound(builder, { name: "tea" })).toMatchObject({ code: "MISSING_PARAM", param: "id" });
    } finally {
      Reflect.deleteProperty(Object.prototype, "id");
    }
    expect(bound(kept, { id: 1, name: "tea" })).toEqual([1, "tea"]);
  });

  test("refuses what is not an object as before", () => {
    const { kept, fresh } = pair(["id"], GOOD);
    for (const value of [undefined, null, [1], "id", 7, () => 1, new Map([["id", 1]])])
      expect(bound(kept, value)).toEqual(bound(fresh(), value));
  });

  test("leaves out optional conditions, and takes lists of any length", async () => {
    await items
      .insert()
      .execBatch([1, 2, 3].map((id) => ({ id, name: `n${id}`, count: id, active: id > 1 })));
    const query = items
      .query()
      .fields("id")
      .where("id", "IN", "ids")
      .whereOptional("name", "=", "name")
      .orderBy("id", "asc");
    for (let i = 0; i < 3 * MANY_CALLS; i++) {
      const ids = [1, 2, 3].slice(0, 1 + (i % 3));
      const rows = await query.exec(i % 2 === 0 ? { ids } : { ids, name: "n1" });
      expect(rows.map(({ id }) => id)).toEqual(i % 2 === 0 ? ids : [1]);
    }
    const change = items.modify().set("count", "count").where("id", "=", "id");
    for (let i = 0; i < 2 * MANY_CALLS; i++)
      expect(await change.execMany({ count: i, id: 2 })).toMatchObject([{ count: i }]);
    await expect(change.execMany({ count: 1 } as never)).rejects.toMatchObject({ code: "MISSING_PARAM" });
  });
});

function shaped(params: Record<string, unknown>, shape: string): unknown {
  const [first] = Object.keys(params);
  if (first === undefined) return params;
  switch (shape) {
    case "null prototype":
      return Object.assign(Object.create(null), params);
    case "inherited":
      return Object.create(params);
    case "hidden":
      return Object.defineProperty(params, first, { enumerable: false });
    case "getter": {
      const value = params[first];
      return Object.defineProperty(params, first, { get: () => value });
    }
    case "more":
      return { ...params, more: 1 };
    case "symbol":
      return Object.assign(params, { [Symbol("s")]: 1 });
    default:
      return params;
  }
}
