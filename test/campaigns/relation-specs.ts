/** Random specs over the tables of `shop.ts`, each beside the same one with invented names in place of hidden ones. */
import type { Chance } from "./expression-chance.js";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Spec = { readonly [key: string]: Json };

/** What `specs()` is told to allow. */
export const boundsOf = { joins: 2, conditions: 5, depth: 4, rows: 150 } as const;

/** A spec, the same with invented names, and which stand for which. */
export interface Made {
  readonly spec: Spec;
  readonly invented: Spec;
  /** The longest first, for one may be a part of another. */
  readonly names: readonly (readonly [hidden: string, invented: string])[];
}

/** What a client may see of a table, and what it may not. */
interface Seen {
  readonly fields: readonly string[];
  readonly hidden: readonly string[];
  readonly relations: Readonly<Record<string, string>>;
  readonly hiddenRelations: readonly string[];
}

const seen: Readonly<Record<string, Seen>> = {
  orders: {
    fields: ["id", "note"],
    hidden: ["total", "customerId", "placedAt", "customer_id", "placed_at"],
    relations: { customer: "customers", lines: "lines" },
    hiddenRelations: ["payments"],
  },
  customers: {
    fields: ["name"],
    hidden: ["id", "nick", "since", "since_at", "countryId", "bossId"],
    relations: { country: "countries" },
    hiddenRelations: ["boss", "orders"],
  },
  countries: { fields: ["name"], hidden: ["id"], relations: {}, hiddenRelations: [] },
  lines: { fields: ["id", "sku"], hidden: ["qty", "orderId"], relations: {}, hiddenRelations: ["order"] },
};

const own: Seen = { fields: [], hidden: [], relations: {}, hiddenRelations: [] };
const seenOf = (table: string): Seen => seen[table] ?? own;
// Of one length with none of the names that there are.
const inventedOf = (name: string): string => `z${"q".repeat(Math.max(1, name.length - 2))}z`;

/** A table of a scope, under its name; the own one has none. */
type Places = readonly (readonly [name: string, table: string])[];

