/**
 * Random recursive schemas, of Zod 4 and of Zod 3, and deep bodies for them: schemas that try a value several times at
 * each level, and bodies that fit late or not at all.
 */
import { z } from "zod";
import * as z3 from "zod/v3";

/** Numbers from 0 up to, but without, 1. */
export type Chance = () => number;

/** The same numbers for the same seed (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Leaf = "text" | "number" | "date" | "bigint" | "bytes" | "null" | "coded" | "added";

/** A schema as data; a number is one of the named schemas. */
type Plan =
  | Leaf
  | number
  | {
      readonly kind: "object";
      readonly tag: string | undefined;
      readonly fields: Readonly<Record<string, Plan>>;
      readonly dress: Dress;
    }
  | { readonly kind: Wrapper; readonly inner: Plan }
  | { readonly kind: "union" | "both" | "tuple"; readonly parts: readonly Plan[] }
  | { readonly kind: "tagged"; readonly parts: readonly Plan[] };

type Wrapper =
  | "array"
  | "record"
  | "set"
  | "map"
  | "nullable"
  | "readonly"
  | "catch"
  | "piped"
  | "coding"
  | "checked";
type Dress = "plain" | "strict" | "loose";

const LEAVES: readonly Leaf[] = ["text", "number", "date", "bigint", "bytes", "null", "coded", "added"];
const WRAPPERS: readonly Wrapper[] = [
  "array",
  "record",
  "set",
  "map",
  "nullable",
  "readonly",
  "catch",
  "piped",
  "coding",
  "checked",
];
/** What is inside of these is another value. */
const HOLDERS: ReadonlySet<string> = new Set(["array", "record", "set", "map"]);
const FIELDS = ["a", "b"];
const TAGS = ["p", "q", "r"];

const pick = <T>(from: readonly T[], chance: Chance): T => from[Math.floor(chance() * from.length)] as T;

/** Schemas that refer to each other by their numbers. */
export type Plans = readonly Plan[];

export function plansOf(chance: Chance): Plans {
  const count = 1 + Math.floor(chance() * 4);
  return Array.from({ length: count }, () => planOf(chance, { count, depth: 3, isHeld: false }));
}

interface Room {
  readonly count: number;
  readonly depth: number;
  /** Whether the plan stands inside another value, so that it may refer to any schema without an endless circle. */
  readonly isHeld: boolean;
}

function planOf(chance: Chance, room: Room): Plan {
  const inner = { ...room, depth: room.depth - 1 };
  if (room.isHeld && chance() < 0.5) return Math.floor(chance() * room.count);
  if (room.depth === 0) return pick(LEAVES, chance);
  const parts = (least: number) =>
    Array.from({ length: least + Math.floor(chance() * 2) }, () => planOf(chance, inner));
  const drawn = chance();
  if (drawn < 0.3) return objectOf(chance, inner, undefined);
  if (drawn < 0.55) return { kind: "union", parts: parts(2) };
  if (drawn < 0.65)
    return { kind: "tagged", parts: TAGS.slice(0, 2).map((tag) => objectOf(chance, inner, tag)) };
  if (drawn < 0.75)
    return { kind: "both", parts: [objectOf(chance, inner, undefined), objectOf(chance, inner, undefined)] };
  if (drawn < 0.8)
    return { kind: "tuple", parts: FIELDS.map(() => planOf(chance, { ...inner, isHeld: true })) };
  const kind = pick(WRAPPERS, chance);
  return { kind, inner: planOf(chance, HOLDERS.has(kind) ? { ...inner, isHeld: true } : inner) };
}

function objectOf(chance: Chance, room: Room, tag: string | undefined): Plan {
  const fields = FIELDS.map((name) => [name, planOf(chance, { ...room, isHeld: true })] as const);
  const drawn = chance();
  const dress = drawn < 0.7 ? "plain" : drawn < 0.85 ? "strict" : "loose";
  return {
    kind: "object",
    tag: tag ?? (chance() < 0.3 ? pick(TAGS, chance) : undefined),
    fields: Object.fromEntries(fields),
    dress,
  };
}

