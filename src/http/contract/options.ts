/**
 * The options of handlers and streams: their names, listed once, and their values as the engine reads them, checked and
 * frozen. They lack the types from which a handler is inferred.
 */
import type { RequestHandler } from "express";
import type { AnySchema } from "../../schema/schema-reader.js";
import type { AnyHttpError } from "./errors.js";
import type { Authentication, UsageLimit } from "./identity.js";
import type { AnswerFacts, BodyFacts, DeclaredKind, ParameterShape } from "./kind.js";
import type { StreamSettings } from "./stream-settings.js";

/** The options that handlers and streams share. */
export const SHARED_OPTIONS = [
  "name",
  "summary",
  "description",
  "tags",
  "deprecated",
  "hidden",
  "path",
  "query",
  "headers",
  "cookies",
  "body",
  "errors",
  "authentication",
  "scopes",
  "roles",
  "usageLimits",
  "maxBodySize",
  "middleware",
  "outputValidation",
  "responseHeaders",
] as const;

/** The options that only handlers have. */
export const HANDLER_OPTIONS = ["status", "output", "outputs", "etag", "ifMatch"] as const;

/** The name of an option that is read into a field of `AnyOptions`. Those of a stream are read into `stream`. */
export type OptionName = (typeof SHARED_OPTIONS | typeof HANDLER_OPTIONS)[number];

/** The options of any handler after `checkDeclaration`. */
export interface AnyOptions extends Readonly<Record<OptionName, unknown>> {
  readonly name: string | undefined;
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** Whether the document leaves it out. */
  readonly hidden: boolean;
  readonly status: number;
  readonly path: ParameterShape;
  readonly query: ParameterShape;
  readonly headers: ParameterShape;
  readonly cookies: ParameterShape;
  /** What a body may be, at least one of them; `undefined`: none is read. */
  readonly body: readonly BodyForm[] | undefined;
  readonly output: OutputForm | undefined;
  readonly outputs: ReadonlyMap<number, OutputForm | null> | undefined;
  readonly errors: readonly AnyHttpError[];
  readonly authentication: Authentication;
  readonly scopes: readonly (readonly string[])[];
  readonly roles: readonly (readonly string[])[];
  readonly usageLimits: readonly UsageLimit[];
  readonly maxBodySize: number | undefined;
  readonly middleware: readonly RequestHandler[];
  readonly outputValidation: boolean;
  readonly responseHeaders:
    | Readonly<Record<string, string | AnySchema>>
    | ((output: unknown) => Readonly<Record<string, string>>)
    | undefined;
  /** Whether answers have a tag; a function gives it of the output. */
  readonly etag: boolean | ((output: unknown) => unknown);
  /** Whether the function asks for the tag that a client has read. */
  readonly ifMatch: boolean | "required";
  /** Present if the handler is a stream. */
  readonly stream: StreamSettings | undefined;
  /** The functions that give the context, outer ones first; `undefined` outside of groups. */
  readonly uses: readonly UseFunction[] | undefined;
}

/** What a body is: JSON of a schema, or a kind. */
export type BodyForm = AnySchema | DeclaredKind<BodyFacts>;

/** What an answer is: JSON of a schema, or a kind. */
export type OutputForm = AnySchema | DeclaredKind<AnswerFacts>;

/** A function of `use`, for any types. */
export type UseFunction = (call: never) => unknown;

/** The statuses of a success without a body, as HTTP defines (RFC 9110). */
export const BODYLESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** One answer of a handler that is no error. */
export interface DeclaredSuccess {
  readonly status: number;
  /** Its schema or kind; `undefined`: any value; `null`: no body. */
  readonly output: OutputForm | undefined | null;
}

/** The successes of a handler: one, or those of `outputs`. */
export function successesOf({
  status,
  output,
  outputs,
}: Pick<AnyOptions, "status" | "output" | "outputs">): readonly DeclaredSuccess[] {
  if (outputs !== undefined) return [...outputs].map(([one, given]) => ({ status: one, output: given }));
  return [{ status, output: BODYLESS.has(status) ? null : output }];
}
