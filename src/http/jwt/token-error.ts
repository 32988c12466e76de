/**
 * The reason why a bearer token was refused. Clients see a bare 401; events get this error, which contains neither the
 * token nor its claims.
 */
import { CodedError } from "../../core/errors.js";

/** Codes of a refused token: the token is at fault, or the keys to verify it are not available. */
export type TokenErrorCode = "INVALID_TOKEN" | "KEYS_UNAVAILABLE";

/** A bearer token was refused. */
export class TokenError extends CodedError<TokenErrorCode> {}
