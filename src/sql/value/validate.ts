/** Validation of values by the Zod schemas of a table. */
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { $ZodAsyncError, safeEncode, safeParse } from "zod/v4/core";
import { compiledParse, REFUSED } from "../../schema/compiled/parse.js";
import { isCodec, someSchema } from "../../schema/graph.js";
import { innerOf } from "../../schema/inspect.js";
import { beforeOverwrites } from "../../schema/overwrites.js";
import { boundedWork, type Validation, validatedBy } from "../../schema/validate.js";
import { DeclarationError } from "../words/errors.js";

/** The result of a validation: the value that the schema returns, or the first fault. */
export type Validated<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly path: readonly PropertyKey[]; readonly message: string };

/**
 * Validates a value by a schema.
 * @throws {DeclarationError} for a schema with asynchronous refinements, because a statement cannot wait for
 * them.
 */
export function validated<S extends $ZodType>(schema: S, value: unknown): Validated<S["_zod"]["output"]> {
  const parsed = compiledParse(schema)(value);
  // A compiled schema returns what Zod would return.
  if (parsed !== REFUSED) return { success: true, data: parsed as S["_zod"]["output"] };
  return synchronously(() => asValidated(validatedBy(safeParse, boundedWork(schema, "forward"), value)));
}

/**
 * Validates a value of the output type of a schema. Codecs run backwards and then forwards again, so that the
 * checks and overwrites on both sides apply; a schema without a codec parses the value.
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

/** Encodes a value by the codecs of a schema, run backwards. Overwrites are applied when the value is validated. */
export function encoded(schema: $ZodType, value: unknown): Validated<unknown> {
  return synchronously(() => {
    try {
      const run = boundedWork(beforeOverwrites(schema), "backward");
      return asValidated(validatedBy(safeEncode, run, value));
    } catch (error) {
      if (error instanceof $ZodAsyncError) throw error;
      // A codec may throw instead of reporting an issue if the value has another type.
      return { success: false, path: [], message: "a codec refuses the value" };
    }
  });
}

const holding = new WeakMap<$ZodType, boolean>();

/** Whether a schema is or contains a codec. */
export function holdsCodec(schema: $ZodType): boolean {
  let holds = holding.get(schema);
  if (holds === undefined) {
    holds = someSchema(schema, "both", isCodec);
    holding.set(schema, holds);
  }
  return holds;
}

function asValidated<T>(result: Validation): Validated<T> {
  // The value has the type that the schema returns.
  if (result.ok) return { success: true, data: result.value as T };
  const [issue] = result.issues;
  return {
    success: false,
    path: issue?.path ?? [],
    message: issue?.message ?? "the schema does not accept the value",
  };
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
 * Whether a schema restricts a value only by its type. A check of the type is then the whole validation: no refinement,
 * no format, no coercion.
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
