/** Validation of values by the Zod schemas of a table. */
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { $ZodAsyncError, safeParse } from "zod/v4/core";
import { innerOf } from "../../schema/inspect.js";
import { DeclarationError } from "../errors.js";

/** What validation found: the value as the schema gives it, or the first thing that is wrong. */
export type Validated<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly path: readonly PropertyKey[]; readonly message: string };

/**
 * Validates a value by a schema.
 * @throws {DeclarationError} for a schema whose refinements are asynchronous: a statement cannot wait for them.
 */
export function validated<S extends $ZodType>(schema: S, value: unknown): Validated<S["_zod"]["output"]> {
  try {
    const result = safeParse(schema, value);
    if (result.success) return { success: true, data: result.data };
    const [issue] = result.error.issues;
    return {
      success: false,
      path: issue?.path ?? [],
      message: issue?.message ?? "another value is expected",
    };
  } catch (error) {
    if (error instanceof $ZodAsyncError)
      throw new DeclarationError("a column's refinement cannot be asynchronous", { cause: error });
    throw error;
  }
}

/**
 * Whether a schema says no more of a value than its type, so that a check of the type is the whole validation:
 * no refinement, no format, no coercion.
 */
export function saysTypeOnly(schema: $ZodType): boolean {
  // `$ZodTypes` is the union of all schema classes that Zod defines; `$ZodType` is their base.
  const { def } = (schema as $ZodTypes)._zod;
  if ((def.checks ?? []).length > 0 || "coerce" in def) return false;
  switch (def.type) {
    case "string":
      return !("format" in def);
    case "number":
      return !("format" in def) || def.format === "safeint";
    case "boolean":
    case "bigint":
    case "date":
    case "enum":
      return !("format" in def);
    case "nullable":
    case "optional": {
      const inner = innerOf(schema);
      return inner !== undefined && saysTypeOnly(inner);
    }
    default:
      return false;
  }
}
