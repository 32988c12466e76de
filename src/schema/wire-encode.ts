/**
 * From the value of a handler or a row to its JSON form: dates, bigints and bytes to text, codecs backwards, and only
 * the declared parts of objects, records and lists. It does not validate; a value of another shape passes unchanged.
 */
import type { $ZodType, $ZodTypes, $ZodUnionDef } from "zod/v4/core";
import { DeclaredParts } from "./declared-parts.js";
import { childrenOf, isCodec } from "./graph.js";
import { peel } from "./inspect.js";
import { anyKey, keyTest } from "./record-keys.js";
import type { RunDirection } from "./repeats.js";
import {
  type CompileInner,
  type Convert,
  stepsOf,
  type WireDirection,
  wireCompiler,
} from "./wire-compile.js";
import { encodeIn, fitsIn, type WireRun, type WireStep } from "./wire-run.js";
import { bigintToText, bytesKind, bytesToText, dateToText } from "./wire-values.js";

/** How a value is converted, in addition to omitting the parts that its schema does not declare. */
interface Mode {
  readonly run: RunDirection;
  /** Whether codecs are run backwards. After a codec, the values inside it are already in their input form. */
  readonly runsCodecs: boolean;
  /** Whether dates, bigints, bytes, maps and sets get their JSON form. */
  readonly writes: boolean;
}

/** Compiles a schema, once for each schema. `undefined`: `JSON.stringify` already writes what it declares. */
export const wireEncoder: (schema: $ZodType) => Convert | undefined = wireCompiler(
  directionOf({ run: "backward", runsCodecs: true, writes: true }),
);

/** From the output of a codec to its JSON form. */
const inputEncoder = wireCompiler(directionOf({ run: "forward", runsCodecs: false, writes: true }));

/** A value without the parts that its schema does not declare. */
const stripped: Readonly<Record<RunDirection, CompileInner>> = {
  forward: stepsOf(directionOf({ run: "forward", runsCodecs: false, writes: false }), true),
  backward: stepsOf(directionOf({ run: "backward", runsCodecs: false, writes: false }), true),
};

function directionOf(mode: Mode): WireDirection {
  return {
    side: "output",
    run: mode.run,
    isConverted: (schema) => isConverted(schema, mode),
    build: (schema, inner) => build(schema, inner, mode),
  };
}

/** Whether a schema, apart from its inner schemas, is written differently from `JSON.stringify`. */
function isConverted(schema: $ZodType, { runsCodecs, writes }: Mode): boolean {
  const def = (schema as $ZodTypes)._zod.def;
  switch (def.type) {
    case "date":
    case "bigint":
    case "map":
    case "set":
      return writes;
    case "object":
      return def.catchall === undefined || def.catchall._zod.def.type === "never";
    case "record":
      return def.mode !== "loose" && keyTest(def.keyType, "backward") !== anyKey;
    case "tuple":
      return def.rest === null;
    case "literal":
      return writes && def.values.some((value) => typeof value === "bigint");
    case "custom":
      return writes && bytesKind(schema) !== undefined;
    case "pipe":
      return runsCodecs && isCodec(schema);
    default:
      return false;
  }
}

function build(schema: $ZodType, inner: CompileInner, mode: Mode): WireStep | undefined {
  const def = (schema as $ZodTypes)._zod.def;
  switch (def.type) {
    case "date":
      return mode.writes ? dateToText : undefined;
    case "bigint":
    case "literal":
      return mode.writes ? bigintToText : undefined;
    case "custom":
      return mode.writes ? bytesToText : undefined;
    case "object": {
      const fields = Object.entries(def.shape).map(([key, field]) => [key, inner(field)] as const);
      const closed = def.catchall === undefined || def.catchall._zod.def.type === "never";
      return encodeFields(fields, closed ? "strip" : def.catchall && inner(def.catchall));
    }
    case "record":
      return encodeRecord(def, inner);
    case "array":
      return encodeItems([], inner(def.element));
    case "tuple":
      return encodeItems(def.items.map(inner), def.rest === null ? "strip" : inner(def.rest));
    case "set": {
      const item = encodeItems([], inner(def.valueType));
      if (!mode.writes) return undefined;
      return (value, run) => (value instanceof Set ? item([...value], run) : value);
    }
    case "map": {
      const pairs = encodeItems([], encodeItems([inner(def.keyType), inner(def.valueType)], undefined));
      if (!mode.writes) return undefined;
      return (value, run) => (value instanceof Map ? pairs([...value], run) : value);
    }
    case "union":
      return encodeUnion(def, inner, mode);
    case "intersection":
      return encodeBoth(sideOf(def.left, inner), sideOf(def.right, inner));
    case "pipe":
      return isCodec(schema) ? encodeCodec(schema, inner, mode) : inner(def.out);
    default: {
      const [child] = childrenOf(schema, "output");
      return child && inner(child[1]);
    }
  }
}

