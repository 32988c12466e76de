/** What a driver of one's own and bound calls cost the compiler: budgets in instantiations of TypeScript 5.9. */
import { describe, expect, test } from "vitest";
import { costOf } from "../../bench/compiler/type-cost.mjs";

const kinds = ["z.string()", "z.int()", "z.boolean()", "z.date()", "z.number().nullable()"];
const columns = Array.from({ length: 20 }, (_, i) => `c${i}: ${kinds[i % kinds.length]}`).join(", ");
const record = `{ ${["''", "1", "true", "new Date()"].flatMap((value, i) => [0, 5, 10, 15].map((from) => `c${from + i}: ${value}`)).join(", ")} }`;
const builtIn = `import { column, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";
const id = column(z.int(), { primaryKey: true, generated: true });
export const T = table("t", z.object({ id, ${columns} }));
export const db = sqlite();
export const r = db.repository(T);
`;
/** A driver with as many methods as `given`, and a repository over it. */
const driver = (given: string) => `import { databaseOver, type Driver } from "rowtype/driver";
const run = () => ({ rows: [], affected: 0 });
const driver = { run, ${given} } satisfies Driver;
export const other = databaseOver("sqlite", driver);
export const o = other.repository(T);
`;
const connect = "async connect() { return { run, begin() {}, control() {}, release() {} }; }";

const builders = `${builtIn}
const q = r.query().where("id", "=", "id");
const u = r.modify().set("c0", "text").where("id", "=", "id");
const i = r.insert();
const n = r.count();
const t = db.sql("DELETE FROM t WHERE id = :id");
`;
const calls = (method: "bind" | "exec") => [
  `q.${method}({ id: 1 })`,
  `u.${method}({ id: 1, text: "" })`,
  `i.${method}(${record})`,
  `n.${method}()`,
  `t.${method}({ id: 1 })`,
];
const named = (list: readonly string[]) => list.map((call, i) => `export const x${i} = ${call};\n`).join("");
const ten = [...calls("bind"), ...calls("bind")];
const tuple = `export const results = db.atomic([${ten.map((_, i) => `x${i}`).join(", ")}]);\n`;

/** What `more` costs behind a program. */
function over(program: string, more: string): number {
  return costOf({ "program.ts": program + more }) - costOf({ "program.ts": program });
}

// Behind each budget stands what was measured when it was set. The contract allows a driver 1,500, a bound call 250, and
// a tuple of ten 1,500.
describe("rowtype/driver, beside a database of ours", () => {
  test.each([
    ["with transactions", connect, 190], // 184
    ["with atomic", "async atomic() { return []; }", 331],
    ["without either", "", 195], // 189,
  ])("%s", (_, methods, most) => {
    const cost = over(builtIn, driver(methods));
    expect(cost).toBeGreaterThan(0);
    expect(cost).toBeLessThanOrEqual(most);
  });
});

describe("bound calls", () => {
  // The record of an insert costs 900 where it is seen first, by `exec` as by `bind`.
  test.each(calls("bind").map((call) => [call] as const))(
    "in a program that executes the same: %s",
    (call) => {
      const cost = over(builders + named(calls("exec")), `export const bound = ${call};\n`);
      expect(cost).toBeGreaterThan(0);
      expect(cost).toBeLessThanOrEqual(56);
    },
  );

  test("five in a program that executes none cost what their executions would", () => {
    const [bound, executed] = [over(builders, named(calls("bind"))), over(builders, named(calls("exec")))];
    expect(executed).toBeGreaterThan(0);
    expect(bound).toBeLessThanOrEqual(executed + 5); // 3
  });

  test("a tuple of ten in atomic", () => {
    const cost = over(builders + named(ten), tuple);
    expect(cost).toBeGreaterThan(0);
    expect(cost).toBeLessThanOrEqual(270); // 264
  });
});
