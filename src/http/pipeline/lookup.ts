/**
 * Decides whether an extractor's failure means that the caller is refused or that it could not be looked up. Only the
 * first is the caller's fault: an outage of a database must not log everybody out.
 */
import { constants } from "node:os";
import { getSystemErrorMap } from "node:util";
import { familyOf, safely } from "../../core/errors.js";
import { HttpError, ServiceUnavailable } from "../contract/errors.js";
import { TimeLimitError } from "../outside/time-limit.js";

/** The maximum number of causes that are followed, and of errors in one. */
const MOST_CAUSES = 5;
const MOST_TRIED = 5;

/** Codes of the SQL half that the caller's own value causes: no such row, or a text that no column can hold. */
const BY_VALUE = new Set(["NO_ROWS", "PARAM_TYPE", "MISSING_PARAM", "EXTRA_PARAM"]);
/** Codes of `rowtype/http/jwt` and `/oauth` if the keys or the provider are unavailable. */
const AWAY = new Set(["KEYS_UNAVAILABLE", "PROVIDER_FAILED"]);
/** Codes of the same modules that refuse the caller's data. */
const REFUSING = new Set(["INVALID_TOKEN", "LOGIN_REQUIRED"]);

const SYSTEM_CODES = new Set([
  ...Object.keys(constants.errno),
  ...Array.from(getSystemErrorMap().values(), ([name]) => name),
  // DNS errors, which are not among them: https://nodejs.org/api/dns.html#error-codes
  ...["ENOTFOUND", "ENODATA", "EFORMERR", "ESERVFAIL", "ENOTIMP", "EREFUSED", "EBADRESP", "ETIMEOUT"],
]);

/** Whether an error of an extractor means that the caller could not be looked up. */
export function couldNotLookUp(error: unknown): boolean {
  // An error for clients describes the caller itself, whatever its cause.
  if (HttpError.is(error)) return error.status === ServiceUnavailable.status;
  return safely(() => isByOutage(error, MOST_CAUSES));
}

function isByOutage(error: unknown, depth: number): boolean {
  if (depth < 0 || !(error instanceof Error)) return false;
  if (isOutage(error)) return true;
  if (familyOf(error) === "sql") return false;
  // If several ways were tried, the one that was away may have known the caller.
  const tried: readonly unknown[] = error instanceof AggregateError ? error.errors.slice(0, MOST_TRIED) : [];
  return [error.cause, ...tried].some((inner) => isByOutage(inner, depth - 1));
}

/** Whether an error of an extractor refuses the caller on purpose: then nothing has failed. */
export function isRefusal(error: unknown): boolean {
  return HttpError.is(error) || (familyOf(error) !== undefined && REFUSING.has(codeOf(error)));
}

function isOutage(error: Error): boolean {
  const code = codeOf(error);
  if (familyOf(error) === "sql") return !BY_VALUE.has(code);
  if (familyOf(error) !== undefined) return AWAY.has(code) || code === ServiceUnavailable.code;
  if (error instanceof TimeLimitError || error.name === "TimeoutError") return true;
  return SYSTEM_CODES.has(code) || code.startsWith("UND_ERR_");
}

function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}
