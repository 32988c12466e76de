/**
 * One way to run a schema, whether it is a Zod 4 or a Zod 3 one, and whether it validates at once or later.
 */
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { encodeAsync, safeParse, safeParseAsync } from "zod/v4/core";
import { someSchema } from "./graph.js";
import { isZod4 } from "./inspect.js";
import type { Issue } from "./issues.js";

/** A `zod/v3` schema, by the little that is used of it. */
export interface Zod3Schema {
  readonly _input: unknown;
  readonly _output: unknown;
  readonly _def: object;
  /** @throws where a part of it is asynchronous */
  safeParse(value: unknown): Zod3Result;
  safeParseAsync(value: unknown): Promise<Zod3Result>;
}

type Zod3Result = Validated | { success: false; error: { issues: readonly Issue[] } };

/** A schema of Zod 4 (also `zod/mini`) or of `zod/v3`. */
export type AnySchema = $ZodType | Zod3Schema;

type Validated = { success: true; data: unknown };

/** What validation gives: the value, or what was wrong. */
export type Validation =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Compiles a schema into its validator, which is synchronous wherever the schema cannot be otherwise. */
export function validator(schema: AnySchema): (value: unknown) => Validation | Promise<Validation> {
  if (!isZod4(schema)) return async (value) => settled(await schema.safeParseAsync(value));
  if (!isSynchronous(schema)) return async (value) => settled(await safeParseAsync(schema, value));
  return (value) => settled(safeParse(schema, value));
}

/** Runs a Zod 4 schema backwards, to validate what a handler gave. @throws a ZodError when it does not fit. */
export async function validateOutput(schema: $ZodType, value: unknown): Promise<void> {
  await encodeAsync(schema, value);
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

function overwrites(check: { readonly _zod: { readonly def: { readonly check: string } } }): boolean {
  return check._zod.def.check === "overwrite";
}

const PLAIN = new Set("string number boolean null enum object array tuple optional nullable".split(" "));

/** Whether a Zod 4 schema holds nothing of the user's that could give a promise. */
export function isSynchronous(schema: $ZodType): boolean {
  return !someSchema(schema, "both", mayBeAsync);
}

/** Whether a value passes, forwards or backwards; `undefined` if the schema needs a promise to decide. */
export function fits(
  schema: $ZodType,
  value: unknown,
  direction: "forward" | "backward",
): boolean | undefined {
  try {
    const result = schema._zod.run({ value, issues: [] }, { async: true, direction });
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

/** Zod's result as ours. */
export function settled(
  result: Validated | { success: false; error: { issues: readonly Issue[] } } | { success: boolean },
): Validation {
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
