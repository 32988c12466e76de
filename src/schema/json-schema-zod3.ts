/**
 * `zod/v3` schemas to JSON Schema, by `zod-to-json-schema`, brought from draft 7 to 2020-12. They have no names
 * and no components: what they describe stands where it is used.
 */
import { ignoreOverride, zodToJsonSchema } from "zod-to-json-schema";
import type { Io, Json } from "./json.js";
import type { Zod3Schema } from "./validate.js";
import type { Zod3Def } from "./zod3.js";

/** Describes a Zod 3 schema. */
export function convertZod3(schema: Zod3Schema, io: Io): Json {
  const options = {
    target: "jsonSchema7",
    $refStrategy: "none",
    pipeStrategy: io,
    dateStrategy: "format:date-time",
    override: (def: object) => wireForm(def) ?? ignoreOverride,
  } as const;
  // The converter's own types want the whole Zod 3 class, of which we know what we use.
  const { $schema: _, ...json } = zodToJsonSchema(schema as never, options);
  return modern(json);
}

/** Bigints travel as text; an effect, a wrapper or a pipe around one is described by what is inside. */
function wireForm(def: Zod3Def): { readonly type: "string"; readonly pattern: string } | undefined {
  return def.typeName === "ZodBigInt" ? { type: "string", pattern: "^-?\\d+$" } : undefined;
}

function modern(json: object): Json {
  const result: Json = {};
  for (const [key, value] of Object.entries(json)) {
    if (key === "additionalItems") continue;
    if (key === "additionalProperties" && value === false && "properties" in json) continue;
    if (key === "items" && Array.isArray(value)) {
      result["prefixItems"] = value.map((item) => (isObject(item) ? modern(item) : item));
      result["items"] =
        "additionalItems" in json && isObject(json.additionalItems) ? modern(json.additionalItems) : false;
    } else if (Array.isArray(value)) {
      result[key] = value.map((item: unknown) => (isObject(item) ? modern(item) : item));
    } else {
      result[key] = isObject(value) && key !== "default" ? modern(value) : value;
    }
  }
  return result;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
