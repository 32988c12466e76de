/** References between schemas. While descriptions are made they name a schema, later its component. */
import { defineOwn } from "../../core/values.js";
import type { Json } from "../json.js";
import type { AnySchema } from "../schema-reader.js";

/** Stands for the component of a schema until the component has a name. */
export class SchemaReference {
  readonly schema: AnySchema;

  constructor(schema: AnySchema) {
    this.schema = schema;
  }

  /** In the texts used to compare descriptions, all references are equal. */
  toJSON(): string {
    return "";
  }
}

/** A description in which every reference is the text that `target` returns. */
export function resolved(json: Json, target: (schema: AnySchema) => string): Json {
  const walk = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof SchemaReference) return target(value.schema);
    if (Array.isArray(value)) return value.map(walk);
    const copy: Json = {};
    for (const key in value) {
      const inner = walk((value as Json)[key]);
      if (key === "__proto__") defineOwn(copy, key, inner);
      else copy[key] = inner;
    }
    return copy;
  };
  // The walk returns an object for an object.
  return walk(json) as Json;
}

/** The schemas that a description refers to, one entry for each reference. */
export function referredTo(json: Json): readonly AnySchema[] {
  const found: AnySchema[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (value instanceof SchemaReference) found.push(value.schema);
    else for (const inner of Object.values(value)) walk(inner);
  };
  walk(json);
  return found;
}
