/** Runs a schema of Zod 4 in the same way, synchronous or not. */
import type { $ZodType, $ZodTypes, ParseContextInternal } from "zod/v4/core";
import { encodeAsync, safeParse, safeParseAsync } from "zod/v4/core";
import { someSchema } from "./graph.js";
import type { Issue } from "./issues.js";
import { memoized } from "./memoized.js";
import { overwrites } from "./overwrites.js";
import { type RunDirection, repeatsVisits } from "./repeats.js";

/** The result of validation: the value, or its faults. */
export type Validation =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Compiles a schema into its validator, which is synchronous if the schema allows it. */
export function validator(schema: $ZodType): (value: unknown) => Validation | Promise<Validation> {
  const run = boundedWork(schema, "forward");
  if (!isSynchronous(schema)) return (value) => validatedLater(safeParseAsync, run, value);
  return (value) => validatedBy(safeParse, run, value);
}

/** Validates by a function of Zod. If the sides of an intersection give different values, the value is refused. */
export function validatedBy(
  parse: (schema: $ZodType, value: unknown, context?: object) => ZodResult,
  schema: $ZodType,
  value: unknown,
  context?: object,
): Validation {
  try {
    return settled(parse(schema, value, context));
  } catch (error) {
    return refusedMerge(error);
  }
}

/** Like `validatedBy`, for a schema that may need promises. */
export async function validatedLater(
  parse: (schema: $ZodType, value: unknown, context?: object) => Promise<ZodResult>,
  schema: $ZodType,
  value: unknown,
  context?: object,
): Promise<Validation> {
  try {
    return settled(await parse(schema, value, context));
  } catch (error) {
    return refusedMerge(error);
  }
}

/** Zod throws if the sides of an intersection give different values. @throws any other error */
function refusedMerge(error: unknown): Validation {
  if (!(error instanceof Error) || !error.message.startsWith("Unmergable intersection")) throw error;
  const message = "Invalid input: the sides of an intersection give different values";
  return { ok: false, issues: [{ path: [], message }] };
}

/** The schema to run: its memoized copy if the work could grow with each level of a value, or the schema itself. */
export function boundedWork<S extends $ZodType>(schema: S, direction: RunDirection): S {
  // A copy of a schema has the same class.
  return repeatsVisits(schema, direction) ? (memoized(schema) as S) : schema;
}

/** Runs a Zod 4 schema backwards to validate a handler's output. @throws a ZodError if it does not fit. */
export async function validateOutput(schema: $ZodType, value: unknown): Promise<void> {
  await encodeAsync(boundedWork(schema, "backward"), value);
}

/**
 * Whether a schema is the same forwards and backwards: JSON can write its values, and it neither changes them nor fills
 * them in. For an output its parse is enough: it validates and omits undeclared fields.
 */
export function isPlain(schema: $ZodType): boolean {
  return isSynchronous(schema) && !someSchema(schema, "both", (inner) => !isPlainItself(inner));
}

function isPlainItself(schema: $ZodType): boolean {
  const def = (schema as $ZodTypes)._zod.def;
  const coerces = "coerce" in def && def.coerce === true;
  return PLAIN.has(def.type) && !coerces && !(def.checks ?? []).some(overwrites);
}

const PLAIN = new Set("string number boolean null enum object array tuple optional nullable".split(" "));

/** Whether a Zod 4 schema holds no user code that could return a promise. */
export function isSynchronous(schema: $ZodType): boolean {
  return !someSchema(schema, "both", mayBeAsync);
}

/** Whether a value passes, forwards or backwards; `undefined` if the schema needs a promise to decide. */
export function fits(schema: $ZodType, value: unknown, direction: RunDirection): boolean | undefined {
  return passes(boundedWork(schema, direction), value, { async: true, direction });
}

/** Like `fits`, in a context of Zod. */
export function passes(schema: $ZodType, value: unknown, context: ParseContextInternal): boolean | undefined {
  try {
    const result = schema._zod.run({ value, issues: [] }, context);
    if (!(result instanceof Promise)) return result.issues.length === 0;
    // The promise is not awaited, so its rejection must be handled.
    result.catch(() => {});
    return undefined;
  } catch {
    // A codec may throw for a value of another type instead of reporting an issue.
    return false;
  }
}

/** Whether a schema can run only forwards: it holds a transform that is not a codec. */
export function isOneWay(schema: $ZodType): boolean {
  return someSchema(schema, "both", (inner) => (inner as $ZodTypes)._zod.def.type === "transform");
}

/** The results of both versions of Zod. */
type ZodResult =
  | { success: true; data: unknown }
  | { success: false; error: { issues: readonly Issue[] } }
  | { success: boolean };

/** Converts Zod's result to ours. */
export function settled(result: ZodResult): Validation {
  if ("data" in result && result.success) return { ok: true, value: result.data };
  return { ok: false, issues: "error" in result ? result.error.issues : [] };
}

/** User code inside a schema may return promises. Without user code the synchronous run is safe, and faster. */
function mayBeAsync(schema: $ZodType): boolean {
  // `$ZodTypes` is the union of all schema classes that Zod defines; `$ZodType` is their base.
  const def = (schema as $ZodTypes)._zod.def;
  if (def.type === "transform" || def.type === "promise") return true;
  if (def.type === "pipe" && "transform" in def) return true;
  // Among custom schemas, only `z.instanceof(X)` certainly holds no user function.
  if (def.type === "custom") return !("Class" in schema._zod.bag);
  return (def.checks ?? []).some((check) => {
    const kind = check._zod.def.check;
    return !BUILT_IN.has(kind);
  });
}

const BUILT_IN = new Set([
  "less_than",
  "greater_than",
  "multiple_of",
  "number_format",
  "bigint_format",
  "min_length",
  "max_length",
  "length_equals",
  "min_size",
  "max_size",
  "size_equals",
  "string_format",
  "overwrite",
]);
