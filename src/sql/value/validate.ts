/** Validation of values by the Zod schemas of a table. */
import type { $ZodType, $ZodTypes, util } from "zod/v4/core";
import { $ZodAsyncError, safeEncode, safeParse } from "zod/v4/core";
import { isCodec, someSchema } from "../../schema/graph.js";
import { innerOf } from "../../schema/inspect.js";
import { DeclarationError } from "../words/errors.js";

/** What validation found: the value as the schema gives it, or the first thing that is wrong. */
export type Validated<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly path: readonly PropertyKey[]; readonly message: string };

/**
 * Validates a value by a schema.
 * @throws {DeclarationError} for a schema whose refinements are asynchronous: a statement cannot wait for them.
 */
export function validated<S extends $ZodType>(schema: S, value: unknown): Validated<S["_zod"]["output"]> {
  return synchronously(() => asValidated(safeParse(schema, value)));
}

/**
 * Validates a value of the output type of a schema. Codecs run backwards and then forwards again, so that checks and
 * overwrites on both sides of them apply; what holds no codec is parsed as it is.
 * @throws {DeclarationError} as `validated` does.
 */
export function validatedOutput<S extends $ZodType>(
  schema: S,
  value: unknown,
): Validated<S["_zod"]["output"]> {
  if (!holdsCodec(schema)) return validated(schema, value);
  const input = encoded(schema, value);
  return input.success ? validated(schema, input.data) : input;
}

/** What the codecs of a schema make a value of, run backwards. */
export function encoded(schema: $ZodType, value: unknown): Validated<unknown> {
  return synchronously(() => {
    try {
      return asValidated(safeEncode(schema, value));
    } catch (error) {
      if (error instanceof $ZodAsyncError) throw error;
      // A codec that is given a value of another type may throw instead of reporting.
      return { success: false, path: [], message: "a codec refuses the value" };
    }
  });
}

const holding = new WeakMap<$ZodType, boolean>();

/** Whether a schema is a codec, or holds one. */
export function holdsCodec(schema: $ZodType): boolean {
  let holds = holding.get(schema);
  if (holds === undefined) {
    holds = someSchema(schema, "both", isCodec);
    holding.set(schema, holds);
  }
  return holds;
}

function asValidated<T>(result: util.SafeParseResult<T>): Validated<T> {
  if (result.success) return { success: true, data: result.data };
  const [issue] = result.error.issues;
  return { success: false, path: issue?.path ?? [], message: issue?.message ?? "another value is expected" };
}

function synchronously<T>(validate: () => T): T {
  try {
    return validate();
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
