/**
 * Inspects a Zod 4 schema by its public definition (`_zod.def`), without importing Zod at run time. Both families use
 * it: SQL to find a column's kind, HTTP to find how a value is sent as text or JSON.
 */
import type { $ZodLazy, $ZodType, $ZodTypes } from "zod/v4/core";
import { safely } from "../core/errors.js";

/** A schema without its wrappers, and the facts from the wrappers. */
interface Peeled {
  readonly inner: $ZodTypes;
  readonly nullable: boolean;
  readonly optional: boolean;
  /** A Zod `.default()` or `.prefault()` supplies a value for an absent one. */
  readonly defaulted: boolean;
}

/** Whether a value is a Zod 4 schema (of `zod`, `zod/mini` or `zod/v4/core`). */
export function isZod4(value: unknown): value is $ZodType {
  return typeof value === "object" && value !== null && safely(() => "_zod" in value);
}

/** Removes `nullable optional default prefault catch readonly nonoptional` and `lazy`, outermost first. */
export function peel(schema: $ZodType): Peeled {
  // `$ZodTypes` is the union of all schema classes that Zod defines; `$ZodType` is their base.
  let inner = schema as $ZodTypes;
  let nullable = false;
  let optional = false;
  let defaulted = false;
  for (;;) {
    const def = inner._zod.def;
    switch (def.type) {
      case "nullable":
        nullable = true;
        inner = def.innerType as $ZodTypes;
        break;
      case "optional":
        optional = true;
        inner = def.innerType as $ZodTypes;
        break;
      case "default":
      case "prefault":
        defaulted = true;
        inner = def.innerType as $ZodTypes;
        break;
      case "catch":
      case "readonly":
      case "nonoptional":
        inner = def.innerType as $ZodTypes;
        break;
      case "lazy":
        inner = (inner as $ZodLazy)._zod.innerType as $ZodTypes;
        break;
      default:
        return { inner, nullable, optional, defaulted };
    }
  }
}

/** The schema directly inside a wrapper such as `.nullable()` or `.default()`; undefined for any other. */
export function innerOf(schema: $ZodType): $ZodType | undefined {
  const def = schema._zod.def;
  // Only wrappers have `innerType`, and it is always a schema.
  return "innerType" in def ? (def.innerType as $ZodType) : undefined;
}

/** The class passed to `z.instanceof`. A copy of such a schema (`.describe()`, `column`) gets it from its parent. */
export function classOf(schema: $ZodType): unknown {
  for (let at: $ZodType | undefined = schema; at !== undefined; at = at._zod.parent)
    // The bag holds facts of a schema class, under names that its type omits.
    if ("Class" in at._zod.bag) return at._zod.bag["Class"];
  return undefined;
}
