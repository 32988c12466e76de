/** Random specs from clients over the tables of `test/kit/hidden-world.ts`, and words that no client may send. */
import type { Name } from "../kit/hidden-world.js";
import type { Chance } from "./expression-chance.js";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Spec = { readonly [key: string]: Json };
export type SpecKind =
  | "query"
  | "select"
  | "page"
  | "compound"
  | "count"
  | "sum"
  | "max"
  | "modify"
  | "remove";

/** What the client of these specs may name. */
export const allowed = {
  fields: ["id", "n", "m", "title", "peerId"],
  maxLimit: 50,
  relations: {
    peer: { fields: ["id", "n"], relations: { notes: { fields: ["id", "n"] } } },
    notes: { fields: ["id", "n", "m"], relations: { doc: { fields: ["id", "n"] } } },
    tags: { fields: ["id", "n"], relations: { docs: { fields: ["id", "n"] } } },
  },
} as const;

/** A table as the client sees it, at some place below the own one. */
interface Seen {
  readonly table: Name;
  readonly relations: Readonly<Record<string, Seen>>;
}
const leaf = (table: Name, relations: Seen["relations"] = {}): Seen => ({ table, relations });
const docs = leaf("docs", {
  peer: leaf("docs", { notes: leaf("notes") }),
  notes: leaf("notes", { doc: leaf("docs") }),
  tags: leaf("tags", { docs: leaf("docs") }),
});
const lists: ReadonlySet<string> = new Set(["notes", "tags", "docs"]);

/** A spec with the values of its parameters. */
export interface Sent {
  readonly kind: SpecKind;
  readonly spec: Spec;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Makes specs that a client may send. */
export class HiddenSpecs {
  readonly #chance: Chance;
  #params: Record<string, unknown> = {};

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  next(): Sent {
    this.#params = {};
    const kind = this.#chance.of<SpecKind>([
      "query",
      "query",
      "query",
      "select",
      "page",
      "compound",
      "count",
      "sum",
      "max",
      "modify",
      "remove",
    ]);
    const spec = this.#specOf(kind);
    return { kind, spec, params: this.#params };
  }

