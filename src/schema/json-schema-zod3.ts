/**
 * `zod/v3` schemas to JSON Schema, by `zod-to-json-schema`, brought from draft 7 to 2020-12. They have no names:
 * what they describe stands where it is used, apart from what must be referred to.
 */
import { ignoreOverride, parseDef, type Refs, zodToJsonSchema } from "zod-to-json-schema";
import type { Io, Json } from "./json.js";
import { LOCAL, pascal } from "./references.js";
import type { Zod3Schema } from "./validate.js";
import { peelZod3, type Zod3Def, zod3Def } from "./zod3.js";

/** A schema, and the parts that it refers to by `LOCAL` and their key. */
export interface Zod3Description {
  readonly json: Json;
  readonly parts: ReadonlyMap<string, Zod3Part>;
}

/** What contains itself, or is chosen by a discriminator. */
export interface Zod3Part {
  /** What its name has beside that of the whole. */
  readonly suffix: string;
  readonly json: Json;
}

/** Describes a Zod 3 schema. */
export function describeZod3(schema: Zod3Schema, io: Io): Zod3Description {
  const keys = new Map<object, string>();
  const parts = new Map<string, Zod3Part>();
  const refTo = (def: object): { $ref: string } => {
    const key = keys.get(def) ?? `part${keys.size}`;
    keys.set(def, key);
    return { $ref: `${LOCAL}${key}` };
  };
  const moved = (def: object, json: object, suffix: string): { $ref: string } => {
    const ref = refTo(def);
    const key = ref.$ref.slice(LOCAL.length);
    // What was moved for containing itself may turn out to be a variant, which has more of a name.
    const known = parts.get(key);
    if (known === undefined || !sameRef(json, ref)) parts.set(key, { suffix, json: modern(json) });
    else if (known.suffix === "") parts.set(key, { suffix, json: known.json });
    return ref;
  };
  const options = {
    target: "jsonSchema7",
    $refStrategy: "none",
    pipeStrategy: io,
    dateStrategy: "format:date-time",
    override: (def: object, refs: Place, seen: { readonly path: readonly string[] } | undefined) => {
      if (seen !== undefined && isAround(seen.path, refs.currentPath)) return refTo(def);
      if (parts.has(keys.get(def) ?? "")) return refTo(def);
      // The converter has a type for each kind of definition, and gives JSON Schema for all of them.
      const inner = (schema: Zod3Schema, ...steps: readonly string[]) =>
        parseDef(zod3Def(schema) as never, {
          ...(refs as unknown as Refs),
          currentPath: [...refs.currentPath, ...steps],
        });
      return wireForm(def, inner) ?? ignoreOverride;
    },
    postProcess: (json: object | undefined, def: Zod3Def) => {
      if (json === undefined) return json;
      const whole = def.typeName === "ZodDiscriminatedUnion" ? choiceOf(json, def, moved) : json;
      return keys.has(def) ? moved(def, whole, "") : whole;
    },
  } as const;
  // The converter's own types want the whole Zod 3 class, of which we know what we use.
  const { $schema: _, ...json } = zodToJsonSchema(schema as never, options as never);
  return { json: modern(json), parts };
}

interface Place {
  readonly currentPath: readonly string[];
}

/** Whether one place of the result is within another. */
function isAround(outer: readonly string[], inner: readonly string[]): boolean {
  return outer.length < inner.length && outer.every((step, i) => inner[i] === step);
}

function sameRef(json: object, { $ref }: { readonly $ref: string }): boolean {
  return "$ref" in json && json.$ref === $ref;
}

/** A mapping can only name variants that are parts. */
function choiceOf(
  json: object,
  { discriminator = "", options = [] }: Zod3Def,
  moved: (def: object, json: object, suffix: string) => { $ref: string },
): object {
  // The map of Zod 3's older versions has the options as values.
  const variants = [...options.values()];
  if (!("anyOf" in json) || !Array.isArray(json.anyOf) || json.anyOf.length !== variants.length) return json;
  const mapping: Record<string, string> = {};
  const oneOf = variants.map((option, i) => {
    const tag = zod3Def(peelZod3(zod3Def(peelZod3(option)).shape?.()[discriminator] ?? option));
    const values = tag.typeName === "ZodLiteral" ? [tag.value] : Object.values(tag.values ?? {});
    const ref = moved(
      zod3Def(option),
      (json.anyOf as readonly object[])[i] ?? {},
      pascal(String(values[0] ?? i)),
    );
    for (const value of values) mapping[String(value)] = ref.$ref;
    return ref;
  });
  const { anyOf: _, ...beside } = json;
  return { ...beside, oneOf, discriminator: { propertyName: discriminator, mapping } };
}

const BIGINT = { type: "string", pattern: "^-?\\d+$" } as const;

/** Bigints travel as text, also where the converter has a shorter word for a choice of scalars. */
function wireForm(
  def: Zod3Def,
  inner: (schema: Zod3Schema, ...steps: readonly string[]) => unknown,
): Json | undefined {
  switch (def.typeName) {
    case "ZodBigInt":
      return { ...BIGINT };
    case "ZodLiteral":
      return typeof def.value === "bigint" ? { type: "string", const: def.value.toString() } : undefined;
    case "ZodNullable":
      return isBigint(def.innerType)
        ? { anyOf: [inner(def.innerType, "anyOf", "0"), { type: "null" }] }
        : undefined;
    case "ZodUnion":
      return def.options?.some(isBigint)
        ? { anyOf: def.options.map((option, i) => inner(option, "anyOf", String(i))) }
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
