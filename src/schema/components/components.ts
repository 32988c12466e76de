/**
 * The components of a document: every named, recursive or discriminated schema once, under its own name. A schema
 * becomes two components only if requests and responses see it differently. A part of a document (`part`) has the
 * descriptions and the given names of the whole.
 */

import type { Io, Json } from "../json.js";
import { referredTo, resolved } from "../json-schema/references.js";
import type { AnySchema } from "../schema-reader.js";
import { Descriptions } from "./descriptions.js";
import { Classes, type ComponentPlace, givenName, Labels, renamedRows, UniqueNames } from "./names.js";

/** Returns the description of an added schema after `finish` has run. */
export type DescribedSchema = () => Json;

interface Root extends ComponentPlace {
  readonly label: string;
}

/** Collects the schemas of a document, then describes them together. */
export class SchemaComponents {
  readonly #whole: SchemaComponents | undefined;
  readonly #models: Map<AnySchema, string>;
  readonly #roots: Root[] = [];
  /** Additional names of schemas that already have one. */
  readonly #aliases: (readonly [name: string, schema: AnySchema])[] = [];
  readonly #names = new UniqueNames();
  readonly #reserved: string[] = [];
  readonly #descriptions: Descriptions;
  #naming: Naming | undefined;

  /** `whole` contains this part, with all of its schemas. */
  constructor(whole?: SchemaComponents) {
    this.#whole = whole;
    this.#models = whole === undefined ? new Map() : whole.#models;
    this.#descriptions =
      whole === undefined
        ? new Descriptions((schema) => givenName(schema, this.#models) !== undefined)
        : whole.#descriptions;
  }

  /** Reserves a name for a component that is written elsewhere. */
  reserve(name: string): void {
    this.#reserved.push(name);
  }

  /** Adds a schema. `label` names the unnamed recursive or discriminated schemas in it. */
  add(schema: AnySchema, io: Io, label: string): DescribedSchema {
    this.#roots.push({ schema, io, label });
    return () => {
      const naming = this.#naming;
      if (naming === undefined) return {};
      return resolved(this.#descriptions.use(schema, io), (inner) => naming.target(inner, io));
    };
  }

  /** Adds a schema that is a component even if nothing uses it, under this name even if it has others. */
  addNamed(schema: AnySchema, io: Io, name: string): void {
    const other = this.#models.get(schema);
    // In a part, the whole has already given the name.
    if (other === undefined) this.#models.set(schema, name);
    else if (other !== name) this.#aliases.push([name, schema]);
    this.add(schema, io, name);
  }

  /** Describes everything that was added, and returns the components by name. */
  finish(): ReadonlyMap<string, Json> {
    if (this.#whole === undefined) for (const { schema } of this.#roots) this.#descriptions.explore(schema);
    for (const name of this.#reserved) this.#names.take(name);
    const places = this.#places();
    this.#naming = this.#name(places);

    const components = new Map<string, Json>();
    const { naming, descriptions } = { naming: this.#naming, descriptions: this.#descriptions };
    for (const { schema, io } of places) {
      const name = naming.of(schema, io);
      if (components.has(name)) continue;
      const body = descriptions.body(schema, io);
      components.set(
        name,
        resolved(body, (inner) => naming.target(inner, io)),
      );
    }
    for (const [name, schema] of this.#aliases)
      components.set(this.#names.give(name), { $ref: naming.target(schema, "output") });
    return new Map([...components].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }

  /** Every component in every direction in which it is used, in the order of first use. */
  #places(): readonly ComponentPlace[] {
    const met: Record<Io, Set<AnySchema>> = { input: new Set(), output: new Set() };
    const places: ComponentPlace[] = [];
    const open: ComponentPlace[] = [];
    for (const { schema, io } of this.#roots) {
      const named = referredTo(this.#descriptions.use(schema, io));
      open.push(...named.map((inner) => ({ schema: inner, io })));
      for (let place = open.shift(); place !== undefined; place = open.shift()) {
        if (met[place.io].has(place.schema)) continue;
        met[place.io].add(place.schema);
        places.push(place);
        for (const inner of this.#descriptions.references(place.schema, place.io))
          open.push({ schema: inner, io: place.io });
      }
    }
    return places;
  }

  #name(places: readonly ComponentPlace[]): Naming {
    const models = this.#models;
    const labels = new Labels();
    for (const { schema, label } of this.#roots)
      labels.walk(schema, label, (inner) => givenName(inner, models));
    const naming = new Naming(this.#names, labels, models, this.#descriptions);
    const whole = this.#whole === undefined ? undefined : this.#whole.#naming;
    if (whole === undefined) naming.decide(places);
    else naming.follow(places, whole);
    return naming;
  }
}

/** The names of the components of one document. */
class Naming {
  readonly #unique: UniqueNames;
  readonly #labels: Labels;
  readonly #models: ReadonlyMap<AnySchema, string>;
  readonly #descriptions: Descriptions;
  #rows: ReadonlyMap<AnySchema, string> = new Map();
  #classes: Classes | undefined;
  readonly #byClass = new Map<number | undefined, string>();

  constructor(
    unique: UniqueNames,
    labels: Labels,
    models: ReadonlyMap<AnySchema, string>,
    descriptions: Descriptions,
  ) {
    this.#unique = unique;
    this.#labels = labels;
    this.#models = models;
    this.#descriptions = descriptions;
  }

  of(schema: AnySchema, io: Io): string {
    return this.#byClass.get(this.#classes?.of(schema, io)) ?? "Schema";
  }

  target(schema: AnySchema, io: Io): string {
    return `#/components/schemas/${this.of(schema, io)}`;
  }

  /** Names everything. */
  decide(places: readonly ComponentPlace[]): void {
    this.#rows = renamedRows(places, this.#descriptions, this.#models);
    this.#classes = new Classes(places, this.#descriptions, (schema) => this.#groupOf(schema));
    const given = places.filter(({ schema }) => this.#givenName(schema) !== undefined);
    const others = places.filter(({ schema }) => this.#givenName(schema) === undefined);
    // A given name takes precedence over names made from a place.
    this.#give(given);
    this.#give(others);
  }

  /** Copies the given names: a component has the same name in a part as in the whole. */
  follow(places: readonly ComponentPlace[], whole: Naming): void {
    this.#rows = whole.#rows;
    this.#classes = whole.#classes;
    const others: ComponentPlace[] = [];
    for (const place of places) {
      const given = this.#givenName(place.schema);
      const key = this.#classes?.of(place.schema, place.io);
      const name = whole.#byClass.get(key);
      if (given === undefined || name === undefined) {
        others.push(place);
        continue;
      }
      this.#byClass.set(key, name);
      this.#unique.take(name);
    }
    // A name made from a place could reveal a hidden place.
    this.#give(others);
  }

  #give(places: readonly ComponentPlace[]): void {
    const split = new Set<number | undefined>();
    const inOutput = new Set(places.flatMap(({ schema, io }) => (io === "output" ? [schema] : [])));
    for (const { schema, io } of places) {
      if (io === "input" && inOutput.has(schema)) {
        const own = this.#classes?.of(schema, "input");
        if (own !== this.#classes?.of(schema, "output")) split.add(own);
      }
    }
    for (const { schema, io } of places) {
      const key = this.#classes?.of(schema, io);
      if (this.#byClass.has(key)) continue;
      const name = this.#givenName(schema) ?? this.#labels.of(schema);
      this.#byClass.set(key, this.#unique.give(split.has(key) ? `${name}Input` : name));
    }
  }

  #givenName(schema: AnySchema): string | undefined {
    return this.#rows.get(schema) ?? givenName(schema, this.#models);
  }

  #groupOf(schema: AnySchema): string {
    const given = this.#givenName(schema);
    if (given !== undefined) return `named ${given}`;
    return this.#labels.isVariant(schema) ? `variant ${this.#labels.of(schema)}` : "recursive";
  }
}
