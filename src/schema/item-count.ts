/**
 * Whether a value holds many items, in all its lists together. Only the schema's lists are counted; their items are
 * visited only if they hold lists themselves. Counting stops at the requested number.
 */
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { childrenOf, someSchema } from "./graph.js";

/** Subtracts the items of a value from the remaining number. A negative result means too many. */
type CountItems = (value: unknown, left: number) => number;

/** The counter of a schema, or `undefined` if it has no lists. */
export function itemCounter(schema: $ZodType): CountItems | undefined {
  return counter(schema, new Map());
}

/** Whether a schema is a list with any number of items. */
export function isList(schema: $ZodType): boolean {
  const def = (schema as $ZodTypes)._zod.def;
  return LISTS.has(def.type) || (def.type === "object" && def.catchall !== undefined);
}

const LISTS = new Set(["array", "record", "set", "map", "tuple"]);

function counter(schema: $ZodType, open: Map<$ZodType, { count?: CountItems }>): CountItems | undefined {
  if (!someSchema(schema, "both", isList)) return undefined;
  const running = open.get(schema);
  // A recursive schema refers to itself: its counter exists when it runs.
  if (running !== undefined) return (value, left) => running.count?.(value, left) ?? left;
  const slot: { count?: CountItems } = {};
  open.set(schema, slot);
  slot.count = build(schema, (inner) => counter(inner, open));
  return slot.count;
}

function build(schema: $ZodType, inner: (schema: $ZodType) => CountItems | undefined): CountItems {
  const def = (schema as $ZodTypes)._zod.def;
  switch (def.type) {
    case "array":
      return countList(inner(def.element));
    case "set":
      return countList(inner(def.valueType));
    case "map":
      return countList(inner(def.valueType), (pair) => (Array.isArray(pair) ? pair[1] : undefined));
    case "tuple":
      return countList(both([...def.items, ...(def.rest === null ? [] : [def.rest])].map(inner)));
    case "record":
      return countKeys(inner(def.valueType));
    case "object": {
      const fields: (readonly [string, CountItems])[] = [];
      for (const [key, field] of Object.entries(def.shape)) {
        const count = inner(field);
        if (count !== undefined) fields.push([key, count]);
      }
      const countFields = countIn(fields);
      const others = def.catchall === undefined ? undefined : countKeys(inner(def.catchall));
      return others === undefined ? countFields : (value, left) => others(value, countFields(value, left));
    }
    default:
      return both(childrenOf(schema, "both").map(([, child]) => inner(child))) ?? same;
  }
}

const same: CountItems = (_, left) => left;

/**
 * Adds the counts of several schemas, because the matching variant of a union is not known yet. Each visit subtracts
 * one, which bounds the work on any value.
 */
function both(counters: readonly (CountItems | undefined)[]): CountItems | undefined {
  const known = counters.filter((count) => count !== undefined);
  const [only] = known;
  if (known.length < 2) return only;
  return (value, left) => known.reduce((rest, count) => (rest < 0 ? rest : count(value, rest - 1)), left);
}

function countList(item: CountItems | undefined, held = (one: unknown): unknown => one): CountItems {
  return (value, left) => {
    const isList = Array.isArray(value);
    if (!isList && !(value instanceof Set) && !(value instanceof Map)) return left;
    let rest = left - (isList ? value.length : value.size);
    if (item === undefined) return rest;
    for (const one of value) {
      if (rest < 0) return rest;
      rest = item(held(one), rest);
    }
    return rest;
  };
}

function countKeys(item: CountItems | undefined): CountItems {
  return (value, left) => {
    if (typeof value !== "object" || value === null) return left;
    let rest = left;
    for (const key in value) {
      if (--rest < 0) return rest;
      if (item !== undefined) rest = item(Reflect.get(value, key), rest);
    }
    return rest;
  };
}

function countIn(fields: readonly (readonly [string, CountItems])[]): CountItems {
  return (value, left) => {
    if (typeof value !== "object" || value === null) return left;
    let rest = left;
    for (const [key, count] of fields) {
      if (rest >= 0 && Object.hasOwn(value, key)) rest = count(Reflect.get(value, key), rest);
    }
    return rest;
  };
}
