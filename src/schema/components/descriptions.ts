/**
 * The descriptions of schemas, each made once for each direction. Whether a schema is a component does not depend on
 * earlier descriptions: it has a name, contains itself, or is a variant that a discriminator names.
 */
import { isZod4 } from "../inspect.js";
import type { Io, Json } from "../json.js";
import { isAnyJson } from "../json-form.js";
import { describeDifference } from "../json-schema/describe.js";
import { referredTo, SchemaReference } from "../json-schema/references.js";
import { readerOf } from "../reader/reader-of.js";
import { findRecursive } from "../recursion.js";
import type { AnySchema } from "../schema-reader.js";

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

  /** Finds the schemas that contain themselves under a root, before any of them is described. */
  explore(root: AnySchema): void {
    const rank = (schema: AnySchema) => (this.#isNamed(schema) ? undefined : readerOf(schema).rank());
    findRecursive<AnySchema>(root, { inner: innerOf, rank }, this.#seen, this.#recursive);
  }

  /** Whether a schema is always a reference. */
  isComponent(schema: AnySchema): boolean {
    return this.#isNamed(schema) || this.#recursive.has(schema);
  }

  /** A schema as part of another one: in full, or as a reference. Must not be changed. */
  use(schema: AnySchema, io: Io): Json {
    const { uses } = this.#kept[io];
    let json = uses.get(schema);
    if (json === undefined) {
      json = this.#describeUse(schema, io);
      uses.set(schema, json);
    }
    return json;
  }

  /** A schema in full. Must not be changed. */
  body(schema: AnySchema, io: Io): Json {
    const { bodies } = this.#kept[io];
    let json = bodies.get(schema);
    if (json === undefined) {
      json = this.#describe(schema, io);
      bodies.set(schema, json);
    }
    return json;
  }

  /** The schemas that the full description of a schema refers to. */
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
    if (this.isComponent(schema)) return { $ref: new SchemaReference(schema) };
    if (!isZod4(schema)) return this.body(schema, io);
    for (let from = schema._zod.parent; from !== undefined; from = from._zod.parent) {
      if (this.isComponent(from))
        return { $ref: new SchemaReference(from), ...describeDifference(schema, from, io) };
    }
    return this.body(schema, io);
  }

  #describe(schema: AnySchema, io: Io): Json {
    const use = (inner: AnySchema) => this.use(inner, io);
    const refer = (inner: AnySchema) => ({ $ref: new SchemaReference(inner) });
    return readerOf(schema).describe({ io, use, refer });
  }
}

function nothingKept(): Kept {
  return { uses: new Map(), bodies: new Map(), references: new Map() };
}

function innerOf(schema: AnySchema): readonly AnySchema[] {
  // It is described by its kind, not by its parts.
  if (isZod4(schema) && isAnyJson(schema)) return [];
  return readerOf(schema)
    .parts()
    .map(([, part]) => part);
}
