/** Validation of values by the Zod schemas of a table. */
import type { $ZodType } from "zod/v4/core";
import { $ZodAsyncError, safeParse } from "zod/v4/core";
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