function encodeCodec(schema: $ZodType, inner: CompileInner, mode: Mode): WireStep | undefined {
  const def = (schema as $ZodTypes)._zod.def;
  if (def.type !== "pipe") return undefined;
  if (!mode.runsCodecs) return mode.run === "forward" ? inner(def.in) : undefined;
  const write = inputEncoder(def.in);
  return (value, run) => {
    // An absent value (an optional field, a null column) cannot be run backwards.
    if (value === undefined || value === null) return value;
    const encoded = encodeIn(run, schema, value);
    return write === undefined ? encoded : write(encoded);
  };
}

/** The declared fields, and those of the catchall. The others are omitted if it says `strip`. */
function encodeFields(
  fields: readonly (readonly [string, WireStep | undefined])[],
  rest: WireStep | "strip" | undefined,
): WireStep {
  const declared = new Set(fields.map(([key]) => key));
  // A field named `toString` that is not the value's own would be read from the prototype.
  const plain = fields.every(([key]) => !(key in Object.prototype));
  return (value, run) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    // Read by declared names, and by own keys if a catchall allows more.
    const source = value as Record<string, unknown>;
    const out: Record<string, unknown> = plain && rest === "strip" ? {} : Object.create(null);
    for (const [key, convert] of fields) {
      if (!plain && !Object.hasOwn(source, key)) continue;
      const held = source[key];
      if (held !== undefined) out[key] = convert === undefined ? held : convert(held, run);
    }
    if (rest !== "strip") {
      for (const key of Object.keys(source)) {
        if (!declared.has(key)) out[key] = rest === undefined ? source[key] : rest(source[key], run);
      }
    }
    return out;
  };
}

/** The declared keys. A loose record also passes on the others, unchanged. */
function encodeRecord(
  {
    keyType,
    valueType,
    mode,
  }: { keyType: $ZodType; valueType: $ZodType; mode?: "strict" | "loose" | undefined },
  inner: CompileInner,
): WireStep {
  const isKey = keyTest(keyType, "backward");
  const isLoose = mode === "loose";
  const name = inner(keyType);
  const write = inner(valueType);
  return (value, run) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const out: Record<string, unknown> = Object.create(null);
    for (const [key, held] of Object.entries(value)) {
      if (!isKey(key)) {
        if (isLoose) out[key] = held;
        continue;
      }
      const written = write === undefined ? held : write(held, run);
      out[name === undefined ? key : String(name(key, run))] = written;
    }
    return out;
  };
}

/** The items, and those of the rest. Undeclared items are omitted if it says `strip`. */
function encodeItems(
  items: readonly (WireStep | undefined)[],
  rest: WireStep | "strip" | undefined,
): WireStep {
  return (value, run) => {
    if (!Array.isArray(value)) return value;
    const kept: readonly unknown[] = rest === "strip" ? value.slice(0, items.length) : value;
    return kept.map((item, i) => {
      const convert = i < items.length ? items[i] : rest;
      return convert === undefined || convert === "strip" ? item : convert(item, run);
    });
  };
}

interface Variant {
  readonly option: $ZodType;
  readonly convert: WireStep | undefined;
  readonly strip: WireStep | undefined;
}

/**
 * The variant that the discriminator names; otherwise the first that the value satisfies; otherwise the first that it
 * satisfies without its undeclared parts; otherwise the first that declares anything, so that nothing undeclared is
 * sent.
 */
function encodeUnion(def: $ZodUnionDef, inner: CompileInner, { run: direction }: Mode): WireStep {
  const variants = def.options.map(
    (option): Variant => ({ option, convert: inner(option), strip: stripped[direction](option) }),
  );
  return (value, run) => {
    if (value === null || value === undefined) return value;
    for (const { option, convert } of variants) {
      if (fitsIn(run, option, value, direction) === true)
        return convert === undefined ? value : convert(value, run);
    }
    for (const { option, convert, strip } of variants) {
      if (strip === undefined || convert === undefined) continue;
      const less = attempt(strip, value, run);
      if (less !== value && fitsIn(run, option, less, direction) === true) return convert(value, run);
    }
    for (const { convert } of variants) {
      const converted: unknown = convert === undefined ? value : attempt(convert, value, run);
      if (converted !== value) return converted;
    }
    return value;
  };
}

/** A side of an intersection that accepts any key declares the value unchanged. */
function sideOf(side: $ZodType, inner: CompileInner): WireStep | undefined {
  const { type } = peel(side).inner._zod.def;
  return inner(side) ?? (type === "object" || type === "record" ? (value) => value : undefined);
}

/** Each side keeps the parts that it declares. Together these are the parts that the intersection declares. */
function encodeBoth(left: WireStep | undefined, right: WireStep | undefined): WireStep | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return (value, run) => {
    const parts = run === undefined ? new DeclaredParts() : run.parts;
    return parts.of(left(value, run), right(value, run), value);
  };
}

function attempt(convert: WireStep, value: unknown, run: WireRun | undefined): unknown {
  try {
    return convert(value, run);
  } catch {
    return value;
  }
}
