/**
 * The text that is read: from bytes to characters, from offsets to lines, from keys to JSON Pointers. Its problems are
 * reported through `fail`.
 */
import { describeType, quoted, safely } from "../core/errors.js";
import { OpenAPIParseError, type OpenAPIParseErrorCode, type Position } from "./errors.js";

/** The keys and indexes that lead from the root to a value. */
export type Path = readonly (string | number)[];

/** The maximum nesting that is read and written: far more than descriptions have, far less than a stack can hold. */
export const MAX_DEPTH = 500;

/** Returns the characters of a text or of UTF-8 bytes, without a byte order mark. */
export function decode(input: string | Uint8Array): string {
  if (typeof input === "string") return input.startsWith("\uFEFF") ? input.slice(1) : input;
  if (!safely(() => input instanceof Uint8Array))
    throw invalidArgument(`the text must be a string or bytes (Uint8Array), not ${describeType(input)}`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(input);
  } catch (cause) {
    const before = longestValid(input);
    const options = { cause };
    throw new OpenAPIParseError(
      "INVALID_ENCODING",
      "expected UTF-8, found bytes that are not",
      { ...positionOf(before, before.length), pointer: "" },
      options,
    );
  }
}

/** The error of a call without a readable argument. */
export function invalidArgument(problem: string): OpenAPIParseError {
  return new OpenAPIParseError("INVALID_ARGUMENT", problem, { line: 1, column: 1, pointer: "" });
}

/** Reports a problem at an offset of the text. */
export function fail(
  code: OpenAPIParseErrorCode,
  problem: string,
  text: string,
  offset: number,
  path: Path,
): never {
  throw new OpenAPIParseError(code, problem, { ...positionOf(text, offset), pointer: pointerOf(path) });
}

/** Reports a duplicate key of an object. `path` is the path of the object. */
export function failDuplicate(key: string, text: string, first: number, second: number, path: Path): never {
  const earlier = positionOf(text, first);
  throw new OpenAPIParseError(
    "DUPLICATE_KEY",
    `duplicate key ${quoted(key)}, first at line ${earlier.line}, column ${earlier.column}`,
    { ...positionOf(text, second), pointer: pointerOf([...path, key]), first: earlier },
  );
}

/** The line and column of an offset. Lines end in LF, CR LF or CR. */
function positionOf(text: string, offset: number): Position {
  return new Lines(text.slice(0, offset)).at(offset);
}

/** The lines of a text. */
export class Lines {
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#starts = [0, ...Array.from(text.matchAll(/\r\n|\n|\r(?!\n)/g), (end) => end.index + end[0].length)];
  }

  /** The line and column of an offset. */
  at(offset: number): Position {
    let [line, beyond] = [0, this.#starts.length];
    while (beyond - line > 1) {
      const middle = (line + beyond) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) line = middle;
      else beyond = middle;
    }
    return { line: line + 1, column: offset - (this.#starts[line] ?? 0) + 1 };
  }
}

/** The JSON Pointer of a path, RFC 6901. */
export function pointerOf(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Sets an own property, even `__proto__`, which an assignment would set as the prototype. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/** The longest valid beginning of bytes that are not UTF-8, found by halving. */
function longestValid(bytes: Uint8Array): string {
  let valid = 0;
  let invalid = bytes.length + 1;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1;
    if (decodesTo(bytes, middle) === undefined) invalid = middle;
    else valid = middle;
  }
  return decodesTo(bytes, valid) ?? "";
}

/** With `stream`, a character cut at the end does not make the beginning invalid. */
function decodesTo(bytes: Uint8Array, length: number): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
  } catch {
    return undefined;
  }
}
