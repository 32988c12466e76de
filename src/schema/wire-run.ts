/**
 * The results of one conversion. A union tries its variants in turn, and so do the unions inside it. Each part is
 * converted and validated once for each value: the work grows only linearly with the value.
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
import { DeclaredParts } from "./declared-parts.js";
import { memoized, remembering } from "./memoized.js";
import type { RunDirection } from "./repeats.js";
import { boundedWork, fits, passes } from "./validate.js";

/** A part of a conversion. A run exists if the parts must remember their results. */
export type WireStep = (value: unknown, run: WireRun | undefined) => unknown;

type Made = { readonly value: unknown } | { readonly thrown: unknown };

/** One conversion of one value. */
export class WireRun {
  /** The merged results of the sides of intersections. */
  readonly parts: DeclaredParts = new DeclaredParts();
  readonly #made = new Map<WireStep, Map<unknown, Made>>();
  readonly #context: ParseContextInternal;
  /** One issue says that a value does not pass; to carry more costs more than to find them. */
  readonly #asking: ParseContextInternal;

  constructor(direction: RunDirection) {
    this.#context = remembering({ async: true, direction });
    this.#asking = remembering({ async: true, direction }, 1);
  }

  /** Runs a step for a value, or returns its earlier result. */
  once(step: WireStep, value: object): unknown {
    const made = this.#made.get(step) ?? new Map<unknown, Made>();
    this.#made.set(step, made);
    const known = made.get(value);
    const result = known ?? attempt(step, value, this);
    made.set(value, result);
    if ("thrown" in result) throw result.thrown;
    // A step does not change its own result.
    if (known === undefined) made.set(result.value, result);
    return result.value;
  }

  /** A value as a codec writes it. @throws the error of Zod's `encode` */
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
    return passes(memoized(schema), value, this.#asking);
  }
}

/** Whether a value passes, with or without a run. */
export function fitsIn(
  run: WireRun | undefined,
  schema: $ZodType,
  value: unknown,
  direction: RunDirection,
): boolean | undefined {
  return run === undefined ? fits(schema, value, direction) : run.fits(schema, value);
}

/** A value as a codec writes it, with or without a run. @throws the error of Zod's `encode` */
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
