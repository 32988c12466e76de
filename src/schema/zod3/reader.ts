/** The entry point of this room: the questions about a schema, answered for `zod/v3`. */
import type { Json } from "../json.js";
import {
  type AnySchema,
  type Around,
  CHOICE,
  COLLECTION,
  OBJECT,
  type OutputSteps,
  type Rank,
  type SchemaReader,
  UNION,
  type Validate,
  WRAPPER,
} from "../schema-reader.js";
import type { TextReader } from "../text-values.js";
import { settled } from "../validate.js";
import type { Convert } from "../wire-compile.js";
import { wireValue } from "../wire-values.js";
import { takesUndefinedZod3 } from "./absence.js";
import { describeZod3, variantsOfZod3 } from "./json-schema.js";
import { boundedWorkZod3 } from "./memoized.js";
import { childrenOfZod3, fitsZod3, type Zod3Schema, zod3Def } from "./schema.js";
import { textReaderZod3 } from "./text.js";
import { wireDecoderZod3 } from "./wire.js";

/** Reads a `zod/v3` schema. */
export class Zod3Reader implements SchemaReader {
  readonly #schema: Zod3Schema;

  constructor(schema: Zod3Schema) {
    this.#schema = schema;
  }

  bodyValidator(): Validate {
    const run = boundedWorkZod3(this.#schema);
    return async (value) => settled(await run.safeParseAsync(value));
  }

  valueValidator(): Validate {
    return this.bodyValidator();
  }

  wireDecoder(): Convert {
    return wireDecoderZod3(this.#schema);
  }

  /** A schema runs only forwards: its parse omits undeclared fields. */
  output(): OutputSteps {
    const run = boundedWorkZod3(this.#schema);
    return {
      validate: undefined,
      parse: undefined,
      encode: async (value) => {
        const result = await run.safeParseAsync(value);
        if (result.success) return wireValue(result.data);
        throw new Error("the output does not fit its schema");
      },
    };
  }

  fitsOutput(value: unknown): boolean | undefined {
    return fitsZod3(this.#schema, value);
  }

  /** Its parse always validates its outputs. */
  isOneWay(): boolean {
    return false;
  }

  takesUndefined(ofEverything: boolean): boolean {
    return takesUndefinedZod3(this.#schema, ofEverything);
  }

  textReader(): TextReader | undefined {
    return textReaderZod3(this.#schema);
  }

  notInJson(): string | undefined {
    const seen = new Set([this.#schema]);
    for (const current of seen) {
      const name = STRANGERS.get(zod3Def(current).typeName ?? "");
      if (name !== undefined) return `JSON cannot carry ${name}`;
      for (const child of childrenOfZod3(current)) seen.add(child);
    }
    return undefined;
  }

  fields(): unknown {
    return "shape" in this.#schema ? this.#schema.shape : undefined;
  }

  others(): "ignored" | "refused" | "read" {
    const { unknownKeys, catchall } = zod3Def(this.#schema);
    if (catchall !== undefined && zod3Def(catchall).typeName !== "ZodNever") return "read";
    return unknownKeys === "strict" ? "refused" : "ignored";
  }

  parts(): readonly (readonly [label: string, schema: AnySchema])[] {
    return childrenOfZod3(this.#schema).map((child) => ["", child]);
  }

  rank(): Rank {
    return RANKS.get(zod3Def(this.#schema).typeName ?? "") ?? WRAPPER;
  }

  variants(): readonly (readonly [option: AnySchema, tag: string])[] {
    const def = zod3Def(this.#schema);
    if (def.typeName !== "ZodDiscriminatedUnion") return [];
    return variantsOfZod3(def).map(({ option, tags }, i) => [option, String(tags[0] ?? i)]);
  }

  describe(around: Around): Json {
    return describeZod3(this.#schema, around);
  }
}

const STRANGERS = new Map([
  ["ZodSymbol", "a symbol"],
  ["ZodFunction", "a function"],
  ["ZodNaN", "NaN"],
]);

const RANKS = new Map([
  ["ZodDiscriminatedUnion", CHOICE],
  ["ZodObject", OBJECT],
  ["ZodUnion", UNION],
  ["ZodArray", COLLECTION],
  ["ZodTuple", COLLECTION],
  ["ZodRecord", COLLECTION],
  ["ZodMap", COLLECTION],
  ["ZodSet", COLLECTION],
  ["ZodIntersection", COLLECTION],
]);
