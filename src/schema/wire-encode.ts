/**
 * From what a handler or a row holds to its JSON form: dates, bigints and bytes to text, codecs backwards, and
 * of objects only what the schema declares. It does not validate; a value of another shape passes as it is.
 */
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { encode } from "zod/v4/core";
import { childrenOf, isCodec } from "./graph.js";
import { fits } from "./validate.js";
import { type Convert, type Inner, wireCompiler } from "./wire-compile.js";
import { bigintToText, bytesKind, bytesToText, dateToText } from "./wire-values.js";

/** Compiles a schema, once for each schema. `undefined`: `JSON.stringify` already writes what it declares. */
export const wireEncoder: Inner = wireCompiler({ side: "output", isConverted, build });

/** Whether a schema, apart from those inside it, is written differently from what `JSON.stringify` would write. */
function isConverted(schema: $ZodType): boolean {
  const def = (schema as $ZodTypes)._zod.def;
  switch (def.type) {
    case "date":
    case "bigint":
    case "map":
    case "set":
      return true;
    case "object":
      return def.catchall === undefined || def.catchall._zod.def.type === "never";
    case "literal":
      return def.values.some((value) => typeof value === "bigint");
    case "custom":
      return bytesKind(schema) !== undefined;
    case "pipe":
      return isCodec(schema);
    default:
      return false;
  }
}

function build(schema: $ZodType, inner: Inner): Convert | undefined {
  const def = (schema as $ZodTypes)._zod.def;
  switch (def.type) {
    case "date":
      return dateToText;
    case "bigint":
    case "literal":
      return bigintToText;
    case "custom":
      return bytesToText;
    case "object": {
      const fields = Object.entries(def.shape).map(([key, field]) => [key, inner(field)] as const);
      const closed = def.catchall === undefined || def.catchall._zod.def.type === "never";
      return encodeFields(fields, closed ? "strip" : def.catchall && inner(def.catchall));
    }
    case "record":
      return encodeRecord(inner(def.keyType), inner(def.valueType));
    case "array":
      return encodeItems([], inner(def.element));
    case "tuple":
      return encodeItems(def.items.map(inner), def.rest === null ? undefined : inner(def.rest));
    case "set": {
      const item = encodeItems([], inner(def.valueType));
      return (value) => (value instanceof Set ? item([...value]) : value);
    }
    case "map": {
      const pairs = encodeItems([], encodeItems([inner(def.keyType), inner(def.valueType)], undefined));
      return (value) => (value instanceof Map ? pairs([...value]) : value);
    }
    case "union":
      return encodeUnion(def.options.map((option) => ({ option, convert: inner(option) })));
    case "intersection":
      return encodeBoth(inner(def.left), inner(def.right));
    case "pipe": {
      if (!isCodec(schema)) return inner(def.out);
      const wire = inner(def.in);
      return (value) => {
        // A value that is not there (an optional field, a null column) has nothing to run backwards.
        if (value === undefined || value === null) return value;
        const encoded = encode(schema, value);
        return wire === undefined ? encoded : wire(encoded);
      };
    }
    default: {
      const [child] = childrenOf(schema, "output");
      return child && inner(child[1]);
    }
  }
}

/** The declared fields, and those of the catchall; the others are left out when it says `strip`. */
function encodeFields(
  fields: readonly (readonly [string, Convert | undefined])[],
  rest: Convert | "strip" | undefined,
): Convert {
  const declared = new Set(fields.map(([key]) => key));
  // A field named `toString` that the value does not hold itself would be read from the prototype.
  const plain = fields.every(([key]) => !(key in Object.prototype));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    // Read by declared names, and by own keys where a catchall lets more through.
    const source = value as Record<string, unknown>;
    const out: Record<string, unknown> = plain && rest === "strip" ? {} : Object.create(null);
    for (const [key, convert] of fields) {
      if (!plain && !Object.hasOwn(source, key)) continue;
      const held = source[key];
      if (held !== undefined) out[key] = convert === undefined ? held : convert(held);
    }
    if (rest !== "strip") {
      for (const key of Object.keys(source)) {
        if (!declared.has(key)) out[key] = rest === undefined ? source[key] : rest(source[key]);
      }
    }
    return out;
  };
}

function encodeRecord(key: Convert | undefined, rest: Convert | undefined): Convert {
  const values = encodeFields([], rest);
  if (key === undefined) return values;
  return (value) => {
    const held = values(value);
    if (typeof held !== "object" || held === null || Array.isArray(held)) return held;
    const out: Record<string, unknown> = Object.create(null);
    for (const [name, member] of Object.entries(held)) out[String(key(name))] = member;
    return out;
  };
}

function encodeItems(items: readonly (Convert | undefined)[], rest: Convert | undefined): Convert {
  return (value) => {
    if (!Array.isArray(value)) return value;
    return value.map((item: unknown, i) => {
      const convert = i < items.length ? items[i] : rest;
      return convert === undefined ? item : convert(item);
    });
  };
}

interface Variant {
  readonly option: $ZodType;
  readonly convert: Convert | undefined;
}

/** The first variant that the value satisfies; otherwise the first that declares an object, so that no undeclared field is sent. */
function encodeUnion(variants: readonly Variant[]): Convert {
  return (value) => {
    if (value === null || value === undefined) return value;
    for (const { option, convert } of variants) {
      if (fits(option, value, "backward") === true) return convert === undefined ? value : convert(value);
    }
    for (const { convert } of variants) {
      const converted: unknown = convert === undefined ? value : attempt(convert, value);
      if (converted !== value) return converted;
    }
    return value;
  };
}

/** Each side keeps what it declares; together that is what the intersection declares. */
function encodeBoth(left: Convert | undefined, right: Convert | undefined): Convert | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return (value) => {
    const one = left(value);
    const other = right(value);
    const merged = typeof one === "object" && one !== null && typeof other === "object" && other !== null;
    return merged && !Array.isArray(one) ? { ...one, ...other } : one === value ? other : one;
  };
}

function attempt(convert: Convert, value: unknown): unknown {
  try {
    return convert(value);
  } catch {
    return value;
  }
}
