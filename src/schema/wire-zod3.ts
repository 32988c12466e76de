/**
 * The wire forms of `zod/v3` schemas. Bodies are decoded by their schema, as with Zod 4. Outputs have been through
 * the schema's own parse before they are written, so what they hold says how it travels.
 */
import { passesZod3 } from "./memoized-zod3.js";
import { type Convert, once } from "./wire-compile.js";
import { decodeFields, decodeItems, decodeMap, decodeSet } from "./wire-decode.js";
import { type Step, WireRun } from "./wire-run.js";
import { bigintFromText, bigintToText, bytesToText, dateFromText } from "./wire-values.js";
import { peelZod3, type Zod3Def, type Zod3Schema, zod3Def } from "./zod3.js";

/** From JSON to what the schema validates; what does not fit stays as it is. */
export function wireDecoderZod3(schema: Zod3Schema): Convert {
  const step = decoder(schema, new Map());
  return (value) => step(value, new WireRun("forward"));
}

/** A recursive schema reaches itself through `z.lazy`: its inner decoder is made when it runs. */
function decoder(schema: Zod3Schema, known: Map<Zod3Schema, Step>): Step {
  const inner = peelZod3(schema);
  const made = known.get(inner);
  if (made !== undefined) return made;
  let step: Step | undefined;
  const late: Step = (value, run) => {
    step ??= once(build(inner, (child) => decoder(child, known)));
    return step(value, run);
  };
  known.set(inner, late);
  return late;
}

function build(schema: Zod3Schema, inner: (schema: Zod3Schema) => Step): Step {
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
      return decodeUnion((def.options ?? []).map((option) => [option, inner(option)]));
    case "ZodDiscriminatedUnion":
      return decodeTagged(def, inner);
    case "ZodIntersection": {
      const left = maybe(def.left) ?? same;
      const right = maybe(def.right) ?? same;
      return (value, run) => right(left(value, run), run);
    }
    default:
      return same;
  }
}

const same: Step = (value) => value;

/** The variant of the tag; a value whose tag is unknown is refused by Zod. */
function decodeTagged(def: Zod3Def, inner: (schema: Zod3Schema) => Step): Step {
  const { discriminator = "", optionsMap } = def;
  // A tag that is a bigint came as text.
  const byTag = new Map(
    [...(optionsMap ?? [])].map(([tag, option]) => [
      typeof tag === "bigint" ? String(tag) : tag,
      inner(option),
    ]),
  );
  return (value, run) => {
    if (typeof value !== "object" || value === null) return value;
    return byTag.get(Reflect.get(value, discriminator))?.(value, run) ?? value;
  };
}

/** The first variant that validates, as Zod itself chooses. */
function decodeUnion(variants: readonly (readonly [Zod3Schema, Step])[]): Step {
  return (value, run) => {
    const memory = run?.memoryZod3 ?? new Map();
    for (const [option, convert] of variants) {
      const converted = convert(value, run);
      if (passesZod3(option, converted, memory) ?? converted !== value) return converted;
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
