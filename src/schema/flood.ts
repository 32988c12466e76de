/**
 * Stops at the first failures of long lists. Zod validates every item and keeps an issue for each failure: a megabyte
 * of wrong items costs half a second, although an answer shows only the first failures. If a value with many items
 * fails, a copy of its schema validates it, which skips the remaining items after enough failures.
 */
import { $ZodArray, $ZodNever, type $ZodType, safeParse, safeParseAsync } from "zod/v4/core";
import { someSchema } from "./graph.js";
import { MAX_FIELDS } from "./issues.js";
import { isList, itemCounter } from "./item-count.js";
import { memoized, runOnce } from "./memoized.js";
import { runBy, withParts } from "./rebuild.js";
import { repeatsVisits } from "./repeats.js";
import {
  boundedWork,
  isSynchronous,
  type Validation,
  validatedBy,
  validatedLater,
  validator,
} from "./validate.js";

/** The failures so far, in one value or in one choice of a union. They are part of Zod's own context. */
interface Flood {
  failures: number;
  /** Items were accepted unchecked, because the value has already failed. */
  isCut: boolean;
}

const FLOOD = Symbol("rowtype.flood");

interface Context {
  readonly [FLOOD]?: Flood;
}

/** Fewer items cost too little to save. */
const MANY = 1_000;

/** Like `validator`, but with only as many failures of list items as an answer shows. */
export function floodSafeValidator(schema: $ZodType): ReturnType<typeof validator> {
  const whole = validator(schema);
  const early = boundedWork(schema, "forward");
  const count = itemCounter(schema);
  if (count === undefined) return whole;
  let bounded: ReturnType<typeof validator> | undefined;
  const isQuick = isSynchronous(schema) && stopsEarly();
  return (value) => {
    if (count(value, MANY) >= 0) return whole(value);
    if (isQuick) {
      const result = validatedBy(safeParse, early, value, EARLY);
      if (result.ok) return result;
    }
    // It fails, or it holds functions of the application, which must not be called twice.
    bounded ??= boundedValidator(schema, whole);
    return bounded(value);
  };
}

/** The setting of Zod's own `validate`: a list stops at its first failure. Versions of Zod without it ignore it. */
const EARLY: object = { abortEarly: true };

function stopsEarly(): boolean {
  const never = new $ZodArray({ type: "array", element: new $ZodNever({ type: "never" }) });
  return safeParse(never, [1, 2], EARLY).error?.issues.length === 1;
}

function boundedValidator(
  schema: $ZodType,
  whole: ReturnType<typeof validator>,
): ReturnType<typeof validator> {
  const bounded = boundedCopier(repeatsVisits(schema, "forward"))(schema);
  // A value whose items were skipped does not pass.
  const finished = (value: unknown, { isCut }: Flood, result: Validation) =>
    result.ok && isCut ? whole(value) : result;
  if (!isSynchronous(schema)) {
    return async (value) => {
      const flood: Flood = { failures: 0, isCut: false };
      const result = await validatedLater(safeParseAsync, bounded, value, contextOf(flood));
      return finished(value, flood, result);
    };
  }
  return (value) => {
    const flood: Flood = { failures: 0, isCut: false };
    return finished(value, flood, validatedBy(safeParse, bounded, value, contextOf(flood)));
  };
}

/** Zod passes its context, with all of its members, to every inner schema. */
function contextOf(flood: Flood): object {
  return { [FLOOD]: flood } satisfies Context;
}

/** Copies the schemas that lead to a list, each once. Recursive copies refer to themselves. */
function boundedCopier(repeats: boolean): (schema: $ZodType) => $ZodType {
  const made = new Map<$ZodType, $ZodType>();
  const copyOf = (schema: $ZodType): $ZodType => {
    const known = made.get(schema);
    if (known !== undefined) return known;
    if (!someSchema(schema, "both", isList)) return repeats ? memoized(schema) : schema;
    const copied = withParts(schema, (inner, role) => {
      // A failing key may be read as a number, or may not be a key of a loose record.
      if (role === "key") return inner;
      const part = copyOf(inner);
      return role === "item" ? itemOf(part) : role === "choice" ? choiceOf(part) : part;
    });
    const copy = repeats ? runOnce(copied) : copied;
    made.set(schema, copy);
    return copy;
  };
  return copyOf;
}

/** Skips an item after enough failures. The whole value has failed too. */
function itemOf(schema: $ZodType): $ZodType {
  const { run } = schema._zod;
  return runBy(schema, (payload, context) => {
    const flood = (context as Context)[FLOOD];
    if (flood === undefined) return run(payload, context);
    if (flood.failures >= MAX_FIELDS) {
      flood.isCut = true;
      return payload;
    }
    const before = flood.failures;
    const result = run(payload, context);
    if (result instanceof Promise || result.issues.length === 0) return result;
    // Lists inside this item have already counted their own items.
    flood.failures = Math.max(flood.failures, before + result.issues.length);
    return result;
  });
}

/** A value that fails in one choice may pass in another: each choice has its own count. */
function choiceOf(schema: $ZodType): $ZodType {
  const { run } = schema._zod;
  return runBy(schema, (payload, context) => {
    const flood = (context as Context)[FLOOD];
    if (flood === undefined) return run(payload, context);
    const own: Flood = { failures: 0, isCut: false };
    const result = run(payload, { ...context, ...contextOf(own) });
    if (own.isCut) flood.isCut = true;
    return result;
  });
}
