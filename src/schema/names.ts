/**
 * The name that a schema carries into documents, and which texts may be one. A table gives its schemas a name with `nameSchema`; a user
 * does it with `.meta({ id })`. The SQL half calls the first, the OpenAPI document reads `schemaName`.
 */
import { $ZodRegistry, type $ZodType, globalRegistry } from "zod/v4/core";

const names = new $ZodRegistry<{ readonly name: string }>();

/** Names a schema. Schemas derived from it by `.describe()`, `.refine()` and the like reference it by this name. */
export function nameSchema(schema: $ZodType, name: string): void {
  names.add(schema, { name });
}

/** The name given by `nameSchema`, else the `id` of its `.meta()`; a derived schema has no name of its own. */
export function schemaName(schema: $ZodType): string | undefined {
  // Zod's registries hand a parent's metadata on to its derived schemas, so the own entry is asked for first.
  if (names.has(schema)) return names.get(schema)?.name;
  return globalRegistry.has(schema) ? globalRegistry.get(schema)?.id : undefined;
}

/** Whether the application named this very schema, by `.meta({ id })`; a table's name is the table's doing. */
export function isOwnName(schema: $ZodType): boolean {
  return !names.has(schema) && globalRegistry.get(schema)?.id !== undefined;
}

/** Whether a component may be called so. */
export function isComponentName(name: unknown): name is string {
  return typeof name === "string" && /^[a-zA-Z0-9._-]+$/.test(name);
}

/** A text as the name of a component, without the characters that it cannot have. */
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
