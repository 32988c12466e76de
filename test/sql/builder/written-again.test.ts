/** A chain that is written again is found again by its arguments, and by nothing that only looks like them. */
import fc from "fast-check";
import {
  add,
  and,
  avg,
  between,
  c,
  cast,
  coalesce,
  column,
  compare,
  count,
  greatest,
  isNull,
  least,
  lower,
  mul,
  not,
  notBetween,
  notNull,
  or,
  param,
  round,
  sum,
  table,
  upper,
} from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { expect, test } from "vitest";
import { z } from "zod";
import { rounds } from "../../rounds.js";

const Item = table(
  "items",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    size: z.int(),
    rest: z.int(),
    name: z.string(),
    note: z.string(),
  }),
);

// biome-ignore lint/suspicious/noExplicitAny: chains by chance no compiler checks.
type Chain = any;
type Step = (chain: Chain, begin: () => Chain) => Chain;

const number = fc.constantFrom("size", "rest");
const text = fc.constantFrom("name", "note");
const field = fc.oneof(number, text);
const name = fc.constantFrom("p", "q");
const comparison = fc.constantFrom("=", "<");
const made = <T>(make: () => T) => make;

/** Makes an operand anew each time. */
const operand: fc.Arbitrary<() => unknown> = fc.oneof(
  number.map((one) => made(() => one)),
  fc.tuple(number, number).map(([a, b]) => made(() => add(a, b))),
  fc.tuple(number, number).map(([a, b]) => made(() => greatest(a, b))),
  fc.tuple(number, fc.constantFrom(0, 1)).map(([a, digits]) => made(() => round(a, digits))),
  fc.tuple(number, name).map(([a, p]) => made(() => coalesce(a, param(p)))),
  fc
    .tuple(number, fc.constantFrom("integer" as const, "text" as const))
    .map(([a, to]) => made(() => cast(a, to))),
  text.map((one) => made(() => upper(one))),
  text.map((one) => made(() => lower(one))),
);

