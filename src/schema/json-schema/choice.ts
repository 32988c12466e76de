/** Choices in JSON Schema, in their shortest form: a list of types, a list of values, or else alternatives. */
import type { Json } from "../json.js";

/** A value that may also be null. */
export function orNull(json: Json): Json {
  if (isEmpty(json)) return json;
  if (isNothing(json)) return { type: "null" };
  const { type } = json;
  const isPlain = !("$ref" in json || "anyOf" in json || "oneOf" in json || "allOf" in json || "not" in json);
  if (!isPlain || (typeof type !== "string" && !Array.isArray(type)))
    return { anyOf: [json, { type: "null" }] };
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const { const: single, ...rest } = json;
  const values = single !== undefined ? [single] : json["enum"];
  if (types.includes("null") && !Array.isArray(values)) return json;
  return {
    ...rest,
    type: types.includes("null") ? type : [...types, "null"],
    ...(Array.isArray(values) ? { enum: values.includes(null) ? values : [...values, null] } : {}),
  };
}

/** One or more of several descriptions. */
export function anyOf(options: readonly Json[]): Json {
  if (options.length === 0) return { not: {} };
  if (options.some(isEmpty)) return {};
  const others = options.filter((option) => !isBare(option, "null"));
  const [only] = others;
  const isMixed = others.length < options.length;
  if (isMixed && only !== undefined && others.length === 1) return orNull(only);
  return valuesOf(options) ?? typesOf(options) ?? { anyOf: [...options] };
}

/** One list of values, if all options are values. */
function valuesOf(options: readonly Json[]): Json | undefined {
  const values = new Set<unknown>();
  const types = new Set<unknown>();
  for (const option of options) {
    if (Object.keys(option).some((key) => key !== "type" && key !== "const" && key !== "enum"))
      return undefined;
    const { const: single, enum: several, type } = option;
    if (single !== undefined) values.add(single);
    else if (Array.isArray(several)) for (const value of several) values.add(value);
    else if (type === "null") values.add(null);
    else return undefined;
    types.add(JSON.stringify(type));
  }
  if (values.size === 0 || options.every((option) => isBare(option, "null"))) return undefined;
  const type = options[0]?.["type"];
  return { ...(types.size === 1 && type !== undefined ? { type } : {}), enum: [...values] };
}

/** One list of types, if all options are types. */
function typesOf(options: readonly Json[]): Json | undefined {
  const types = new Set<unknown>();
  for (const option of options) {
    const { type } = option;
    if (Object.keys(option).length !== 1 || (typeof type !== "string" && !Array.isArray(type)))
      return undefined;
    for (const one of Array.isArray(type) ? type : [type]) types.add(one);
  }
  const [first] = types;
  return { type: types.size === 1 ? first : [...types] };
}

/** The description of an intersection. Objects that have only properties are merged. */
export function allOf(sides: readonly Json[]): Json {
  const parts = sides.flatMap((side) => {
    const { allOf: inner } = side;
    return Array.isArray(inner) && Object.keys(side).length === 1 ? (inner as readonly Json[]) : [side];
  });
  const kept = parts.filter((part) => !isEmpty(part));
  const [only] = kept;
  if (only === undefined) return {};
  if (kept.length === 1) return only;
  return mergedObject(kept) ?? { allOf: kept };
}

const MERGED = new Set(["type", "properties", "required"]);

function mergedObject(parts: readonly Json[]): Json | undefined {
  const properties = new Map<string, unknown>();
  const required = new Set<unknown>();
  for (const part of parts) {
    if (part["type"] !== "object" || Object.keys(part).some((key) => !MERGED.has(key))) return undefined;
    for (const [key, held] of Object.entries(part["properties"] ?? {})) {
      // A field that both declare must match both.
      if (properties.has(key)) return undefined;
      properties.set(key, held);
    }
    const names: unknown = part["required"];
    if (Array.isArray(names)) for (const name of names) required.add(name);
  }
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.size > 0 ? { required: [...required] } : {}),
  };
}

/** The fields that are allowed in addition to declared ones: all, none, or those described. */
export function openOrClosed(json: Json): Json | boolean {
  return isEmpty(json) ? true : isNothing(json) ? false : json;
}

/** Whether the description accepts everything. */
export function isEmpty(json: Json): boolean {
  return Object.keys(json).length === 0;
}

function isNothing(json: Json): boolean {
  const { not } = json;
  return (
    Object.keys(json).length === 1 && typeof not === "object" && not !== null && Object.keys(not).length === 0
  );
}

/** Whether the description is only a type. */
export function isBare(json: Json, type: string): boolean {
  return json["type"] === type && Object.keys(json).length === 1;
}

/** The values of a literal or an enum, with bigints in their wire form. */
export function describeValues(values: readonly unknown[]): Json {
  const held = [
    ...new Set(values.filter((value) => value !== undefined && typeof value !== "symbol").map(asWritten)),
  ];
  if (held.length === 0) return values.length === 0 ? { not: {} } : {};
  const types = new Set(held.map((value) => (value === null ? "null" : typeof value)));
  const [type] = types;
  const [only] = held;
  return { ...(types.size === 1 ? { type } : {}), ...(held.length === 1 ? { const: only } : { enum: held }) };
}

function asWritten(value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
