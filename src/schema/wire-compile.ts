/**
 * How the wire forms are compiled, in either direction: once for each schema, including recursive ones, and only if
 * part of the schema is converted.
 */
import type { $ZodType } from "zod/v4/core";
import { childrenOf, isCodec, type Side, someSchema } from "./graph.js";
import { nodesOf, type RunDirection } from "./repeats.js";
import { WireRun, type WireStep } from "./wire-run.js";

/** Turns a value into another form. */
export type Convert = (value: unknown) => unknown;

/** Compiles the inner schemas of the one that is being compiled; `undefined` if nothing is converted. */
export type CompileInner = (schema: $ZodType) => WireStep | undefined;

/** One direction of the wire forms. */
export interface WireDirection {
  readonly side: Side;
  /** How a schema is run to find out whether a value belongs to it. */
  readonly run: RunDirection;
  /** Whether a schema, apart from its inner schemas, is converted. */
  isConverted(schema: $ZodType): boolean;
  build(schema: $ZodType, inner: CompileInner): WireStep | undefined;
}

/** The compiler of one direction. It returns `undefined` for a schema in which nothing is converted. */
export function wireCompiler(direction: WireDirection): (schema: $ZodType) => Convert | undefined {
  const compiled = new WeakMap<$ZodType, Convert>();
  return (schema) => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const remembers = triesAgain(schema, direction);
    const step = stepsOf(direction, remembers)(schema);
    if (step === undefined) return undefined;
    const convert: Convert = remembers
      ? (value) => step(value, new WireRun(direction.run))
      : (value) => step(value, undefined);
    compiled.set(schema, convert);
    return convert;
  };
}

/** Compiles the steps of schemas, each once. */
export function stepsOf({ side, isConverted, build }: WireDirection, remembers: boolean): CompileInner {
  const open = new WeakMap<$ZodType, Slot>();
  const compile: CompileInner = (schema) => {
    const running = open.get(schema);
    // A recursive schema refers to itself: the inner use looks up its step when it runs.
    if (running !== undefined)
      return (value, run) => (running.step === undefined ? value : running.step(value, run));
    if (!someSchema(schema, side, isConverted)) return undefined;
    const slot: Slot = {};
    open.set(schema, slot);
    const step = build(schema, compile);
    slot.step = remembers && step !== undefined && childrenOf(schema, side).length > 0 ? once(step) : step;
    return slot.step;
  };
  return compile;
}

type Slot = { step?: WireStep | undefined };

/** A step that runs once for each value of a run. */
export function once(step: WireStep): WireStep {
  return (value, run) =>
    run === undefined || typeof value !== "object" || value === null
      ? step(value, run)
      : run.once(step, value);
}

/**
 * Whether a value may be tried again below the place where it is tried: in a union or an intersection that contains
 * another one, or itself. Elsewhere a value is tried once for each variant, and there is nothing to remember.
 */
function triesAgain(schema: $ZodType, { side, isConverted }: WireDirection): boolean {
  const tries = (inner: $ZodType): boolean => {
    const { type } = inner._zod.def;
    const isTrying = type === "union" || type === "intersection" || (side === "output" && isCodec(inner));
    return isTrying && someSchema(inner, side, isConverted);
  };
  return nodesOf(schema, side).some(
    (node) => tries(node) && childrenOf(node, side).some(([, child]) => someSchema(child, side, tries)),
  );
}
