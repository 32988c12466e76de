/**
 * What both writers ask of a value: which kind it is in JSON, and the digits of its numbers. What JSON cannot hold is
 * refused here; `undefined` and `toJSON` methods are treated as `JSON.stringify` treats them.
 */
import { describeType, isReadable } from "../core/errors.js";
import { OpenAPIWriteError } from "./errors.js";
import { MAX_DEPTH, type Path, pointerOf } from "./source-text.js";

/** A value as JSON sees it. */
export type Writable = string | number | bigint | boolean | null | unknown[] | Record<string, unknown>;

/**
 * Gives a value as it is to be written; undefined when its key is to be left out.
 * @throws {OpenAPIWriteError} for what JSON cannot hold, and where nesting has no end.
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
      // An object that is not a list is written by its own enumerable keys, whatever its class.
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
 * The digits of a number, such that reading gives the same number: an integer beyond 2^53 that is a double has an
 * exponent, since without one it would be read as a bigint.
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
