/**
 * A handler's options as the engine reads them: checked, frozen, without the types that infer a handler.
 */
import type { RequestHandler } from "express";
import type { AnySchema } from "../../schema/validate.js";
import type { AnyHttpError } from "./errors.js";
import type { UsageLimit } from "./identity.js";
import type { StreamSettings } from "./stream-settings.js";

/** Parameters by name, and the Zod object that they came in, where they did. */
export interface ParameterShape {
  readonly fields: Readonly<Record<string, AnySchema>>;
  readonly whole?: AnySchema | undefined;
}

/** The options of any handler after `checkDeclaration`. */
export interface AnyOptions {
  readonly name?: string | undefined;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  readonly status: number;
  readonly path: ParameterShape;
  readonly query: ParameterShape;
  readonly headers: ParameterShape;
  readonly cookies: ParameterShape;
  readonly body?: AnySchema | undefined;
  readonly output?: AnySchema | undefined;
  readonly errors: readonly AnyHttpError[];
  readonly authentication: boolean | "optional";
  readonly scopes: readonly (readonly string[])[];
  readonly roles: readonly (readonly string[])[];
  readonly usageLimits: readonly UsageLimit[];
  readonly maxBodySize?: number | undefined;
  readonly middleware: readonly RequestHandler[];
  readonly outputValidation: boolean;
  readonly responseHeaders?:
    | Readonly<Record<string, string>>
    | ((output: unknown) => Readonly<Record<string, string>>)
    | undefined;
  readonly etag: boolean;
  /** Present where the handler is a stream. */
  readonly stream?: StreamSettings | undefined;
}

/** The statuses of a success whose answers have no body, as HTTP says (RFC 9110). */
export const BODYLESS: ReadonlySet<number> = new Set([204, 205, 304]);