const { condition } = fc.letrec<{ condition: () => unknown; leaf: () => unknown; group: () => unknown }>(
  (tie) => ({
    condition: fc.oneof({ maxDepth: 3 }, tie("leaf"), tie("group")),
    leaf: fc.oneof(
      // biome-ignore lint/suspicious/noExplicitAny: of operands by chance.
      fc.tuple(operand, comparison, name).map(([a, op, p]) => made(() => c(a() as any, op as "=", p))),
      fc.tuple(field, comparison, field).map(([a, op, b]) => made(() => compare(a, op as "=", b))),
      fc.tuple(field, name, name).map(([a, p, q]) => made(() => between(a, p, q))),
      field.map((one) => made(() => isNull(one))),
      field.map((one) => made(() => notNull(one))),
    ),
    group: fc
      .tuple(
        fc.constantFrom(and, or),
        fc.array(tie("condition"), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
      )
      .map(([group, inside, turned]) =>
        made(() => {
          // biome-ignore lint/suspicious/noExplicitAny: conditions by chance.
          const one = group(...(inside.map((make) => make()) as any));
          return turned ? not(one) : one;
        }),
      ),
  }),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.uniqueArray(field, { minLength: 1, maxLength: 3 }).map(
    (names): Step =>
      (chain) =>
        chain.fields(...names),
  ),
  fc.tuple(fc.constantFrom("sum", "avg"), number, fc.constantFrom("n", "m")).map(
    ([func, of, alias]): Step =>
      (chain) =>
        chain.fields((func === "sum" ? sum(of) : avg(of)).as(alias)),
  ),
  fc.constantFrom("n", "m").map(
    (alias): Step =>
      (chain) =>
        chain.fields(count().as(alias)),
  ),
  fc.tuple(operand, comparison, name).map(
    ([a, op, p]): Step =>
      (chain) =>
        chain.where(a(), op, p),
  ),
  fc.tuple(fc.constantFrom("whereAnd", "whereOr"), fc.array(condition, { minLength: 1, maxLength: 3 })).map(
    ([method, list]): Step =>
      (chain) =>
        chain[method](...list.map((make) => make())),
  ),
  fc.tuple(fc.constantFrom("whereNull", "whereNotNull"), field).map(
    ([method, one]): Step =>
      (chain) =>
        chain[method](one),
  ),
  fc.tuple(field, comparison, field).map(
    ([a, op, b]): Step =>
      (chain) =>
        chain.whereFields(a, op, b),
  ),
  fc.tuple(fc.constantFrom("whereBetween", "whereNotBetween"), field, name, name).map(
    ([method, one, p, q]): Step =>
      (chain) =>
        chain[method](one, p, q),
  ),
  fc.tuple(field, fc.constantFrom("asc", "desc")).map(
    ([one, direction]): Step =>
      (chain) =>
        chain.orderBy(one, direction),
  ),
  fc.tuple(fc.constantFrom("limit", "offset"), fc.constantFrom<unknown>(0, -0, 1, 1.5, "1")).map(
    ([method, n]): Step =>
      (chain) =>
        chain[method](n),
  ),
  fc.tuple(fc.constantFrom("limitParam", "offsetParam"), name).map(
    ([method, p]): Step =>
      (chain) =>
        chain[method](p),
  ),
  fc.uniqueArray(field, { minLength: 1, maxLength: 2 }).map(
    (names): Step =>
      (chain) =>
        chain.groupBy(...names),
  ),
  fc.tuple(fc.constantFrom("union", "unionAll", "except"), comparison, name).map(
    ([method, op, p]): Step =>
      (chain, begin) =>
        chain[method](begin().where("id", op, p)),
  ),
  fc.tuple(fc.constantFrom("n", "m"), comparison, name).map(
    ([alias, op, p]): Step =>
      (chain) =>
        chain.having(alias, op, p),
  ),
);

/** What comes of a chain; a method that a builder of this kind does not have is left out. */
function shown(begin: () => Chain, steps: readonly Step[]): unknown {
  let chain = begin();
  for (const one of steps)
    try {
      chain = one(chain, begin);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  const result = chain.safeRender();
  return result.success ? result.data : String(result.error);
}

test("whatever was written before, a chain gives what it gives alone", () => {
  const users = sqlite().repository(Item);
  let found = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), (steps) => {
      const fresh = sqlite().repository(Item);
      const alone = shown(() => fresh.query(), steps);
      for (let i = 0; i < 3; i++) expect(shown(() => users.query(), steps)).toEqual(alone);
      if (typeof alone === "object") found++;
    }),
    { numRuns: rounds({ small: 1_500, full: 100_000 }) },
  );
  // Most of what is refused holds a limit that is none.
  expect(found).toBeGreaterThan(100);
});

/** Conditions of which each differs from another in one part, made anew each time. */
const alike: readonly (() => unknown)[] = [
  () => c("size", "=", "p"),
  () => c("size", "<", "p"),
  () => c("size", "=", "q"),
  () => c("rest", "=", "p"),
  () => compare("size", "=", "rest"),
  () => compare("size", "<", "rest"),
  () => compare("size", "=", "id"),
  () => compare("id", "=", "rest"),
  () => between("size", "p", "q"),
  () => between("size", "q", "q"),
  () => between("size", "p", "p"),
  () => notBetween("size", "p", "q"),
  () => isNull("size"),
  () => notNull("size"),
  () => and(c("size", "=", "p"), isNull("rest")),
  () => or(c("size", "=", "p"), isNull("rest")),
  () => or(c("size", "=", "p"), notNull("rest")),
  () => or(c("size", "=", "p")),
  () => not(or(c("size", "=", "p"))),
  () => not(or(c("size", "=", "q"))),
  () => c(add("size", "rest"), "=", "p"),
  () => c(mul("size", "rest"), "=", "p"),
  () => c(add("size", "id"), "=", "p"),
  () => c(greatest("size", "rest"), "=", "p"),
  () => c(least("size", "rest"), "=", "p"),
  () => c(greatest("size", "rest", "id"), "=", "p"),
  () => c(round("size", 0), "=", "p"),
  () => c(round("size", 1), "=", "p"),
  () => c(coalesce("size", param("q")), "=", "p"),
  () => c(coalesce("size", param("r")), "=", "p"),
  () => c(coalesce("rest", param("q")), "=", "p"),
  () => c(cast("size", "text"), "=", "p"),
  () => c(cast("size", "integer"), "=", "p"),
  () => c(cast("rest", "text"), "=", "p"),
  () => c(upper("name"), "=", "p"),
  () => c(lower("name"), "=", "p"),
  () => c(upper("note"), "=", "p"),
  () => c(upper(lower("name")), "=", "p"),
];

