/**
 * The wire forms of `zod/v3` schemas. Bodies are decoded by their schema, as with Zod 4. Outputs have been through
 * the schema's own parse before they are written, so what they hold says how it travels.
 */
import type { Zod3Schema } from "./validate.js";
import type { Convert } from "./wire-compile.js";
import { decodeFields, decodeItems, decodeMap, decodeSet } from "./wire-decode.js";
import { bigintFromText, bigintToText, bytesToText, dateFromText } from "./wire-values.js";
import { fitsZod3, peelZod3, zod3Def } from "./zod3.js";

/** From JSON to what the schema validates; what does not fit stays as it is. */
export function wireDecoderZod3(schema: Zod3Schema): Convert {
  return decoder(schema, new Map());
}

/** A recursive schema reaches itself through `z.lazy`: its inner decoder is made when it runs. */
function decoder(schema: Zod3Schema, known: Map<Zod3Schema, Convert>): Convert {
  const inner = peelZod3(schema);
  const made = known.get(inner);
  if (made !== undefined) return made;
  let convert: Convert | undefined;
  const late: Convert = (value) => {
    convert ??= build(inner, (child) => decoder(child, known));
    return convert(value);
  };
  known.set(inner, late);
  return late;
}

function build(schema: Zod3Schema, inner: (schema: Zod3Schema) => Convert): Convert {
  const def = zod3Def(schema);
  const maybe = (child: Zod3Schema | null | undefined) => (child ? inner(child) : undefined);
  switch (def.typeName) {
    case "ZodDate":
      return def.coerce === true ? same : dateFromText;
    case "ZodBigInt":
      return def.coerce === true ? same : bigintFromText;
    case "ZodLiteral":
      return typeof def.value === "bigint" ? bigintFromText : same;
    case "ZodObject": {
      const fields = Object.entries(def.shape?.() ?? {}).map(([key, field]) => [key, inner(field)] as const);
      return decodeFields(fields, maybe(def.catchall));
    }
    case "ZodRecord":
      return decodeFields([], maybe(def.valueType));
    case "ZodArray":
      return decodeItems([], maybe(def.type));
    case "ZodTuple":
      return decodeItems((def.items ?? []).map(inner), maybe(def.rest));
    case "ZodSet":
      return decodeSet(maybe(def.valueType));
    case "ZodMap":
      return decodeMap(maybe(def.keyType), maybe(def.valueType));
    case "ZodUnion":
    case "ZodDiscriminatedUnion":
      return decodeUnion(
        (def.options ?? []).map((option) => [option, inner(option)]),
        def.discriminator,
      );
    case "ZodIntersection": {
      const left = maybe(def.left) ?? same;
      const right = maybe(def.right) ?? same;
      return (value) => right(left(value));
    }
    default:
      return same;
  }
}

const same: Convert = (value) => value;

/** The variant of the tag, where there is one; else the first that validates, as Zod itself chooses. */
function decodeUnion(
  variants: readonly (readonly [Zod3Schema, Convert])[],
  discriminator: string | undefined,
): Convert {
  const tagged = ([option]: readonly [Zod3Schema, Convert], value: object): boolean => {
    const tag = discriminator && zod3Def(option).shape?.()[discriminator];
    return tag ? fitsZod3(tag, Reflect.get(value, discriminator)) === true : false;
  };
  return (value) => {
    if (discriminator !== undefined && typeof value === "object" && value !== null) {
      return variants.find((variant) => tagged(variant, value))?.[1](value) ?? value;
    }
    for (const [option, convert] of variants) {
      const converted = convert(value);
      if (fitsZod3(option, converted) ?? converted !== value) return converted;
    }
    return value;
  };
}

/** What JSON has no form for, at every depth, as it travels. */
export function wireValueZod3(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return bigintToText(value);
  if (value instanceof Uint8Array) return bytesToText(value);
  if (value instanceof Map || value instanceof Set) return Array.from(value, wireValueZod3);
  if (Array.isArray(value)) return value.map(wireValueZod3);
  // What writes itself (a Date, a decimal) is left to do so.
  if ("toJSON" in value && typeof value.toJSON === "function") return value;
  const written: Record<string, unknown> = Object.create(null);
  for (const [key, held] of Object.entries(value)) written[key] = wireValueZod3(held);
  return written;
}
