/**
 * Objects, records and intersections as JSON Schema.
 */
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { isAsked } from "../absence.js";
import { innerLazy, isCodec } from "../graph.js";
import type { Io, Json } from "../json.js";
import { anyKey, keyTest } from "../record-keys.js";
import { allOf, isBare, isEmpty, openOrClosed } from "./choice.js";
import { describeText } from "./text.js";

type Def<T extends $ZodTypes["_zod"]["def"]["type"]> = Extract<$ZodTypes["_zod"]["def"], { type: T }>;
type Use = (schema: $ZodType) => Json;

/** An object with its declared fields, and its rule for other fields. */
export function describeObject(def: Def<"object">, io: Io, use: Use): Json {
  const fields = Object.entries(def.shape);
  const required = fields.flatMap(([name, field]) => (isRequired(field, io) ? [name] : []));
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, use(field)])),
    ...(required.length > 0 ? { required } : {}),
    ...(def.catchall === undefined ? {} : { additionalProperties: openOrClosed(use(def.catchall)) }),
  };
}

function isRequired(field: $ZodType, io: Io): boolean {
  return io === "output" ? field._zod.optout === undefined : isAsked(field);
}

/** A record: its allowed keys, its required keys, and its values. */
export function describeRecord(def: Def<"record">, io: Io, use: Use): Json {
  if (def.mode === "loose") return { ...describeKeys(def, io, use), additionalProperties: true };
  const keys = keyNames(def.keyType, use);
  return {
    type: "object",
    ...(keys === undefined ? {} : { propertyNames: keys }),
    ...requiredKeys(def, io),
    additionalProperties: openOrClosed(use(def.valueType)),
  };
}

/** A record that declares its keys one by one requires all of them. */
function requiredKeys({ keyType, valueType, partial }: Def<"record">, io: Io): Json {
  const names = namesOf(keyType);
  return names.length > 0 && partial !== true && isAskedValue(valueType, io) ? { required: names } : {};
}

/** The keys that are declared one by one. */
function namesOf(key: $ZodType): readonly string[] {
  return [...(key._zod.values ?? [])].filter(isName).map(String);
}

