/** Tests whether a value is a Zod schema, for declarations without types. */
import { safely } from "../../core/errors.js";
import { isZod4 } from "../../schema/inspect.js";
import type { AnySchema } from "../../schema/schema-reader.js";
import { isKind } from "./kind.js";

/** A schema of Zod 4 or of `zod/v3`. */
export function isSchema(value: unknown): value is AnySchema {
  if (isKind(value)) return false;
  return (
    isZod4(value) ||
    (typeof value === "object" &&
      value !== null &&
      safely(() => "_def" in value && "safeParseAsync" in value))
  );
}
