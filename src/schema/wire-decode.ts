/**
 * From JSON to the input of a Zod schema: ISO text to dates, decimal text to bigints, base64 to bytes. It neither
 * validates nor strips. Values that do not fit stay unchanged, and Zod reports them. It is used for HTTP bodies and
 * SQL's JSON columns.
 */
import type { $ZodType, $ZodTypes, $ZodUnionDef } from "zod/v4/core";
import { childrenOf } from "./graph.js";
import { keyTest } from "./record-keys.js";
import { isToldByTag } from "./repeats.js";
import { type CompileInner, type Convert, wireCompiler } from "./wire-compile.js";
import { fitsIn, type WireRun, type WireStep } from "./wire-run.js";
import { bigintFromText, bufferFromText, bytesFromText, bytesKind, dateFromText } from "./wire-values.js";

/** Compiles a schema, once for each schema. `undefined`: JSON is already the input of the schema. */
export const wireDecoder: (schema: $ZodType) => Convert | undefined = wireCompiler({
  side: "input",
  run: "forward",
  isConverted,
  build,
});

/** Whether a schema, apart from its inner schemas, has its own wire form. */
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

function build(schema: $ZodType, inner: CompileInner): WireStep | undefined {
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
      return def.mode === "loose"
        ? decodeLooseRecord(keyTest(def.keyType, "forward"), inner(def.valueType))
        : decodeFields([], inner(def.valueType));
    case "array":
      return decodeItems([], inner(def.element));
    case "tuple":
      return decodeItems(def.items.map(inner), def.rest === null ? undefined : inner(def.rest));
    case "set":
      return decodeSet(inner(def.valueType));
    case "map":
      return decodeMap(inner(def.keyType), inner(def.valueType));
    case "union":
      return decodeUnion(schema, def, inner);
    case "intersection": {
      const left = inner(def.left);
      const right = inner(def.right);
      if (left === undefined || right === undefined) return left ?? right;
      return (value, run) => right(left(value, run), run);
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

/** Copies only on the first change: most objects pass unchanged. */
export function decodeFields(
  fields: readonly (readonly [string, WireStep | undefined])[],
  rest: WireStep | undefined,
): WireStep {
  const declared = new Set(fields.map(([key]) => key));
  return (value, run) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    // A JSON object; only its own keys are looked up.
    const source = value as Record<string, unknown>;
    let copy: Record<string, unknown> | undefined;
    const put = (key: string, convert: WireStep) => {
      const before = source[key];
      const after = convert(before, run);
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

/** A loose record passes on the keys that it does not describe. */
function decodeLooseRecord(
  isKey: (key: string) => boolean,
  held: WireStep | undefined,
): WireStep | undefined {
  if (held === undefined) return undefined;
  return (value, run) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const described = Object.keys(value).filter(isKey);
    return decodeFields(
      described.map((key) => [key, held]),
      undefined,
    )(value, run);
  };
}

/** Copies only on the first change. */
export function decodeItems(items: readonly (WireStep | undefined)[], rest: WireStep | undefined): WireStep {
  return (value, run) => {
    if (!Array.isArray(value)) return value;
    let copy: unknown[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const convert = i < items.length ? items[i] : rest;
      if (convert === undefined) continue;
      const before: unknown = value[i];
      const after = convert(before, run);
      if (after === before) continue;
      copy ??= [...value];
      copy[i] = after;
    }
    return copy ?? value;
  };
}

/** A list to a set of its items. */
export function decodeSet(item: WireStep | undefined): WireStep {
  const items = decodeItems([], item);
  return (value, run) => (Array.isArray(value) ? new Set(items(value, run) as unknown[]) : value);
}

/** A list of pairs to a map. */
export function decodeMap(key: WireStep | undefined, held: WireStep | undefined): WireStep {
  const pairs = decodeItems([], decodeItems([key, held], undefined));
  return (value, run) => (isPairs(value) ? new Map(pairs(value, run) as [unknown, unknown][]) : value);
}

function isPairs(value: unknown): value is readonly (readonly [unknown, unknown])[] {
  return Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2);
}

interface Variant {
  readonly option: $ZodType;
  readonly convert: WireStep | undefined;
}

/**
 * The variant that the discriminator names, or none if it names none. Without a discriminator: the first variant that
 * validates, as Zod itself chooses.
 */
function decodeUnion(schema: $ZodType, def: $ZodUnionDef, inner: CompileInner): WireStep {
  const variants = def.options.map((option): Variant => ({ option, convert: inner(option) }));
  const discriminator =
    "discriminator" in def && typeof def.discriminator === "string" ? def.discriminator : undefined;
  const byTag = discriminator === undefined ? undefined : variantsByTag(variants, discriminator);
  const isTold = isToldByTag(schema);
  return (value, run) => {
    if (discriminator !== undefined && typeof value === "object" && value !== null) {
      const tag = Object.hasOwn(value, discriminator) ? Reflect.get(value, discriminator) : undefined;
      const variant = byTag?.get(tag);
      if (variant !== undefined) return converted(variant, value, run);
    }
    if (isTold) return value;
    for (const variant of variants) {
      const after = converted(variant, value, run);
      // If the schema needs a promise to decide, a variant that changed the text is chosen.
      if (fitsIn(run, variant.option, after, "forward") ?? after !== value) return after;
    }
    return value;
  };
}

function variantsByTag(variants: readonly Variant[], discriminator: string): ReadonlyMap<unknown, Variant> {
  const byTag = new Map<unknown, Variant>();
  for (const variant of variants) {
    for (const tag of variant.option._zod.propValues?.[discriminator] ?? [])
      byTag.set(typeof tag === "bigint" ? String(tag) : tag, variant);
  }
  return byTag;
}

function converted({ convert }: Variant, value: unknown, run: WireRun | undefined): unknown {
  return convert === undefined ? value : convert(value, run);
}
