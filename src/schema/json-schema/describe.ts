/**
 * Zod 4 to JSON Schema 2020-12 in the form of OpenAPI 3.1, one kind of schema at a time. A description depends only on
 * the schema and on the descriptions of its inner schemas. It does not depend on its position or on earlier
 * descriptions. Types without a JSON form are described in their wire form (`wire-values.ts`).
 */
import { type $ZodType, type $ZodTypes, globalRegistry } from "zod/v4/core";
import { isObject } from "../../core/values.js";
import { isAskedItem } from "../absence.js";
import { innerLazy, isCodec } from "../graph.js";
import { itemLimits } from "../item-limits.js";
import type { Io, Json } from "../json.js";
import { isAnyJson } from "../json-form.js";
import type { Around } from "../schema-reader.js";
import { isOneWay } from "../validate.js";
import { wireEncoder } from "../wire-encode.js";
import { bytesKind, wireValue } from "../wire-values.js";
import { anyOf, describeValues, orNull } from "./choice.js";
import { describeNumber } from "./numbers.js";
import { describeIntersection, describeObject, describeRecord, isToldApart } from "./objects.js";
import { canBeSaid, describeText } from "./text.js";

/** The description of a schema in full. */
export function describeZod4(schema: $ZodType, around: Around): Json {
  // `$ZodTypes` is the union of all schema classes that Zod defines; `$ZodType` is their base.
  const known = schema as $ZodTypes;
  const own = asJson(known._zod.toJSONSchema?.());
  const json = typeof own === "object" && own !== null ? { ...own } : describeKind(known, around);
  return { ...json, ...metaOf(schema, around.io) };
}

/** The keywords that a schema adds to its origin (`.describe()`, `.min()`), whose description stays true. */
export function describeDifference(schema: $ZodType, from: $ZodType, io: Io): Json {
  const theirs = ownWords(from, io);
  return Object.fromEntries(
    Object.entries(ownWords(schema, io)).filter(
      ([keyword, value]) => JSON.stringify(value) !== JSON.stringify(theirs[keyword]),
    ),
  );
}

function ownWords(schema: $ZodType, io: Io): Json {
  const known = schema as $ZodTypes;
  const { type } = known._zod.def;
  const words =
    type === "string" ? describeText(known) : type === "number" ? describeNumber(known) : itemLimits(known);
  return { ...words, ...metaOf(schema, io) };
}

function describeKind(schema: $ZodTypes, around: Around): Json {
  const { io, use } = around;
  const def = schema._zod.def;
  // `{}` means the same, and type generators get no cycle.
  if (isAnyJson(schema)) return {};
  switch (def.type) {
    case "string":
      return describeText(schema);
    case "number":
      return describeNumber(schema);
    case "boolean":
    case "success":
      return { type: "boolean" };
    case "null":
      return { type: "null" };
    case "never":
      return { not: {} };
    case "date":
      return { type: "string", format: "date-time" };
    case "bigint":
      return { type: "string", pattern: "^-?\\d+$" };
    case "custom":
      return bytesKind(schema) === undefined ? {} : { type: "string", contentEncoding: "base64" };
    case "literal":
      return describeValues(def.values);
    case "enum": {
      const values = describeValues([...(schema._zod.values ?? [])]);
      // A list of one stays a list: the next version may hold more.
      return "const" in values ? { type: values["type"], enum: [values["const"]] } : values;
    }
    case "template_literal": {
      const { pattern } = schema._zod;
      const isSaid = pattern !== undefined && canBeSaid(pattern);
      return { type: "string", ...(isSaid ? { pattern: pattern.source } : {}) };
    }
    case "file":
      return describeFile(schema);
    case "object":
      return describeObject(def, io, use);
    case "record":
      return describeRecord(def, io, use);
    case "intersection":
      return describeIntersection(def, io, use);
    case "array":
      return { type: "array", items: item(def.element, around), ...itemLimits(schema) };
    case "set":
      return { type: "array", items: item(def.valueType, around), ...itemLimits(schema) };
    case "map": {
      const pair = [item(def.keyType, around), item(def.valueType, around)];
      return {
        type: "array",
        items: { type: "array", prefixItems: pair, items: false, minItems: 2, maxItems: 2 },
        ...itemLimits(schema),
      };
    }
    case "tuple":
      return { ...describeTuple(def, around), ...itemLimits(schema) };
    case "union":
      return describeUnion(def, around);
    case "nullable":
      return orNull(use(def.innerType));
    case "default":
    case "prefault":
    case "catch":
      return { ...use(def.innerType), ...defaultOf(schema, io) };
    case "optional":
    case "nonoptional":
    case "readonly":
    case "promise":
      return { ...use(def.innerType) };
    case "lazy":
      return { ...use(innerLazy(schema)) };
    case "pipe":
      return { ...use(sideOf(schema, io)) };
    default:
      return {};
  }
}

