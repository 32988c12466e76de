/**
 * The names of components: given by a model, by the schema's own `.meta({ id })`, by a table, or else made from the
 * place of first use. Components with the same description are merged if they have the same name, or none.
 */
import type { $ZodType } from "zod/v4/core";
import { isZod4 } from "../inspect.js";
import type { Io } from "../json.js";
import { componentName, isOwnName, pascal, schemaName } from "../names.js";
import { readerOf } from "../reader/reader-of.js";
import type { AnySchema } from "../schema-reader.js";
import type { Descriptions } from "./descriptions.js";

/** A component in one direction. */
export interface ComponentPlace {
  readonly schema: AnySchema;
  readonly io: Io;
}

/** Names made from places, for recursive schemas and variants without a name. */
export class Labels {
  readonly #seen = new Set<AnySchema>();
  readonly #labels = new Map<AnySchema, string>();
  readonly #variants = new Map<AnySchema, string>();

  /** Walks a schema at a place. Schemas that already have a name keep it. */
  walk(root: AnySchema, label: string, named: (schema: AnySchema) => string | undefined): void {
    const visit = (schema: AnySchema, place: string): void => {
      if (this.#seen.has(schema)) return;
      this.#seen.add(schema);
      const here = named(schema) ?? place;
      this.#labels.set(schema, here);
      const reader = readerOf(schema);
      for (const [option, tag] of reader.variants())
        if (!this.#variants.has(option)) this.#variants.set(option, `${here}${pascal(tag)}`);
      for (const [step, part] of reader.parts()) visit(part, `${here}${pascal(step)}`);
      if (!isZod4(schema)) return;
      for (let from = schema._zod.parent; from !== undefined; from = from._zod.parent) visit(from, place);
    };
    visit(root, label);
  }

  of(schema: AnySchema): string {
    return this.#variants.get(schema) ?? this.#labels.get(schema) ?? "Schema";
  }

  isVariant(schema: AnySchema): boolean {
    return this.#variants.has(schema);
  }
}

/** The name that a schema itself or a model gives. */
export function givenName(schema: AnySchema, models: ReadonlyMap<AnySchema, string>): string | undefined {
  return models.get(schema) ?? (isZod4(schema) ? schemaName(schema) : undefined);
}

/**
 * A table names its row. If the application names that row, as a model or by `.meta({ id })` on an otherwise equal
 * copy, both get this name.
 */
export function renamedRows(
  places: readonly ComponentPlace[],
  descriptions: Descriptions,
  models: ReadonlyMap<AnySchema, string>,
): ReadonlyMap<AnySchema, string> {
  const names = new Map<AnySchema, Set<string>>();
  for (const { schema } of places) {
    if (!isZod4(schema)) continue;
    const own = models.get(schema) ?? (isOwnName(schema) ? schemaName(schema) : undefined);
    if (own === undefined) continue;
    for (let from = schema._zod.parent; from?._zod.def === schema._zod.def; from = from._zod.parent) {
      if (models.has(from) || isOwnName(from) || schemaName(from) === undefined) continue;
      if (!saysTheSame(schema, from, descriptions)) continue;
      const all = names.get(from) ?? new Set<string>();
      names.set(from, all.add(own));
    }
  }
  const only = new Map<AnySchema, string>();
  for (const [row, [name, ...more]] of names)
    if (name !== undefined && more.length === 0) only.set(row, name);
  return only;
}

function saysTheSame(one: $ZodType, other: $ZodType, descriptions: Descriptions): boolean {
  return (["input", "output"] as const).every(
    (io) => JSON.stringify(descriptions.body(one, io)) === JSON.stringify(descriptions.body(other, io)),
  );
}

/** Places grouped by description: two are in one class if their descriptions are equal. */
export class Classes {
  readonly #classes: Record<Io, Map<AnySchema, number>> = { input: new Map(), output: new Map() };

  /** `group` separates equal descriptions with different names. */
  constructor(
    places: readonly ComponentPlace[],
    descriptions: Descriptions,
    group: (schema: AnySchema) => string,
  ) {
    let count = this.#sort(
      places,
      places.map(({ schema, io }) => `${group(schema)}\n${JSON.stringify(descriptions.body(schema, io))}`),
    );
    // Their references may differ, and so may the references of these.
    for (;;) {
      const keys = places.map(({ schema, io }) =>
        [schema, ...descriptions.references(schema, io)].map((one) => this.of(one, io)).join(),
      );
      const next = this.#sort(places, keys);
      if (next === count) return;
      count = next;
    }
  }

  of(schema: AnySchema, io: Io): number | undefined {
    return this.#classes[io].get(schema);
  }

  #sort(places: readonly ComponentPlace[], keys: readonly string[]): number {
    const numbers = new Map<string, number>();
    places.forEach(({ schema, io }, i) => {
      const key = keys[i] ?? "";
      const number = numbers.get(key) ?? numbers.size;
      numbers.set(key, number);
      this.#classes[io].set(schema, number);
    });
    return numbers.size;
  }
}

/** Gives each name once. Repeated names are numbered from the second use on. */
export class UniqueNames {
  readonly #taken = new Set<string>();

  give(name: string): string {
    const clean = componentName(name);
    let unique = clean;
    for (let n = 2; this.#taken.has(unique); n++) unique = `${clean}${n}`;
    this.#taken.add(unique);
    return unique;
  }

  take(name: string): void {
    this.#taken.add(name);
  }
}
