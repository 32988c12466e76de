/**
 * Reads a description from YAML, by the `yaml` package's parser and our own conversion of what it gives. Text that
 * is JSON, which is YAML too, takes the much shorter way of `fromJSON`.
 */
import { Composer, type CST, type Document, Parser, type YAMLError } from "yaml";
import { checkDescription } from "./check.js";
import type { OpenAPI } from "./document.js";
import { OpenAPIParseError } from "./errors.js";
import { describeJson, readJson } from "./read-json.js";
import { decode, fail } from "./source-text.js";
import { locateInYaml, pathAt, yamlValue } from "./yaml-values.js";

/**
 * Reads a description from YAML 1.2, as text or as UTF-8 bytes, with or without a byte order mark. Aliases become
 * copies, a bare `null` in a `type` list is read as `"null"`; all else is as with `fromJSON`.
 * @throws {OpenAPIParseError} for anything that is not an OpenAPI 3.1 or 3.2 description, with its place.
 * @example
 * import { readFile } from "node:fs/promises";
 * import { fromYAML } from "rowtype/openapi";
 *
 * const api = fromYAML(await readFile("openapi.yaml"));
 */
export function fromYAML(input: string | Uint8Array): OpenAPI {
  const text = decode(input);
  const json = asJson(text);
  if (json !== undefined) return describeJson(text, json.value, true);
  const document = parse(text);
  const value = yamlValue(document, text);
  const wrong = checkDescription(value, true);
  if (wrong !== undefined) {
    const problem = UNQUOTED.test(wrong.problem) ? `${wrong.problem}; put it in quotes` : wrong.problem;
    fail(wrong.code, problem, text, locateInYaml(document, wrong.path), wrong.path);
  }
  // Checked: known fields have their types. That required ones are there is left to validation.
  return value as OpenAPI;
}

/** The commonest mistake in YAML: `version: 1.0`. */
const UNQUOTED = /^expected a string, found a (?:number|boolean|bigint)$/;

/** The value of a text that is JSON; undefined for any other, which is then read as YAML. */
function asJson(text: string): { readonly value: unknown } | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return { value: readJson(text) };
  } catch (error) {
    if (error instanceof OpenAPIParseError && error.code === "DUPLICATE_KEY") throw error;
    return undefined;
  }
}

/**
 * The schema "failsafe" leaves scalars as they are written, for `plainScalar` to read; `stringKeys` keeps keys as
 * they are written; the parser's own check for duplicate keys is quadratic, ours is not.
 */
const OPTIONS = {
  schema: "failsafe",
  stringKeys: true,
  uniqueKeys: false,
  prettyErrors: false,
  resolveKnownTags: false,
} as const;

function parse(text: string): Document.Parsed {
  let document: Document.Parsed | undefined;
  for (const next of new Composer(OPTIONS).compose(untilError(new Parser().parse(text)), true, text.length)) {
    if (document !== undefined) {
      fail("INVALID_SYNTAX", "expected one YAML document, found another after it", text, next.range[0], []);
    }
    const error = next.errors[0];
    if (error !== undefined) refuse(error, next, text);
    document = next;
  }
  if (document === undefined) fail("INVALID_SYNTAX", "expected a YAML document", text, 0, []);
  return document;
}

/** The tokens up to the first that is wrong: a hostile text may have a million of those, and each costs. */
function* untilError(tokens: Iterable<CST.Token>): Generator<CST.Token, void> {
  for (const token of tokens) {
    yield token;
    if (token.type === "error") return;
  }
}

function refuse(error: YAMLError, document: Document.Parsed, text: string): never {
  const offset = error.pos[0];
  const path = pathAt(document, offset);
  if (error.code === "RESOURCE_EXHAUSTION") {
    fail("TOO_COMPLEX", "expected fewer levels of nesting", text, offset, path);
  }
  // The message names tokens of YAML, cut short; it may quote a character of the text.
  const problem = error.message.replace(/\p{Cc}+/gu, " ");
  fail("INVALID_SYNTAX", `expected YAML: ${problem}`, text, offset, path);
}
