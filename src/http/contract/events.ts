/**
 * The events of the HTTP half, for listeners of `on` and of `node:diagnostics_channel`.
 */

import { DeclarationError } from "../../core/errors.js";
import { type Emitter, emitter, type On } from "../../core/events.js";

/** The request that an event is about. */
export interface RequestEvent {
  /** The same object in all events of one request, and in no event of another: a key for a listener's own data. */
  readonly context: object;
  readonly method: string;
  /** As the client sent it, without the query. */
  readonly path: string;
  /** The path's template, with the engine's base URL: `/users/{id}`. Absent if no handler has the path. */
  readonly route?: string;
  /** Absent if no handler has the path. */
  readonly handlerName?: string;
}

/** A handler registered with an engine. */
export interface HandlerEvent {
  readonly method: string;
  /** The template. */
  readonly path: string;
  readonly handlerName: string;
}

/** The end of a request. */
export interface RequestEndEvent extends RequestEvent {
  readonly statusCode: number;
  readonly durationMs: number;
}

/** The end of a stream. */
export interface StreamEndEvent extends RequestEvent {
  readonly durationMs: number;
}

interface FailedEvent extends RequestEvent {
  readonly error: Error;
}

/** A request with a known caller. */
export interface CallerEvent extends RequestEvent {
  readonly identityId: string;
  readonly tenantId?: string;
}

/**
 * The events of `rowtype/http`, each with the name of its payload. All other code that names events is derived from
 * this list.
 */
const HTTP_EVENTS = {
  "http.engine.created": "nothing",
  "http.engine.starting": "address",
  "http.engine.shutdown.started": "nothing",
  "http.engine.shutdown.complete": "shutdown",
  "http.handler.registered": "handler",
  "http.handler.executing": "request",
  "http.handler.success": "duration",
  "http.handler.error": "failure",
  "http.handler.sentinel.error": "errorAnswer",
  "http.handler.sentinel.undeclared": "errorAnswer",
  "http.request.received": "request",
  "http.request.completed": "requestEnd",
  "http.request.failed": "requestFailure",
  "http.request.params.invalid": "failure",
  "http.request.body.parse.error": "failure",
  "http.request.validation.input.failed": "failure",
  "http.request.validation.output.failed": "failure",
  "http.auth.failed": "failure",
  "http.auth.succeeded": "caller",
  "http.authz.scope.denied": "missingScope",
  "http.authz.role.denied": "missingRole",
  "http.authz.succeeded": "caller",
  "http.ratelimit.exceeded": "limit",
  "http.stream.executing": "request",
  "http.stream.started": "request",
  "http.stream.ended": "streamEnd",
  "http.stream.client.disconnected": "streamEnd",
  "http.stream.error": "failure",
} as const;

/** The payloads of events. */
interface Payloads {
  readonly nothing: object;
  readonly address: { readonly host: string; readonly port: number };
  readonly shutdown: { readonly graceful: boolean };
  readonly handler: HandlerEvent;
  readonly request: RequestEvent;
  readonly requestEnd: RequestEndEvent;
  readonly requestFailure: RequestEndEvent & { readonly error: Error };
  readonly duration: RequestEvent & { readonly durationMs: number };
  readonly failure: FailedEvent;
  readonly errorAnswer: FailedEvent & { readonly statusCode: number };
  readonly caller: CallerEvent;
  readonly missingScope: CallerEvent & { readonly requiredScopes: readonly (readonly string[])[] };
  readonly missingRole: CallerEvent & { readonly requiredRoles: readonly (readonly string[])[] };
  readonly limit: CallerEvent & {
    readonly limitKey: string;
    readonly currentValue: number;
    readonly threshold: number;
  };
  readonly streamEnd: StreamEndEvent;
}

type HttpEventName = keyof typeof HTTP_EVENTS;

/** The payloads of the events of `rowtype/http`, by the name of the event. */
export type HttpEvents = { [Name in HttpEventName]: Payloads[(typeof HTTP_EVENTS)[Name]] };

/** The names of all events. */
export const HTTP_EVENT_NAMES: readonly HttpEventName[] = Object.freeze(
  // The keys of a constant are those of its type.
  Object.keys(HTTP_EVENTS) as HttpEventName[],
);

export const events: Emitter<HttpEvents> = emitter<HttpEvents>(
  HTTP_EVENT_NAMES,
  (message) => new DeclarationError(message),
);

/**
 * Listens to an event of the HTTP half; the returned function stops listening.
 * @throws DeclarationError for an unknown event
 * @example
 * import { on } from "rowtype/http";
 * on("http.request.failed", ({ method, path, error }) => console.error(method, path, error));
 */
export const on: On<HttpEvents> = events.on;
