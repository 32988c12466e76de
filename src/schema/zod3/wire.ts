/** The wire forms of bodies with `zod/v3` schemas, decoded by their schema as with Zod 4. */

import { type Convert, once } from "../wire-compile.js";
import { decodeFields, decodeItems, decodeMap, decodeSet } from "../wire-decode.js";
import { WireRun, type WireStep } from "../wire-run.js";
import { bigintFromText, dateFromText } from "../wire-values.js";
import { type MemoryZod3, passesZod3 } from "./memoized.js";
import { peelZod3, type Zod3Def, type Zod3Schema, zod3Def } from "./schema.js";

/** From JSON to the input of the schema. Values that do not fit stay unchanged. */
export function wireDecoderZod3(schema: Zod3Schema): Convert {
  const step = decoder(schema, new Map());
  return (value) => step(value, new WireRun("forward"));
}

/** A recursive schema refers to itself through `z.lazy`: its inner decoder is made when it runs. */
function decoder(schema: Zod3Schema, known: Map<Zod3Schema, WireStep>): WireStep {
  const inner = peelZod3(schema);
  const made = known.get(inner);
  if (made !== undefined) return made;
  let step: WireStep | undefined;
  const late: WireStep = (value, run) => {
    step ??= once(build(inner, (child) => decoder(child, known)));
    return step(value, run);
  };
  known.set(inner, late);
  return late;
}

function build(schema: Zod3Schema, inner: (schema: Zod3Schema) => WireStep): WireStep {
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

const same: WireStep = (value) => value;

/** The outcomes of inner schemas in a run. */
function memoryOf(run: WireRun): MemoryZod3 {
  const memory = memories.get(run) ?? new Map();
  memories.set(run, memory);
  return memory;
}

const memories = new WeakMap<WireRun, MemoryZod3>();

/** The variant of the tag. Zod refuses a value with an unknown tag. */
function decodeTagged(def: Zod3Def, inner: (schema: Zod3Schema) => WireStep): WireStep {
  const { discriminator = "", optionsMap } = def;
  // A tag that is a bigint was sent as text.
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
function decodeUnion(variants: readonly (readonly [Zod3Schema, WireStep])[]): WireStep {
  return (value, run) => {
    const memory = run === undefined ? new Map() : memoryOf(run);
    for (const [option, convert] of variants) {
      const converted = convert(value, run);
      if (passesZod3(option, converted, memory) ?? converted !== value) return converted;
    }
    return value;
  };
}