/** How many schemas the plans make. */
export function sizeOf(plans: Plans): number {
  const size = (plan: Plan): number => {
    if (typeof plan !== "object") return 1;
    if (plan.kind === "object")
      return 2 + Object.values(plan.fields).reduce<number>((sum, one) => sum + 1 + size(one), 0);
    return "inner" in plan
      ? 2 + size(plan.inner)
      : 1 + plan.parts.reduce<number>((sum, one) => sum + size(one), 0);
  };
  return plans.reduce<number>((sum, plan) => sum + size(plan), 0);
}

const coded = () =>
  z.codec(z.string(), z.string(), { decode: (text) => `<${text}>`, encode: (text) => text.slice(1, -1) });

/** The plans as schemas of Zod 4: the first of them. */
export function zod4Of(plans: Plans): z.ZodType {
  const named: z.ZodType[] = [];
  const make = (plan: Plan): z.ZodType => {
    if (typeof plan === "number") return z.lazy(() => named[plan] ?? z.never());
    switch (plan) {
      case "text":
        return z.string();
      case "number":
        return z.number();
      case "date":
        return z.date();
      case "bigint":
        return z.bigint();
      case "bytes":
        return z.instanceof(Uint8Array);
      case "null":
        return z.null();
      case "coded":
        return coded();
      case "added":
        return z.string().overwrite((text) => `${text}+`);
    }
    switch (plan.kind) {
      case "object": {
        const fields = Object.entries(plan.fields).map(([name, field]) => [name, make(field).optional()]);
        const shape = {
          ...(plan.tag === undefined ? {} : { kind: z.literal(plan.tag) }),
          ...Object.fromEntries(fields),
        };
        return plan.dress === "plain"
          ? z.object(shape)
          : plan.dress === "strict"
            ? z.strictObject(shape)
            : z.looseObject(shape);
      }
      case "union":
        return z.union(plan.parts.map(make));
      case "both":
        return plan.parts.map(make).reduce((one, other) => z.intersection(one, other));
      case "tuple":
        return z.tuple(plan.parts.map((part): z.ZodType => make(part).optional()) as [z.ZodType]);
      case "tagged":
        // Each part is an object with a tag of its own.
        return z.discriminatedUnion("kind", plan.parts.map(make) as [z.ZodObject, ...z.ZodObject[]]);
      case "array":
        return z.array(make(plan.inner));
      case "record":
        return z.record(z.string(), make(plan.inner));
      case "set":
        return z.set(make(plan.inner));
      case "map":
        return z.map(z.string(), make(plan.inner));
      case "nullable":
        return make(plan.inner).nullable();
      case "readonly":
        return make(plan.inner).readonly();
      case "catch":
        return make(plan.inner).catch(null);
      case "piped":
        return make(plan.inner).pipe(z.any());
      case "coding":
        return z.codec(make(plan.inner), z.any(), { decode: (held) => held, encode: (held) => held });
      case "checked":
        return make(plan.inner).refine(() => true);
    }
  };
  named.push(...plans.map(make));
  return named[0] ?? z.never();
}

