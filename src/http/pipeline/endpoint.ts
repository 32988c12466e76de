/** A handler that is ready to run: its schemas are compiled once, when an engine registers it. */
import { DeclarationError } from "../../core/errors.js";
import type { Side } from "../../schema/graph.js";
import { readerOf } from "../../schema/reader/reader-of.js";
import type { AnySchema, OutputSteps } from "../../schema/schema-reader.js";
import { schemasOfBody } from "../contract/bodies.js";
import { type AnyHttpError, ValidationFailed } from "../contract/errors.js";
import { eventStart } from "../contract/frame.js";
import { type Handler, isValidated } from "../contract/handler.js";
import { segmentsOf } from "../contract/path.js";
import type { StreamSettings } from "../contract/stream-settings.js";
import { schemasOf } from "../contract/successes.js";
import { type CompiledBodies, compileBodies } from "../input/compile.js";
import { type ParameterReader, parameterReader } from "./parameters.js";
import {
  type CompiledHeaders,
  type CompiledSuccess,
  compileHeaders,
  compileOutput,
  compileSuccesses,
} from "./successes.js";

/** A handler with its schemas compiled. */
export interface Endpoint {
  readonly handler: Handler;
  /** The whole template of its path. */
  readonly route: string;
  readonly parameters: ParameterReader;
  readonly body: CompiledBodies | undefined;
  /** The success of a handler that declares one; `undefined` if it declares them by `outputs`. */
  readonly success: CompiledSuccess | undefined;
  readonly successes: ReadonlyMap<number, CompiledSuccess>;
  /** Whether an answer depends on the request's `Accept`. */
  readonly isNegotiated: boolean;
  readonly headers: CompiledHeaders | undefined;
  /** Present if the handler is a stream. */
  readonly streamed: CompiledStream | undefined;
  /** The declared errors by `errorKey`. */
  readonly declared: ReadonlyMap<string, AnyHttpError>;
  /** The possible mapped errors of a failure: these, and a failed validation if the request is validated. */
  readonly mappable: ReadonlyMap<string, AnyHttpError>;
}

/** A stream's events by name, and its settings. */
export interface CompiledStream {
  readonly events: ReadonlyMap<string, CompiledEvent>;
  readonly settings: StreamSettings;
}

/** How an event of a stream is written. */
export interface CompiledEvent {
  /** The text before its data. */
  readonly start: string;
  readonly data: OutputSteps;
}

/** Compiles a handler. @throws DeclarationError for a JSON value without a JSON form */
export function compileEndpoint(handler: Handler, baseUrl: string, strictQuery = false): Endpoint {
  const { options, path } = handler;
  const { body, outputValidation, outputs, status, stream, errors } = options;
  const mappable = isValidated(options) ? [ValidationFailed, ...errors] : errors;
  const ofQuery = [...(options.query.styles?.values() ?? [])].filter(({ name }) => name === "jsonParameter");
  refuseOutsideJson(handler, [...schemasOfBody(body), ...ofQuery.map(({ schema }) => schema)], "input");
  const details = errors.map(({ definition }) => definition.details);
  const events = stream?.events.values() ?? [];
  refuseOutsideJson(handler, [...schemasOf(options), ...events, ...details], "output");
  const base = baseUrl.split("/").length - 1;
  const successes = compileSuccesses(options, handler.method === "HEAD");
  return {
    handler,
    route: `${baseUrl}${path}`,
    parameters: parameterReader(options, segmentsOf(handler), { base, strictQuery }),
    body: body && compileBodies(body),
    success: outputs === undefined ? successes.get(status) : undefined,
    successes,
    isNegotiated: [...successes.values()].some((success) => success.isNegotiated),
    headers: stream === undefined ? compileHeaders(options) : undefined,
    streamed: stream && compileStream(stream, outputValidation),
    declared: byKey(errors),
    mappable: byKey(mappable),
  };
}

function refuseOutsideJson(
  { method, path }: Handler,
  schemas: readonly (AnySchema | undefined)[],
  side: Side,
): void {
  for (const schema of schemas) {
    const why = schema && readerOf(schema).notInJson(side);
    if (why !== undefined) throw new DeclarationError(`${method} ${path}: ${why}`);
  }
}

function byKey(errors: readonly AnyHttpError[]): ReadonlyMap<string, AnyHttpError> {
  return new Map(errors.map((error) => [errorKey(error), error]));
}

/** The key by which a declared error is recognised. */
export function errorKey(error: { readonly code: string; readonly status: number }): string {
  return `${error.status} ${error.code}`;
}

function compileStream(settings: StreamSettings, validation: boolean): CompiledStream {
  const events = [...settings.events].map(
    ([name, schema]) => [name, { start: eventStart(name), data: compileOutput(schema, validation) }] as const,
  );
  return { events: new Map(events), settings };
}
