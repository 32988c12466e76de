/**
 * Shared by both writers: the JSON kind of a value, and the digits of its numbers. Values that JSON cannot hold are
 * refused here. `undefined` and `toJSON` methods are treated as `JSON.stringify` treats them.
 */
import { describeType, isReadable } from "../core/errors.js";
import { OpenAPIWriteError } from "./errors.js";
import { MAX_DEPTH, type Path, pointerOf } from "./source-text.js";

/** A value in JSON's view. */
export type Writable = string | number | bigint | boolean | null | unknown[] | Record<string, unknown>;

/**
 * Returns the value to write; undefined if its key must be omitted.
 * @throws {OpenAPIWriteError} for a value that JSON cannot hold, and for endless nesting.
 */
export function writable(value: unknown, path: Path): Writable | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "bigint":
    case "undefined":
      return value;
    case "number":
      if (Number.isFinite(value)) return value;
      return refuse("expected a finite number", path);
    case "object":
      if (value === null) return null;
      if ("toJSON" in value && typeof value.toJSON === "function") {
        return writable(value.toJSON(String(path.at(-1) ?? "")), path);
      }
      if (path.length >= MAX_DEPTH)
        return refuse(`expected at most ${MAX_DEPTH} levels of nesting, found more`, path);
      // An object that is not a list is written by its own enumerable keys, for any class.
      return Array.isArray(value) ? value : (value as Record<string, unknown>);
    default:
      return refuse(`expected a value that JSON can hold, found ${describeType(value)}`, path);
  }
}

/** @throws {OpenAPIWriteError} for a value that is not a description. */
export function checkDocument(doc: unknown): void {
  if (isReadable(doc) && !Array.isArray(doc)) return;
  refuse(`expected a description, an object, found ${describeType(doc)}`, []);
}

/**
 * The digits of a number. Reading them returns the same number: a double that is an integer beyond 2^53 has an
 * exponent, because without one it would be read as a bigint.
 */
export function digits(value: number | bigint): string {
  if (Object.is(value, -0)) return "-0";
  if (typeof value === "bigint" || !Number.isInteger(value) || Number.isSafeInteger(value))
    return String(value);
  return value.toExponential();
}

function refuse(problem: string, path: Path): never {
  const pointer = pointerOf(path);
  throw new OpenAPIWriteError(`${problem} at ${pointer === "" ? "the root" : pointer}`, pointer);
}