/** The side of a pipe that is sent. A codec's output is its input: the result of `z.encode`. */
function sideOf(schema: $ZodType, io: Io): $ZodType {
  const def = (schema as $ZodTypes)._zod.def;
  if (def.type !== "pipe") return schema;
  if (io === "output") return isCodec(schema) ? def.in : def.out;
  return def.in._zod.def.type === "transform" ? def.out : def.in;
}

/** The description of a list item. JSON writes `null` for an absent one. */
function item(schema: $ZodType, { io, use }: Around): Json {
  const json = use(schema);
  return io === "output" && schema._zod.optout === "optional" ? orNull(json) : json;
}

function describeTuple(
  def: { readonly items: readonly $ZodType[]; readonly rest: $ZodType | null },
  around: Around,
): Json {
  const { items, rest } = def;
  const asked = items.findLastIndex((one) => isAskedItem(one, around.io)) + 1;
  return {
    type: "array",
    prefixItems: items.map((one) => item(one, around)),
    items: rest === null ? false : item(rest, around),
    ...(asked > 0 ? { minItems: asked } : {}),
    ...(rest === null ? { maxItems: items.length } : {}),
  };
}

function describeUnion(
  def: {
    readonly options: readonly $ZodType[];
    readonly inclusive?: boolean | undefined;
    readonly discriminator?: unknown;
  },
  around: Around,
): Json {
  const { options, discriminator } = def;
  if (typeof discriminator !== "string") {
    const described = options.map(around.use);
    return def.inclusive === false && areApart(described) ? { oneOf: described } : anyOf(described);
  }
  // Every variant is a component: the mapping can name it.
  const variants = options.map(around.refer);
  const mapping = Object.fromEntries(
    options.flatMap((option, i) =>
      [...(option._zod.propValues?.[discriminator] ?? [])]
        .filter((tag) => tag !== undefined)
        .map((tag) => [String(tag), variants[i]?.["$ref"]]),
    ),
  );
  const isExact = options.every((option) => isToldApart(option, discriminator, around.io));
  return {
    [isExact ? "oneOf" : "anyOf"]: variants,
    discriminator: {
      propertyName: discriminator,
      ...(Object.keys(mapping).length === 0 ? {} : { mapping }),
    },
  };
}

/** Whether the types of the descriptions show that no value fits two of them, which `oneOf` requires. */
function areApart(options: readonly Json[]): boolean {
  const types = options.map(({ type }) => (type === "integer" ? "number" : type));
  return types.every((type) => typeof type === "string") && new Set(types).size === types.length;
}

function describeFile(schema: $ZodTypes): Json {
  for (const check of schema._zod.def.checks ?? []) {
    const def: object = check._zod.def;
    if (!("mime" in def) || !Array.isArray(def.mime) || def.mime.length === 0) continue;
    const [only] = def.mime;
    return def.mime.length === 1
      ? { type: "string", contentMediaType: only }
      : { type: "string", anyOf: def.mime.map((contentMediaType) => ({ contentMediaType })) };
  }
  return { type: "string" };
}

