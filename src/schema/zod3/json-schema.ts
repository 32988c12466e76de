/**
 * `zod/v3` schemas to JSON Schema 2020-12, by their definitions and without loading Zod 3: one kind at a time, with the
 * same keywords as for Zod 4 (`json-schema.ts`).
 */
import type { Io, Json } from "../json.js";
import { allOf, anyOf, describeValues, isBare, openOrClosed, orNull } from "../json-schema/choice.js";
import { NumberKeywords } from "../json-schema/numbers.js";
import { TextKeywords } from "../json-schema/text.js";
import type { Around } from "../schema-reader.js";
import { wireValue } from "../wire-values.js";
import { lazyZod3, peelZod3, type Zod3Def, type Zod3Schema, zod3Def } from "./schema.js";

/** The description of a schema in full. */
export function describeZod3(schema: Zod3Schema, around: Around): Json {
  const def = zod3Def(schema);
  const json = describeKind(def, around);
  return def.description === undefined ? json : { ...json, description: def.description };
}

function describeKind(def: Zod3Def, around: Around): Json {
  const { io, use } = around;
  const inside = (inner: Zod3Schema | undefined): Json => (inner === undefined ? {} : { ...use(inner) });
  switch (def.typeName) {
    case "ZodString":
      return describeText(def);
    case "ZodNumber":
      return describeNumber(def);
    case "ZodBoolean":
      return { type: "boolean" };
    case "ZodNull":
      return { type: "null" };
    case "ZodNever":
      return { not: {} };
    case "ZodDate":
      return { type: "string", format: "date-time" };
    case "ZodBigInt":
      return { type: "string", pattern: "^-?\\d+$" };
    case "ZodLiteral":
      return describeValues([def.value]);
    case "ZodEnum":
    case "ZodNativeEnum":
      return describeEnum(def);
    case "ZodObject":
      return describeObject(def, around);
    case "ZodRecord":
      return describeRecord(def, use);
    case "ZodArray":
      return { type: "array", items: inside(def.type), ...lengths(def) };
    case "ZodSet":
      // A list that may hold an item twice is at least as long as the set is large.
      return {
        type: "array",
        items: inside(def.valueType),
        ...(def.minSize ? { minItems: def.minSize.value } : {}),
      };
    case "ZodMap":
      return {
        type: "array",
        items: {
          type: "array",
          prefixItems: [inside(def.keyType), inside(def.valueType)],
          items: false,
          minItems: 2,
          maxItems: 2,
        },
      };
    case "ZodTuple":
      return describeTuple(def, use);
    case "ZodUnion":
      return describeUnion(def.options ?? [], use);
    case "ZodDiscriminatedUnion":
      return describeChoice(def, around);
    case "ZodIntersection":
      return allOf([inside(def.left), inside(def.right)]);
    case "ZodNullable": {
      const inner = inside(def.innerType);
      const isWord = ["string", "number", "integer", "boolean", "null"].some((type) => isBare(inner, type));
      return isWord || !("type" in inner) ? orNull(inner) : { anyOf: [inner, { type: "null" }] };
    }
    case "ZodDefault":
      return { ...inside(def.innerType), ...defaultOf(def) };
    case "ZodOptional":
    case "ZodReadonly":
    case "ZodCatch":
      return inside(def.innerType);
    case "ZodPromise":
    case "ZodBranded":
      return inside(def.type);
    case "ZodLazy":
      return inside(lazyZod3(def));
    case "ZodPipeline":
      return inside(io === "input" ? def.in : def.out);
    case "ZodEffects":
      return io === "output" && def.effect?.type === "transform" ? {} : inside(def.schema);
    default:
      return {};
  }
}

const ENDS = /[.*+?^${}()|[\]\\/-]/g;

const PATTERNS = new Map([
  ["cuid", /^[cC][^\s-]{8,}$/],
  ["cuid2", /^[0-9a-z]+$/],
  ["ulid", /^[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26}$/],
  ["nanoid", /^[a-zA-Z0-9_-]{21}$/],
]);

function describeText({ checks = [] }: Zod3Def): Json {
  const text = new TextKeywords();
  for (const check of checks) {
    switch (check.kind) {
      case "min":
        text.atLeast(check.value);
        break;
      case "max":
        text.atMost(check.value);
        break;
      case "length":
        text.exactly(check.value);
        break;
      case "regex":
        text.pattern(check.regex);
        break;
      case "includes":
        text.pattern(new RegExp(escaped(check.value)));
        break;
      case "startsWith":
        text.pattern(new RegExp(`^${escaped(check.value)}`));
        break;
      case "endsWith":
        text.pattern(new RegExp(`${escaped(check.value)}$`));
        break;
      case "ip":
        if (check.version !== undefined) text.format(`ip${check.version}`, undefined);
        break;
      case "datetime":
        text.format(check.local === true ? "" : "datetime", undefined);
        break;
      default:
        text.format(check.kind, PATTERNS.get(check.kind));
    }
  }
  return text.json();
}

function escaped(value: unknown): string {
  return String(value).replace(ENDS, (sign) => (sign === "-" ? "\\x2d" : `\\${sign}`));
}

