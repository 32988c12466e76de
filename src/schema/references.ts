/**
 * References between schemas: to definitions of their own while they are converted, to the components of a document
 * in the end, and the names that those are given.
 */
import type { Json } from "./json.js";

/** How a reference to a definition begins. */
export const LOCAL = "#/$defs/";

/** References to definitions become references to components. */
export function renamed(json: Json, names: ReadonlyMap<string, string>): Json {
  const walk = (value: unknown): unknown => {
    if (typeof value === "string" && value.startsWith(LOCAL)) {
      return `#/components/schemas/${names.get(value.slice(LOCAL.length)) ?? value.slice(LOCAL.length)}`;
    }
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
  };
  // An object goes in, an object comes out.
  return walk(json) as Json;
}

/** Component names are limited to these characters. */
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
