/**
 * What one conversion has found out. A union tries its variants one after the other, and so do the unions inside of
 * it: each part is converted and validated once for each value, so that the work grows with the value and no faster.
 */
import {
  $ZodAsyncError,
  $ZodRealError,
  type $ZodType,
  config,
  encode,
  type ParseContextInternal,
  util,
} from "zod/v4/core";
import { memoized, remembering } from "./memoized.js";
import type { RunDirection } from "./repeats.js";
import { boundedWork, fits, passes } from "./validate.js";

/** A part of a conversion; a run is there where the parts have to remember what they made. */
export type WireStep = (value: unknown, run: WireRun | undefined) => unknown;

type Made = { readonly value: unknown } | { readonly thrown: unknown };

/** One conversion of one value. */
export class WireRun {
  readonly #made = new Map<WireStep, Map<unknown, Made>>();
  readonly #context: ParseContextInternal;

  constructor(direction: RunDirection) {
    this.#context = remembering({ async: true, direction });
  }

  /** Takes a step for a value, or gives what it gave before. */
  once(step: WireStep, value: object): unknown {
    const made = this.#made.get(step) ?? new Map<unknown, Made>();
    this.#made.set(step, made);
    const known = made.get(value);
    const result = known ?? attempt(step, value, this);
    made.set(value, result);
    if ("thrown" in result) throw result.thrown;
    // What a step has made, it leaves as it is.
    if (known === undefined) made.set(result.value, result);
    return result.value;
  }

  /** A value as a codec writes it. @throws what Zod's `encode` throws */
  encode(schema: $ZodType, value: unknown): unknown {
    const result = memoized(schema)._zod.run({ value, issues: [] }, this.#context);
    if (result instanceof Promise) {
      result.catch(() => {});
      throw new $ZodAsyncError();
    }
    if (result.issues.length === 0) return result.value;
    throw new $ZodRealError(result.issues.map((issue) => util.finalizeIssue(issue, this.#context, config())));
  }

  /** Whether a value passes; `undefined` if the schema needs a promise to decide. */
  fits(schema: $ZodType, value: unknown): boolean | undefined {
    return passes(memoized(schema), value, this.#context);
  }
}

/** Whether a value passes, in a run or without one. */
export function fitsIn(
  run: WireRun | undefined,
  schema: $ZodType,
  value: unknown,
  direction: RunDirection,
): boolean | undefined {
  return run === undefined ? fits(schema, value, direction) : run.fits(schema, value);
}

/** A value as a codec writes it, in a run or without one. @throws what Zod's `encode` throws */
export function encodeIn(run: WireRun | undefined, schema: $ZodType, value: unknown): unknown {
  return run === undefined ? encode(boundedWork(schema, "backward"), value) : run.encode(schema, value);
}

function attempt(step: WireStep, value: object, run: WireRun): Made {
  try {
    return { value: step(value, run) };
  } catch (thrown) {
    return { thrown };
  }
}
