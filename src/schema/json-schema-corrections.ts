/**
 * What Zod's conversion writes and OpenAPI 3.1 wants otherwise, one schema kind at a time. Run on every schema,
 * innermost first, before the conversion is put together.
 */
import { type $ZodType, type $ZodTypes, globalRegistry } from "zod/v4/core";
import type { Io, Json } from "./json.js";
import { numberFormat } from "./number-format.js";

/** Corrects one schema in place. */
export function correct(schema: $ZodTypes, json: Json, io: Io): void {
  const def = schema._zod.def;
  switch (def.type) {
    case "string":
      correctString(schema, json);
      break;
    case "number":
      correctNumber(schema, json);
      break;
    case "literal":
      correctLiteral(def.values, json);
      break;
    case "object":
      correctObject(def, json, io);
      break;
    case "record":
      if (isBare(json["propertyNames"], "string") || isEmpty(json["propertyNames"]))
        delete json["propertyNames"];
      json["additionalProperties"] = openOrClosed(json["additionalProperties"]);
      break;
    case "nullable":
      foldNull(json);
      break;
    case "union":
      if ("discriminator" in def && typeof def.discriminator === "string") {
        discriminate(def.discriminator, def.options, json);
      } else {
        foldLiterals(json);
        foldNull(json);
      }
      break;
    case "readonly":
      // Zod means that the value is frozen; OpenAPI, that requests may not hold the field.
      if (globalRegistry.get(schema)?.["readOnly"] !== true) delete json["readOnly"];
      break;
    case "default":
    case "prefault":
      if (isUnstable(() => def.defaultValue)) delete json["default"];
      break;
    case "file":
      for (const key of ["format", "contentEncoding", "minLength", "maxLength"]) delete json[key];
      break;
  }
}

/** Registered by JSON Schema 2020-12 or by OpenAPI: with one of these, the pattern behind it is noise. */
const FORMATS = new Set(
  "date-time date time duration email hostname ipv4 ipv6 uri uuid int32 int64 float double password".split(
    " ",
  ),
);
/** Checks that Zod lists as formats and that only say what the pattern says. */
const PATTERN_ONLY = new Set(["regex", "includes", "starts_with", "ends_with", "lowercase", "uppercase"]);

function correctString(schema: $ZodTypes, json: Json): void {
  // Zod lets a later pattern hide the format of the schema itself.
  const format = json["format"] ?? ownFormat(schema);
  if (typeof format !== "string") return;
  const registered = FORMATS.has(format);
  if (registered) json["format"] = format;
  else delete json["format"];
  if (!registered && json["contentEncoding"] === undefined) return;
  const kept = customPatterns(schema);
  delete json["pattern"];
  delete json["allOf"];
  if (kept.length === 1) json["pattern"] = kept[0];
  else if (kept.length > 1) json["allOf"] = kept.map((pattern) => ({ pattern }));
}

const ZOD_NAMES = new Map([
  ["url", "uri"],
  ["guid", "uuid"],
  ["datetime", "date-time"],
]);

/** The registered format that a string schema was made with, if all its values have it. */
function ownFormat(schema: $ZodTypes): string | undefined {
  const def: object = schema._zod.def;
  if (!("format" in def) || typeof def.format !== "string" || def.format === "time") return undefined;
  // Local times and times to the minute are no RFC 3339 date-time.
  if (("local" in def && def.local === true) || ("precision" in def && def.precision === -1))
    return undefined;
  const name = ZOD_NAMES.get(def.format) ?? def.format;
  return FORMATS.has(name) ? name : undefined;
}

function customPatterns(schema: $ZodTypes): string[] {
  return (schema._zod.def.checks ?? []).flatMap((check) => {
    const def: object = check._zod.def;
    if (!("format" in def && "pattern" in def)) return [];
    return PATTERN_ONLY.has(String(def.format)) && def.pattern instanceof RegExp ? [def.pattern.source] : [];
  });
}

const NUMBER_FORMATS = new Map([
  ["int32", { format: "int32", min: -2147483648, max: 2147483647 }],
  ["safeint", { format: undefined, min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }],
  ["float32", { format: "float", min: -3.4028234663852886e38, max: 3.4028234663852886e38 }],
  ["float64", { format: "double", min: -Number.MAX_VALUE, max: Number.MAX_VALUE }],
]);

/** Limits that only say what the type already says are left out. */
function correctNumber(schema: $ZodTypes, json: Json): void {
  const own = numberFormat(schema);
  const known = own === undefined ? undefined : NUMBER_FORMATS.get(own);
  if (known === undefined) return;
  if (json["minimum"] === known.min) delete json["minimum"];
  if (json["maximum"] === known.max) delete json["maximum"];
  if (known.format !== undefined) json["format"] ??= known.format;
}

