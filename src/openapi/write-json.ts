/**
 * Writes a description as JSON: by `JSON.stringify`, or by a writer of our own where that would lose something.
 */
import { describeType, isReadable } from "../core/errors.js";
import type { OpenAPI } from "./document.js";
import { invalidArgument, MAX_DEPTH } from "./source-text.js";
import { checkDocument, digits, type Writable, writable } from "./writable.js";

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
  checkDocument(doc);
  const indent = " ".repeat(Math.max(0, Math.min(10, Math.trunc(indentOf(options)))));
  return stringify(doc, indent) ?? write(writable(doc, []) ?? null, indent, "\n", []);
}

function indentOf(options: unknown): number {
  if (options === undefined || options === null) return 0;
  if (!isReadable(options)) throw invalidArgument(`options must be an object, not ${describeType(options)}`);
  const indent = "indent" in options ? (options.indent ?? 0) : 0;
  if (typeof indent === "number") return indent;
  throw invalidArgument(`options.indent must be a number, not ${describeType(indent)}`);
}

/** What `JSON.stringify` writes, unless that loses something or it refuses: then undefined. */
function stringify(doc: object, indent: string): string | undefined {
  try {
    const text = JSON.stringify(doc, null, indent);
    return isExact(doc, 1) ? text : undefined;
  } catch {
    // Circles and bigints. Those that cannot be written are refused with their place by the other writer.
    return undefined;
  }
}

/**
 * Whether `JSON.stringify` lost nothing of an object or a list. It sees every value, so it is quick: the commonest
 * kinds come first, and keys are gone through in place (`Object.values` takes twice the time at first).
 */
function isExact(value: object, level: number): boolean {
  if (level > MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const part: unknown = value[i];
      if (typeof part === "string") continue;
      if (typeof part === "object" ? part !== null && !isExact(part, level + 1) : !isExactScalar(part))
        return false;
    }
    return true;
  }
  const object = value as Record<string, unknown>;
  for (const key in object) {
    const part = object[key];
    if (typeof part === "string") continue;
    if (typeof part === "object" ? part !== null && !isExact(part, level + 1) : !isExactScalar(part))
      return false;
  }
  return true;
}

/** Whether JSON keeps a value. It loses functions, symbols, -0, NaN, infinities, and integers that are read as bigints. */
function isExactScalar(value: unknown): boolean {
  if (typeof value !== "number") return typeof value !== "function" && typeof value !== "symbol";
  // Nearly all are small integers; zero is looked at for its sign.
  if ((value | 0) === value) return value !== 0 || !Object.is(value, -0);
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
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
