/**
 * The components that `zod/v3` schemas need: models, and what contains itself or is chosen by a discriminator.
 * All else of them stands where it is used.
 */
import type { Io, Json } from "./json.js";
import { describeZod3, type Zod3Description, type Zod3Part } from "./json-schema-zod3.js";
import { componentName, LOCAL, renamed } from "./references.js";
import type { Zod3Schema } from "./validate.js";

interface Added {
  readonly schema: Zod3Schema;
  /** The description as a text: two that are the same are one. */
  readonly text: string;
  readonly label: string;
  readonly json: Json;
  readonly parts: ReadonlyMap<string, Zod3Part>;
  readonly names: Map<string, string>;
}

/** Collects Zod 3 schemas. */
export class Zod3Components {
  readonly #added = new Map<Zod3Schema, Added[]>();

  /** Adds a schema; `label` names its parts. */
  add(schema: Zod3Schema, io: Io, label: string): () => Json {
    const added = this.#find(schema, describeZod3(schema, io), label, (description) => description);
    return () => renamed(added.json, added.names);
  }

  /** Adds a schema that is a component as a whole. */
  addNamed(schema: Zod3Schema, io: Io, name: string): void {
    this.#find(schema, describeZod3(schema, io), name, ({ json, parts }) => {
      if (Object.keys(json).join() === "$ref") return { json, parts };
      return { json: { $ref: `${LOCAL}whole` }, parts: new Map([["whole", { suffix: "", json }], ...parts]) };
    });
  }

  /** The components, with names that nothing else has. */
  *finish(unique: (name: string) => string): Iterable<readonly [string, Json]> {
    for (const { label, parts, names } of [...this.#added.values()].flat()) {
      for (const [key, { suffix }] of parts) names.set(key, unique(componentName(`${label}${suffix}`)));
      for (const [key, { json }] of parts) yield [names.get(key) ?? key, renamed(json, names)];
    }
  }

  #find(
    schema: Zod3Schema,
    description: Zod3Description,
    label: string,
    shaped: (description: Zod3Description) => Zod3Description,
  ): Added {
    const text = JSON.stringify([description.json, ...description.parts]);
    const known = this.#added.get(schema) ?? [];
    this.#added.set(schema, known);
    const same = known.find((one) => one.text === text);
    if (same !== undefined) return same;
    const added: Added = { schema, text, label, names: new Map(), ...shaped(description) };
    known.push(added);
    return added;
  }
}
