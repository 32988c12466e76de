/**
 * Reads a description from JSON: the value, the check of its fields, and the places of problems.
 */
import type { Differences } from "./check.js";
import type { OpenAPI } from "./document.js";
import { locateInJson } from "./json-reader.js";
import { readJson } from "./json-value.js";
import { asDescription, type ReadOptions, readOptions } from "./read-description.js";
import { decode } from "./source-text.js";

/**
 * Reads a description from JSON, as text or as UTF-8 bytes, with or without a byte order mark. Unknown fields are kept,
 * and integers beyond 2^53 are read as `bigint`. Required fields are not checked.
 * @throws {OpenAPIParseError} for anything that is not an OpenAPI 3.1 or 3.2 description, with its place; with
 *   `onProblem` not for a known field of the wrong type.
 * @example
 * import { readFile } from "node:fs/promises";
 * import { fromJSON } from "rowtype/openapi";
 *
 * const api = fromJSON(await readFile("openapi.json"));
 */
export function fromJSON(input: string | Uint8Array, options?: ReadOptions): OpenAPI {
  const text = decode(input);
  return describeJson(text, readJson(text), false, readOptions(options));
}

/** Accepts a value that was read from JSON as a description, if it is one. */
export function describeJson(
  text: string,
  value: unknown,
  nullTypes: boolean,
  options: ReadOptions,
): OpenAPI {
  const locate = (differences: Differences) => locateInJson(text, differences);
  return asDescription(value, { text, nullTypes, locate }, options);
}