function describeNumber({ checks = [] }: Zod3Def): Json {
  const number = new NumberKeywords();
  for (const { kind, value, inclusive } of checks) {
    if (kind === "int") number.integer();
    else if (kind === "min") number.above(value, inclusive !== false);
    else if (kind === "max") number.below(value, inclusive !== false);
    else if (kind === "multipleOf") number.multipleOf(value);
  }
  return number.json();
}

function describeEnum({ values = {} }: Zod3Def): Json {
  const held = Array.isArray(values)
    ? values
    : // TypeScript also adds the names of a numeric enum to it, keyed by their numbers.
      Object.entries(values)
        .filter(([name]) => typeof Reflect.get(values, Reflect.get(values, name)) !== "number")
        .map(([, value]: [string, unknown]) => value);
  const json = describeValues(held);
  return "const" in json ? { type: json["type"], enum: [json["const"]] } : json;
}

function describeObject({ shape, unknownKeys, catchall }: Zod3Def, { io, use }: Around): Json {
  const fields = Object.entries(shape?.() ?? {});
  const required = fields.flatMap(([name, field]) => (isThere(field, io) ? [name] : []));
  const isOpen = unknownKeys === "passthrough";
  const others =
    catchall !== undefined && zod3Def(catchall).typeName !== "ZodNever"
      ? { additionalProperties: openOrClosed(use(catchall)) }
      : unknownKeys === "strict" || isOpen
        ? { additionalProperties: isOpen }
        : {};
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, use(field)])),
    ...(required.length > 0 ? { required } : {}),
    ...others,
  };
}

/** Whether a request or an answer must hold a field: the schema's own parse decides. */
function isThere(field: Zod3Schema, io: Io): boolean {
  try {
    const result = field.safeParse(undefined);
    return !result.success || (io === "output" && result.data !== undefined);
  } catch {
    return zod3Def(field).typeName !== "ZodOptional";
  }
}

function describeRecord({ keyType, valueType }: Zod3Def, use: (schema: Zod3Schema) => Json): Json {
  const keys = keyType === undefined ? {} : use(keyType);
  const isText = keys["type"] === "string" && !isBare(keys, "string");
  return {
    type: "object",
    ...(isText ? { propertyNames: keys } : {}),
    additionalProperties: valueType === undefined ? true : openOrClosed(use(valueType)),
  };
}

function lengths({ minLength, maxLength, exactLength }: Zod3Def): Json {
  const least = exactLength?.value ?? minLength?.value;
  const most = exactLength?.value ?? maxLength?.value;
  return {
    ...(least === undefined ? {} : { minItems: least }),
    ...(most === undefined ? {} : { maxItems: most }),
  };
}

function describeTuple({ items = [], rest }: Zod3Def, use: (schema: Zod3Schema) => Json): Json {
  const isClosed = rest === undefined || rest === null;
  return {
    type: "array",
    minItems: items.length,
    ...(isClosed ? { maxItems: items.length } : {}),
    prefixItems: items.map(use),
    items: isClosed ? false : use(rest),
  };
}

function describeUnion(options: readonly Zod3Schema[], use: (schema: Zod3Schema) => Json): Json {
  const described = options.map((option) => use(option));
  return options.some(isBigint) ? { anyOf: described } : anyOf(described);
}

function isBigint(schema: Zod3Schema): boolean {
  const { typeName, value } = zod3Def(schema);
  return typeName === "ZodBigInt" || (typeName === "ZodLiteral" && typeof value === "bigint");
}

/** Every variant is a component: the mapping can name it. */
function describeChoice(def: Zod3Def, { refer }: Around): Json {
  const variants = variantsOfZod3(def);
  const refs = variants.map(({ option }) => refer(option));
  const mapping = variants.flatMap(({ tags }, i) => tags.map((tag) => [String(tag), refs[i]?.["$ref"]]));
  return {
    oneOf: refs,
    discriminator: { propertyName: def.discriminator ?? "", mapping: Object.fromEntries(mapping) },
  };
}

/** The variants of a discriminated union, with the values of the discriminator that select each. */
export function variantsOfZod3({ discriminator = "", options = [] }: Zod3Def): readonly {
  readonly option: Zod3Schema;
  readonly tags: readonly unknown[];
}[] {
  // The map of Zod 3's older versions has the options as values.
  return [...options.values()].map((option) => {
    const field = zod3Def(peelZod3(option)).shape?.()[discriminator];
    const { typeName, value, values } = field === undefined ? {} : zod3Def(peelZod3(field));
    return { option, tags: typeName === "ZodLiteral" ? [value] : Object.values(values ?? {}) };
  });
}

/** A default that is made again at each call would change the document at each start. */
function defaultOf({ defaultValue }: Zod3Def): Json {
  try {
    const once = JSON.stringify(wireValue(defaultValue?.()));
    if (once === undefined || once !== JSON.stringify(wireValue(defaultValue?.()))) return {};
    const value: unknown = JSON.parse(once);
    const time = typeof value === "number" ? value : typeof value === "string" ? Date.parse(value) : 0;
    return Math.abs(time - Date.now()) < 60_000 ? {} : { default: value };
  } catch {
    // The value requires a request, or cannot be written.
    return {};
  }
}
