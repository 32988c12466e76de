/**
 * What the HTTP half tells those who listen, by `on` or by `node:diagnostics_channel`.
 */

import { type Emitter, emitter, type On } from "../../core/events.js";
import { DeclarationError } from "./declaration-error.js";

/** The request that an event is about. */
export interface RequestEvent {
  /** One object for all events of a request: what is kept by it of requests that run at once is told apart. */
  readonly context: object;
  readonly method: string;
  /** As the client sent it, without the query. */
  readonly path: string;
  /** The path's template, the engine's base URL before it: `/users/{id}`. Absent where no handler has the path. */
  readonly route?: string;
  /** Absent where no handler has the path. */
  readonly handlerName?: string;
}

/** A handler that an engine has been given. */
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

/** What is known of who is calling. */
export interface CallerEvent extends RequestEvent {
  readonly identityId: string;
  readonly tenantId?: string;
}

/** The events of `rowtype/http`. */
export interface HttpEvents {
  "http.engine.created": object;
  "http.engine.starting": { readonly host: string; readonly port: number };
  "http.engine.shutdown.started": object;
  "http.engine.shutdown.complete": { readonly graceful: boolean };
  "http.handler.registered": HandlerEvent;
  "http.handler.executing": RequestEvent;
  "http.handler.success": RequestEvent & { readonly durationMs: number };
  "http.handler.error": FailedEvent;
  "http.handler.sentinel.error": FailedEvent & { readonly statusCode: number };
  "http.handler.sentinel.undeclared": FailedEvent & { readonly statusCode: number };
  "http.request.received": RequestEvent;
  "http.request.completed": RequestEndEvent;
  "http.request.failed": RequestEndEvent & { readonly error: Error };
  "http.request.params.invalid": FailedEvent;
  "http.request.body.parse.error": FailedEvent;
  "http.request.validation.input.failed": FailedEvent;
  "http.request.validation.output.failed": FailedEvent;
  "http.auth.failed": FailedEvent;
  "http.auth.succeeded": CallerEvent;
  "http.authz.scope.denied": CallerEvent & { readonly requiredScopes: readonly (readonly string[])[] };
  "http.authz.role.denied": CallerEvent & { readonly requiredRoles: readonly (readonly string[])[] };
  "http.authz.succeeded": CallerEvent;
  "http.ratelimit.exceeded": CallerEvent & {
    readonly limitKey: string;
    readonly currentValue: number;
    readonly threshold: number;
  };
  "http.stream.executing": RequestEvent;
  "http.stream.started": RequestEvent;
  "http.stream.ended": StreamEndEvent;
  "http.stream.client.disconnected": StreamEndEvent;
  "http.stream.error": FailedEvent;
}

export const events: Emitter<HttpEvents> = emitter<HttpEvents>(
  [
    "http.engine.created",
    "http.engine.starting",
    "http.engine.shutdown.started",
    "http.engine.shutdown.complete",
    "http.handler.registered",
    "http.handler.executing",
    "http.handler.success",
    "http.handler.error",
    "http.handler.sentinel.error",
    "http.handler.sentinel.undeclared",
    "http.request.received",
    "http.request.completed",
    "http.request.failed",
    "http.request.params.invalid",
    "http.request.body.parse.error",
    "http.request.validation.input.failed",
    "http.request.validation.output.failed",
    "http.auth.failed",
    "http.auth.succeeded",
    "http.authz.scope.denied",
    "http.authz.role.denied",
    "http.authz.succeeded",
    "http.ratelimit.exceeded",
    "http.stream.executing",
    "http.stream.started",
    "http.stream.ended",
    "http.stream.client.disconnected",
    "http.stream.error",
  ],
  (message) => new DeclarationError(message),
);

/**
 * Listens to an event of the HTTP half; the result stops listening.
 * @throws DeclarationError for an event that there is not
 * @example
 * import { on } from "rowtype/http";
 * on("http.request.failed", ({ method, path, error }) => console.error(method, path, error));
 */
export const on: On<HttpEvents> = events.on;