  #specOf(kind: SpecKind): Spec {
    const chance = this.#chance;
    const key = () => ({ field: "id", operator: "=", param: this.#param(1 + chance.below(7)) });
    switch (kind) {
      case "query":
        return this.#query(docs, 0);
      case "page":
        return {
          where: this.#where(docs, 0, [""]),
          order_by: ordered("id"),
          limit: 3,
          ...this.#with(docs, 0),
        };
      case "select":
        return {
          fields: ["id", "n"],
          where: [...this.#where(docs, 0, [""]), key()],
          ...this.#with(docs, 0),
        };
      case "compound": {
        const query = () => ({ fields: ["n"], where: this.#where(leaf("docs"), 0, [""]) });
        const operation = chance.of(["union", "union_all", "intersect", "except"]);
        return { base: query(), operands: [{ operation, query: query() }], order_by: ordered("n") };
      }
      case "count":
      case "sum":
      case "max": {
        const { joins, places } = this.#joins(docs);
        return { ...(kind === "count" ? {} : { field: "n" }), ...joins, where: this.#where(docs, 0, places) };
      }
      case "modify":
        return { set: { n: this.#param(9) }, where: [...this.#where(leaf("docs"), 0, [""]), key()] };
      case "remove":
        return { where: [...this.#where(leaf("docs"), 0, [""]), key()] };
    }
  }

  #param(value: unknown): string {
    const name = `p${Object.keys(this.#params).length}`;
    this.#params[name] = value;
    return name;
  }

  #query(seen: Seen, depth: number): Spec {
    const chance = this.#chance;
    const { joins, places } = depth === 0 ? this.#joins(seen) : { joins: {}, places: [""] };
    const where = this.#where(seen, depth, places);
    if (depth === 0 && chance.oneIn(5))
      return {
        ...joins,
        fields: ["n", { func: "count", alias: "number" }],
        where,
        group_by: ["n"],
        having: [{ field: "number", operator: ">=", param: this.#param(1) }],
      };
    const isOne = places.length === 1;
    return {
      ...joins,
      fields: places.flatMap((place) => [`${place}id`, `${place}n`]),
      where,
      ...this.#with(seen, depth),
      ...(isOne && chance.oneIn(3) ? { order_by: ordered("id"), limit: 1 + chance.below(4) } : {}),
    };
  }

  #joins({ relations }: Seen) {
    const chance = this.#chance;
    const paths = Object.keys(relations);
    const taken = chance.oneIn(2) ? [chance.of(paths)] : [];
    const inside = Object.keys(relations[taken[0] ?? ""]?.relations ?? {});
    const joins: Spec[] = taken.map((relation) => ({ relation, kind: chance.of(["inner", "left"]) }));
    const places = ["", ...taken.map((one) => `${one}.`)];
    if (inside.length > 0 && chance.oneIn(2)) {
      joins.push({ relation: `${taken[0]}.${inside[0]}`, as: "far", kind: chance.of(["inner", "left"]) });
      places.push("far.");
    }
    return { joins: joins.length > 0 ? { joins } : {}, places };
  }

  #with({ relations }: Seen, depth: number): Spec {
    const chance = this.#chance;
    const all = Object.keys(relations);
    if (depth > 1 || all.length === 0 || chance.oneIn(2)) return {};
    const name = chance.of(all);
    const spec = this.#query(relations[name] ?? docs, depth + 1);
    return { with: { [name]: lists.has(name) ? spec : withoutLimit(spec) } };
  }

  #where(seen: Seen, depth: number, places: readonly string[]): Spec[] {
    return Array.from({ length: this.#chance.below(3) }, () => this.#condition(seen, depth, places));
  }

  #condition(seen: Seen, depth: number, places: readonly string[]): Spec {
    const chance = this.#chance;
    const field = `${chance.of(places)}${chance.of(["id", "n"])}`;
    const all = Object.keys(seen.relations);
    const dice = chance.below(depth > 2 ? 4 : 8);
    if (dice === 0) return { field, operator: chance.of(["IS NULL", "IS NOT NULL"]), is_null: true };
    if (dice === 1) return { field, operator: "IN", param: this.#param([1, 2, 3, 5]) };
    if (dice === 2)
      return { field, operator: "BETWEEN", low_param: this.#param(2), high_param: this.#param(5) };
    if (dice === 3) return { field, operator: "<=", right_field: "n" };
    if (dice === 4 && all.length > 0) {
      const relation = chance.of(all);
      const where = this.#where(seen.relations[relation] ?? docs, depth + 1, [""]);
      return { [chance.of(["exists", "not_exists"])]: relation, ...(where.length > 0 ? { where } : {}) };
    }
    if (dice === 5)
      return {
        logic: chance.of(["AND", "OR"]),
        group: [this.#condition(seen, depth + 1, places), this.#condition(seen, depth + 1, places)],
      };
    return { field, operator: chance.of(["=", "!=", ">", "<="]), param: this.#param(1 + chance.below(6)) };
  }
}

const ordered = (field: string) => [{ field, direction: "asc" }];
const withoutLimit = ({ limit: _, order_by: __, ...spec }: Spec): Spec => spec;

/** What builders alone say, or rules hide: as a key of an object, as a field or relation, as the kind of a join. */
const forbidden = {
  keys: [
    ["without", ["deletedAt"]],
    ["value", 1],
    ["on", { field: "id", operator: "=", right_field: "n" }],
    ["through", "marks"],
    ["filters", {}],
    ["version", 1],
  ],
  fields: ["state", "deletedAt", "deleted_at", "version", "updatedAt"],
  relations: ["marks", "peers"],
  kinds: ["full", "right"],
} as const satisfies object;

/** A spec with a word that it may not have, and the same with an invented word: how both are refused is compared. */
export function attacked(
  spec: Spec,
  chance: Chance,
): { readonly sent: Spec; readonly word: string; readonly as: (word: string) => Spec } {
  const way = chance.of(["key", "field", "condition", "relation", "nested", "exists", "kind"] as const);
  const [key, value] = chance.of(forbidden.keys);
  const word =
    way === "key"
      ? key
      : way === "field" || way === "condition"
        ? chance.of(forbidden.fields)
        : way === "kind"
          ? chance.of(forbidden.kinds)
          : chance.of(forbidden.relations);
  const at = (name: string) => (Array.isArray(spec[name]) ? (spec[name] as readonly Json[]) : []);
  const as = (said: string): Spec => {
    switch (way) {
      case "key":
        return { ...spec, [said]: value };
      case "field":
        return { ...spec, fields: [...at("fields"), said] };
      case "condition":
        return { ...spec, where: [...at("where"), { field: said, is_null: true }] };
      case "relation":
        return { ...spec, joins: [{ relation: said }] };
      case "nested":
        return { ...spec, with: { [said]: {} } };
      case "exists":
        return { ...spec, where: [{ exists: said }] };
      case "kind":
        return { ...spec, joins: [{ relation: "notes", kind: said }] };
    }
  };
  return { sent: as(word), word, as };
}
