/**
 * Writes a description as JSON. `JSON.stringify` writes all of it except the values that it would change, and the
 * objects that contain them. One integer beyond 2^53 in a large description then costs nothing measurable; writing all
 * of it here took five times as long (`npm run bench openapi`).
 */
import { describeType, readKeys } from "../core/errors.js";
import type { OpenAPI } from "./document.js";
import { invalidArgument, MAX_DEPTH } from "./source-text.js";
import { checkDocument, digits, type Writable, writable } from "./writable.js";

/** The layout of JSON. */
export interface JsonOptions {
  /** Spaces per level, at most 10; 0, the default, writes one line. */
  indent?: number;
}

/**
 * Writes a description as JSON, laid out as by `JSON.stringify`. A `bigint` is written as an integer.
 * @throws {OpenAPIWriteError} for values that JSON cannot hold: NaN, infinities, functions, symbols, circles.
 * @example
 * import { toJSON } from "rowtype/openapi";
 *
 * const text = toJSON({ openapi: "3.1.1", info: { title: "Users", version: "1.0.0" } }, { indent: 2 });
 */
export function toJSON(doc: OpenAPI, options?: JsonOptions): string {
  checkDocument(doc);
  const indent = " ".repeat(Math.max(0, Math.min(10, Math.trunc(indentOf(options)))));
  const inexact = new Set<object>();
  hasInexact(doc, 1, inexact);
  const given: unknown = doc;
  const root = writable(given, []) ?? null;
  return write(root, { indent, newline: "\n", path: [], inexact: root === given ? inexact : undefined });
}

function indentOf(options: JsonOptions | undefined): number {
  if (options === undefined || options === null) return 0;
  const words = { must: "options must be an object", noun: "option", of: "toJSON" } as const;
  const result = readKeys(options, ["indent"], words);
  if ("fault" in result) throw invalidArgument(result.fault);
  const { indent = 0 }: { readonly indent?: unknown } = result.read;
  if (typeof indent === "number") return indent;
  throw invalidArgument(`options.indent must be a number, not ${describeType(indent)}`);
}

/**
 * Whether `JSON.stringify` loses data of an object or a list. The parts for which this is true are collected. It visits
 * every value and must be quick: the commonest kinds come first, and keys are visited in place (`Object.values` takes
 * twice the time at first). A cycle ends at `MAX_DEPTH`, and no part is collected twice.
 */
function hasInexact(value: object, level: number, inexact: Set<object>): boolean {
  if (level > MAX_DEPTH || (inexact.size > 0 && inexact.has(value))) return true;
  let found = false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const part: unknown = value[i];
      if (typeof part === "string") continue;
      if (
        typeof part === "object"
          ? part !== null && hasInexact(part, level + 1, inexact)
          : !isExactScalar(part)
      )
        found = true;
    }
  } else {
    const object = value as Record<string, unknown>;
    for (const key in object) {
      const part = object[key];
      if (typeof part === "string") continue;
      if (
        typeof part === "object"
          ? part !== null && hasInexact(part, level + 1, inexact)
          : !isExactScalar(part)
      )
        found = true;
    }
  }
  if (found) inexact.add(value);
  return found;
}

/**
 * Whether `JSON.stringify` keeps a value. It refuses bigints, and loses functions, symbols, -0, NaN, infinities, and
 * integers that are read as bigints.
 */
function isExactScalar(value: unknown): boolean {
  if (typeof value !== "number") {
    return typeof value !== "bigint" && typeof value !== "function" && typeof value !== "symbol";
  }
  // Nearly all are small integers. Zero is checked for its sign.
  if ((value | 0) === value) return value !== 0 || !Object.is(value, -0);
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

/** How and where a value is written. */
interface Place {
  readonly indent: string;
  /** The line break and indent before the value. */
  readonly newline: string;
  readonly path: (string | number)[];
  /** The parts that `JSON.stringify` cannot write; undefined if this is unknown, as under a `toJSON` method. */
  readonly inexact: ReadonlySet<object> | undefined;
}

/** Writes like `JSON.stringify`, except for numbers. */
function write(value: Writable, place: Place): string {
  if (typeof value === "number" || typeof value === "bigint") return digits(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (place.inexact === undefined || place.inexact.has(value)) return writeParts(value, place);
  return stringify(value, place) ?? writeParts(value, { ...place, inexact: undefined });
}

/** The text of `JSON.stringify` at a place; undefined if it refuses the result of an inner `toJSON` method. */
function stringify(value: object, { indent, newline }: Place): string | undefined {
  try {
    const text = JSON.stringify(value, null, indent);
    // A JSON string contains no newline.
    return indent === "" || newline === "\n" ? text : text?.replaceAll("\n", newline);
  } catch {
    return undefined;
  }
}

function writeParts(value: object, { indent, newline, path, inexact }: Place): string {
  const outer = indent === "" ? "" : newline;
  const inner = outer + indent;
  let text = "";
  const add = (start: string, key: string | number, item: unknown): void => {
    path.push(key);
    const part = writable(item, path);
    if (part !== undefined || Array.isArray(value)) {
      const known = part === item ? inexact : undefined;
      const separator = text === "" ? inner : `,${inner}`;
      text += separator + start + write(part ?? null, { indent, newline: inner, path, inexact: known });
    }
    path.pop();
  };
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) add("", index, item);
    return text === "" ? "[]" : `[${text}${outer}]`;
  }
  const colon = indent === "" ? ":" : ": ";
  for (const [key, item] of Object.entries(value)) add(JSON.stringify(key) + colon, key, item);
  return text === "" ? "{}" : `{${text}${outer}}`;
}