/** The same as a schema of Zod 3. */
export function zod3Of(plans: Plans): z3.ZodTypeAny {
  const named: z3.ZodTypeAny[] = [];
  const make = (plan: Plan): z3.ZodTypeAny => {
    if (typeof plan === "number") return z3.lazy(() => named[plan] ?? z3.never());
    switch (plan) {
      case "text":
        return z3.string();
      case "number":
        return z3.number();
      case "date":
        return z3.date();
      case "bigint":
        return z3.bigint();
      case "bytes":
        return z3.instanceof(Uint8Array);
      case "null":
        return z3.null();
      case "coded":
      case "added":
        return z3.string().transform((text) => `${text}+`);
    }
    switch (plan.kind) {
      case "object": {
        const fields = Object.entries(plan.fields).map(([name, field]) => [name, make(field).optional()]);
        const shape = {
          ...(plan.tag === undefined ? {} : { kind: z3.literal(plan.tag) }),
          ...Object.fromEntries(fields),
        };
        const object = z3.object(shape);
        return plan.dress === "plain"
          ? object
          : plan.dress === "strict"
            ? object.strict()
            : object.passthrough();
      }
      case "union":
        return z3.union(plan.parts.map(make) as unknown as [z3.ZodTypeAny, z3.ZodTypeAny]);
      case "both":
        return plan.parts.map(make).reduce((one, other) => z3.intersection(one, other));
      case "tuple":
        return z3.tuple(plan.parts.map((part): z3.ZodTypeAny => make(part).optional()) as [z3.ZodTypeAny]);
      case "tagged":
        return z3.discriminatedUnion(
          "kind",
          plan.parts.map(make) as unknown as [z3.ZodDiscriminatedUnionOption<"kind">],
        );
      case "array":
        return z3.array(make(plan.inner));
      case "record":
        return z3.record(make(plan.inner));
      case "set":
        return z3.set(make(plan.inner));
      case "map":
        return z3.map(z3.string(), make(plan.inner));
      case "nullable":
        return make(plan.inner).nullable();
      case "readonly":
        return make(plan.inner).readonly();
      case "catch":
        return make(plan.inner).catch(null);
      case "piped":
      case "coding":
        return make(plan.inner).pipe(z3.any());
      case "checked":
        return make(plan.inner).refine(() => true);
    }
  };
  named.push(...plans.map(make));
  return named[0] ?? z3.never();
}

/** A body of some depth: at each level one field leads on, and at its end is what fits, or what nothing fits. */
export function bodyOf(plans: Plans, depth: number, chance: Chance): unknown {
  let left = depth;
  const end = chance() < 0.5;
  const value = (plan: Plan, isWay: boolean): unknown => {
    if (typeof plan === "number") {
      const next = plans[plan];
      if (next === undefined || !isWay || left <= 0) return end ? null : "2024-02-29T12:00:00Z";
      left--;
      return value(next, true);
    }
    if (typeof plan === "string") return SAMPLES[plan];
    switch (plan.kind) {
      case "object": {
        const way = pick(FIELDS, chance);
        const held: Record<string, unknown> =
          plan.tag === undefined ? {} : { kind: chance() < 0.9 ? plan.tag : "x" };
        for (const [name, field] of Object.entries(plan.fields))
          if (name === way || chance() < 0.2) held[name] = value(field, isWay && name === way);
        return held;
      }
      case "union":
      case "tagged":
        return value(plan.parts[Math.floor(chance() * plan.parts.length)] ?? "null", isWay);
      case "both": {
        const parts = plan.parts.map((part) => value(part, isWay));
        return Object.assign({}, ...parts);
      }
      case "tuple":
        return plan.parts.map((part, i) => value(part, isWay && i === 0));
      case "array":
      case "set":
        return [value(plan.inner, isWay)];
      case "record":
        return { k: value(plan.inner, isWay) };
      case "map":
        return [["k", value(plan.inner, isWay)]];
      default:
        return value(plan.inner, isWay);
    }
  };
  return value(plans[0] ?? "null", true);
}

const SAMPLES: Readonly<Record<Leaf, unknown>> = {
  text: "a",
  number: 1,
  date: "2024-02-29T12:00:00Z",
  bigint: "5",
  bytes: "AQID",
  null: null,
  coded: "a",
  added: "a",
};

/** How many objects, lists, sets, maps and scalars a value holds. */
export function nodesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  const parts = value instanceof Set || value instanceof Map ? [...value] : Object.values(value);
  return parts.reduce((sum: number, held) => sum + nodesIn(held), 1);
}
