/**
 * Every argument of every step of a chain, replaced by an invalid value as from an untyped caller: refused with
 * a code.
 */
import { c, column, SqlError, table, vector } from "rowtype";
import { postgres } from "rowtype/postgres";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const User = table(
  "users",
  z.object({ id: column(z.int(), { primaryKey: true }), name: z.string().nullable(), place: vector(3) }),
);
// biome-ignore lint/suspicious/noExplicitAny: these callers no compiler stops.
const users: any = postgres().repository(User);
const query = () => users.query();
const changed = () => users.modify().where("id", "=", "id");
const upsert = () => users.insert().onConflict("id").doUpdate();

type Step = readonly [string, () => unknown, readonly unknown[]];
const steps: readonly Step[] = [
  ["fields", query, ["id"]],
  ["where", query, ["id", "=", "p"]],
  ["whereOptional", query, ["id", "=", "p"]],
  ["whereAnd", query, [c("id", "=", "p")]],
  ["whereOr", query, [c("id", "=", "p")]],
  ["whereNull", query, ["id"]],
  ["whereNotNull", query, ["id"]],
  ["whereBetween", query, ["id", "a", "b"]],
  ["whereNotBetween", query, ["id", "a", "b"]],
  ["whereFields", query, ["id", "=", "id"]],
  ["whereDistance", query, ["place", "<->", "p", "<", "l"]],
  ["distinctOn", query, ["id"]],
  ["orderBy", query, ["id", "asc"]],
  ["orderByNulls", query, ["id", "asc", "first"]],
  ["orderByNulls", () => query().union(query()), ["id", "asc", "first"]],
  ["orderByExpr", query, ["place", "<->", "p", "asc"]],
  ["groupBy", () => query().fields("id"), ["id"]],
  ["havingAgg", () => query().fields("id").groupBy("id"), ["count", "*", ">", "n"]],
  ["limit", () => query().limit(5), [1]],
  ["limit", () => query().union(query()).limit(5), [1]],
  ["offset", () => query().offset(5), [1]],
  ["limitParam", () => query().limit(5), ["n"]],
  ["limitParam", () => query().union(query()).limit(5), ["n"]],
  ["offsetParam", query, ["n"]],
  ["union", query, [query()]],
  ["set", changed, ["name", "n"]],
  ["setExpr", changed, ["id", "+", "n"]],
  ["set", upsert, ["name", "n"]],
  ["sum", () => users, ["id"]],
  ["max", () => users, ["id"]],
];
const nonsense = [undefined, null, -1, "", {}, [], Symbol("s"), Number.NaN, true, () => 1];
const renderOf = (on: unknown, method: string, args: readonly unknown[]) =>
  // biome-ignore lint/suspicious/noExplicitAny: the method is one of the list.
  (on as any)[method](...args).render();

describe("a step refuses an invalid and a missing value for each argument", () => {
  test.each(steps)("%s", (method, on, args) => {
    // What is right is accepted first: what was remembered for it must not answer for what is wrong.
    expect(renderOf(on(), method, args).sql).toBeTypeOf("string");
    for (const [i] of args.entries())
      for (const bad of nonsense)
        expect(() => renderOf(on(), method, args.with(i, bad)), `argument ${i}`).toThrow(SqlError);
    expect(() => renderOf(on(), method, args.slice(0, -1)), "the last is missing").toThrow(SqlError);
  });

  test("limits and offsets: INVALID_PARAM, and the previous value is kept", () => {
    for (const on of [query().limit(5).offset(3), query().union(query()).limit(5).offset(3)])
      for (const method of ["limit", "offset", "limitParam", "offsetParam"])
        expect(() => renderOf(on, method, [undefined])).toThrow(
          expect.objectContaining({ code: "INVALID_PARAM" }),
        );
  });

  test("locks: an invalid option is refused, not read as a waiting lock", () => {
    for (const bad of [5, "skipLocked", { skiplocked: true }, { skipLocked: 1 }, { noWait: "no" }])
      expect(() => renderOf(query(), "forUpdate", [bad]), String(bad)).toThrow(SqlError);
    expect(renderOf(query(), "forUpdate", [{ skipLocked: true }]).sql).toContain("SKIP LOCKED");
    expect(renderOf(query(), "forUpdate", [undefined]).sql).toContain("FOR UPDATE");
  });
});
