/** Random specs as a client may send them that knows the words of specs and little else: most of them are refused. */
import type { Chance } from "../campaigns/expression-chance.js";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** What the specs are made of. */
export interface Words {
  readonly fields: readonly string[];
  readonly relations: readonly string[];
}

const rowsKeys = [
  "joins",
  "fields",
  "with",
  "where",
  "order_by",
  "group_by",
  "having",
  "having_agg",
  "limit",
];
const queryKeys = [...rowsKeys, "offset", "limit_param", "distinct", "distinct_on", "for_locking", "after"];
const condition = ["field", "operator", "param", "right_field", "is_null", "low_param", "high_param"];
const keysOf: Readonly<Record<string, readonly string[]>> = {
  query: queryKeys,
  select: rowsKeys,
  aggregate: ["field", "joins", "where"],
  insert: ["on_conflict", "conflict_action", "conflict_set"],
  modify: ["set", "set_expr", "where"],
  remove: ["where"],
  compound: ["base", "operands", "order_by", "limit"],
  base: queryKeys,
  where: [...condition, "logic", "group", "exists", "not_exists", "where", "optional", "query"],
  group: [...condition, "exists", "query"],
  fields: ["func", "field", "alias"],
  order_by: ["field", "direction", "nulls", "nulls_first", "expression", "operator", "param"],
  having: ["field", "operator", "param", "query"],
  having_agg: ["func", "field", "operator", "param"],
  joins: ["relation", "as", "kind"],
  operands: ["operation", "query"],
};
const lists = new Set([
  ...["joins", "fields", "where", "group", "order_by", "group_by", "having", "having_agg", "distinct_on"],
  ...["operands", "on_conflict"],
]);
const others = ["table", "page", "counted", "returning", "not", "__proto__", "toString", "whole"];
const everyKey = [...new Set([...Object.values(keysOf).flat(), ...others])];
const words: Readonly<Record<string, readonly Json[]>> = {
  operator: ["=", "LIKE", "~", "IN", "NOT IN", "BETWEEN", "IS NULL", "IS NOT NULL", "<->", "+", "=="],
  direction: ["asc", "desc", "up"],
  nulls: ["first", "last", "none"],
  func: ["count", "sum", "max", "median"],
  kind: ["left", "inner", "full"],
  logic: ["AND", "OR", "XOR"],
  operation: ["union", "except_all", "join"],
  param: ["p", "q", "1x", ""],
  alias: ["n", "id", "1", ""],
  conflict_action: ["nothing", "update", "replace"],
  for_locking: ["update", "share", "all"],
  limit: [1, 3, 1_000_000, -1, 1.5],
  expression: ["id <-> :p", "nothing"],
  optional: [true, false, "yes"],
  is_null: [true, false, "yes"],
  distinct: [true, "yes"],
};

/** Makes specs. */
export class OddSpecs {
  readonly #chance: Chance;
  readonly #fields: readonly string[];
  readonly #relations: readonly string[];

  constructor(chance: Chance, { fields, relations }: Words) {
    this.#chance = chance;
    this.#fields = [...fields, "zzz", "zzz.id", "*", "n"];
    this.#relations = [...relations, "zzz", "zzz.more"];
  }

  /** A spec of a kind, or at least a body. */
  of(kind: string): Json {
    return this.#object(5, this.#chance.oneIn(9) ? everyKey : (keysOf[kind] ?? everyKey));
  }

  #object(depth: number, keys: readonly string[]): Json {
    const count = 1 + this.#chance.below(4);
    const chosen = Array.from({ length: count }, () =>
      this.#chance.oneIn(12) ? this.#chance.of(everyKey) : this.#chance.of(keys),
    );
    return Object.fromEntries(chosen.map((key) => [key, this.#value(key, depth - 1)]));
  }

  #value(key: string, depth: number): Json {
    const chance = this.#chance;
    if (depth <= 0 || chance.oneIn(14)) return this.#anything(depth);
    if (lists.has(key) && !chance.oneIn(10)) return this.#list(key, depth);
    if (["field", "right_field"].includes(key)) return chance.of(this.#fields);
    if (["relation", "exists", "not_exists", "as", "table"].includes(key)) return chance.of(this.#relations);
    if (key === "with")
      return { [chance.of(this.#relations)]: this.#object(depth, queryKeys), zzz: chance.of([{}, null]) };
    if (["set", "set_expr", "conflict_set"].includes(key))
      return { [chance.of(this.#fields)]: this.#value(key === "set_expr" ? "having" : "param", depth) };
    if (key === "base" || key === "query") return this.#object(depth, [...queryKeys, "table"]);
    const known = Object.hasOwn(words, key) ? words[key] : undefined;
    return known === undefined ? this.#anything(depth) : chance.of(known);
  }

  #list(key: string, depth: number): Json {
    const isOfNames = ["group_by", "distinct_on", "on_conflict"].includes(key);
    return Array.from({ length: this.#chance.below(3) }, () => {
      if (isOfNames || (key === "fields" && this.#chance.oneIn(2))) return this.#chance.of(this.#fields);
      return this.#chance.oneIn(10) ? this.#anything(depth) : this.#object(depth, keysOf[key] ?? everyKey);
    });
  }

  #anything(depth: number): Json {
    const choice = this.#chance.below(8);
    if (depth > 0 && choice === 0) return this.#object(depth, everyKey);
    if (depth > 0 && choice === 1) return [this.#anything(depth - 1)];
    return this.#chance.of<Json>([...this.#fields, ...this.#relations, 1, -1, 2.5, true, null]);
  }
}
