/**
 * From JSON to what a Zod schema validates: ISO text to dates, decimal text to bigints, base64 to bytes. It
 * neither validates nor strips; what does not fit stays as it is, and Zod says so. HTTP bodies and SQL's JSON
 * columns go through it.
 */
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { childrenOf } from "./graph.js";
import { fits } from "./validate.js";
import { type Convert, type Inner, wireCompiler } from "./wire-compile.js";
import { bigintFromText, bufferFromText, bytesFromText, bytesKind, dateFromText } from "./wire-values.js";

/** Compiles a schema, once for each schema. `undefined`: JSON already is what it validates. */
export const wireDecoder: Inner = wireCompiler({ side: "input", isConverted, build });

/** Whether a schema, apart from those inside it, has a form of its own on the wire. */
function isConverted(schema: $ZodType): boolean {
  const def = (schema as $ZodTypes)._zod.def;
  switch (def.type) {
    case "date":
    case "bigint":
      return def.coerce !== true;
    case "literal":
      return def.values.some((value) => typeof value === "bigint");
    case "custom":
      return bytesKind(schema) !== undefined;
    case "map":
    case "set":
      return true;
    default:
      return false;
  }
}

function build(schema: $ZodType, inner: Inner): Convert | undefined {
  const def = (schema as $ZodTypes)._zod.def;
  switch (def.type) {
    case "date":
      return dateFromText;
    case "bigint":
      return bigintFromText;
    case "literal":
      return bigintLiterals(def.values);
    case "custom":
      return bytesKind(schema) === "buffer" ? bufferFromText : bytesFromText;
    case "object":
      return decodeFields(
        Object.entries(def.shape).map(([key, field]) => [key, inner(field)]),
        def.catchall && inner(def.catchall),
      );
    case "record":
      return decodeFields([], inner(def.valueType));
    case "array":
      return decodeItems([], inner(def.element));
    case "tuple":
      return decodeItems(def.items.map(inner), def.rest === null ? undefined : inner(def.rest));
    case "set":
      return decodeSet(inner(def.valueType));
    case "map":
      return decodeMap(inner(def.keyType), inner(def.valueType));
    case "union":
      return decodeUnion(
        def.options.map((option) => ({ option, convert: inner(option) })),
        "discriminator" in def && typeof def.discriminator === "string" ? def.discriminator : undefined,
      );
    case "intersection": {
      const left = inner(def.left);
      const right = inner(def.right);
      if (left === undefined || right === undefined) return left ?? right;
      return (value) => right(left(value));
    }
    default: {
      const [child] = childrenOf(schema, "input");
      return child && inner(child[1]);
    }
  }
}

function bigintLiterals(values: readonly unknown[]): Convert {
  const byText = new Map(values.filter((value) => typeof value === "bigint").map((v) => [String(v), v]));
  return (value) => (typeof value === "string" ? (byText.get(value) ?? value) : value);
}

/** Copies on the first change only: most objects pass as they are. */
export function decodeFields(
  fields: readonly (readonly [string, Convert | undefined])[],
  rest: Convert | undefined,
): Convert {
  const declared = new Set(fields.map(([key]) => key));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    // A JSON object; its keys are looked up as own ones only.
    const source = value as Record<string, unknown>;
    let copy: Record<string, unknown> | undefined;
    const put = (key: string, convert: Convert) => {
      const before = source[key];
      const after = convert(before);
      if (after === before) return;
      // Spread keeps an own `__proto__` an own key.
      copy ??= { ...source };
      Object.defineProperty(copy, key, {
        value: after,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    };
    for (const [key, convert] of fields) {
      if (convert !== undefined && Object.hasOwn(source, key)) put(key, convert);
    }
    if (rest !== undefined) {
      for (const key of Object.keys(source)) if (!declared.has(key)) put(key, rest);
    }
    return copy ?? value;
  };
}

/** Copies on the first change only. */
export function decodeItems(items: readonly (Convert | undefined)[], rest: Convert | undefined): Convert {
  return (value) => {
    if (!Array.isArray(value)) return value;
    let copy: unknown[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const convert = i < items.length ? items[i] : rest;
      if (convert === undefined) continue;
      const before: unknown = value[i];
      const after = convert(before);
      if (after === before) continue;
      copy ??= [...value];
      copy[i] = after;
    }
    return copy ?? value;
  };
}

/** A list to a set of its items. */
export function decodeSet(item: Convert | undefined): Convert {
  const items = decodeItems([], item);
  return (value) => (Array.isArray(value) ? new Set(items(value) as unknown[]) : value);
}

/** A list of pairs to a map. */
export function decodeMap(key: Convert | undefined, held: Convert | undefined): Convert {
  const pairs = decodeItems([], decodeItems([key, held], undefined));
  return (value) => (isPairs(value) ? new Map(pairs(value) as [unknown, unknown][]) : value);
}

function isPairs(value: unknown): value is readonly (readonly [unknown, unknown])[] {
  return Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2);
}

interface Variant {
  readonly option: $ZodType;
  readonly convert: Convert | undefined;
}

/** The variant that the discriminator names; without one, the first that validates, as Zod itself chooses. */
function decodeUnion(variants: readonly Variant[], discriminator: string | undefined): Convert {
  const byTag = new Map<unknown, Variant>();
  if (discriminator !== undefined) {
    for (const variant of variants) {
      for (const tag of variant.option._zod.propValues?.[discriminator] ?? []) byTag.set(tag, variant);
    }
  }
  return (value) => {
    if (discriminator !== undefined && typeof value === "object" && value !== null) {
      const tag = Object.hasOwn(value, discriminator) ? Reflect.get(value, discriminator) : undefined;
      const variant = byTag.get(tag);
      if (variant !== undefined) return variant.convert === undefined ? value : variant.convert(value);
    }
    for (const variant of variants) {
      const converted = variant.convert === undefined ? value : variant.convert(value);
      if (validates(variant, value, converted)) return converted;
    }
    return value;
  };
}

/** If the schema needs a promise to decide, a variant that changed the text is taken. */
function validates({ option }: Variant, given: unknown, converted: unknown): boolean {
  return fits(option, converted, "forward") ?? converted !== given;
}
