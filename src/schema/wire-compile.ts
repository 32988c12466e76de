/**
 * How the wire forms are compiled, in either direction: once for each schema, recursive ones too, and only where
 * something in the schema is converted at all.
 */
import type { $ZodType } from "zod/v4/core";
import { type Side, someSchema } from "./graph.js";

/** Turns a value into another form. */
export type Convert = (value: unknown) => unknown;

/** Compiles the schemas inside the one that is being compiled; `undefined` where nothing is converted. */
export type Inner = (schema: $ZodType) => Convert | undefined;

/** One direction of the wire forms. */
export interface Direction {
  readonly side: Side;
  /** Whether a schema, apart from those inside it, is converted. */
  isConverted(schema: $ZodType): boolean;
  build(schema: $ZodType, inner: Inner): Convert | undefined;
}

/** The compiler of one direction. It gives `undefined` for a schema in which nothing is converted. */
export function wireCompiler({ side, isConverted, build }: Direction): Inner {
  const compiled = new WeakMap<$ZodType, Convert>();

  function compile(schema: $ZodType, open: Map<$ZodType, Slot>): Convert | undefined {
    const running = open.get(schema);
    // A recursive schema reaches itself: the inner use looks its converter up when it runs.
    if (running !== undefined)
      return (value) => (running.convert === undefined ? value : running.convert(value));
    if (!someSchema(schema, side, isConverted)) return undefined;
    const slot: Slot = {};
    open.set(schema, slot);
    slot.convert = build(schema, (inner) => compile(inner, open));
    return slot.convert;
  }

  return (schema) => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const convert = compile(schema, new Map());
    if (convert !== undefined) compiled.set(schema, convert);
    return convert;
  };
}

type Slot = { convert?: Convert | undefined };