function correctLiteral(values: readonly unknown[], json: Json): void {
  if (!values.some((value) => typeof value === "bigint")) return;
  const texts = values.map((value) => (typeof value === "bigint" ? value.toString() : value));
  delete json["const"];
  delete json["enum"];
  if (texts.every((text) => typeof text === "string")) json["type"] = "string";
  if (texts.length === 1) json["const"] = texts[0];
  else json["enum"] = texts;
}

function correctObject(
  def: { readonly shape: Readonly<Record<string, $ZodType>>; readonly catchall?: $ZodType | undefined },
  json: Json,
  io: Io,
): void {
  if (def.catchall === undefined) delete json["additionalProperties"];
  else if (def.catchall._zod.def.type === "never") json["additionalProperties"] = false;
  else json["additionalProperties"] = openOrClosed(json["additionalProperties"]);
  const { required } = json;
  if (io === "input" && Array.isArray(required)) {
    const left = required.filter((name) => typeof name === "string" && !isCaught(def.shape[name]));
    if (left.length === 0) delete json["required"];
    else json["required"] = left;
  }
}

/** `.catch()` accepts everything, also nothing. */
function isCaught(schema: $ZodType | undefined): boolean {
  if (schema === undefined) return false;
  const def = (schema as $ZodTypes)._zod.def;
  if (def.type === "catch") return true;
  if (def.type === "readonly" || def.type === "nullable") return isCaught(def.innerType);
  return def.type === "pipe" ? isCaught(def.in) : false;
}

function openOrClosed(json: unknown): unknown {
  if (typeof json !== "object" || json === null) return json;
  const keys = Object.keys(json);
  if (keys.length === 0) return true;
  const isNever = keys.length === 1 && "not" in json && Object.keys(json.not ?? { not: 0 }).length === 0;
  return isNever ? false : json;
}

/** `anyOf: [X, null]` becomes a list of types, where X is not a reference or a choice itself. */
function foldNull(json: Json): void {
  const { anyOf } = json;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return;
  const [inner, other]: unknown[] = anyOf;
  if (!isBare(other, "null") || !isJson(inner)) return;
  const { type } = inner;
  if (typeof type !== "string" || "$ref" in inner || "anyOf" in inner || "oneOf" in inner || "allOf" in inner)
    return;
  delete json["anyOf"];
  const { const: single, ...rest } = inner;
  const own = { ...json };
  Object.assign(json, rest, own, { type: [type, "null"] });
  if (single !== undefined) json["enum"] = [single, null];
  else if (Array.isArray(json["enum"])) json["enum"] = [...json["enum"], null];
}

function foldLiterals(json: Json): void {
  const { anyOf } = json;
  if (!Array.isArray(anyOf) || anyOf.length < 2) return;
  const values: unknown[] = [];
  const types = new Set<unknown>();
  for (const option of anyOf) {
    if (
      !isJson(option) ||
      Object.keys(option).some((key) => key !== "type" && key !== "const" && key !== "enum")
    )
      return;
    const { const: single, enum: several, type } = option;
    if (single !== undefined) values.push(single);
    else if (Array.isArray(several)) values.push(...several);
    else if (isBare(option, "null")) values.push(null);
    else return;
    types.add(type);
  }
  delete json["anyOf"];
  if (types.size === 1) json["type"] = [...types][0];
  json["enum"] = [...new Set(values)];
}

/** Every variant is a definition of its own, so that the mapping can name it. */
function discriminate(propertyName: string, options: readonly $ZodType[], json: Json): void {
  const { oneOf } = json;
  if (!Array.isArray(oneOf)) return;
  const mapping: Record<string, string> = {};
  options.forEach((option, i) => {
    const variant: unknown = oneOf[i];
    if (!isJson(variant) || typeof variant["$ref"] !== "string") return;
    for (const tag of option._zod.propValues?.[propertyName] ?? []) mapping[String(tag)] = variant["$ref"];
  });
  json["discriminator"] = Object.keys(mapping).length === 0 ? { propertyName } : { propertyName, mapping };
}

/** A default that is made anew at each call (a date, an identifier) would change the document at each start. */
function isUnstable(value: () => unknown): boolean {
  try {
    const once = value();
    const time = once instanceof Date ? once.getTime() : once;
    if (typeof time === "number" && Math.abs(time - Date.now()) < 60_000) return true;
    return JSON.stringify(once) !== JSON.stringify(value());
  } catch {
    return false;
  }
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return isJson(value) && Object.keys(value).length === 0;
}

function isBare(value: unknown, type: string): boolean {
  return isJson(value) && value["type"] === type && Object.keys(value).length === 1;
}
