/**
 * The name of a schema in documents, and the valid names. A table names its schemas with `nameSchema`; a user does it
 * with `.meta({ id })`. The SQL half calls the first, the OpenAPI document reads `schemaName`.
 */
import { $ZodRegistry, type $ZodType, globalRegistry } from "zod/v4/core";

const names = new $ZodRegistry<{ readonly name: string }>();

/** Names a schema. Schemas derived from it by `.describe()`, `.refine()` and the like reference it by this name. */
export function nameSchema(schema: $ZodType, name: string): void {
  names.add(schema, { name });
}

/** The name given by `nameSchema`, else the `id` of its `.meta()`; a derived schema has no name of its own. */
export function schemaName(schema: $ZodType): string | undefined {
  // Zod's registries pass a parent's metadata to its derived schemas. Therefore the schema's own entry is read first.
  if (names.has(schema)) return names.get(schema)?.name;
  return globalRegistry.has(schema) ? idOf(schema) : undefined;
}

/** Whether the application named this schema itself, by `.meta({ id })`. Names given by a table do not count. */
export function isOwnName(schema: $ZodType): boolean {
  return !names.has(schema) && idOf(schema) !== undefined;
}

// `.meta()` takes any value.
function idOf(schema: $ZodType): string | undefined {
  const id: unknown = globalRegistry.get(schema)?.id;
  return typeof id === "string" ? id : undefined;
}

/** Whether a component may have this name. */
export function isComponentName(name: unknown): name is string {
  return typeof name === "string" && /^[a-zA-Z0-9._-]+$/.test(name);
}

/** A text as the name of a component, without invalid characters. */
export function componentName(name: string): string {
  const clean = name.replace(/[^a-zA-Z0-9._-]+/g, "_").replace(/^_+|_+$/g, "");
  return clean === "" ? "Schema" : clean;
}

/** `line_items` → `LineItems`. */
export function pascal(text: string): string {
  return text
    .split(/[^a-zA-Z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