function isName(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

function isAskedValue(value: $ZodType, io: Io): boolean {
  return io === "output" ? value._zod.optout !== "optional" : isAsked(value);
}

/** The description of the keys that a record declares, without a rule for others. */
function describeKeys(def: Def<"record">, io: Io, use: Use): Json {
  const held = openOrClosed(use(def.valueType));
  return { type: "object", ...looseKeys(def.keyType, namesOf(def.keyType), held), ...requiredKeys(def, io) };
}

/** Whether a record declares only some keys. */
function isKeyed({ keyType, mode }: Def<"record">): boolean {
  return mode !== "loose" && keyTest(keyType, "forward") !== anyKey;
}

/** The description of the values of matching keys. */
function looseKeys(keyType: $ZodType, names: readonly string[], held: Json | boolean): Json {
  if (names.length > 0) return { properties: Object.fromEntries(names.map((name) => [name, held])) };
  const known = keyType as $ZodTypes;
  if (known._zod.def.type !== "string") return {};
  const { pattern, ...more } = describeText(known);
  // A key with further checks may match the pattern and still fail.
  const isAll = isBare(more, "string") && (known._zod.def.checks ?? []).length === 1;
  return typeof pattern === "string" && isAll ? { patternProperties: { [pattern]: held } } : {};
}

const DIGITS = { type: "string", pattern: "^-?\\d+$" } as const;
const NUMBER = { type: "string", pattern: "^-?\\d+(?:\\.\\d+)?$" } as const;

/** The description of keys as text, because the names of an object are text. `undefined` if any text is a key. */
function keyNames(key: $ZodType, use: Use): Json | undefined {
  const def = (key as $ZodTypes)._zod.def;
  const values = [...(key._zod.values ?? [])];
  if (values.some((value) => typeof value === "number")) {
    const names = values.filter(isName).map(String);
    return names.length === 1 ? { type: "string", const: names[0] } : { type: "string", enum: names };
  }
  switch (def.type) {
    case "number":
      return use(key)["type"] === "integer" ? { ...DIGITS } : { ...NUMBER };
    case "string":
    case "enum":
    case "literal":
    case "template_literal":
      return orAnyText(use(key));
    case "union": {
      const options = def.options.map((option) => keyNames(option, use));
      return options.some((option) => option === undefined) ? undefined : orAnyText(use(key));
    }
    default:
      return undefined;
  }
}

function orAnyText(json: Json): Json | undefined {
  return isBare(json, "string") || isEmpty(json) ? undefined : json;
}

/**
 * The description of both sides. Zod refuses a field that neither side declares only if both are strict. Therefore a
 * strict side is described as open, and the combination of two strict sides is closed.
 */
export function describeIntersection(def: Def<"intersection">, io: Io, use: Use): Json {
  const sides = [def.left, def.right];
  const both = allOf(sides.map((side) => opened(side, io, use)));
  if (!sides.every(isClosed)) return both;
  return "properties" in both && !("allOf" in both)
    ? { ...both, additionalProperties: false }
    : { ...both, unevaluatedProperties: false };
}

function isClosed(schema: $ZodType): boolean {
  const def = (schema as $ZodTypes)._zod.def;
  switch (def.type) {
    case "object":
      return def.catchall?._zod.def.type === "never";
    case "record":
      return isKeyed(def) && Object.keys(looseKeys(def.keyType, namesOf(def.keyType), true)).length > 0;
    case "union":
      return def.options.length > 0 && def.options.every(isClosed);
    case "intersection":
      return isClosed(def.left) && isClosed(def.right);
    case "readonly":
    case "nonoptional":
      return isClosed(def.innerType);
    default:
      return false;
  }
}

function holdsClosed(schema: $ZodType): boolean {
  const def = (schema as $ZodTypes)._zod.def;
  if (def.type === "union") return def.options.some(holdsClosed);
  if (def.type === "intersection") return holdsClosed(def.left) || holdsClosed(def.right);
  if (def.type === "readonly" || def.type === "nonoptional") return holdsClosed(def.innerType);
  return def.type === "record" ? isKeyed(def) : isClosed(schema);
}

function opened(schema: $ZodType, io: Io, use: Use): Json {
  if (!holdsClosed(schema)) return use(schema);
  const def = (schema as $ZodTypes)._zod.def;
  switch (def.type) {
    case "object": {
      const { additionalProperties: _, ...rest } = describeObject(def, io, use);
      return rest;
    }
    case "record":
      // Its keys are not the keys of the other side.
      return describeKeys(def, io, use);
    case "union":
      return { anyOf: def.options.map((option) => opened(option, io, use)) };
    case "intersection":
      return allOf([opened(def.left, io, use), opened(def.right, io, use)]);
    case "readonly":
    case "nonoptional":
      return opened(def.innerType, io, use);
    default:
      return use(schema);
  }
}

/** Whether the discriminator's value also identifies this variant in its description. */
export function isToldApart(schema: $ZodType, by: string, io: Io): boolean {
  const def = (schema as $ZodTypes)._zod.def;
  switch (def.type) {
    case "object": {
      const tag = def.shape[by];
      return tag !== undefined && isRequired(tag, io) && isValue(tag, io);
    }
    case "union":
      return def.options.every((option) => isToldApart(option, by, io));
    case "intersection":
      return isToldApart(def.left, by, io) || isToldApart(def.right, by, io);
    case "readonly":
    case "nonoptional":
      return isToldApart(def.innerType, by, io);
    case "pipe":
      return isToldApart(io === "input" || isCodec(schema) ? def.in : def.out, by, io);
    case "lazy":
      // A variant that a discriminator selects is always an object inside.
      return isToldApart(innerLazy(schema), by, io);
    default:
      return false;
  }
}

function isValue(schema: $ZodType, io: Io): boolean {
  const def = (schema as $ZodTypes)._zod.def;
  if (def.type === "literal" || def.type === "enum" || def.type === "null") return true;
  if (def.type === "readonly" || def.type === "nonoptional" || def.type === "nullable")
    return isValue(def.innerType, io);
  if (def.type === "union") return def.options.every((option) => isValue(option, io));
  if (def.type === "pipe") return isValue(io === "input" || isCodec(schema) ? def.in : def.out, io);
  return false;
}
