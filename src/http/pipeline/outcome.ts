/** Step: the handler's result, or its failure, as an output or an error that may be shown. */
import { type AnyHttpError, HttpError, InternalServer } from "../contract/errors.js";
import { events } from "../contract/events.js";
import { type Endpoint, errorKey } from "./endpoint.js";
import { type Exchange, toError } from "./exchange.js";

/** An output, or an error to answer with. */
interface Outcome {
  readonly error?: AnyHttpError;
  readonly output?: unknown;
}

/** The handler's result. An undeclared error becomes a bare 500. */
export function outcomeOf(exchange: Exchange, endpoint: Endpoint, given: unknown): Outcome {
  if (!HttpError.is(given)) return { output: given };
  const isDeclared = given === exchange.mapped || endpoint.declared.has(errorKey(given));
  const name = isDeclared ? "http.handler.sentinel.error" : "http.handler.sentinel.undeclared";
  events.emitWith(name, () => ({ ...exchange.facts(), error: given, statusCode: given.status }));
  exchange.failure = given;
  return { error: isDeclared ? given : InternalServer };
}

/** A value thrown in a step or in middleware: only an `HttpError` is meant for the client. */
export function failureOf(exchange: Exchange, thrown: unknown): AnyHttpError {
  if (HttpError.is(thrown)) return thrown;
  exchange.failure = thrown ?? toError(thrown);
  return InternalServer;
}
