/**
 * The errors that a handler declares and returns to clients: sentinel values with a code, a status and typed details.
 * They are returned or thrown, themselves or as copies. Their cause is for events and logs, never for clients.
 */

import { z } from "zod";
import { brand, CodedError, DeclarationError, describeType, familyOf, visible } from "../../core/errors.js";
import { isZod4 } from "../../schema/inspect.js";
import type { AnySchema } from "../../schema/schema-reader.js";
import { wireEncoder } from "../../schema/wire-encode.js";
import { known } from "./configured.js";
import { wrongDetails } from "./error-details.js";
import type { OutputOf, SchemaLike } from "./schema-types.js";

// The entry point exports it with the other errors.
export { DeclarationError };

/** The declaration of an error, without the message and details of one occurrence. */
export interface ErrorDefinition<Code extends string = string, Status extends number = number> {
  readonly code: Code;
  readonly status: Status;
  readonly message: string;
  readonly details?: AnySchema;
}

/** The body of every error answer. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

/** An error with its own status and body: the class of all declared errors. */
export class HttpError<
  Code extends string = string,
  Status extends number = number,
  Details = unknown,
> extends CodedError<Code> {
  readonly status: Status;
  readonly details?: Details;
  /** The declaration of the error, which the document describes. */
  readonly definition: ErrorDefinition<Code, Status>;

  static {
    brand(HttpError, "http");
  }

  constructor(
    definition: ErrorDefinition<Code, Status>,
    own: { readonly message?: string; readonly details?: Details; readonly cause?: unknown } = {},
  ) {
    super(codeOf(definition), "", own?.cause === undefined ? undefined : { cause: own.cause });
    // The application's text is sent completely. It may contain text of a client: hidden characters are escaped.
    this.message = visible(own?.message ?? definition.message);
    this.status = definition.status;
    this.definition = definition;
    if (own?.details !== undefined) this.details = own.details;
  }

  override get name(): string {
    return "HttpError";
  }

  /** A copy with another message. */
  withMessage(message: string): this {
    return copyOf(this, { message });
  }

  /** A copy with details. */
  withDetails(details: Details): this {
    return copyOf(this, { details });
  }

  /** A copy with a cause, which events carry and clients never see. */
  withCause(cause: unknown): this {
    return copyOf(this, { cause });
  }

  /** Whether a value is an `HttpError`, also one of another copy of this package. Data of the same shape are not. */
  static is(value: unknown): value is HttpError {
    return familyOf(value) === "http";
  }
}

// Errors are made while requests run: this checks only mistakes that would otherwise be an engine error of V8.
function codeOf<Code extends string>(definition: ErrorDefinition<Code>): Code {
  if (typeof definition === "object" && definition !== null) return definition.code;
  throw new DeclarationError(`an HttpError takes its definition, not ${describeType(definition)}`);
}

function copyOf<E extends AnyHttpError>(
  error: E,
  own: { readonly message?: string; readonly details?: unknown; readonly cause?: unknown },
): E {
  const { message, details, cause } = error;
  // The class has no subclasses, and a copy has the same declared type.
  return new HttpError(error.definition, {
    message,
    ...(details === undefined ? {} : { details }),
    ...(cause === undefined ? {} : { cause }),
    ...own,
  }) as AnyHttpError as E;
}

/** Any declared error. */
export type AnyHttpError = HttpError<string, number, unknown>;

interface DefinitionOf<Code, Status, Schema> {
  readonly code: Code;
  readonly status: Status;
  readonly message: string;
  readonly details?: Schema;
}

const DEFINITION = { code: true, status: true, message: true, details: true } as const;

/**
 * Declares an error of the application.
 * @throws DeclarationError for a status below 400 or above 599, or an empty code.
 * @example
 * import { defineError } from "rowtype/http";
 * const OutOfStock = defineError({ code: "OUT_OF_STOCK", status: 409, message: "out of stock" });
 */
export function defineError<
  const Code extends string,
  const Status extends number,
  Schema extends SchemaLike | undefined = undefined,
>(definition: DefinitionOf<Code, Status, Schema>): HttpError<Code, Status, DetailsOf<Schema>> {
  const { code, status, message, details } = known<DefinitionOf<Code, Status, Schema>>(
    definition,
    DEFINITION,
    "defineError",
  );
  if (typeof code !== "string" || code === "") throw new DeclarationError("an error needs a code");
  if (!Number.isInteger(status) || status < 400 || status > 599) {
    throw new DeclarationError(`error ${code} needs a status from 400 to 599`);
  }
  if (typeof message !== "string") throw new DeclarationError(`error ${code} needs a message`);
  // `SchemaLike` is the compiler's view of a schema. At run time it is a Zod schema.
  const schema = details as AnySchema | undefined;
  return Object.freeze(
    new HttpError<Code, Status, DetailsOf<Schema>>({
      code,
      status,
      message,
      ...(schema === undefined ? {} : { details: schema }),
    }),
  );
}

/** The type of an error's details. */
type DetailsOf<Schema> = Schema extends SchemaLike ? OutputOf<Schema> : undefined;

/** The body of an error answer. @throws if its details do not match the declaration */
export function errorBody(error: AnyHttpError): ErrorBody {
  const { code, message, details, definition } = error;
  const schema = definition.details;
  const wrong = schema && wrongDetails(schema, details);
  if (wrong !== undefined) throw new TypeError(`error ${code} was given ${wrong}`, { cause: error });
  if (details === undefined) return { code, message };
  const encode = schema !== undefined && isZod4(schema) ? wireEncoder(schema) : undefined;
  return { code, message, details: encode === undefined ? details : encode(details) };
}

