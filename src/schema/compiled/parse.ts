/**
 * Schemas compiled by Zod's own compiler, each to one generated function that validates and strips. Zod calls a closure
 * for every part of a schema. With many schemas in a process, none of these calls is optimised. One generated function
 * takes an eighth of the time for an object of six fields, and a tenth if three hundred schemas alternate.
 *
 * A compiled function can only accept. Zod parses every refused value again and words the errors. Therefore schemas
 * with functions of the application, which would be called twice, are not compiled.
 */
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import * as zod from "zod/v4/core";
import { someSchema } from "../graph.js";
import { repeatsVisits } from "../repeats.js";
import { isSynchronous } from "../validate.js";
import { mayGenerate } from "./generate.js";

/** Parses a value: returns Zod's result, or {@link REFUSED}. */
type Parse = (value: unknown) => unknown;

/** The result of a compiled schema for a value that Zod must decide on. */
export const REFUSED: typeof zod.INVALID = zod.INVALID;

const compiled = new WeakMap<$ZodType, Parse>();

/**
 * The compiled schema. It is compiled for its first value, because many schemas of an application are never used. A
 * schema that is not compiled refuses every value.
 */
export function compiledParse(schema: $ZodType): Parse {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const parse = mayCompile(schema) ? (compile(schema) ?? refuse) : refuse;
  compiled.set(schema, parse);
  return parse;
}

function refuse(): unknown {
  return REFUSED;
}

function mayCompile(schema: $ZodType): boolean {
  if (!mayGenerate() || !isSynchronous(schema) || someSchema(schema, "both", isLeftToZod)) return false;
  // The compiler repeats the code of a part wherever the part is used.
  return !repeatsVisits(schema, "forward");
}

/** Whether a schema holds a function of the application, or the compiler reads it differently from Zod. */
function isLeftToZod(schema: $ZodType): boolean {
  const def = (schema as $ZodTypes)._zod.def;
  if (def.type === "lazy" || def.type === "file") return true;
  // A readonly schema freezes its value even when it refuses it. Another variant then accepts the frozen value.
  if ((def.type === "union" || def.type === "catch") && someSchema(schema, "both", isReadonly)) return true;
  return [def, ...(def.checks ?? []).map(({ _zod }) => _zod.def)].some(
    (one) => "format" in one && "fn" in one && typeof one.fn === "function",
  );
}

function isReadonly(schema: $ZodType): boolean {
  return schema._zod.def.type === "readonly";
}

function compile(schema: $ZodType): Parse | undefined {
  try {
    // This is internal to Zod, which may remove it. Then nothing is compiled.
    const parse: Parse | undefined = zod.compileFn?.(schema);
    return parse && refusingThrown(parse);
  } catch {
    // The compiler does not know the schema, or its definition throws when it is read.
    return undefined;
  }
}

/** If reading throws (in a getter of the value, for example), the order of reads may differ from Zod's: Zod decides. */
function refusingThrown(parse: Parse): Parse {
  return (value) => {
    try {
      return parse(value);
    } catch {
      return REFUSED;
    }
  };
}
