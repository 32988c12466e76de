/**
 * Schemas that no JSON value fits: they would refuse every body, or write what nobody can read. This is about JSON
 * alone: a file has its place in other bodies.
 */
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { childrenOf, innerLazy, type Side } from "./graph.js";
import { classOf, isZod4 } from "./inspect.js";
import { hasImpossibleKeys } from "./record-keys.js";
import { feedsItself, nodesOf } from "./repeats.js";
import type { AnySchema } from "./validate.js";
import { bytesKind } from "./wire-values.js";
import { childrenOfZod3, type Zod3Schema, zod3Def } from "./zod3.js";

/** Why a schema cannot be read from JSON, or be written to it; `undefined` if it can. */
export function notInJson(schema: AnySchema, side: Side): string | undefined {
  if (!isZod4(schema)) return notInJsonZod3(schema);
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
  // What JSON gives is an instance of no class. An output may write itself, by `toJSON`.
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

function notInJsonZod3(schema: Zod3Schema): string | undefined {
  const seen = new Set([schema]);
  for (const current of seen) {
    const name = STRANGERS_ZOD3.get(zod3Def(current).typeName ?? "");
    if (name !== undefined) return `JSON cannot carry ${name}`;
    for (const child of childrenOfZod3(current)) seen.add(child);
  }
  return undefined;
}

const STRANGERS_ZOD3 = new Map([
  ["ZodSymbol", "a symbol"],
  ["ZodFunction", "a function"],
  ["ZodNaN", "NaN"],
]);

/** Whether a schema is `z.json()`, or the same by hand: any value that JSON has. */
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

/** Whether a variant has no checks, and holds nothing but the union that it is in. */
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
