/** Null is not a value of a spec: a key with null is refused, by the schemas of a table and by a builder. */
import { postgres } from "rowtype/postgres";
import { expect, test } from "vitest";
import { Person } from "../../kit/people.js";
import type { Untyped } from "../../kit/spec-methods.js";
import { sqlErrorIn } from "../../kit/thrown.js";

// All locks are PostgreSQL's.
const people: Untyped = postgres().repository(Person);
const schemas = people.specs({ locks: true, regex: true });

const where = [{ field: "id", operator: "=", param: "p" }];
const lists = ["fields", "where", "order_by", "group_by", "having", "having_agg", "distinct", "distinct_on"];
const paging = ["limit", "offset", "limit_param", "offset_param"];
const conditionKeys = [
  "operator",
  "param",
  "optional",
  "is_null",
  "right_field",
  "low_param",
  "logic",
  "group",
];
const count = { func: "count", field: "id" };

/** Specs that are taken, with the keys that are then set to null, one by one, in the object that `at` makes a spec of. */
const cases: readonly [kind: string, whole: object, keys: readonly string[], at: (part: object) => object][] =
  [
    ["query", {}, [...lists, ...paging, "for_locking"], (spec) => spec],
    ["select", {}, [...lists, "for_locking", "for_update"], (spec) => spec],
    ["insert", {}, ["on_conflict", "conflict_action", "conflict_set"], (spec) => spec],
    ["modify", { set: { name: "n" }, where }, ["set", "set_expr", "where"], (spec) => spec],
    ["remove", { where }, ["where"], (spec) => spec],
    ["sum", { field: "age", where }, ["field", "where"], (spec) => spec],
    [
      "compound",
      { base: {}, operands: [{ operation: "union", query: {} }] },
      ["base", "operands", "order_by", ...paging],
      (spec) => spec,
    ],
    ["query", { field: "id", operator: "=", param: "p" }, conditionKeys, (leaf) => ({ where: [leaf] })],
    ["query", { field: "age", is_null: true }, conditionKeys, (leaf) => ({ where: [leaf] })],
    ["query", { logic: "OR", group: where }, conditionKeys, (group) => ({ where: [group] })],
    [
      "query",
      { field: "id", direction: "asc" },
      ["field", "direction", "nulls_first", "nulls_last", "nulls", "operator", "param", "expression"],
      (term) => ({ order_by: [term] }),
    ],
    ["query", { mode: "update" }, ["mode", "skip_locked", "no_wait"], (lock) => ({ for_locking: lock })],
    ["query", { ...count, alias: "n" }, ["func", "field", "alias"], (field) => ({ fields: [field] })],
    [
      "query",
      { ...count, operator: ">", param: "p" },
      ["func", "field", "operator", "param"],
      (having) => ({ fields: ["id"], group_by: ["id"], having_agg: [having] }),
    ],
  ];

const refused = (kind: string, spec: object) => {
  const schema = schemas[kind === "sum" ? "aggregate" : kind];
  if (schema.safeParse(spec).success) return false;
  return sqlErrorIn(() => people[`${kind}FromSpec`](spec).render()) !== undefined;
};

test.each(cases)("null is refused in a %s such as %j", (kind, whole, keys, at) => {
  expect(schemas[kind === "sum" ? "aggregate" : kind].safeParse(at(whole)).success).toBe(true);
  expect(() => people[`${kind}FromSpec`](at(whole)).render()).not.toThrow();
  for (const key of keys) expect([key, refused(kind, at({ ...whole, [key]: null }))]).toEqual([key, true]);
});
