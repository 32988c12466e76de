/** `rowtype/http/client`: calls to an engine, typed by its handlers, for browsers and Node. */

export type { Wire, WireInput, WireOutput } from "../contract/wire-types.js";
export type { CallLimits } from "./call-limits.js";
export { type ClientOptions, createClient } from "./client.js";
export { ClientError, type ClientErrorCode } from "./client-error.js";
export type {
  AnyApi,
  AnyHandler,
  CallOptions,
  CallResult,
  Client,
  ExtraHeaders,
  HandlersOf,
  Refusal,
  Resuming,
  StreamEvent,
  Success,
  TextValue,
} from "./client-types.js";
export type { Fetch } from "./hooks.js";
export type { CommonHeaders } from "./request.js";
