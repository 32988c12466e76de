/**
 * The errors of reading and writing. The message names the problem, the expected type and the place; the same facts are
 * fields. No message contains a value of the document, only names.
 */
import { bounded, CodedError, counted } from "../core/errors.js";

/** Why a text was refused. */
export type OpenAPIParseErrorCode =
  /** An argument that is not text, or options that are not an object. */
  | "INVALID_ARGUMENT"
  /** Bytes that are not UTF-8. */
  | "INVALID_ENCODING"
  /** Text that is not JSON or YAML, or YAML without a JSON counterpart. */
  | "INVALID_SYNTAX"
  /** One key twice in one object. */
  | "DUPLICATE_KEY"
  /** A known field with a value of the wrong JSON type. */
  | "WRONG_TYPE"
  /** No OpenAPI version, or one other than 3.1.x and 3.2.x. */
  | "UNSUPPORTED_VERSION"
  /** Nested too deep, or grown too large by aliases. */
  | "TOO_COMPLEX";

/** A position in a text. Both numbers begin at 1; columns are in UTF-16 units, as in editors. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The position of an error that was made without one. */
const NOWHERE = { line: 1, column: 1, pointer: "" };

/** A text that is not an OpenAPI 3.1 or 3.2 description; thrown by `fromJSON` and `fromYAML`. */
export class OpenAPIParseError extends CodedError<OpenAPIParseErrorCode> {
  /** The line of the problem, from 1. */
  readonly line: number;
  /** The column of the problem, from 1, in UTF-16 units. */
  readonly column: number;
  /** The JSON Pointer (RFC 6901) of the value concerned; `""` is the whole document. */
  readonly pointer: string;
  /** The first position of a duplicate key; only with `DUPLICATE_KEY`. */
  readonly first?: Position;

  constructor(
    code: OpenAPIParseErrorCode,
    problem: string,
    place: Position & { readonly pointer: string; readonly first?: Position },
    options?: ErrorOptions,
  ) {
    const { line, column, pointer, first } = place ?? NOWHERE;
    super(code, `line ${counted(line)}, column ${counted(column)}: ${bounded(problem)}`, options);
    this.line = line;
    this.column = column;
    this.pointer = pointer;
    if (first !== undefined) this.first = first;
  }
}

/** A value that neither JSON nor YAML can hold; thrown by `toJSON` and `toYAML`. */
export class OpenAPIWriteError extends CodedError<"UNWRITABLE"> {
  /** The JSON Pointer (RFC 6901) of the value. */
  readonly pointer: string;

  constructor(problem: string, pointer: string) {
    super("UNWRITABLE", problem);
    this.pointer = pointer;
  }
}