/** The default of an absent value in its wire form. A transform's result has none: a client cannot send it. */
function defaultOf(schema: $ZodTypes, io: Io): Json {
  const { def } = schema._zod;
  try {
    if (def.type === "default") {
      if (isUnstable(() => def.defaultValue) || (io === "input" && isOneWay(def.innerType))) return {};
      return asDefault(written(def.innerType, def.defaultValue));
    }
    if (def.type === "prefault")
      return io === "output" || isUnstable(() => def.defaultValue)
        ? {}
        : asDefault(wireValue(def.defaultValue));
    if (def.type === "catch") {
      // Zod passes the failure to the function. A value that does not depend on it is the same for all failures.
      const value = () => def.catchValue(undefined as never);
      return isUnstable(value) || (io === "input" && isOneWay(def.innerType))
        ? {}
        : asDefault(written(def.innerType, value()));
    }
  } catch {
    // The value requires a request, or cannot be written.
  }
  return {};
}

function asDefault(value: unknown): Json {
  const json = asJson(value);
  return json === undefined ? {} : { default: json };
}

/** A copy of a JSON value; `undefined` for a value that JSON cannot write. */
function asJson(value: unknown): unknown {
  const text = JSON.stringify(wireValue(value));
  return text === undefined ? undefined : JSON.parse(text);
}

/** A default that is made again at each call (a date, an identifier) would change the document at each start. */
function isUnstable(value: () => unknown): boolean {
  const once = value();
  const time = once instanceof Date ? once.getTime() : once;
  if (typeof time === "number" && Math.abs(time - Date.now()) < 60_000) return true;
  return JSON.stringify(wireValue(once)) !== JSON.stringify(wireValue(value()));
}

const isText = (value: unknown): boolean => typeof value === "string";
const isFlag = (value: unknown): boolean => typeof value === "boolean";

/**
 * Keywords that `.meta()` may set, and their allowed values (JSON Schema 2020-12; OpenAPI 3.1, Schema Object). Other
 * keys, and these with other values, belong to the application.
 */
const META: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["title", isText],
  ["description", isText],
  ["examples", Array.isArray],
  ["example", () => true],
  ["deprecated", isFlag],
  ["readOnly", isFlag],
  ["writeOnly", isFlag],
  ["format", isText],
  ["pattern", isPattern],
  ["contentEncoding", isText],
  ["contentMediaType", isText],
  ["externalDocs", (value: unknown) => isObject(value) && isText(value["url"])],
  ["xml", isObject],
  ["$comment", isText],
]);

function isPattern(value: unknown): boolean {
  try {
    return typeof value === "string" && new RegExp(value, "u").unicode;
  } catch {
    return false;
  }
}

/** The metadata of a schema and of the schemas it was derived from, limited to keywords. */
function metaOf(schema: $ZodType, io: Io): Json {
  const given = globalRegistry.get(schema);
  const meta: Json = {};
  if (given === undefined) return meta;
  for (const [key, value] of Object.entries(given)) {
    const isKeyword = META.get(key)?.(value) === true;
    if ((!isKeyword && !key.startsWith("x-")) || value === undefined) continue;
    // Examples are values of the output, and the input of a transform differs from its output.
    if (key.startsWith("example") && io === "input" && isOneWay(schema)) continue;
    const said =
      key === "example"
        ? written(schema, value)
        : key === "examples" && Array.isArray(value)
          ? value.map((one) => written(schema, one))
          : value;
    const json = typeof said === "string" || typeof said === "boolean" ? said : asJson(said);
    if (json !== undefined) meta[key] = json;
  }
  return meta;
}

/** A value in its wire form. */
function written(schema: $ZodType, value: unknown): unknown {
  try {
    const encode = wireEncoder(schema);
    return wireValue(encode === undefined ? value : encode(value));
  } catch {
    // Examples may already be in their wire form.
    return wireValue(value);
  }
}
