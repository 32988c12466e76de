/** Operators and aggregates that `specs()` of a table switches off: refused at any depth, and absent from the document. */
import type { Database } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Person } from "../../kit/people.js";

// The operators of all dialects are asked of each.
const dialects = [sqlite(), postgres(), mariadb(), oracle()].map((db) =>
  (db as unknown as Database<"sqlite">).repository(Person),
);
const people = sqlite().repository(Person);
const keysOf = (schema: z.ZodObject) => Object.keys(schema.shape);
const text = (schema: z.ZodType) => JSON.stringify(z.toJSONSchema(schema, { io: "input" }));

/** What a schema says of a spec: the path and the code of each issue. */
function refusals(schema: z.ZodType, spec: unknown): string[] {
  const { error } = schema.safeParse(spec);
  return (error?.issues ?? []).map((issue) => {
    const { path, params, code } = issue as typeof issue & { params?: { code?: string } };
    return `${path.join(".")}: ${params?.code ?? code}`;
  });
}

describe("operators and aggregates that are switched off", () => {
  const leaf = (operator: string) => ({ where: [{ field: "name", operator, param: "q" }] });
  const all = ["=", "LIKE", "ILIKE", "CONTAINS", "STARTS WITH", "ENDS WITH", "ICONTAINS", "IENDS WITH"];

  test("a table takes all of them unless it says which", () => {
    for (const operator of all) expect(refusals(people.specs().query, leaf(operator))).toEqual([]);
  });

  test("what is not listed does not exist, at any depth, and the document says so", () => {
    for (const db of dialects) {
      const { query, modify, aggregate, compound } = db.specs({ operators: ["=", "ICONTAINS"] });
      for (const operator of ["=", "ICONTAINS"]) expect(refusals(query, leaf(operator))).toEqual([]);
      for (const operator of ["CONTAINS", "LIKE", "!=", "IN"]) {
        const inside = { where: [{ logic: "OR", group: leaf(operator).where }] };
        for (const schema of [query, aggregate])
          expect(refusals(schema, leaf(operator))).toContain("where.0.operator: INVALID_OPERATOR");
        expect(refusals(query, inside)).toContain("where.0.group.0.operator: INVALID_OPERATOR");
        expect(refusals(modify, { set: { name: "n" }, ...leaf(operator) })).toHaveLength(1);
        const operands = [{ operation: "union", query: { fields: ["id"], ...leaf(operator) } }];
        expect(refusals(compound, { base: { fields: ["id"] }, operands })).toHaveLength(1);
        expect(text(query)).not.toContain(`"${operator}"`);
      }
      for (const condition of [
        { field: "age", is_null: true },
        { field: "age", operator: "IS NOT NULL" },
        { field: "age", operator: "BETWEEN", low_param: "l", high_param: "h" },
        { field: "age", operator: "!=", right_field: "id" },
      ])
        expect(refusals(query, { where: [condition] })).toHaveLength(1);
      const having = [{ func: "count", field: "*", operator: ">", param: "n" }];
      expect(refusals(query, { fields: ["role"], group_by: ["role"], having_agg: having })).toHaveLength(1);
      expect(text(query)).toContain('"ICONTAINS"');
      expect(text(query)).not.toContain('"is_null":{"type":"boolean","const":true}');
    }
  });

  test("null tests and ranges are listed by their words", () => {
    const { query } = people.specs({ operators: ["IS NULL", "BETWEEN"] });
    const range = { field: "age", operator: "BETWEEN", low_param: "l", high_param: "h" };
    expect(refusals(query, { where: [{ field: "age", is_null: true }, range] })).toEqual([]);
    expect(refusals(query, { where: [{ field: "age", operator: "IS NOT NULL" }] })).toHaveLength(1);
    expect(refusals(query, leaf("="))).toHaveLength(1);
  });

  test("without any operator a spec has no condition, and is one all the same", () => {
    const { query } = people.specs({ operators: [] });
    expect(refusals(query, { fields: ["id"] })).toEqual([]);
    expect(refusals(query, leaf("="))).toHaveLength(1);
    expect(refusals(query, { where: [{ field: "age", is_null: true }] })).toHaveLength(1);
    expect(text(query)).toContain('"age"');
  });

  test("aggregates are all there, some or none", () => {
    const counted = { fields: ["role", { func: "count", alias: "n" }], group_by: ["role"] };
    const summed = { fields: [{ func: "sum", field: "age", alias: "n" }] };
    const having = { ...counted, having_agg: [{ func: "max", field: "age", operator: ">", param: "a" }] };
    const open = people.specs({ aggregates: true });
    for (const spec of [counted, summed, having]) expect(refusals(open.query, spec)).toEqual([]);
    const some = people.specs({ aggregates: ["count"] });
    expect(refusals(some.query, counted)).toEqual([]);
    expect(refusals(some.query, summed)).toEqual(["fields.0.func: INVALID_SPEC"]);
    expect(refusals(some.query, having)).toEqual(["having_agg.0.func: INVALID_SPEC"]);
    expect(text(some.query)).not.toContain('"sum"');
    for (const aggregates of [false, []] as const) {
      const { query, select, compound } = people.specs({ aggregates });
      for (const spec of [counted, summed])
        for (const schema of [query, select]) expect(refusals(schema, spec)).toHaveLength(1);
      expect(refusals(compound, { base: summed, operands: [{ operation: "union", query: {} }] })).not.toEqual(
        [],
      );
      expect(refusals(query, { fields: ["role"], group_by: ["role"] })).toEqual([]);
      expect(keysOf(query)).not.toContain("having_agg");
      expect(text(query)).not.toContain('"func"');
    }
  });
});
