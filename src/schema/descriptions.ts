/**
 * The descriptions of schemas, each made once for each direction. What is a component does not depend on what was
 * described before: it has a name, contains itself, or is a variant that a discriminator names.
 */
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { childrenOf } from "./graph.js";
import { isZod4 } from "./inspect.js";
import type { Io, Json } from "./json.js";
import { isAnyJson } from "./json-form.js";
import { describeDifference, describeZod4 } from "./json-schema.js";
import { describeZod3 } from "./json-schema-zod3.js";
import { findRecursive } from "./recursion.js";
import { Reference, referredTo } from "./references.js";
import type { AnySchema } from "./validate.js";
import { childrenOfZod3, zod3Def } from "./zod3.js";

interface Kept {
  readonly uses: Map<AnySchema, Json>;
  readonly bodies: Map<AnySchema, Json>;
  readonly references: Map<AnySchema, readonly AnySchema[]>;
}

/** Describes schemas, given which of them have a name. */
export class Descriptions {
  readonly #isNamed: (schema: AnySchema) => boolean;
  readonly #seen = new Set<AnySchema>();
  readonly #recursive = new Set<AnySchema>();
  readonly #kept: Record<Io, Kept> = { input: nothingKept(), output: nothingKept() };

  constructor(isNamed: (schema: AnySchema) => boolean) {
    this.#isNamed = isNamed;
  }

  /** Looks through a schema for those that contain themselves, before any of them is described. */
  explore(root: AnySchema): void {
    const rank = (schema: AnySchema) => (this.#isNamed(schema) ? undefined : rankOf(schema));
    findRecursive<AnySchema>(root, { inner: innerOf, rank }, this.#seen, this.#recursive);
  }

  /** Whether a schema is a reference wherever it stands. */
  isComponent(schema: AnySchema): boolean {
    return this.#isNamed(schema) || this.#recursive.has(schema);
  }

  /** A schema as it stands in another one: in full, or as a reference. Not to be changed. */
  use(schema: AnySchema, io: Io): Json {
    const { uses } = this.#kept[io];
    let json = uses.get(schema);
    if (json === undefined) {
      json = this.#describeUse(schema, io);
      uses.set(schema, json);
    }
    return json;
  }

  /** A schema in full. Not to be changed. */
  body(schema: AnySchema, io: Io): Json {
    const { bodies } = this.#kept[io];
    let json = bodies.get(schema);
    if (json === undefined) {
      json = this.#describe(schema, io);
      bodies.set(schema, json);
    }
    return json;
  }

  /** What the full description of a schema refers to. */
  references(schema: AnySchema, io: Io): readonly AnySchema[] {
    const { references } = this.#kept[io];
    let found = references.get(schema);
    if (found === undefined) {
      found = referredTo(this.body(schema, io));
      references.set(schema, found);
    }
    return found;
  }

  #describeUse(schema: AnySchema, io: Io): Json {
    if (this.isComponent(schema)) return { $ref: new Reference(schema) };
    if (!isZod4(schema)) return this.body(schema, io);
    for (let from = schema._zod.parent; from !== undefined; from = from._zod.parent) {
      if (this.isComponent(from))
        return { $ref: new Reference(from), ...describeDifference(schema, from, io) };
    }
    return this.body(schema, io);
  }

  #describe(schema: AnySchema, io: Io): Json {
    const use = (inner: AnySchema) => this.use(inner, io);
    const refer = (inner: AnySchema) => ({ $ref: new Reference(inner) });
    return isZod4(schema)
      ? describeZod4(schema, { io, use, refer })
      : describeZod3(schema, { io, use, refer });
  }
}

function nothingKept(): Kept {
  return { uses: new Map(), bodies: new Map(), references: new Map() };
}

function innerOf(schema: AnySchema): readonly AnySchema[] {
  if (!isZod4(schema)) return childrenOfZod3(schema);
  // It is described by what it is, not by its parts.
  return isAnyJson(schema) ? [] : childrenOf(schema, "both").map(([, child]) => child);
}

const CHOICE = 0;
const OBJECT = 1;
const UNION = 2;
const COLLECTION = 3;
const WRAPPER = 4;

/** Of a circle, what a reader would give a name to: a choice of variants, an object, a union, a list. */
function rankOf(schema: AnySchema): number {
  if (!isZod4(schema)) return RANKS_ZOD3.get(zod3Def(schema).typeName ?? "") ?? WRAPPER;
  // `$ZodTypes` is the union of all schema classes that Zod defines; `$ZodType` is their base.
  const def = (schema as $ZodTypes)._zod.def;
  if (def.type === "union") return "discriminator" in def ? CHOICE : UNION;
  return RANKS.get(def.type) ?? WRAPPER;
}

const RANKS = new Map<$ZodType["_zod"]["def"]["type"], number>([
  ["object", OBJECT],
  ["array", COLLECTION],
  ["tuple", COLLECTION],
  ["record", COLLECTION],
  ["map", COLLECTION],
  ["set", COLLECTION],
  ["intersection", COLLECTION],
]);

const RANKS_ZOD3 = new Map([
  ["ZodDiscriminatedUnion", CHOICE],
  ["ZodObject", OBJECT],
  ["ZodUnion", UNION],
  ["ZodArray", COLLECTION],
  ["ZodTuple", COLLECTION],
  ["ZodRecord", COLLECTION],
  ["ZodMap", COLLECTION],
  ["ZodSet", COLLECTION],
  ["ZodIntersection", COLLECTION],
]);
