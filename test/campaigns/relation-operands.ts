/** Fields, values, expressions and plain conditions of a scope, at random. */
import type { Chance } from "./expression-chance.js";
import { conditionOf, treeOf } from "./expression-generator.js";
import type { Condition, Kind, Tree, Type, Value } from "./expression-trees.js";
import { someOf } from "./expression-values.js";
import { fieldIn, fieldsOf, namesIn, type Place, splitName, tableAt } from "./relation-plans.js";
import type { Field, World } from "./relation-world.js";

// Names of tables, of columns, of what the package itself calls tables: all of them meet something.
export const called = [
  "a",
  "orders",
  "people",
  "own",
  "own_",
  "marks",
  "Region",
  "t",
  "people_",
  "since",
  "b_2",
] as const;
export const comparisons = ["=", "!=", "<", "<=", ">", ">="] as const;
export const scalars: readonly Kind[] = ["int", "big", "dec", "num", "text", "bool", "date"];

export const isScalar = (type: { readonly kind: Kind }): type is Type => type.kind !== "json";

/** Whether fields can be compared with each other. */
export const areAlike = (one: Field, other: Field): boolean =>
  isScalar(one) && one.kind !== "num" && one.kind === other.kind;

export const hasField = (tree: Tree): boolean => namesIn(tree).length > 0;

/** What tells the rows of a place apart, as far as they differ. */
export const keysOf = (place: Place): readonly string[] => {
  const { keys, fields } = tableAt(place);
  if (keys.includes("id")) return ["id"];
  return Object.keys(fields).filter((field) => isScalar(fields[field] ?? { kind: "json" }));
};

/** Makes operands over a world. */
export class OperandMaker {
  readonly #chance: Chance;
  readonly #world: World;

  constructor(chance: Chance, world: World) {
    this.#chance = chance;
    this.#world = world;
  }

  pairs<T extends { readonly type: Field }>(
    places: readonly Place[],
    others: readonly T[],
  ): readonly (readonly [string, T])[] {
    return [...fieldsOf(places)].flatMap(([mine, type]) =>
      others.flatMap((other) => (areAlike(type, other.type) ? [[mine, other] as const] : [])),
    );
  }

  fieldOf(places: readonly Place[], fits: (type: Field) => boolean): string | undefined {
    const fitting = [...fieldsOf(places)].filter(([, type]) => fits(type));
    return fitting.length === 0 ? undefined : this.#chance.of(fitting)[0];
  }

  /** A value that a field has, or another of its kind. */
  valueOf(places: readonly Place[], field: string): Exclude<Value, null> {
    const [name, column] = splitName(field);
    const { table = "" } = places.find((place) => place.name === name) ?? {};
    const rows = this.#world[table] ?? [];
    const value = rows.length === 0 ? null : (this.#chance.of(rows)[column] ?? null);
    const { kind, scale } = fieldIn(places, field);
    if (value !== null && !this.#chance.oneIn(5)) return value;
    return kind === "json" ? "{}" : someOf(this.#chance, { kind, scale }, false, 4);
  }

  /** An expression of the scope; of a field, where the scope has none of its type, a parameter. */
  #inScope<T>(part: T, places: readonly Place[]): T {
    if (Array.isArray(part)) return part.map((one) => this.#inScope(one, places)) as T;
    if (typeof part !== "object" || part === null || part instanceof Date) return part;
    if ("op" in part && part.op === "field" && "type" in part) {
      const type = part.type as Type;
      const name = this.fieldOf(places, ({ kind, scale }) => kind === type.kind && scale === type.scale);
      if (name !== undefined) return { ...part, name };
      const value = someOf(this.#chance, type, false, 3);
      const constant = type.kind === "num" && Number.isInteger(value) ? Number(value) + 0.5 : value;
      return { op: "param", name: this.#chance.param(), value: constant, typed: true, type } as T;
    }
    return Object.fromEntries(
      Object.entries(part).map(([key, one]) => [key, this.#inScope(one, places)]),
    ) as T;
  }

  treeOf(places: readonly Place[], kind: Kind, depth: number): Tree {
    const chance = this.#chance;
    const scale = kind === "dec" ? chance.of([0, 2, 4]) : 0;
    for (;;) {
      const tree = treeOf(chance, { kind, scale }, depth);
      if (!isLeftOut(tree)) return this.#inScope(tree, places);
    }
  }

  conditionOf(places: readonly Place[]): Condition {
    for (;;) {
      const condition = conditionOf(this.#chance, 1);
      if (!isLeftOut(condition)) return this.#inScope(condition, places);
    }
  }

  compared(places: readonly Place[]): Condition {
    const chance = this.#chance;
    const name = this.fieldOf(places, isScalar) ?? "id";
    const { kind, scale } = fieldIn(places, name);
    const left = { op: "field", name, type: { kind: kind as Kind, scale } } as const;
    if (chance.oneIn(6)) return { op: "null", left, is: chance.oneIn(2) };
    const operators =
      kind === "bool" ? (["=", "!="] as const) : ([...comparisons, "IN", "NOT IN", "BETWEEN"] as const);
    const operator = chance.of<string>(operators);
    const count = operator === "BETWEEN" ? 2 : operator.endsWith("IN") ? chance.below(4) : 1;
    const values = Array.from({ length: count }, () => this.valueOf(places, name));
    return { op: "compare", operator, left, param: chance.param(), values };
  }
}

const MOST = 1_000_000_000n;

/**
 * Whether a number may leave its range, or a date the calendar, which servers find out in rows that are not asked for;
 * whether a path leads into a document, which these tables do not have; whether doubles are not exact.
 */
function isLeftOut(part: unknown): boolean {
  if (typeof part === "bigint") return part > MOST || part < -MOST;
  if (Array.isArray(part)) return part.some(isLeftOut);
  if (typeof part !== "object" || part === null || part instanceof Date) return false;
  if ("op" in part && part.op === "path") return true;
  if ("func" in part && /^(?:dateAdd|power|mod)$/.test(String(part.func))) return true;
  return Object.values(part).some(isLeftOut);
}
