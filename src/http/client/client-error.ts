/**
 * The error of a client: every failure of a call except the declared errors of its handler.
 */
import { CodedError } from "../../core/errors.js";

/** The client's own codes. An error of the framework has the framework's code, such as `VALIDATION_FAILED`. */
export type ClientErrorCode = "NETWORK" | "ABORTED" | "TIMEOUT" | "INVALID_REQUEST" | "INVALID_RESPONSE";

/** A call that returned neither an output nor a declared error. */
export class ClientError extends CodedError<ClientErrorCode | (string & {})> {
  /** The status of the answer, if there was one. */
  readonly status?: number;
  /** The details of an error of the framework: the failed fields, for example. */
  readonly details?: unknown;

  constructor(
    code: ClientErrorCode | (string & {}),
    message: string,
    facts: { readonly status?: number; readonly details?: unknown; readonly cause?: unknown } = {},
  ) {
    super(code, message, facts?.cause === undefined ? undefined : { cause: facts.cause });
    if (facts?.status !== undefined) this.status = facts.status;
    if (facts?.details !== undefined) this.details = facts.details;
  }

  override get name(): string {
    return "ClientError";
  }
}

/** What cannot be sent. */
export function notSent(message: string, cause?: unknown): ClientError {
  return new ClientError("INVALID_REQUEST", message, { cause });
}

/** An answer that no handler of this API gives. */
export function notRead(message: string, status?: number, cause?: unknown): ClientError {
  return new ClientError("INVALID_RESPONSE", message, { ...(status === undefined ? {} : { status }), cause });
}
