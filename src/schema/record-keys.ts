/**
 * Records that JSON cannot have: the names of an object are text, so a record whose keys are objects, lists, dates or
 * bigints refuses whatever it is given.
 */
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { childrenOf, type Side, someSchema } from "./graph.js";

/** Whether there is a record in the schema whose keys no text can be. */
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
    // Zod reads the digits of a name as a number where the key is one.
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
