/**
 * Zod 4 to JSON Schema 2020-12 as OpenAPI 3.1 wants it: Zod's own conversion, and its corrections. Types that
 * JSON has no form for are described as they travel (`wire-values.ts`). Named schemas are references.
 */
import { z } from "zod";
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { isCodec } from "./graph.js";
import type { Io, Json } from "./json.js";
import { correct } from "./json-schema-corrections.js";
import { wireEncoder } from "./wire-encode.js";
import { bytesKind } from "./wire-values.js";

/** Schemas by key, and those among them that others refer to. */
export interface Converted {
  readonly roots: readonly Json[];
  /** By the keys that `keys` gave; further ones are Zod's own, of recursion without a name. */
  readonly defs: ReadonlyMap<string, Json>;
}

/** Converts schemas in one go. A schema with a key is referenced as `#/$defs/{key}` wherever it is used. */
export function convert(
  schemas: readonly $ZodType[],
  io: Io,
  keys: ReadonlyMap<$ZodType, string>,
): Converted {
  const defs = new Map<string, Json>();
  const metadata = new Metadata(keys);

  const run = (schema: $ZodType): Json => {
    const json: Json = z.toJSONSchema(schema, {
      io,
      metadata,
      unrepresentable: ({ zodSchema, message }) => wireForm(zodSchema, message, run),
      override: ({ zodSchema, jsonSchema }) => {
        const target: Json = jsonSchema;
        if (io === "output" && isCodec(zodSchema)) onTheWire(zodSchema, target, run, metadata);
        correct(zodSchema, target, io);
      },
    });
    const { $defs, $schema: _, ...rest } = json;
    if (typeof $defs === "object" && $defs !== null) {
      for (const [key, def] of Object.entries($defs)) if (!defs.has(key)) defs.set(key, def);
    }
    return rest;
  };

  // As items of one tuple all are converted together, and what they share is converted once.
  const together = run(z.tuple([z.any(), ...schemas]));
  const items: unknown = together["prefixItems"];
  const roots: Json[] = Array.isArray(items) ? items.slice(1) : [];
  return { roots, defs };
}

/** A codec's output is its input: what `z.encode` gives. */
function onTheWire(schema: $ZodTypes, json: Json, run: (schema: $ZodType) => Json, metadata: Metadata): void {
  const def = schema._zod.def;
  if (def.type !== "pipe") return;
  for (const key of Object.keys(json)) delete json[key];
  const { id: _, ...meta } = metadata.of(schema) ?? {};
  Object.assign(json, run(def.in), meta);
}

/** The form on the wire of what JSON Schema has no word for; `"any"` where there is none. */
function wireForm(schema: $ZodTypes, message: string, run: (schema: $ZodType) => Json): Json | "any" {
  const def = schema._zod.def;
  switch (def.type) {
    case "date":
      return { type: "string", format: "date-time" };
    case "bigint":
      return { type: "string", pattern: "^-?\\d+$" };
    case "custom":
      return bytesKind(schema) === undefined ? "any" : { type: "string", contentEncoding: "base64" };
    case "set":
      return { type: "array", uniqueItems: true, items: run(def.valueType) };
    case "map": {
      const pair = [run(def.keyType), run(def.valueType)];
      return {
        type: "array",
        items: { type: "array", prefixItems: pair, items: false, minItems: 2, maxItems: 2 },
      };
    }
    case "default":
    case "prefault":
      return message.includes("default") && typeof def.defaultValue === "bigint"
        ? { default: def.defaultValue.toString() }
        : "any";
    default:
      return "any";
  }
}

/** Keywords that `.meta()` may set; other keys of it are the application's own. */
const META = new Set([
  "title",
  "description",
  "examples",
  "example",
  "deprecated",
  "readOnly",
  "writeOnly",
  "format",
  "pattern",
  "contentEncoding",
  "contentMediaType",
  "externalDocs",
  "xml",
  "$comment",
]);

/** Zod's metadata without what is no keyword, and with our keys as the names of definitions. */
class Metadata extends z.core.$ZodRegistry<Record<string, unknown>> {
  readonly #keys: ReadonlyMap<$ZodType, string>;

  constructor(keys: ReadonlyMap<$ZodType, string>) {
    super();
    this.#keys = keys;
  }

  /** The base class types this by the schema; Zod's conversion reads a plain record. */
  override get(schema: $ZodType): never {
    return this.of(schema) as never;
  }

  of(schema: $ZodType): Record<string, unknown> | undefined {
    const meta: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(z.globalRegistry.get(schema) ?? {})) {
      if (!META.has(key) && !key.startsWith("x-")) continue;
      meta[key] =
        key === "examples" && Array.isArray(value) ? value.map((one) => written(schema, one)) : value;
    }
    const id = this.#keys.get(schema);
    if (id !== undefined) meta["id"] = id;
    return Object.keys(meta).length === 0 ? undefined : meta;
  }
}

/** An example as it travels. */
function written(schema: $ZodType, example: unknown): unknown {
  try {
    const encode = wireEncoder(schema);
    return encode === undefined ? example : encode(example);
  } catch {
    // Examples may already be given as they travel.
    return example;
  }
}
