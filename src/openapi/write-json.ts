/**
 * Writes a description as JSON: by `JSON.stringify`, or by a writer of our own where that would lose something.
 */
import type { OpenAPI } from "./document.js";
import { MAX_DEPTH } from "./source-text.js";
import { digits, type Writable, writable } from "./writable.js";

/** How JSON is laid out. */
export interface JsonOptions {
  /** Spaces for each level, at most 10; 0, the default, writes one line. */
  indent?: number;
}

/**
 * Writes a description as JSON, laid out as by `JSON.stringify`. A `bigint` is written as the integer that it is.
 * @throws {OpenAPIWriteError} for values that JSON cannot hold: NaN, infinities, functions, symbols, circles.
 * @example
 * import { toJSON } from "rowtype/openapi";
 *
 * const text = toJSON({ openapi: "3.1.1", info: { title: "Users", version: "1.0.0" } }, { indent: 2 });
 */
export function toJSON(doc: OpenAPI, options?: JsonOptions): string {
  const indent = " ".repeat(Math.max(0, Math.min(10, Math.trunc(options?.indent ?? 0))));
  return isPlain(doc, 0)
    ? JSON.stringify(doc, null, indent)
    : write(writable(doc, []) ?? null, indent, "\n", []);
}

/** Whether `JSON.stringify` loses nothing of a value. */
function isPlain(value: object, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isPlainPart(item, depth)) return false;
    return true;
  }
  // Any object may be looked at by its keys.
  const object = value as Record<string, unknown>;
  for (const key in object) {
    const part = object[key];
    if (typeof part !== "string" && !isPlainPart(part, depth)) return false;
  }
  return true;
}

function isPlainPart(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case "object":
      return value === null || isPlain(value, depth + 1);
    case "number":
      // No -0, NaN, infinity, nor integer beyond 2^53.
      return Number.isSafeInteger(value)
        ? value !== 0 || !Object.is(value, -0)
        : value % 1 !== 0 && value - value === 0;
    case "string":
    case "boolean":
    case "undefined":
      return true;
    default:
      return false;
  }
}

/** Writes as `JSON.stringify` does, numbers aside; `newline` leads to the level of the value. */
function write(value: Writable, indent: string, newline: string, path: (string | number)[]): string {
  if (typeof value === "number" || typeof value === "bigint") return digits(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = indent === "" ? "" : newline + indent;
  const outer = indent === "" ? "" : newline;
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      path.push(index);
      parts.push(inner + write(writable(item, path) ?? null, indent, inner, path));
      path.pop();
    }
    return parts.length === 0 ? "[]" : `[${parts.join(",")}${outer}]`;
  }
  const colon = indent === "" ? ":" : ": ";
  for (const [key, item] of Object.entries(value)) {
    path.push(key);
    const part = writable(item, path);
    if (part !== undefined) {
      parts.push(inner + JSON.stringify(key) + colon + write(part, indent, inner, path));
    }
    path.pop();
  }
  return parts.length === 0 ? "{}" : `{${parts.join(",")}${outer}}`;
}
