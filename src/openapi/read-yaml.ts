/**
 * Reads a description from YAML, by the parser of the `yaml` package and our own conversion of its nodes. A text that
 * is JSON, which is also YAML, is read by the much faster code of `fromJSON`.
 */
import type { OpenAPI } from "./document.js";
import { OpenAPIParseError } from "./errors.js";
import { readJson } from "./json-value.js";
import { asDescription, type ReadOptions, readOptions } from "./read-description.js";
import { describeJson } from "./read-json.js";
import { decode } from "./source-text.js";
import { yamlDocument } from "./yaml-document.js";
import { locateInYaml, yamlValue } from "./yaml-values.js";

/**
 * Reads a description from YAML 1.2, as text or as UTF-8 bytes, with or without a byte order mark. Aliases become
 * copies, a bare `null` in a `type` list is read as `"null"`; everything else is as in `fromJSON`.
 * @throws {OpenAPIParseError} for anything that is not an OpenAPI 3.1 or 3.2 description, with its place; with
 *   `onProblem` not for a known field of the wrong type.
 * @example
 * import { readFile } from "node:fs/promises";
 * import { fromYAML } from "rowtype/openapi";
 *
 * const api = fromYAML(await readFile("openapi.yaml"));
 */
export function fromYAML(input: string | Uint8Array, options?: ReadOptions): OpenAPI {
  const source = decode(input);
  const asked = readOptions(options);
  const json = asJson(source);
  if (json !== undefined) return describeJson(source, json.value, true, asked);
  // The parser knows LF and CR LF, but not a lone CR as the end of a line. Offsets stay the same.
  const text = source.replace(/\r(?!\n)/g, "\n");
  const document = yamlDocument(text);
  return asDescription(
    yamlValue(document, text),
    { text, nullTypes: true, locate: (differences) => locateInYaml(document, differences), wording },
    asked,
  );
}

function wording(problem: string): string {
  return UNQUOTED.test(problem) ? `${problem}; put it in quotes` : problem;
}

/** The commonest mistake in YAML: `version: 1.0`. */
const UNQUOTED = /^expected a string, found a (?:number|boolean|bigint)$/;

/** The value of a text that is JSON; undefined for any other text, which is then read as YAML. */
function asJson(text: string): { readonly value: unknown } | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return { value: readJson(text) };
  } catch (error) {
    if (error instanceof OpenAPIParseError && error.code === "DUPLICATE_KEY") throw error;
    return undefined;
  }
}
