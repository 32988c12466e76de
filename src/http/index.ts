/**
 * `rowtype/http`: typed handlers, the engine that serves them on Express, errors, identity and events.
 */
export type { EventMap, On } from "../core/events.js";
export {
  type ByteStreamKind,
  type BytesKind,
  byteStream,
  bytes,
  type FileKind,
  file,
  type GivenBytes,
  type GivenFile,
  html,
  type SentBytes,
  type TextKind,
  text,
} from "./contract/answer-kinds.js";
export {
  type AnyHttpError,
  BadRequest,
  Conflict,
  DeclarationError,
  defineError,
  type ErrorBody,
  type ErrorDefinition,
  type FailedField,
  Forbidden,
  HttpError,
  InternalServer,
  MethodNotAllowed,
  NotAcceptable,
  NotFound,
  NotImplemented,
  PayloadTooLarge,
  PreconditionFailed,
  PreconditionRequired,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized,
  UnprocessableEntity,
  UnsupportedMediaType,
  ValidationFailed,
} from "./contract/errors.js";
export {
  type HandlerEvent,
  type HttpEvents,
  on,
  type RequestEndEvent,
  type RequestEvent,
  type StreamEndEvent,
} from "./contract/events.js";
export {
  type FormKind,
  form,
  type MultipartKind,
  multipart,
  type PartShape,
  type Upload,
  type UploadKind,
  type UploadOptions,
  type UploadsOptions,
  upload,
  uploads,
} from "./contract/form-kinds.js";
export type { EventOptions } from "./contract/frame.js";
export { type GroupMaker, group, type RouteGroup } from "./contract/group.js";
export type {
  GroupAskingVerb,
  GroupedCall,
  GroupedStreamTypes,
  GroupedTypes,
  GroupOptions,
  GroupTypes,
  GroupVerb,
  UseCall,
} from "./contract/group-types.js";
export {
  type AskingVerb,
  DELETE,
  GET,
  type Handler,
  type HandlerMaker,
  type HandlerMakers,
  HEAD,
  handler,
  handlers,
  type Method,
  OPTIONS,
  PATCH,
  POST,
  PUT,
  QUERY,
  type StreamMaker,
  stream,
  type Verb,
} from "./contract/handler.js";
export type {
  BodyLike,
  BodyOf,
  Call,
  HandlerTypes,
  NoBody,
  NoContent,
  Options,
  OutputLike,
  Outputs,
  RequestOptions,
  ResponseHeaders,
  Result,
  Scopes,
  SuccessStatus,
  TypedCall,
} from "./contract/handler-types.js";
export {
  type Authentication,
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
} from "./contract/identity.js";
export type { AnswerKind, BodyKind } from "./contract/kind.js";
export { type Model, model } from "./contract/model.js";
export type { PathNames } from "./contract/path.js";
export { commaSeparated, deepObject, jsonParameter, type QueryStyle } from "./contract/query-styles.js";
export { type Reply, type ReplyHeaders, reply } from "./contract/reply.js";
export {
  type CsvOptions,
  csv,
  type GivenRows,
  type LinesKind,
  ndjson,
  rows,
  type SentRows,
} from "./contract/row-kinds.js";
export type { SchemaLike, ShapeLike } from "./contract/schema-types.js";
export { StreamError, type StreamErrorCode } from "./contract/stream-error.js";
export type {
  EventData,
  EventShape,
  EventsOf,
  Stream,
  StreamAnswer,
  StreamOptions,
  StreamTypes,
} from "./contract/stream-types.js";
export {
  createEngine,
  type Engine,
  HostAll,
  HostLocal,
  HostLoopback,
} from "./engine/engine.js";
export type { EngineOptions, ListenOptions } from "./engine/engine-options.js";
export { type Listening, listen } from "./engine/listen.js";
export type { ReadinessCheck } from "./engine/readiness.js";
export type { ShutdownOptions, ShutdownResult } from "./engine/shutdown.js";
export type { Address } from "./express/server.js";
export type { OnError } from "./outside/failure-report.js";
export type { ErrorMapper } from "./pipeline/exchange.js";