/** Makes specs. */
export class SpecMaker {
  readonly #chance: Chance;
  /** The names that rows may have. */
  readonly listed: ReadonlySet<string> = new Set([
    ...["id", "note", "name", "sku", "customer", "country", "lines", "buyer", "land", "n", "m", "t"],
  ]);
  #params = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  spec(): Made {
    this.#params = 0;
    const hides = this.#chance.oneIn(2);
    const spec = this.#query("orders", hides, 0, true);
    const used = new Map<string, string>();
    const invented = renamed(spec, used) as Spec;
    // Within the spec a hidden name stands between marks, so that nothing else is taken for one.
    return {
      spec: unmarked(spec) as Spec,
      invented,
      names: [...used].sort(([one], [other]) => other.length - one.length),
    };
  }

  /** A value for a parameter. */
  valueOf(name: string): unknown {
    return name.startsWith("n") ? 1 : "a";
  }

  #query(table: string, hides: boolean, depth: number, isOuter: boolean): Spec {
    const chance = this.#chance;
    const joins = this.#joins(table, hides, depth);
    const places: Places = [["", table], ...joins.map(({ name, table: of }) => [name, of] as const)];
    const list = <T>(most: number, make: () => T) => Array.from({ length: chance.below(most + 1) }, make);
    const where = list(3, () => this.#condition(places, hides, depth));
    const fields = list(3, () => this.#field(places, hides));
    const orders = list(2, () => ({
      field: this.#field(places, hides),
      direction: chance.of(["asc", "desc"]),
    }));
    const nested = depth < 3 && chance.oneIn(3) ? this.#nested(table, hides, depth) : {};
    return {
      ...(joins.length > 0 ? { joins: joins.map(({ spec }) => spec) } : {}),
      ...(fields.length > 0 ? { fields: [...new Set(fields)] } : {}),
      ...(where.length > 0 ? { where } : {}),
      ...(orders.length > 0 ? { order_by: orders } : {}),
      ...(Object.keys(nested).length > 0 ? { with: nested } : {}),
      ...(chance.oneIn(3) ? { limit: chance.of([0, 1, 3, 5, 20, isOuter ? 21 : 6, 1_000_000, -1]) } : {}),
      ...(chance.oneIn(8) ? { offset: chance.below(5) } : {}),
    };
  }

  #joins(table: string, hides: boolean, depth: number) {
    const chance = this.#chance;
    const joins: { readonly name: string; readonly table: string; readonly spec: Spec }[] = [];
    const count = depth > 1 ? 0 : chance.below(chance.oneIn(6) ? 4 : 3);
    let at: { readonly prefix: string; readonly table: string } = { prefix: "", table };
    for (let i = 0; i < count; i++) {
      const { relations, hiddenRelations } = seenOf(at.table);
      const isHidden = hides && hiddenRelations.length > 0 && chance.oneIn(6);
      const names = Object.keys(relations);
      if (!isHidden && names.length === 0) break;
      const relation = isHidden ? marked(chance.of(hiddenRelations)) : chance.of(names);
      const to = relations[relation] ?? "orders";
      const as = chance.oneIn(4) ? chance.of(["buyer", "land"]) : undefined;
      const kind = chance.oneIn(2) ? chance.of(["inner", "left"]) : undefined;
      const spec: Spec = {
        relation: at.prefix + relation,
        ...(as === undefined ? {} : { as }),
        ...(kind === undefined ? {} : { kind }),
      };
      const name = as ?? relation;
      joins.push({ name, table: to, spec });
      at = { prefix: `${name}.`, table: to };
    }
    return joins;
  }

  #nested(table: string, hides: boolean, depth: number): Spec {
    const { relations, hiddenRelations } = seenOf(table);
    const chance = this.#chance;
    const names = hides && chance.oneIn(4) ? hiddenRelations.map(marked) : Object.keys(relations);
    if (names.length === 0) return {};
    const name = chance.of(names);
    return { [name]: this.#query(relations[name] ?? "orders", hides, depth + 1, false) };
  }

  #field(places: Places, hides: boolean): string {
    const chance = this.#chance;
    const [name, table] = chance.of(places);
    const { fields, hidden } = seenOf(table);
    const isHidden = hides && hidden.length > 0 && chance.oneIn(5);
    const field = isHidden ? marked(chance.of(hidden)) : chance.of(fields.length > 0 ? fields : ["id"]);
    return name === "" ? field : `${name}.${field}`;
  }

  #condition(places: Places, hides: boolean, depth: number): Spec {
    const chance = this.#chance;
    const choice = chance.below(8);
    const [, table = "orders"] = places[0] ?? [];
    const { relations, hiddenRelations } = seenOf(table);
    if (choice === 0 && depth < 4)
      return {
        logic: chance.of(["AND", "OR"]),
        group: Array.from({ length: 1 + chance.below(2) }, () => this.#condition(places, hides, depth + 1)),
      };
    if (choice < 3 && depth < 4) {
      const isHidden = hides && hiddenRelations.length > 0 && chance.oneIn(3);
      const names = isHidden ? hiddenRelations.map(marked) : Object.keys(relations);
      const relation = names.length > 0 ? chance.of(names) : undefined;
      if (relation !== undefined) {
        const inside: Places = [["", relations[relation] ?? "orders"]];
        const where = Array.from({ length: chance.below(3) }, () =>
          this.#condition(inside, hides, depth + 1),
        );
        return { [chance.of(["exists", "not_exists"])]: relation, ...(where.length > 0 ? { where } : {}) };
      }
    }
    const field = this.#field(places, hides);
    if (choice === 3) return { field, is_null: chance.oneIn(2) };
    if (choice === 4) return { field, operator: "=", right_field: this.#field(places, hides) };
    const isNumber = /(^|\.)id$/.test(field);
    const param = `${isNumber ? "n" : "t"}${this.#params++}`;
    return { field, operator: chance.of(isNumber ? ["=", ">", "<="] : ["=", "!=", "LIKE"]), param };
  }
}

const MARK = "\u0001";
const marked = (name: string): string => `${MARK}${name}${MARK}`;
const MARKED = new RegExp(`${MARK}([^${MARK}]*)${MARK}`, "g");

const unmarked = (value: Json): Json => mapped(value, (text) => text.replace(MARKED, "$1"));

function renamed(value: Json, used: Map<string, string>): Json {
  return mapped(value, (text) =>
    text.replace(MARKED, (_, name: string) => {
      used.set(name, inventedOf(name));
      return inventedOf(name);
    }),
  );
}

function mapped(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((one: Json) => mapped(one, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [change(key), mapped(one, change)]));
}

/** How large a spec is that was taken, counted without the package. */
export function sizeOf(spec: Json): {
  readonly joins: number;
  readonly conditions: number;
  readonly rows: number;
} {
  const count = (value: Json, is: (one: Spec) => boolean): number => {
    if (Array.isArray(value)) return value.reduce<number>((sum, one: Json) => sum + count(one, is), 0);
    if (typeof value !== "object" || value === null) return 0;
    const one = value as Spec;
    return Number(is(one)) + Object.values(one).reduce<number>((sum, part) => sum + count(part, is), 0);
  };
  const isList = (name: string) => name === "lines";
  // The rows of nested lists along each chain, added up.
  const rowsOf = (query: Spec, around: number): number => {
    const inside = (query["with"] ?? {}) as Spec;
    return Object.entries(inside).reduce((sum, [name, one]) => {
      const most = Number((one as Spec)["limit"] ?? 5);
      const rows = isList(name) ? around * most : around;
      return sum + (isList(name) ? rows : 0) + rowsOf(one as Spec, rows);
    }, 0);
  };
  const whole = spec as Spec;
  return {
    joins: count(spec, (one) => "relation" in one),
    conditions: count(spec, (one) => "operator" in one || "is_null" in one),
    rows: rowsOf(whole, Number(whole["limit"] ?? 20)),
  };
}
