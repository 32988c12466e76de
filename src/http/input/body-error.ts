/** The errors of bodies that cannot be read or do not fit, told to the listeners of events. */
import { type FieldIssue, MAX_FIELDS } from "../../schema/issues.js";
import { type AnyHttpError, UnprocessableEntity, ValidationFailed } from "../contract/errors.js";
import { events, type RequestEvent } from "../contract/events.js";

/** What a body's reader needs of the exchange to tell of an error. */
export interface Told {
  facts<More extends object>(more: More): RequestEvent & More;
}

/** A body that cannot be read. @param reason what is wrong, in words that repeat nothing of the body */
export function unreadable(exchange: Told, cause?: unknown, reason?: string): AnyHttpError {
  const plain = UnprocessableEntity.withMessage("invalid request body").withCause(cause);
  const error = reason === undefined ? plain : plain.withDetails({ reason });
  events.emit("http.request.body.parse.error", exchange.facts({ error }));
  return error;
}

/** A body that does not fit. */
export function unfit(exchange: Told, fields: readonly FieldIssue[]): AnyHttpError {
  const error = ValidationFailed.withDetails({ fields: fields.slice(0, MAX_FIELDS) });
  events.emit("http.request.validation.input.failed", exchange.facts({ error }));
  return error;
}