type Reason = { readonly reason?: string | undefined };

const reason = z.object({ reason: z.string().optional() });
const field = z.object({
  field: z.string(),
  message: z.string(),
  in: z.enum(["path", "query", "header", "cookie"]).optional(),
});

/** One failed field of a `ValidationFailed`. */
export interface FailedField {
  readonly field: string;
  readonly message: string;
  readonly in?: "path" | "query" | "header" | "cookie" | undefined;
}

function builtIn<const Code extends string, const Status extends number, Details>(
  status: Status,
  code: Code,
  details?: z.ZodType<Details>,
): HttpError<Code, Status, Details> {
  const message = code.toLowerCase().replaceAll("_", " ");
  return Object.freeze(
    new HttpError<Code, Status, Details>({
      code,
      status,
      message,
      ...(details === undefined ? {} : { details }),
    }),
  );
}

/** 400: the request is malformed. `details.reason` says how. */
export const BadRequest: HttpError<"BAD_REQUEST", 400, Reason> = builtIn(400, "BAD_REQUEST", reason);
/** 401: the caller is unknown. `details.reason` says why. */
export const Unauthorized: HttpError<"UNAUTHORIZED", 401, Reason> = builtIn(401, "UNAUTHORIZED", reason);
/** 403: the caller may not do this. `details.reason` says why. */
export const Forbidden: HttpError<"FORBIDDEN", 403, Reason> = builtIn(403, "FORBIDDEN", reason);
/** 404: there is no such thing. `details.resource` names its kind. */
export const NotFound: HttpError<"NOT_FOUND", 404, { readonly resource?: string | undefined }> = builtIn(
  404,
  "NOT_FOUND",
  z.object({ resource: z.string().optional() }),
);
/** 405: the path exists, but not with this method. */
export const MethodNotAllowed: HttpError<"METHOD_NOT_ALLOWED", 405, undefined> = builtIn(
  405,
  "METHOD_NOT_ALLOWED",
);
/** 406: the answer has no form that the request's `Accept` takes. */
export const NotAcceptable: HttpError<"NOT_ACCEPTABLE", 406, undefined> = builtIn(406, "NOT_ACCEPTABLE");
/** 409: the state of the server does not allow it, as a taken name does not. `details.reason` says why. */
export const Conflict: HttpError<"CONFLICT", 409, Reason> = builtIn(409, "CONFLICT", reason);
/** 412: what the caller has read was changed since. `details.reason` says so. */
export const PreconditionFailed: HttpError<"PRECONDITION_FAILED", 412, Reason> = builtIn(
  412,
  "PRECONDITION_FAILED",
  reason,
);
/** 428: the request must say, by `If-Match`, what the caller has read. `details.reason` says so. */
export const PreconditionRequired: HttpError<"PRECONDITION_REQUIRED", 428, Reason> = builtIn(
  428,
  "PRECONDITION_REQUIRED",
  reason,
);
/** 413: the body is larger than `details.max_size` bytes. */
export const PayloadTooLarge: HttpError<"PAYLOAD_TOO_LARGE", 413, { readonly max_size: number }> = builtIn(
  413,
  "PAYLOAD_TOO_LARGE",
  z.object({ max_size: z.int() }),
);
/** 415: the body has a media type that the handler does not take, another charset than UTF-8, or a content encoding. */
export const UnsupportedMediaType: HttpError<"UNSUPPORTED_MEDIA_TYPE", 415, undefined> = builtIn(
  415,
  "UNSUPPORTED_MEDIA_TYPE",
);
/** 416: the file has no such range. */
export const RangeNotSatisfiable: HttpError<"RANGE_NOT_SATISFIABLE", 416, undefined> = builtIn(
  416,
  "RANGE_NOT_SATISFIABLE",
);
/** 422: the request is readable but cannot be carried out. `details.reason` says why. */
export const UnprocessableEntity: HttpError<"UNPROCESSABLE_ENTITY", 422, Reason> = builtIn(
  422,
  "UNPROCESSABLE_ENTITY",
  reason,
);
/** 422: parameters or the body do not fit their schema. `details.fields` lists the failed fields. */
export const ValidationFailed: HttpError<
  "VALIDATION_FAILED",
  422,
  { readonly fields: readonly FailedField[] }
> = builtIn(422, "VALIDATION_FAILED", z.object({ fields: z.array(field).readonly() }));
/** 429: a limit is reached. `details.retry_after` is the number of seconds to wait before the next attempt. */
export const TooManyRequests: HttpError<
  "TOO_MANY_REQUESTS",
  429,
  { readonly retry_after?: number | undefined }
> = builtIn(429, "TOO_MANY_REQUESTS", z.object({ retry_after: z.number().optional() }));
/** 500: the server failed. The cause is never sent. */
export const InternalServer: HttpError<"INTERNAL_SERVER_ERROR", 500, Reason> = builtIn(
  500,
  "INTERNAL_SERVER_ERROR",
  reason,
);
/** 501: the server does not support `details.feature`. */
export const NotImplemented: HttpError<"NOT_IMPLEMENTED", 501, { readonly feature?: string | undefined }> =
  builtIn(501, "NOT_IMPLEMENTED", z.object({ feature: z.string().optional() }));
/** 503: the server cannot do it now. `details.reason` says why. */
export const ServiceUnavailable: HttpError<"SERVICE_UNAVAILABLE", 503, Reason> = builtIn(
  503,
  "SERVICE_UNAVAILABLE",
  reason,
);
