/**
 * The joined results of the sides of an intersection, found once for each pair of values. Zod joins them at every
 * depth. If an intersection contains itself, it would join everything below again at each level.
 */
import { type $ZodType, type $ZodTypes, util } from "zod/v4/core";
import { runBy, withDefinition, type ZodRun } from "./rebuild.js";

type Payload = Awaited<ReturnType<ZodRun>>;

/** The value of both sides, or `undefined` if there is none. */
type Whole = { readonly value: unknown } | undefined;

const PROTOTYPE = "__proto__";

/** The pairs of values that were joined. */
export class SideJoins {
  readonly #known = new Map<object, Map<object, Whole>>();

  /** Joins two values as Zod does; `undefined` if they differ. */
  of(one: unknown, other: unknown): Whole {
    if (one === other) return { value: one };
    if (typeof one !== "object" || one === null) return undefined;
    if (typeof other !== "object" || other === null) return undefined;
    const known = this.#of(one);
    if (known.has(other)) return known.get(other);
    const whole = this.#anew(one, other);
    known.set(other, whole);
    const value = whole?.value;
    // Joining the result with either of the two again does not change it.
    if (typeof value === "object" && value !== null) {
      known.set(value, whole);
      this.#of(value).set(other, whole);
    }
    return whole;
  }

  #of(one: object): Map<object, Whole> {
    const known = this.#known.get(one) ?? new Map<object, Whole>();
    this.#known.set(one, known);
    return known;
  }

  #anew(one: object, other: object): Whole {
    if (one instanceof Date && other instanceof Date) return +one === +other ? { value: one } : undefined;
    if (Array.isArray(one) && Array.isArray(other)) return this.#lists(one, other);
    return util.isPlainObject(one) && util.isPlainObject(other) ? this.#fields(one, other) : undefined;
  }

  #lists(one: readonly unknown[], other: readonly unknown[]): Whole {
    if (one.length !== other.length) return undefined;
    const all: unknown[] = [];
    for (const [i, item] of one.entries()) {
      const whole = this.of(item, other[i]);
      if (whole === undefined) return undefined;
      all.push(whole.value);
    }
    return { value: all };
  }

  #fields(one: Readonly<Record<PropertyKey, unknown>>, other: Readonly<Record<PropertyKey, unknown>>): Whole {
    const all: Record<string, unknown> = { ...one, ...other };
    // Zod omits it.
    Reflect.deleteProperty(all, PROTOTYPE);
    const shared = new Set(Object.keys(other));
    for (const key of Object.keys(one)) {
      if (key === PROTOTYPE || !shared.has(key)) continue;
      const whole = this.of(one[key], other[key]);
      if (whole === undefined) return undefined;
      all[key] = whole.value;
    }
    return { value: all };
  }
}

/** Two values that Zod does not join. */
const [LEFT, RIGHT] = [Symbol("left"), Symbol("right")];

/**
 * A copy of an intersection that joins its sides' values by the `SideJoins` of its context; any other schema itself.
 */
export function joinedBy(
  schema: $ZodType,
  joinedOf: (context: Parameters<ZodRun>[1]) => SideJoins,
): $ZodType {
  const def = (schema as $ZodTypes)._zod.def;
  if (def.type !== "intersection") return schema;
  const { left, right } = def;
  let given: { readonly left: Payload; readonly right: Payload } | undefined;
  const giving = (side: $ZodType, name: "left" | "right") =>
    runBy(side, (payload) => given?.[name] ?? payload);
  const copy = withDefinition(schema, {
    left: { value: giving(left, "left") },
    right: { value: giving(right, "right") },
  });
  const internals = copy._zod;
  const { parse } = internals;
  const joining: ZodRun = (payload, context) => {
    const { value } = payload;
    const one = left._zod.run({ value, issues: [] }, context);
    const other = right._zod.run({ value, issues: [] }, context);
    // Zod joins the issues of both sides, and their values, which are then the same, or none.
    const join = (...sides: readonly [Payload, Payload]) => {
      given = agreed(sides, joinedOf(context));
      return parse(payload, context);
    };
    return one instanceof Promise || other instanceof Promise
      ? Promise.all([one, other]).then((sides) => join(...sides))
      : join(one, other);
  };
  // A schema without checks is run by its parse.
  if (internals.run === parse) internals.run = joining;
  internals.parse = joining;
  return copy;
}

/** The results of both sides, with one value that Zod need not walk. */
function agreed([left, right]: readonly [Payload, Payload], joined: SideJoins) {
  const whole = joined.of(left.value, right.value);
  if (whole !== undefined) return { left: { ...left, ...whole }, right: { ...right, ...whole } };
  // Zod throws, and its error says where they differ.
  if (left.issues.length + right.issues.length === 0) return { left, right };
  return { left: { ...left, value: LEFT }, right: { ...right, value: RIGHT } };
}
