/**
 * Whether a value may be omitted. There are two questions. For a field of a Zod object, Zod decides by the schema's
 * kind. A body or a parameter stands alone: its schema must accept `undefined`, because the handler gets that.
 */
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { innerLazy } from "./graph.js";
import type { Io } from "./json.js";

/** Whether a request must hold a field of an object. `.catch()` accepts everything, even an absent field. */
export function isAsked(field: $ZodType): boolean {
  const def = (field as $ZodTypes)._zod.def;
  if (def.type === "catch") return false;
  if (def.type === "readonly" || def.type === "nullable") return isAsked(def.innerType);
  // Zod treats the input of a transform as optional: the transform sees the absence, and its result is unknown.
  if (def.type === "pipe") return def.in._zod.def.type === "transform" ? isAsked(def.out) : isAsked(def.in);
  return field._zod.optin === undefined;
}

/** Whether the last items of a tuple may be omitted. */
export function isAskedItem(item: $ZodType, io: Io): boolean {
  return io === "output" ? item._zod.optout !== "optional" : isAsked(item);
}

/**
 * Whether a schema that stands alone accepts `undefined`. Schemas that accept everything (`z.unknown()`, a coercion) do
 * not say: for them the caller decides.
 */
export function takesUndefined(schema: $ZodType, ofEverything: boolean): boolean {
  const takes = (inner: $ZodType) => takesUndefined(inner, ofEverything);
  // `$ZodTypes` is the union of all schema classes that Zod defines; `$ZodType` is their base.
  const def = (schema as $ZodTypes)._zod.def;
  switch (def.type) {
    case "optional":
      // `z.exactOptional` lets a field be absent, but not `undefined`.
      return !schema._zod.traits.has("$ZodExactOptional") || takes(def.innerType);
    case "default":
    case "prefault":
    case "catch":
    case "undefined":
    case "void":
      return true;
    case "any":
    case "unknown":
      return ofEverything;
    case "string":
    case "boolean":
      return def.coerce === true && ofEverything;
    case "literal":
      return def.values.includes(undefined);
    case "union":
      return def.options.some(takes);
    case "intersection":
      return takes(def.left) && takes(def.right);
    case "nullable":
    case "readonly":
      return takes(def.innerType);
    case "lazy":
      return takes(innerLazy(schema));
    case "pipe":
      return takes(def.in._zod.def.type === "transform" ? def.out : def.in);
    case "transform":
      return true;
    default:
      return false;
  }
}
