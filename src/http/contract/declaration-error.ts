/**
 * The error of a declaration that cannot work: a handler, an engine or an identity that was set up wrongly.
 * It is thrown while the program starts, never while a request runs.
 */
import { CodedError, isDeclarationError } from "../../core/errors.js";

/** A handler, model or engine was declared in a way that cannot work. */
export class DeclarationError extends CodedError<"DECLARATION"> {
  constructor(message: string, options?: ErrorOptions) {
    super("DECLARATION", message, options);
  }

  /** Those of `rowtype` count too. */
  static override [Symbol.hasInstance](value: unknown): value is DeclarationError {
    return isDeclarationError(value);
  }
}
