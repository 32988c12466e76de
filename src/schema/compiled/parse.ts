/**
 * Schemas compiled by Zod's own compiler, each to one generated function that validates and strips. Zod calls a closure
 * for every part of a schema, and with many schemas in a process none of these calls is optimised: one generated
 * function needs an eighth of the time for an object of six fields, and a tenth where three hundred schemas take turns.
 *
 * A compiled function can only say yes. Every value that it refuses is parsed again by Zod, which words the errors; so
 * schemas with functions of the application, which would be called twice then, are not compiled.
 */
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import * as zod from "zod/v4/core";
import { someSchema } from "../graph.js";
import { repeatsVisits } from "../repeats.js";
import { isSynchronous } from "../validate.js";
import { mayGenerate } from "./generate.js";

/** Parses a value: gives what Zod would give, or {@link REFUSED}. */
type Parse = (value: unknown) => unknown;

/** What a compiled schema gives for a value that Zod must decide on. */
export const REFUSED: typeof zod.INVALID = zod.INVALID;

const compiled = new WeakMap<$ZodType, Parse>();

/**
 * The compiled schema. It is compiled with its first value, because many schemas of an application are never used. A
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
  // The compiler writes a part out wherever it is reached.
  return !repeatsVisits(schema, "forward");
}

/** Whether a schema holds a function of the application, or is one that the compiler reads differently from Zod. */
function isLeftToZod(schema: $ZodType): boolean {
  const def = (schema as $ZodTypes)._zod.def;
  if (def.type === "lazy" || def.type === "file") return true;
  // What is readonly freezes its value also where it refuses it, and then another variant takes the frozen value.
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
    // Internal to Zod, which may remove it; then nothing is compiled.
    const parse: Parse | undefined = zod.compileFn?.(schema);
    return parse && refusingThrown(parse);
  } catch {
    // A schema that the compiler does not know, or a definition that throws when it is read.
    return undefined;
  }
}

/** What throws on the way (a getter of the value, say) may have been read in another order: Zod decides. */
function refusingThrown(parse: Parse): Parse {
  return (value) => {
    try {
      return parse(value);
    } catch {
      return REFUSED;
    }
  };
}
