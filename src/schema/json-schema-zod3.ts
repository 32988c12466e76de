/**
 * `zod/v3` schemas to JSON Schema, by `zod-to-json-schema`, brought from draft 7 to 2020-12. They have no names
 * and no components: what they describe stands where it is used.
 */
import { ignoreOverride, zodToJsonSchema } from "zod-to-json-schema";
import type { Io, Json } from "./json.js";
import type { Zod3Schema } from "./validate.js";
import { type Zod3Def, zod3Def } from "./zod3.js";

/** Describes a Zod 3 schema. */
export function convertZod3(schema: Zod3Schema, io: Io): Json {
  const options = {
    target: "jsonSchema7",
    $refStrategy: "none",
    pipeStrategy: io,
    dateStrategy: "format:date-time",
    override: (def: object) => wireForm(def, io) ?? ignoreOverride,
  } as const;
  // The converter's own types want the whole Zod 3 class, of which we know what we use.
  const { $schema: _, ...json } = zodToJsonSchema(schema as never, options);
  return modern(json);
}

const BIGINT = { type: "string", pattern: "^-?\\d+$" } as const;

/** Bigints travel as text, also where the converter has a shorter word for a choice of scalars. */
function wireForm(def: Zod3Def, io: Io): Json | undefined {
  switch (def.typeName) {
    case "ZodBigInt":
      return { ...BIGINT };
    case "ZodLiteral":
      return typeof def.value === "bigint" ? { type: "string", const: def.value.toString() } : undefined;
    case "ZodNullable":
      return isBigint(def.innerType)
        ? { anyOf: [convertZod3(def.innerType, io), { type: "null" }] }
        : undefined;
    case "ZodUnion":
      return def.options?.some(isBigint)
        ? { anyOf: def.options.map((option) => convertZod3(option, io)) }
        : undefined;
    default:
      return undefined;
  }
}

function isBigint(schema: Zod3Schema | undefined): schema is Zod3Schema {
  if (schema === undefined) return false;
  const { typeName, value } = zod3Def(schema);
  return typeName === "ZodBigInt" || (typeName === "ZodLiteral" && typeof value === "bigint");
}

function modern(json: object): Json {
  if ("anyOf" in json) {
    const { anyOf, ...beside } = json;
    const present = presentOf(anyOf);
    if (present !== undefined) return { ...modern(present), ...modern(beside) };
  }
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

/** What the converter makes of an optional schema outside of an object: JSON has no undefined to choose. */
function presentOf(choices: unknown): object | undefined {
  if (!Array.isArray(choices) || choices.length !== 2) return undefined;
  const [none, present]: readonly unknown[] = choices;
  return JSON.stringify(none) === '{"not":{}}' && isObject(present) ? present : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
