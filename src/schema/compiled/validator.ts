/** Validation by a compiled schema first. What it refuses is validated as if there were none. */
import { isZod4 } from "../inspect.js";
import type { AnySchema, Validation, validator } from "../validate.js";
import { compiledParse, REFUSED } from "./parse.js";

type Validate = ReturnType<typeof validator>;

/** Validates by the compiled schema; `otherwise` decides on what that refuses, and everything if it cannot be compiled. */
export function compiledFirst(schema: AnySchema, otherwise: Validate): Validate {
  if (!isZod4(schema)) return otherwise;
  return (value): Validation | Promise<Validation> => {
    const parsed = compiledParse(schema)(value);
    return parsed === REFUSED ? otherwise(value) : { ok: true, value: parsed };
  };
}
