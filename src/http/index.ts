/**
 * `rowtype/http`: typed handlers, the engine that serves them on Express, errors, identity and events.
 */
export type { EventMap, On } from "../core/events.js";
export { DeclarationError } from "./declaration-error.js";
export {
  createEngine,
  type Engine,
  HostAll,
  HostLocal,
  HostLoopback,
} from "./engine.js";
export type { EngineOptions } from "./engine-options.js";
export {
  type AnyHttpError,
  BadRequest,
  Conflict,
  defineError,
  type ErrorBody,
  type ErrorDefinition,
  type FailedField,
  Forbidden,
  HttpError,
  InternalServer,
  MethodNotAllowed,
  NotFound,
  NotImplemented,
  PayloadTooLarge,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized,
  UnprocessableEntity,
  UnsupportedMediaType,
  ValidationFailed,
} from "./errors.js";
export {
  type HandlerEvent,
  type HttpEvents,
  on,
  type RequestEndEvent,
  type RequestEvent,
  type StreamEndEvent,
} from "./events.js";
export type { Address } from "./express/server.js";
export type { OnError } from "./failure-report.js";
export {
  DELETE,
  GET,
  type Handler,
  type HandlerMaker,
  type HandlerMakers,
  handler,
  handlers,
  type Method,
  PATCH,
  POST,
  PUT,
  type StreamMaker,
  stream,
  type Verb,
} from "./handler.js";
export type {
  Call,
  HandlerTypes,
  NoBody,
  NoContent,
  Options,
  RequestOptions,
  ResponseHeaders,
  Result,
  Scopes,
  SuccessStatus,
  TypedCall,
} from "./handler-types.js";
export {
  type Extractor,
  enrich,
  extractor,
  type Identity,
  type IdentityFields,
  identity,
  type NamedScheme,
  NoIdentity,
  type UsageLimit,
  usageLimit,
} from "./identity.js";
export { type Model, model } from "./model.js";
export type { PathNames } from "./path.js";
export type { ErrorMapper } from "./pipeline/exchange.js";
export type { ReadinessCheck } from "./readiness.js";
export type { SchemaLike, ShapeLike } from "./schema-types.js";
export type { ShutdownOptions, ShutdownResult } from "./shutdown.js";
export type { EventOptions } from "./stream/frame.js";
export { StreamError, type StreamErrorCode } from "./stream/stream-error.js";
export type {
  EventData,
  EventShape,
  EventsOf,
  Stream,
  StreamAnswer,
  StreamOptions,
  StreamTypes,
} from "./stream/stream-types.js";
