/**
 * A handler made ready to run: its schemas compiled once, when an engine registers it.
 */
import { type $ZodType, parse } from "zod/v4/core";
import { DeclarationError } from "../../core/errors.js";
import { takesUndefined } from "../../schema/absence.js";
import { compiledParse, REFUSED } from "../../schema/compiled/parse.js";
import { compiledFirst } from "../../schema/compiled/validator.js";
import { floodSafeValidator } from "../../schema/flood.js";
import type { Side } from "../../schema/graph.js";
import { isZod4 } from "../../schema/inspect.js";
import { notInJson } from "../../schema/json-form.js";
import { boundedWorkZod3 } from "../../schema/memoized-zod3.js";
import {
  type AnySchema,
  boundedWork,
  isPlain,
  type Validation,
  validateOutput,
  validator,
} from "../../schema/validate.js";
import type { Convert } from "../../schema/wire-compile.js";
import { wireDecoder } from "../../schema/wire-decode.js";
import { wireEncoder } from "../../schema/wire-encode.js";
import { wireDecoderZod3, wireValueZod3 } from "../../schema/wire-zod3.js";
import { type AnyHttpError, ValidationFailed } from "../contract/errors.js";
import { eventStart } from "../contract/frame.js";
import { type Handler, isValidated } from "../contract/handler.js";
import { segmentsOf } from "../contract/path.js";
import type { StreamSettings } from "../contract/stream-settings.js";
import { type ParameterReader, parameterReader } from "./parameters.js";

/** A handler with its schemas compiled. */
export interface Endpoint {
  readonly handler: Handler;
  /** The whole template of its path. */
  readonly route: string;
  readonly parameters: ParameterReader;
  readonly body: CompiledBody | undefined;
  readonly output: CompiledOutput;
  /** Present where the handler is a stream. */
  readonly streamed: CompiledStream | undefined;
  /** The declared errors by `errorKey`. */
  readonly declared: ReadonlyMap<string, AnyHttpError>;
  /** What an error of its work may become: these, and a failed validation where the request is validated. */
  readonly mappable: ReadonlyMap<string, AnyHttpError>;
}

/** How a body is read after JSON. */
export interface CompiledBody {
  /** Whether a request may come without it; the handler then gets what its schema makes of `undefined`. */
  readonly mayBeMissing: boolean;
  readonly decode: Convert | undefined;
  readonly validate: (value: unknown) => Validation | Promise<Validation>;
}

/** How an output is written before JSON. */
export interface CompiledOutput {
  /** Validates, if `outputValidation` is set. @throws the validation error */
  readonly validate: ((value: unknown) => Promise<void>) | undefined;
  /** Validates and encodes at once, for schemas whose parse does both. @throws the validation error */
  readonly parse: ((value: unknown) => unknown) | undefined;
  readonly encode: (value: unknown) => unknown;
}

/** A stream's events by name, and its settings. */
export interface CompiledStream {
  readonly events: ReadonlyMap<string, CompiledEvent>;
  readonly settings: StreamSettings;
}

/** How an event of a stream is written. */
export interface CompiledEvent {
  /** What stands in front of its data. */
  readonly start: string;
  readonly data: CompiledOutput;
}

/** Compiles a handler. @throws DeclarationError for what is sent as JSON, and cannot be */
export function compileEndpoint(handler: Handler, baseUrl: string): Endpoint {
  const { options, path } = handler;
  const { body, output, outputValidation, stream, errors } = options;
  const mappable = isValidated(options) ? [ValidationFailed, ...errors] : errors;
  refuseOutsideJson(handler, [body], "input");
  const details = errors.map(({ definition }) => definition.details);
  refuseOutsideJson(handler, [output, ...(stream?.events.values() ?? []), ...details], "output");
  return {
    handler,
    route: `${baseUrl}${path}`,
    parameters: parameterReader(options, segmentsOf(handler)),
    body: body && compileBody(body),
    output: compileOutput(output, outputValidation),
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
    const why = schema && notInJson(schema, side);
    if (why !== undefined) throw new DeclarationError(`${method} ${path}: ${why}`);
  }
}

function compileBody(body: AnySchema): CompiledBody {
  const mayBeMissing = takesUndefined(body, false);
  if (!isZod4(body)) return { mayBeMissing, decode: wireDecoderZod3(body), validate: validator(body) };
  const validate = compiledFirst(body, floodSafeValidator(body));
  return { mayBeMissing, decode: wireDecoder(body), validate };
}

function byKey(errors: readonly AnyHttpError[]): ReadonlyMap<string, AnyHttpError> {
  return new Map(errors.map((error) => [errorKey(error), error]));
}

/** By what a declared error is recognised. */
export function errorKey(error: { readonly code: string; readonly status: number }): string {
  return `${error.status} ${error.code}`;
}

function compileStream(settings: StreamSettings, validation: boolean): CompiledStream {
  const events = [...settings.events].map(
    ([name, schema]) => [name, { start: eventStart(name), data: compileOutput(schema, validation) }] as const,
  );
  return { events: new Map(events), settings };
}

function compileOutput(output: AnySchema | undefined, validation: boolean): CompiledOutput {
  if (output === undefined) return { validate: undefined, parse: undefined, encode: (value) => value };
  if (isZod4(output)) {
    return {
      parse: validation && isPlain(output) ? outputParser(output) : undefined,
      validate: validation ? (value) => validateOutput(output, value) : undefined,
      encode: wireEncoder(output) ?? ((value) => value),
    };
  }
  // A Zod 3 schema is only run forwards: its parse is what strips undeclared fields.
  const run = boundedWorkZod3(output);
  return {
    validate: undefined,
    parse: undefined,
    encode: async (value) => {
      const result = await run.safeParseAsync(value);
      if (result.success) return wireValueZod3(result.data);
      throw new Error("the output does not fit its schema");
    },
  };
}

function outputParser(output: $ZodType): (value: unknown) => unknown {
  const run = boundedWork(output, "forward");
  return (value) => {
    const parsed = compiledParse(output)(value);
    return parsed === REFUSED ? parse(run, value) : parsed;
  };
}
