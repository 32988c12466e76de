/**
 * The errors between this program and an authorisation server. Neither contains a secret, a token or the server's own
 * text.
 */
import { CodedError } from "../../core/errors.js";

/** The server has refused the user's grant: the user must log in again. */
export class LoginRequired extends CodedError<"LOGIN_REQUIRED"> {
  constructor(message: string) {
    super("LOGIN_REQUIRED", message);
  }
}

/**
 * The server could not be reached in time, failed, or sent an answer that is not a token response: another attempt may
 * help. Or it refuses this client (`invalid_client`, for example): then the configuration is wrong, and the message
 * says so.
 */
export class ProviderError extends CodedError<"PROVIDER_FAILED"> {
  /** The status of the answer, if there was one. */
  readonly status?: number;

  constructor(message: string, status?: number) {
    super("PROVIDER_FAILED", message);
    if (status !== undefined) this.status = status;
  }
}
