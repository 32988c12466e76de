/**
 * Writes a description as YAML in block style. It is our own writer: a description needs little of YAML, and general
 * writers lose strings, or write text that older readers misread.
 */
import type { OpenAPI } from "./document.js";
import { checkDocument, type Writable, writable } from "./writable.js";
import { yamlNumber, yamlString, yamlText } from "./yaml-text.js";

/**
 * Writes a description as YAML that readers of YAML 1.1 and 1.2 understand in the same way. A `bigint` is written as an
 * integer; a value that is in several places is written in each.
 * @throws {OpenAPIWriteError} for values that JSON cannot hold: NaN, infinities, functions, symbols, circles.
 * @example
 * import { toYAML } from "rowtype/openapi";
 *
 * const text = toYAML({ openapi: "3.1.1", info: { title: "Users", version: "1.0.0" } });
 */
export function toYAML(doc: OpenAPI): string {
  checkDocument(doc);
  const root = writable(doc, []) ?? null;
  return isBlock(root) ? block(root, "", []) : `${scalar(root, "")}\n`;
}

type Block = unknown[] | Record<string, unknown>;

/** The lines of a map or a list that is not empty. The first has no indent, because it may follow a dash. */
function block(value: Block, indent: string, path: (string | number)[]): string {
  let lines = "";
  const add = (start: string, part: Writable, inner: string): void => {
    if (lines !== "") lines += indent;
    lines += start;
    lines += isBlock(part) ? inner + block(part, `${indent}  `, path) : ` ${scalar(part, `${indent}  `)}\n`;
  };
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      path.push(index);
      add("-", writable(item, path) ?? null, " ");
      path.pop();
    }
    return lines;
  }
  for (const [key, item] of Object.entries(value)) {
    path.push(key);
    const part = writable(item, path);
    if (part !== undefined) add(keyText(key, indent), part, `\n${indent}  `);
    path.pop();
  }
  return lines;
}

function scalar(value: Writable, indent: string): string {
  switch (typeof value) {
    case "string":
      return yamlText(value, indent);
    case "number":
    case "bigint":
      return yamlNumber(value);
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "[]" : "{}";
    default:
      return String(value);
  }
}

/** YAML allows 1,024 characters for a key before its colon. A longer one has its own line. */
function keyText(key: string, indent: string): string {
  const text = yamlString(key);
  return text.length < 1000 ? `${text}:` : `? ${text}\n${indent}:`;
}

/** Whether a value has its own lines. A map has none if all its values are omitted. */
function isBlock(value: Writable): value is Block {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  return Object.values(value).some((part) => part !== undefined);
}
