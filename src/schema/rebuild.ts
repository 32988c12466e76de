/**
 * Copies of Zod 4 schemas whose parts run differently. The meaning of the schema and its error messages stay the same.
 */
import { $ZodObject, type $ZodType, type $ZodTypes, clone } from "zod/v4/core";
import { innerLazy } from "./graph.js";

/**
 * The place of a schema in the outer one: one of many, one of several choices, the key of a record, or one that always
 * runs.
 */
type PartRole = "item" | "choice" | "key" | "part";

/** Returns the schema for a place in a copy. */
type PartOf = (schema: $ZodType, role: PartRole) => $ZodType;

/** A copy of a schema with other parts; the schema itself if it cannot be copied. */
export function withParts(schema: $ZodType, partOf: PartOf): $ZodType {
  const def = (schema as $ZodTypes)._zod.def;
  const part = (inner: $ZodType) => partOf(inner, "part");
  const item = (inner: $ZodType) => partOf(inner, "item");
  switch (def.type) {
    case "array":
      return withDefinition(schema, { element: { value: item(def.element) } });
    case "set":
      return withDefinition(schema, { valueType: { value: item(def.valueType) } });
    case "record":
      return withDefinition(schema, {
        keyType: { value: partOf(def.keyType, "key") },
        valueType: { value: item(def.valueType) },
      });
    case "map":
      return withDefinition(schema, {
        keyType: { value: item(def.keyType) },
        valueType: { value: item(def.valueType) },
      });
    case "tuple":
      return withDefinition(schema, {
        items: { value: def.items.map(part) },
        rest: { value: def.rest === null ? null : item(def.rest) },
      });
    case "object":
      return withFields(schema, partOf);
    case "union":
      return withDefinition(schema, {
        options: { value: def.options.map((option) => partOf(option, "choice")) },
      });
    case "catch":
      return withDefinition(schema, { innerType: { value: partOf(def.innerType, "choice") } });
    case "intersection":
      return withDefinition(schema, { left: { value: part(def.left) }, right: { value: part(def.right) } });
    case "pipe":
      return withDefinition(schema, { in: { value: part(def.in) }, out: { value: part(def.out) } });
    case "nullable":
    case "optional":
    case "nonoptional":
    case "default":
    case "prefault":
    case "readonly":
    case "success":
    case "promise":
      return withDefinition(schema, { innerType: { value: part(def.innerType) } });
    case "lazy":
      return withDefinition(schema, {
        getter: { value: () => part(innerLazy(schema)) },
        // Zod caches the getter's result here.
        _cachedInner: { value: undefined, writable: true },
      });
    default:
      return schema;
  }
}

/** The fields are read for the first value: by then a recursive object exists. */
function withFields(schema: $ZodType, partOf: PartOf): $ZodType {
  if (!(schema instanceof $ZodObject)) return schema;
  const { def } = schema._zod;
  let shape: Record<string, $ZodType> | undefined;
  const fields = () => {
    shape ??= Object.fromEntries(
      Object.entries(def.shape).map(([key, field]) => [key, partOf(field, "part")]),
    );
    return shape;
  };
  const catchall = def.catchall === undefined ? {} : { catchall: { value: partOf(def.catchall, "item") } };
  return withDefinition(schema, { shape: { get: fields }, ...catchall });
}

/** The same schema with some parts of its definition replaced. Getters of definitions (`defaultValue`) stay getters. */
export function withDefinition(schema: $ZodType, parts: PropertyDescriptorMap): $ZodType {
  const def = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema._zod.def));
  for (const [key, part] of Object.entries(parts))
    Object.defineProperty(def, key, { enumerable: true, configurable: true, ...part });
  // A definition of the same class with parts of the same kind. A copy finds the class of `z.instanceof` by its parent.
  return clone(schema, def as typeof schema._zod.def, { parent: true });
}

/** How Zod runs a schema. */
export type ZodRun = $ZodType["_zod"]["run"];

/** The same schema with another run function. */
export function runBy(schema: $ZodType, run: ZodRun): $ZodType {
  const internals: $ZodType["_zod"] = Object.create(schema._zod);
  internals.run = run;
  const by: $ZodType = Object.create(schema);
  return Object.defineProperty(by, "_zod", { value: internals });
}
