/**
 * Schemas that no JSON value fits: they would refuse every body, or write values that nobody can read. This concerns
 * only JSON: other bodies can hold a file.
 */
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { childrenOf, innerLazy, type Side } from "./graph.js";
import { classOf } from "./inspect.js";
import { hasImpossibleKeys } from "./record-keys.js";
import { feedsItself, nodesOf } from "./repeats.js";
import { bytesKind } from "./wire-values.js";

/** Why a schema cannot be read from JSON, or written to it; `undefined` if it can. */
export function notInJson(schema: $ZodType, side: Side): string | undefined {
  for (const node of nodesOf(schema, side)) {
    const name = strangerOf(node, side);
    if (name !== undefined) return `JSON cannot carry ${name}`;
  }
  if (hasImpossibleKeys(schema, side)) return "the keys of a record are text or numbers, as JSON has them";
  return feedsItself(schema)
    ? "a pipe, both sides of which contain it, doubles the work at each level of a value"
    : undefined;
}

/** The name of a type that has no form in JSON. */
function strangerOf(schema: $ZodType, side: Side): string | undefined {
  const { type } = (schema as $ZodTypes)._zod.def;
  const name = STRANGERS.get(type);
  if (name !== undefined || type !== "custom" || side === "output") return name;
  // No JSON value is an instance of a class. An output may write itself by `toJSON`.
  const held = classOf(schema);
  const isStrange = typeof held === "function" && bytesKind(schema) === undefined;
  return isStrange ? `an instance of ${held.name === "" ? "a class" : held.name}` : undefined;
}

const STRANGERS = new Map<string, string>([
  ["file", "a file"],
  ["symbol", "a symbol"],
  ["function", "a function"],
  ["nan", "NaN"],
]);

/** Whether a schema is `z.json()`, or an equivalent one written by hand: any JSON value. */
export function isAnyJson(schema: $ZodType): boolean {
  const union = withoutLazy(schema);
  const { def } = union._zod;
  if (def.type !== "union" || def.options.length !== ANY_JSON.size) return false;
  return (
    new Set(def.options.map(({ _zod }) => _zod.def.type)).size === ANY_JSON.size &&
    def.options.every((option) => ANY_JSON.has(option._zod.def.type) && isUnlimited(option, union))
  );
}

const ANY_JSON = new Set<string>(["string", "number", "boolean", "null", "array", "record"]);

/** Whether a variant has no checks, and holds only the union that contains it. */
function isUnlimited(option: $ZodType, union: $ZodType): boolean {
  const { def } = option._zod;
  if ((def.checks ?? []).length > 0 || "format" in def || "coerce" in def) return false;
  return childrenOf(option, "both").every(
    ([label, child]) =>
      withoutLazy(child) === union ||
      (label === "key" && child._zod.def.type === "string" && isUnlimited(child, union)),
  );
}

function withoutLazy(schema: $ZodType): $ZodTypes {
  const seen = new Set<$ZodType>();
  let inner = schema;
  while ((inner as $ZodTypes)._zod.def.type === "lazy" && !seen.has(inner)) {
    seen.add(inner);
    inner = innerLazy(inner);
  }
  // `$ZodTypes` is the union of all schema classes that Zod defines; `$ZodType` is their base.
  return inner as $ZodTypes;
}
