/**
 * Reads a description from JSON: `JSON.parse` for the speed, a scan beside it for what that swallows, and the strict
 * reader only where something is wrong.
 */
import { checkDescription } from "./check.js";
import type { OpenAPI } from "./document.js";
import { locateInJson, readJsonExactly } from "./json-reader.js";
import { STAND_INS, scanJson } from "./json-scan.js";
import { decode, fail } from "./source-text.js";

/**
 * Reads a description from JSON, as text or as UTF-8 bytes, with or without a byte order mark. What is unknown is
 * kept, and integers beyond 2^53 are read as `bigint`. Required fields are not asked for.
 * @throws {OpenAPIParseError} for anything that is not an OpenAPI 3.1 or 3.2 description, with its place.
 * @example
 * import { readFile } from "node:fs/promises";
 * import { fromJSON } from "rowtype/openapi";
 *
 * const api = fromJSON(await readFile("openapi.json"));
 */
export function fromJSON(input: string | Uint8Array): OpenAPI {
  const text = decode(input);
  return describeJson(text, readJson(text), false);
}

/** Takes a value that was read from JSON for a description, if it is one. */
export function describeJson(text: string, value: unknown, nullTypes: boolean): OpenAPI {
  const wrong = checkDescription(value, nullTypes);
  if (wrong !== undefined) fail(wrong.code, wrong.problem, text, locateInJson(text, wrong.path), wrong.path);
  // Checked: known fields have their types. That required ones are there is left to validation.
  return value as OpenAPI;
}

/** Reads any JSON value; throws what `fromJSON` throws for syntax, duplicate keys, numbers and nesting. */
export function readJson(text: string): unknown {
  const scan = scanJson(text);
  if (scan.unusual) return readJsonExactly(text);
  const standIns = new Map<number, bigint>();
  let value: unknown;
  try {
    value = JSON.parse(withStandIns(text, scan.integers, standIns));
  } catch {
    return readJsonExactly(text);
  }
  if (typeof value !== "object" || value === null) return readJsonExactly(text);
  // Fewer keys than the text has: one stood twice, and the strict reader says where.
  return settle(value, standIns) === scan.keys ? value : readJsonExactly(text);
}

/** The text with a double of its own in the place of every integer that a double would round. */
function withStandIns(text: string, integers: readonly number[], standIns: Map<number, bigint>): string {
  if (integers.length === 0) return text;
  let result = "";
  let copied = 0;
  for (let i = 0; i < integers.length; i += 2) {
    const [start = 0, end = 0] = [integers[i], integers[i + 1]];
    const standIn = STAND_INS * (1 + standIns.size * Number.EPSILON);
    standIns.set(standIn, BigInt(text.slice(start, end)));
    result += text.slice(copied, start) + standIn;
    copied = end;
  }
  return result + text.slice(copied);
}

/** Puts the integers back in their places and counts the keys. A loop, since this sees every value. */
function settle(root: object, standIns: ReadonlyMap<number, bigint>): number {
  const left: object[] = [root];
  let keys = 0;
  for (let object = left.pop(); object !== undefined; object = left.pop()) {
    // Lists are looked at by their indexes, which are keys too, but none of the text.
    const values = object as Record<string | number, unknown>;
    const length = Array.isArray(object) ? object.length : -1;
    for (let i = 0; i < length; i++) {
      const value = values[i];
      if (typeof value === "object" && value !== null) left.push(value);
      else if (typeof value === "number" && value >= STAND_INS) values[i] = standIns.get(value);
    }
    if (length !== -1) continue;
    for (const key in values) {
      keys++;
      const value = values[key];
      if (typeof value === "object" && value !== null) left.push(value);
      // An own property already, `__proto__` too, so that this only changes its value.
      else if (typeof value === "number" && value >= STAND_INS) values[key] = standIns.get(value);
    }
  }
  return keys;
}