test("of two conditions that differ in one part, each gives what it gives alone", () => {
  const write = (users: Chain, make: () => unknown) => users.query().whereAnd(make()).render();
  const alone = alike.map((make) => write(sqlite().repository(Item), make));
  expect(new Set(alone.map(({ sql }) => sql)).size).toBe(alike.length);
  for (const [i, before] of alike.entries()) {
    const users = sqlite().repository(Item);
    for (let round = 0; round < 3; round++) expect(write(users, before)).toEqual(alone[i]);
    for (const [j, other] of alike.entries()) expect(write(users, other)).toEqual(alone[j]);
  }
});

test("of two aggregates that differ in one part, each gives what it gives alone", () => {
  const rows: readonly (() => unknown)[] = [
    () => sum("size").as("n"),
    () => avg("size").as("n"),
    () => sum("rest").as("n"),
    () => sum("size").as("m"),
    () => count().as("n"),
    () => count("size").as("n"),
    () =>
      sum("size")
        .filter(c("rest", "=", "p"))
        .as("n"),
  ];
  const write = (users: Chain, make: () => unknown) => users.query().fields(make()).render();
  const alone = rows.map((make) => write(sqlite().repository(Item), make));
  expect(new Set(alone.map(({ sql }) => sql)).size).toBe(rows.length);
  for (const before of rows) {
    const users = sqlite().repository(Item);
    for (let round = 0; round < 3; round++) write(users, before);
    for (const [j, other] of rows.entries()) expect(write(users, other)).toEqual(alone[j]);
  }
});

test("a chain whose conditions and expressions are written anew is the one before", () => {
  const users = sqlite().repository(Item);
  const write = (least: string) =>
    users
      .query()
      .fields("name", count().as("n"), sum("size").as("total"), upper("name").as("big"))
      .whereOr(c("size", ">", least), and(c("rest", "<", "most"), isNull("name")))
      .groupBy("name")
      .having("n", ">", "p");
  write("least").build();
  const first = write("least").build();
  for (let i = 0; i < 4; i++) expect(write("least")).toBe(first);
  expect(write("other")).not.toBe(first);
  expect(write("other").render().params).toContain("other");
});

test("more ways from one builder than are seen at once are all found", () => {
  const users = sqlite().repository(Item);
  const write = (i: number) => users.query().where("size", "=", `p${i}`);
  for (let i = 0; i < 50; i++) write(i).build();
  const all = Array.from({ length: 50 }, (_, i) => write(i).build());
  for (let round = 0; round < 3; round++) for (const [i, one] of all.entries()) expect(write(i)).toBe(one);
});

test("what made room for others is not found by its arguments any more", () => {
  const users = sqlite().repository(Item);
  const write = () => users.query().where("size", "=", "p");
  write().build();
  const first = write().build();
  for (let i = 0; i < 3; i++) expect(write()).toBe(first);
  const others = (i: number) => c("size", "=", `${"x".repeat(50)}${i}`);
  for (let i = 0; i < 6_000; i++)
    for (let times = 0; times < 2; times++)
      users
        .query()
        .whereAnd(...Array.from({ length: 40 }, () => others(i)))
        .build();
  expect(write()).not.toBe(first);
  expect(write().render()).toEqual(first.render());
});

test("a name that was written in another way is the same name", () => {
  const users = sqlite().repository(Item);
  users.query().where("size", "=", "least").build();
  const first = users.query().where("size", "=", "least").build();
  for (let i = 0; i < 3; i++) expect(users.query().where("size", "=", ["le", "ast"].join(""))).toBe(first);
});
