/** The parameters of the caller's text that have Zod schemas, which check them and determine how they are bound. */
import type { $ZodType } from "zod/v4/core";
import { describeType, quoted, readParts } from "../../core/errors.js";
import { isZod4, peel } from "../../schema/inspect.js";
import { markOf } from "../declare/column.js";
import { storageOf } from "../declare/storage.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import type { BoundList, RawParam } from "../exec/raw.js";
import { codecOf } from "../value/column-codec.js";
import { type BoundScalar, boundScalar } from "../value/scalar.js";
import { validatedOutput } from "../value/validate.js";
import { DeclarationError, UnsupportedError } from "../words/errors.js";
import { readOptions } from "../words/known-options.js";

/** @throws {DeclarationError} for invalid options, and for a value that is not a Zod schema. */
export function declaredParams(options: unknown, grammar: Grammar): ReadonlyMap<string, RawParam> {
  const declared = new Map<string, RawParam>();
  if (options === undefined) return declared;
  const { params: given = {} }: { params?: unknown } = readOptions(options, ["params"], "sql(…)");
  const params = readParts(given);
  if (params === undefined) throw new DeclarationError("params of sql(…) must be Zod schemas by name");
  for (const [name, schema] of Object.entries(params)) {
    if (!isZod4(schema))
      throw new DeclarationError(`${quoted(name)} of the params of sql(…) is not a Zod schema`);
    declared.set(name, paramOf(schema, name, grammar));
  }
  return declared;
}

function paramOf(schema: $ZodType, name: string, grammar: Grammar): RawParam {
  const encode = encoderOf(schema, name, grammar);
  const { inner } = peel(schema);
  const element = inner._zod.def.type === "array" ? inner._zod.def.element : undefined;
  // An item becomes a parameter of its own only when a list is written out.
  let encodeItem: Encoder | undefined;
  return {
    one: (value) => {
      const result = validatedOutput(schema, value);
      return result.success ? encode(result.data) : { fault: result.message };
    },
    each: (value): BoundList => {
      if (element === undefined)
        throw new DeclarationError(
          `${quoted(name)} of the params of sql(…) is a list in the text: z.array(…)`,
        );
      const result = validatedOutput(schema, value);
      if (!result.success) return { fault: result.message };
      if (!Array.isArray(result.data)) return { fault: `a list, not ${describeType(result.data)}` };
      encodeItem ??= encoderOf(element, name, grammar);
      const values: unknown[] = [];
      for (const item of result.data) {
        const bound = encodeItem(item);
        if ("fault" in bound) return { fault: `a list whose items are each ${bound.fault}` };
        values.push(bound.value);
      }
      return { values };
    },
  };
}

type Encoder = (value: unknown) => BoundScalar;

function encoderOf(schema: $ZodType, name: string, grammar: Grammar): Encoder {
  const { inner } = peel(schema);
  // A value of several possible kinds is bound by its own type.
  if (markOf(schema).storage === undefined && open.has(inner._zod.def.type))
    return (value) => boundScalar(value, grammar);
  const storage = storageOf(schema, name);
  const { fault, encode } = codecOf({ storage, schema }, grammar);
  const isArray = storage.kind === "array";
  return (value) => {
    if (value === null) return { value };
    if (isArray && !grammar.hasArrays)
      throw new UnsupportedError(grammar.dialect, "arrays as parameters", `write :...${name} in the text`);
    const problem = fault(value);
    return problem === undefined ? { value: encode(value) } : { fault: problem };
  };
}

const open: ReadonlySet<string> = new Set(["any", "unknown", "union"]);
