/**
 * The questions about a schema, for every version of Zod. Zod 4 answers in `reader/zod4.ts`, `zod/v3` in its room;
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

/** Validates a value, synchronously if the schema allows it. */
export type Validate = (value: unknown) => Validation | Promise<Validation>;

/** The steps for an output before JSON. */
export interface OutputSteps {
  /** Validates, if outputs are validated. @throws the validation error */
  readonly validate: ((value: unknown) => Promise<void>) | undefined;
  /** Validates and encodes in one step, for schemas whose parse does both. @throws the validation error */
  readonly parse: ((value: unknown) => unknown) | undefined;
  readonly encode: (value: unknown) => unknown;
}

/** The functions that make a description. */
export interface Around {
  readonly io: Io;
  /** An inner schema: its description, or a reference to its component. */
  use(schema: AnySchema): Json;
  /** A reference, for any schema. */
  refer(schema: AnySchema): Json;
}

/** The rank of a schema in a cycle of schemas: the lowest one is the one that a reader would name. */
export type Rank = 0 | 1 | 2 | 3 | 4;

/** A choice of variants by a tag. */
export const CHOICE: Rank = 0;
/** An object. */
export const OBJECT: Rank = 1;
/** A union without a tag. */
export const UNION: Rank = 2;
/** A schema of several values: a list, a record, an intersection. */
export const COLLECTION: Rank = 3;
/** Anything else. */
export const WRAPPER: Rank = 4;

/** The answers of one schema. */
export interface SchemaReader {
  /** A validator for bodies. It may be compiled, and a body with many faults does not cost more than one with few. */
  bodyValidator(): Validate;
  /** A validator for a parameter's value. It may be compiled. */
  valueValidator(): Validate;
  /** From JSON to the input of the schema; `undefined` if both are the same. */
  wireDecoder(): Convert | undefined;
  /** From the handler's output to JSON. */
  output(isValidated: boolean): OutputSteps;
  /** Whether a value fits as an output; `undefined` if the schema needs a promise to decide. */
  fitsOutput(value: unknown): boolean | undefined;
  /** Whether it can run only forwards: its outputs cannot be validated. */
  isOneWay(): boolean;
  /**
   * Whether it accepts `undefined` when it stands alone. Schemas that accept everything (`z.unknown()`, a coercion) do
   * not say: for them the caller decides.
   */
  takesUndefined(ofEverything: boolean): boolean;
  /** How text is read; `undefined` for a type that text cannot hold completely. */
  textReader(): TextReader | undefined;
  /** Why it cannot be read from JSON, or written to it; `undefined` if it can. */
  notInJson(side: Side): string | undefined;
  /** The fields of an object, by name; `undefined` for any other schema. */
  fields(): unknown;
  /** How an object treats names that it does not declare. */
  others(): "ignored" | "refused" | "read";

  /** The inner schemas, one level down, each with its role. */
  parts(): readonly (readonly [label: string, schema: AnySchema])[];
  rank(): Rank;
  /** The variants of a choice, each with its tag. */
  variants(): readonly (readonly [option: AnySchema, tag: string])[];
  /** Its description in full. */
  describe(around: Around): Json;
}
