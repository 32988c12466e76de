/** The questions about a schema, answered for Zod 4. */
import { type $ZodObject, type $ZodType, type $ZodTypes, parse } from "zod/v4/core";
import { takesUndefined } from "../absence.js";
import { compiledParse, REFUSED } from "../compiled/parse.js";
import { compiledFirst } from "../compiled/validator.js";
import { floodSafeValidator } from "../flood.js";
import { childrenOf, type Side } from "../graph.js";
import type { Json } from "../json.js";
import { notInJson } from "../json-form.js";
import { describeZod4 } from "../json-schema/describe.js";
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
import { textReader } from "../text.js";
import type { TextReader } from "../text-values.js";
import { boundedWork, fits, isOneWay, isPlain, validateOutput, validator } from "../validate.js";
import type { Convert } from "../wire-compile.js";
import { wireDecoder } from "../wire-decode.js";
import { wireEncoder } from "../wire-encode.js";

/** Reads a schema of Zod 4. */
export class Zod4Reader implements SchemaReader {
  readonly #schema: $ZodType;

  constructor(schema: $ZodType) {
    this.#schema = schema;
  }

  bodyValidator(): Validate {
    return compiledFirst(this.#schema, floodSafeValidator(this.#schema));
  }

  valueValidator(): Validate {
    return compiledFirst(this.#schema, validator(this.#schema));
  }

  wireDecoder(): Convert | undefined {
    return wireDecoder(this.#schema);
  }

  output(isValidated: boolean): OutputSteps {
    const schema = this.#schema;
    return {
      parse: isValidated && isPlain(schema) ? outputParser(schema) : undefined,
      validate: isValidated ? (value) => validateOutput(schema, value) : undefined,
      encode: wireEncoder(schema) ?? ((value) => value),
    };
  }

  /** A transform that is not a codec cannot be run backwards. */
  fitsOutput(value: unknown): boolean | undefined {
    return fits(this.#schema, value, isOneWay(this.#schema) ? "forward" : "backward");
  }

  isOneWay(): boolean {
    return isOneWay(this.#schema);
  }

  takesUndefined(ofEverything: boolean): boolean {
    return takesUndefined(this.#schema, ofEverything);
  }

  textReader(): TextReader | undefined {
    return textReader(this.#schema);
  }

  notInJson(side: Side): string | undefined {
    return notInJson(this.#schema, side);
  }

  fields(): unknown {
    const def: object = this.#schema._zod.def;
    return "shape" in def ? def.shape : undefined;
  }

  others(): "ignored" | "refused" | "read" {
    const { catchall } = (this.#schema as $ZodObject)._zod.def;
    const type = catchall?._zod.def.type;
    if (type === "never") return "refused";
    return type === undefined || type === "unknown" || type === "any" ? "ignored" : "read";
  }

  parts(): readonly (readonly [label: string, schema: AnySchema])[] {
    return childrenOf(this.#schema, "both");
  }

  rank(): Rank {
    // `$ZodTypes` is the union of all schema classes that Zod defines; `$ZodType` is their base.
    const def = (this.#schema as $ZodTypes)._zod.def;
    if (def.type === "union") return "discriminator" in def ? CHOICE : UNION;
    return RANKS.get(def.type) ?? WRAPPER;
  }

  variants(): readonly (readonly [option: AnySchema, tag: string])[] {
    const def = (this.#schema as $ZodTypes)._zod.def;
    if (def.type !== "union" || !("discriminator" in def)) return [];
    const { discriminator } = def;
    if (typeof discriminator !== "string") return [];
    return def.options.map((option) => {
      const [tag] = option._zod.propValues?.[discriminator] ?? [];
      return [option, String(tag ?? "")];
    });
  }

  describe(around: Around): Json {
    return describeZod4(this.#schema, around);
  }
}

function outputParser(output: $ZodType): (value: unknown) => unknown {
  const run = boundedWork(output, "forward");
  return (value) => {
    const parsed = compiledParse(output)(value);
    return parsed === REFUSED ? parse(run, value) : parsed;
  };
}

const RANKS = new Map<$ZodType["_zod"]["def"]["type"], Rank>([
  ["object", OBJECT],
  ["array", COLLECTION],
  ["tuple", COLLECTION],
  ["record", COLLECTION],
  ["map", COLLECTION],
  ["set", COLLECTION],
  ["intersection", COLLECTION],
]);
