/**
 * The format of a Zod number: `safeint` for `z.int()` and `.int()`, `int32`, `float64` and so on.
 */
import type { $ZodTypes } from "zod/v4/core";

/** The last format of a number schema, set by its own kind or by a check. */
export function numberFormat(schema: $ZodTypes): string | undefined {
  let format: string | undefined;
  const def = schema._zod.def;
  const checks = (def.checks ?? []).map((check): object => check._zod.def);
  for (const from of [def, ...checks]) {
    if ("check" in from && from.check === "number_format" && "format" in from) format = String(from.format);
  }
  return format;
}
