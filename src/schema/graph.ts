/**
 * The schemas inside a schema, one level down, in Zod's own order. All code that walks a whole schema (wire forms,
 * components, the test for asynchronous validation) uses this list.
 */
import type { $ZodLazy, $ZodType, $ZodTypes } from "zod/v4/core";

/** The side of a pipe that is walked: the parsed one, the resulting one, or both. */
export type Side = "input" | "output" | "both";

/** A schema one level down and the property that leads to it (`""` without a name). */
type Child = readonly [label: string, schema: $ZodType];

/** The direct children of a schema. A codec's `output` side is its wire form, which is its input. */
export function childrenOf(schema: $ZodType, side: Side): readonly Child[] {
  // `$ZodTypes` is the union of all schema classes that Zod defines; `$ZodType` is their base.
  const def = (schema as $ZodTypes)._zod.def;
  switch (def.type) {
    case "object": {
      const children: Child[] = Object.entries(def.shape);
      if (def.catchall !== undefined) children.push(["", def.catchall]);
      return children;
    }
    case "array":
      return [["item", def.element]];
    case "tuple": {
      const children: Child[] = def.items.map((item) => ["item", item]);
      if (def.rest !== null) children.push(["item", def.rest]);
      return children;
    }
    case "record":
    case "map":
      return [
        ["key", def.keyType],
        ["value", def.valueType],
      ];
    case "set":
      return [["item", def.valueType]];
    case "union":
      return def.options.map((option) => ["", option]);
    case "intersection":
      return [
        ["", def.left],
        ["", def.right],
      ];
    case "nullable":
    case "optional":
    case "nonoptional":
    case "default":
    case "prefault":
    case "catch":
    case "readonly":
    case "promise":
    case "success":
      return [["", def.innerType]];
    case "lazy":
      return [["", innerLazy(schema)]];
    case "pipe": {
      if (side === "both") {
        return [
          ["", def.in],
          ["", def.out],
        ];
      }
      return [["", side === "input" || isCodec(schema) ? def.in : def.out]];
    }
    default:
      return [];
  }
}

/** The schema inside `z.lazy`. Zod calls its function once and keeps the result: a recursive schema meets itself. */
export function innerLazy(schema: $ZodType): $ZodType {
  const known = schema as $ZodTypes;
  return known._zod.def.type === "lazy" ? (known as $ZodLazy)._zod.innerType : schema;
}

/** Whether a pipe can also be run backwards (`z.codec`, `z.stringbool`). */
export function isCodec(schema: $ZodType): boolean {
  return schema._zod.traits.has("$ZodCodec");
}

/** Whether `ask` is true for the schema or one under it. Each is asked once. */
export function someSchema(schema: $ZodType, side: Side, ask: (schema: $ZodType) => boolean): boolean {
  const seen = new Set<$ZodType>([schema]);
  for (const current of seen) {
    if (ask(current)) return true;
    for (const [, child] of childrenOf(current, side)) seen.add(child);
  }
  return false;
}
