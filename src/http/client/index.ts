/** `rowtype/http/client`: calls to an engine, typed by its handlers, for browsers and Node. */

export type { Wire, WireInput, WireOutput } from "../contract/wire-types.js";
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
export type { CommonHeaders, Fetch } from "./request.js";
