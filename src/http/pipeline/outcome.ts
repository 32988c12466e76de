/** Step: the handler's result, or its failure, as an output or an error that may be shown. */
import { type AnyHttpError, HttpError, InternalServer } from "../contract/errors.js";
import { events } from "../contract/events.js";
import { isReply, type ReplyHeaders } from "../contract/reply.js";
import { type Endpoint, errorKey } from "./endpoint.js";
import { type Exchange, toError } from "./exchange.js";
import type { CompiledSuccess } from "./successes.js";

/** An output, or an error to answer with. */
interface Outcome {
  readonly error?: AnyHttpError;
  readonly output?: unknown;
}

/** The handler's result. An undeclared error becomes a bare 500. */
export function outcomeOf(exchange: Exchange, endpoint: Endpoint, given: unknown): Outcome {
  if (!HttpError.is(given)) return { output: given };
  const { mapped, refusal, precondition } = exchange;
  const isOwn = given === mapped || given === refusal || given === precondition?.refusal;
  const isDeclared = isOwn || endpoint.declared.has(errorKey(given));
  const name = isDeclared ? "http.handler.sentinel.error" : "http.handler.sentinel.undeclared";
  events.emitWith(name, () => exchange.facts({ error: given, statusCode: given.status }));
  exchange.failure = given;
  return { error: isDeclared ? given : InternalServer };
}

/** A value thrown in a step or in middleware: only an `HttpError` is meant for the client. */
export function failureOf(exchange: Exchange, thrown: unknown): AnyHttpError {
  if (HttpError.is(thrown)) return thrown;
  exchange.failure = thrown ?? toError(thrown);
  return InternalServer;
}

/** What a handler's function gave, and the declared success that it is. */
export interface GivenAnswer {
  readonly success: CompiledSuccess;
  readonly value: unknown;
  /** The headers of a reply. */
  readonly headers: ReplyHeaders | undefined;
}

/** The success that a function's value is. @throws TypeError for a reply of an undeclared status, and for a value of none */
export function givenOf({ success, successes }: Endpoint, given: unknown): GivenAnswer {
  if (!isReply(given)) {
    if (success === undefined) throw new TypeError("a handler with outputs gives what reply() makes");
    return { success, value: given, headers: undefined };
  }
  const { status, value, headers } = given;
  const named = successes.get(status as number);
  if (named === undefined)
    throw new TypeError(`reply() gave the status ${String(status)}, which is not declared`);
  if (named.isEmpty && value !== undefined) throw new TypeError(`an answer ${named.status} has no body`);
  return { success: named, value, headers };
}
