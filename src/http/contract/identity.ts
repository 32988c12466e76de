/**
 * Who is calling. An extractor reads it from a request; handlers get it where they ask for authentication.
 */

import type { Request } from "express";
import { isReadable } from "../../core/errors.js";
import type { SecurityScheme } from "../../openapi/index.js";
import { DeclarationError } from "./declaration-error.js";

/** An authenticated caller. */
export interface Identity {
  readonly id: string;
  readonly tenantId?: string | undefined;
  readonly email?: string | undefined;
  readonly scopes: readonly string[];
  readonly roles: readonly string[];
  /** Numbers that usage limits are compared with. */
  readonly stats: Readonly<Record<string, number>>;
  hasScope(scope: string): boolean;
  hasRole(role: string): boolean;
}

/** What an identity is made of; further fields of the application are kept. */
export interface IdentityFields {
  readonly id: string;
  readonly tenantId?: string | undefined;
  readonly email?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly stats?: Readonly<Record<string, number>> | undefined;
}

/** Who somebody is is text, not the literal that it was written as; fields of the application stay as they are. */
type TextOf<Fields> = {
  readonly [Name in keyof Fields & ("id" | "tenantId" | "email")]: Fields[Name] extends string
    ? string
    : Fields[Name];
};

/**
 * Makes an identity.
 * @throws DeclarationError for scopes or roles that are no list of text, so that `"admin"` is never searched as text.
 */
export function identity<const Fields extends IdentityFields>(
  fields: Fields,
): Identity & Omit<Fields, keyof IdentityFields> & TextOf<Fields> {
  if (typeof fields?.id !== "string") throw new DeclarationError("an identity needs an id");
  const scopes = names(fields.scopes, "scopes");
  const roles = names(fields.roles, "roles");
  const made = {
    ...fields,
    scopes,
    roles,
    stats: Object.freeze({ ...fields.stats }),
    hasScope(this: unknown, scope: string) {
      return ownNames(this, "scopes", scopes).includes(scope);
    },
    hasRole(this: unknown, role: string) {
      return ownNames(this, "roles", roles).includes(role);
    },
  };
  // The fields are those given; that their text counts as `string` the compiler cannot work out of an open type.
  return Object.freeze(made) as Identity & Omit<Fields, keyof IdentityFields> & TextOf<Fields>;
}

/** Those of the object that is asked: a copy with other roles, `{ ...identity, roles }`, has these and no others. */
function ownNames(asked: unknown, what: "scopes" | "roles", made: readonly string[]): readonly unknown[] {
  // Taken off its object, the function knows only what it was made with.
  if (typeof asked !== "object" || asked === null) return made;
  // An object can be read by any name; what is there may be anything.
  const own = (asked as Readonly<Record<string, unknown>>)[what];
  return Array.isArray(own) ? own : [];
}

function names(given: readonly string[] | undefined, what: string): readonly string[] {
  if (given === undefined) return Object.freeze([]);
  if (!Array.isArray(given) || given.some((name) => typeof name !== "string")) {
    throw new DeclarationError(`the ${what} of an identity are a list of text`);
  }
  return Object.freeze([...given]);
}

/** The identity of nobody, for application code that wants one in every case; from an extractor it is a 401. */
export const NoIdentity: Identity = Object.freeze({
  id: "",
  scopes: Object.freeze([]),
  roles: Object.freeze([]),
  stats: Object.freeze({}),
  hasScope: () => false,
  hasRole: () => false,
});

/**
 * Whether a value is somebody's identity: an object with an id that is text and not empty, and its questions.
 * @throws what its getters throw
 */
export function isIdentity(value: unknown): value is Identity {
  return hasQuestions(value) && typeof value.id === "string" && value.id !== "";
}

/** Whether an extractor says by it that nobody is calling: nothing, or a whole identity whose id is empty. */
export function isNobody(value: unknown): boolean {
  return value === null || value === undefined || (hasQuestions(value) && value.id === "");
}

function hasQuestions(value: unknown): value is { readonly [Key in keyof Identity]: unknown } {
  if (typeof value !== "object" || value === null) return false;
  return (
    "id" in value &&
    "hasScope" in value &&
    typeof value.hasScope === "function" &&
    "hasRole" in value &&
    typeof value.hasRole === "function"
  );
}

/**
 * Reads the caller from a request. `null` and the identity of nobody say that there is none: a 401, where authentication
 * is optional `null` for the handler. Everything else that is no identity, a throw, and no answer in time are a 401
 * there too: who is calling was not found out.
 */
export interface Extractor<Id extends Identity = Identity> {
  (request: Request, context: { readonly signal: AbortSignal }): Id | null | Promise<Id | null>;
  /** The security scheme that the document declares for it. */
  readonly security?: NamedScheme | undefined;
}

/** A security scheme and the name it has in the document. */
export interface NamedScheme {
  readonly name: string;
  readonly scheme: SecurityScheme;
}

type Read<Id extends Identity> = (
  request: Request,
  context: { readonly signal: AbortSignal },
) => Id | null | Promise<Id | null>;

/** Gives an extractor the security scheme that the document declares. */
export function extractor<Id extends Identity>(read: Read<Id>, security: NamedScheme): Extractor<Id> {
  if (!isReadable(security) || !isReadable(security.scheme)) {
    throw new DeclarationError("an extractor takes a security scheme, { name, scheme }");
  }
  if (typeof security.name !== "string" || !/^[a-zA-Z0-9._-]+$/.test(security.name)) {
    throw new DeclarationError(
      "the name of a security scheme is made of letters, digits, dots, dashes and underscores",
    );
  }
  if (typeof read !== "function") throw new DeclarationError("an extractor is a function");
  const own: Read<Id> = (request, context) => read(request, context);
  return Object.freeze(Object.assign(own, { security: Object.freeze({ ...security }) }));
}

/** An extractor whose identities the application adds to; the security scheme stays. */
export function enrich<From extends Identity, To extends Identity>(
  from: Extractor<From>,
  add: (identity: From, request: Request) => To | null | Promise<To | null>,
): Extractor<To> {
  if (typeof from !== "function" || typeof add !== "function") {
    throw new DeclarationError("enrich takes an extractor and a function");
  }
  const own: Read<To> = async (request, context) => {
    const found: From | null = await from(request, context);
    if (isIdentity(found)) return add(found, request);
    // Nobody, or an answer that is none: the engine judges it, and nobody makes an identity of it.
    if (isNobody(found)) return null;
    throw new Error("the extractor gave something that is no identity");
  };
  return Object.freeze(from.security === undefined ? own : Object.assign(own, { security: from.security }));
}

/** A limit on a statistic of the identity. */
export interface UsageLimit<Id = never> {
  readonly stat: string;
  readonly limit: (identity: Id) => number | Promise<number>;
}

/** Refuses with 429 where the identity's statistic is equal to or above the limit. */
export function usageLimit<Id extends Identity = Identity>(
  stat: string,
  limit: (identity: Id) => number | Promise<number>,
): UsageLimit<Id> {
  if (typeof stat !== "string" || typeof limit !== "function") {
    throw new DeclarationError("a usage limit is the name of a statistic and a function");
  }
  return Object.freeze({ stat, limit });
}
