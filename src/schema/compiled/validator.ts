/** Validation by a compiled schema first. The values that it refuses are validated without it. */
import type { $ZodType } from "zod/v4/core";
import type { Validate } from "../schema-reader.js";
import type { Validation } from "../validate.js";
import { compiledParse, REFUSED } from "./parse.js";

/** Validates by the compiled schema. `otherwise` decides on what it refuses, and on everything if there is none. */
export function compiledFirst(schema: $ZodType, otherwise: Validate): Validate {
  return (value): Validation | Promise<Validation> => {
    const parsed = compiledParse(schema)(value);
    return parsed === REFUSED ? otherwise(value) : { ok: true, value: parsed };
  };
}
