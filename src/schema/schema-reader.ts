/**
 * What is asked of a schema, whichever version of Zod made it. Zod 4 answers in `reader/zod4.ts`, `zod/v3` in its room;
 * `reader/reader-of.ts` chooses.
 */
import type { $ZodType } from "zod/v4/core";
import type { Side } from "./graph.js";
import type { Io, Json } from "./json.js";
import type { TextReader } from "./text-values.js";
import type { Validation } from "./validate.js";
import type { Convert } from "./wire-compile.js";
import type { Zod3Schema } from "./zod3/schema.js";

/** A schema of Zod 4 (also `zod/mini`) or of `zod/v3`. */
export type AnySchema = $ZodType | Zod3Schema;

/** Validates a value, at once wherever the schema allows it. */
export type Validate = (value: unknown) => Validation | Promise<Validation>;

/** How an output is written before JSON. */
export interface OutputSteps {
  /** Validates, if outputs are validated. @throws the validation error */
  readonly validate: ((value: unknown) => Promise<void>) | undefined;
  /** Validates and encodes at once, for schemas whose parse does both. @throws the validation error */
  readonly parse: ((value: unknown) => unknown) | undefined;
  readonly encode: (value: unknown) => unknown;
}

/** What a description is made with. */
export interface Around {
  readonly io: Io;
  /** A schema inside: its description, or a reference to its component. */
  use(schema: AnySchema): Json;
  /** A reference, whatever the schema is. */
  refer(schema: AnySchema): Json;
}

/** The place of a schema in a circle of schemas: the least one is the one that a reader would name. */
export type Rank = 0 | 1 | 2 | 3 | 4;

/** A choice of variants by a tag. */
export const CHOICE: Rank = 0;
/** An object. */
export const OBJECT: Rank = 1;
/** A union without a tag. */
export const UNION: Rank = 2;
/** What holds several values: a list, a record, an intersection. */
export const COLLECTION: Rank = 3;
/** Anything else. */
export const WRAPPER: Rank = 4;

/** The answers of one schema. */
export interface SchemaReader {
  validator(): Validate;
  /** A validator for bodies: it may be compiled, and a body with very many faults does not cost more than one with few. */
  bodyValidator(): Validate;
  /** A validator for a value of a parameter: it may be compiled. */
  valueValidator(): Validate;
  /** From JSON to what the schema validates; `undefined` where both are the same. */
  wireDecoder(): Convert | undefined;
  /** From what a handler gives to JSON. */
  output(isValidated: boolean): OutputSteps;
  /** Whether a value fits as an output; `undefined` if the schema needs a promise to decide. */
  fitsOutput(value: unknown): boolean | undefined;
  /** Whether it can only be run forwards, so that its outputs cannot be validated as they are. */
  isOneWay(): boolean;
  /**
   * Whether it takes `undefined` where it stands for itself. Those that take everything (`z.unknown()`, a coercion) say
   * nothing about it: for them the caller decides.
   */
  takesUndefined(ofEverything: boolean): boolean;
  /** How text is read; `undefined` for a type that text cannot carry, or a part of which it cannot. */
  textReader(): TextReader | undefined;
  /** Why it cannot be read from JSON, or be written to it; `undefined` if it can. */
  notInJson(side: Side): string | undefined;
  /** The fields of an object, by name; `undefined` for any other schema. */
  fields(): unknown;
  /** What an object does with names that it does not declare. */
  others(): "ignored" | "refused" | "read";

  /** The schemas inside it, one level down, each with what it is there. */
  parts(): readonly (readonly [label: string, schema: AnySchema])[];
  rank(): Rank;
  /** The variants of a choice, each with its tag. */
  variants(): readonly (readonly [option: AnySchema, tag: string])[];
  /** Its description in full. */
  describe(around: Around): Json;
}
