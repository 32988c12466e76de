/**
 * The error of a client: every failure of a call except the declared errors of its handler.
 */
import { CodedError } from "../../core/errors.js";

/** The codes of the client's own; an error of the framework has the framework's, such as `VALIDATION_FAILED`. */
export type ClientErrorCode = "NETWORK" | "ABORTED" | "INVALID_REQUEST" | "INVALID_RESPONSE";

/** A call that got no output and no declared error. */
export class ClientError extends CodedError<ClientErrorCode | (string & {})> {
  /** Of the answer, where there was one. */
  readonly status?: number;
  /** Of an error of the framework: which fields failed, say. */
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
