/** One way to run a schema of Zod 4, whether it validates at once or later. */
import type { $ZodType, $ZodTypes, ParseContextInternal } from "zod/v4/core";
import { encodeAsync, safeParse, safeParseAsync } from "zod/v4/core";
import { someSchema } from "./graph.js";
import type { Issue } from "./issues.js";
import { memoized } from "./memoized.js";
import { overwrites } from "./overwrites.js";
import { type RunDirection, repeatsVisits } from "./repeats.js";

/** What validation gives: the value, or what was wrong. */
export type Validation =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Compiles a schema into its validator, which is synchronous wherever the schema cannot be otherwise. */
export function validator(schema: $ZodType): (value: unknown) => Validation | Promise<Validation> {
  const run = boundedWork(schema, "forward");
  if (!isSynchronous(schema)) return (value) => validatedLater(safeParseAsync, run, value);
  return (value) => validatedBy(safeParse, run, value);
}

/** Validates by a function of Zod's; a value whose sides differ in an intersection is refused as any other. */
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

/** As `validatedBy`, for a schema that may need promises. */
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

/** Zod throws where the sides of an intersection give different values. @throws any other error */
function refusedMerge(error: unknown): Validation {
  if (!(error instanceof Error) || !error.message.startsWith("Unmergable intersection")) throw error;
  const message = "Invalid input: the sides of an intersection give different values";
  return { ok: false, issues: [{ path: [], message }] };
}

/** A schema as it is to be run: where the work could grow with each level of a value, its memoized copy. */
export function boundedWork<S extends $ZodType>(schema: S, direction: RunDirection): S {
  // A copy of a schema is of its class.
  return repeatsVisits(schema, direction) ? (memoized(schema) as S) : schema;
}

/** Runs a Zod 4 schema backwards, to validate what a handler gave. @throws a ZodError when it does not fit. */
export async function validateOutput(schema: $ZodType, value: unknown): Promise<void> {
  await encodeAsync(boundedWork(schema, "backward"), value);
}

/**
 * Whether a schema says the same forwards and backwards: its values are what JSON writes, and it neither changes
 * them nor fills them in. Its parse then is all that an output needs: it validates and leaves out undeclared fields.
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

/** Whether a Zod 4 schema holds nothing of the user's that could give a promise. */
export function isSynchronous(schema: $ZodType): boolean {
  return !someSchema(schema, "both", mayBeAsync);
}

/** Whether a value passes, forwards or backwards; `undefined` if the schema needs a promise to decide. */
export function fits(schema: $ZodType, value: unknown, direction: RunDirection): boolean | undefined {
  return passes(boundedWork(schema, direction), value, { async: true, direction });
}

/** As `fits`, in a context of Zod's. */
export function passes(schema: $ZodType, value: unknown, context: ParseContextInternal): boolean | undefined {
  try {
    const result = schema._zod.run({ value, issues: [] }, context);
    if (!(result instanceof Promise)) return result.issues.length === 0;
    // The promise is not awaited, so its rejection must be handled.
    result.catch(() => {});
    return undefined;
  } catch {
    // A codec that is given a value of another type may throw instead of reporting.
    return false;
  }
}

/** Whether a schema can only be run forwards: it holds a transform that is not a codec. */
export function isOneWay(schema: $ZodType): boolean {
  return someSchema(schema, "both", (inner) => (inner as $ZodTypes)._zod.def.type === "transform");
}

/** What both versions of Zod give. */
type ZodResult =
  | { success: true; data: unknown }
  | { success: false; error: { issues: readonly Issue[] } }
  | { success: boolean };

/** Zod's result as ours. */
export function settled(result: ZodResult): Validation {
  if ("data" in result && result.success) return { ok: true, value: result.data };
  return { ok: false, issues: "error" in result ? result.error.issues : [] };
}

/** User code inside a schema may give promises. Without user code the synchronous run is safe, and faster. */
function mayBeAsync(schema: $ZodType): boolean {
  // `$ZodTypes` is the union of all schema classes that Zod defines; `$ZodType` is their base.
  const def = (schema as $ZodTypes)._zod.def;
  if (def.type === "transform" || def.type === "promise") return true;
  if (def.type === "pipe" && "transform" in def) return true;
  // Of custom schemas only `z.instanceof(X)` is known not to hold a function of the user's.
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
