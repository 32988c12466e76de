/**
 * What can go wrong between this program and an authorisation server. Neither error holds a secret, a token or the
 * server's own text.
 */
import { CodedError } from "../../core/errors.js";

/** The server has refused the user's grant: the user must log in again. */
export class LoginRequired extends CodedError<"LOGIN_REQUIRED"> {
  constructor(message: string) {
    super("LOGIN_REQUIRED", message);
  }
}

/**
 * The server could not be reached in time, failed, or gave an answer that is not a token response: trying again may help.
 * Or it refuses this client (`invalid_client`, say): then the configuration is at fault, and the message says so.
 */
export class ProviderError extends CodedError<"PROVIDER_FAILED"> {
  /** Of the answer, where there was one. */
  readonly status?: number;

  constructor(message: string, status?: number) {
    super("PROVIDER_FAILED", message);
    if (status !== undefined) this.status = status;
  }
}
