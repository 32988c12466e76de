/**
 * What the sides of an intersection give together, found once for each pair of values. Zod joins them at every depth,
 * and where an intersection is inside of itself, it would join again at each level all that is below.
 */
import { type $ZodType, type $ZodTypes, util } from "zod/v4/core";
import { runBy, withDefinition, type ZodRun } from "./rebuild.js";

type Payload = Awaited<ReturnType<ZodRun>>;

/** The value of both sides, or that there is none. */
type Whole = { readonly value: unknown } | undefined;

const PROTOTYPE = "__proto__";

/** The pairs of values that have been joined. */
export class SideJoins {
  readonly #known = new Map<object, Map<object, Whole>>();

  /** As Zod joins two values; `undefined` where they differ. */
  of(one: unknown, other: unknown): Whole {
    if (one === other) return { value: one };
    if (typeof one !== "object" || one === null) return undefined;
    if (typeof other !== "object" || other === null) return undefined;
    const known = this.#of(one);
    if (known.has(other)) return known.get(other);
    const whole = this.#anew(one, other);
    known.set(other, whole);
    const value = whole?.value;
    // SideJoins with one of the two again, it stays as it is.
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
    // Zod leaves it out.
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

/** A copy of an intersection, whose sides' values are joined by the `SideJoins` of its context; another schema is itself. */
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
    // Zod joins the issues of both, and their values, which then are the same, or none.
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

/** What both sides gave, with one value that Zod need not walk through. */
function agreed([left, right]: readonly [Payload, Payload], joined: SideJoins) {
  const whole = joined.of(left.value, right.value);
  if (whole !== undefined) return { left: { ...left, ...whole }, right: { ...right, ...whole } };
  // Zod throws, and says where they differ.
  if (left.issues.length + right.issues.length === 0) return { left, right };
  return { left: { ...left, value: LEFT }, right: { ...right, value: RIGHT } };
}
