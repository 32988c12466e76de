/**
 * The keys of records: which ones a record declares, and which records cannot exist in JSON. The names of an object are
 * text: a record whose keys are objects, lists, dates or bigints refuses every value.
 */
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { childrenOf, type Side, someSchema } from "./graph.js";
import { peel } from "./inspect.js";
import type { RunDirection } from "./repeats.js";
import { fits, isOneWay } from "./validate.js";

/** Whether a record declares a key. */
type KeyTest = (key: string) => boolean;

/** The test of a record that declares all keys. */
export const anyKey: KeyTest = () => true;

/** The test of the keys of a record, in their form before it runs in a direction. */
export function keyTest(key: $ZodType, direction: RunDirection): KeyTest {
  if (isAnyText(key) || (direction === "backward" && isOneWay(key))) return anyKey;
  const values = someSchema(key, "both", isPipe) ? undefined : key._zod.values;
  if (values !== undefined) {
    const names = new Set([...values].flatMap((value) => (typeof value === "symbol" ? [] : [String(value)])));
    return (name) => names.has(name);
  }
  // Zod reads the digits of a name as a number if the name itself is not a key.
  return (name) =>
    fits(key, name, direction) !== false ||
    (DIGITS.test(name) && fits(key, Number(name), direction) !== false);
}

const DIGITS = /^-?\d+(?:\.\d+)?$/;

function isAnyText(key: $ZodType): boolean {
  const { def } = peel(key).inner._zod;
  if (def.type === "any" || def.type === "unknown") return true;
  return def.type === "string" && !("format" in def) && (def.checks ?? []).length === 0;
}

function isPipe(schema: $ZodType): boolean {
  return schema._zod.def.type === "pipe";
}

/** Whether the schema contains a record whose keys cannot be text. */
export function hasImpossibleKeys(schema: $ZodType, side: Side): boolean {
  return someSchema(schema, side, (inner) => {
    const def = (inner as $ZodTypes)._zod.def;
    return def.type === "record" && !canBeText(def.keyType, new Set());
  });
}

function canBeText(key: $ZodType, seen: Set<$ZodType>): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  const def = (key as $ZodTypes)._zod.def;
  switch (def.type) {
    case "string":
    // Zod reads the digits of a name as a number if the key schema is a number.
    case "number":
    case "enum":
    case "template_literal":
    case "any":
    case "unknown":
    case "custom":
    case "transform":
      return true;
    case "literal":
      return def.values.some((value) => typeof value === "string" || typeof value === "number");
    case "union":
      return def.options.some((option) => canBeText(option, seen));
    case "intersection":
      return canBeText(def.left, seen) && canBeText(def.right, seen);
    case "object":
    case "array":
    case "tuple":
    case "record":
    case "map":
    case "set":
      return false;
    default:
      return childrenOf(key, "input").some(([, child]) => canBeText(child, seen));
  }
}
