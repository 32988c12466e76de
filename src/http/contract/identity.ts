/** The identity of a caller. An extractor reads it from a request, and handlers that require authentication get it. */

import type { Request } from "express";
import { DeclarationError, isList, quoted, readParts, safely } from "../../core/errors.js";
import type { SecurityScheme } from "../../openapi/index.js";
import { known } from "./configured.js";

/** An authenticated caller. */
export interface Identity {
  readonly id: string;
  readonly tenantId?: string | undefined;
  readonly email?: string | undefined;
  readonly scopes: readonly string[];
  readonly roles: readonly string[];
  /** The numbers that usage limits apply to. */
  readonly stats: Readonly<Record<string, number>>;
  hasScope(scope: string): boolean;
  hasRole(role: string): boolean;
}

/** The fields of an identity. Additional fields of the application are kept. */
export interface IdentityFields {
  readonly id: string;
  readonly tenantId?: string | undefined;
  readonly email?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly stats?: Readonly<Record<string, number>> | undefined;
}

/** Widens the literals of these fields to `string`; fields of the application keep their types. */
type TextOf<Fields> = {
  readonly [Name in keyof Fields & ("id" | "tenantId" | "email")]: Fields[Name] extends string
    ? string
    : Fields[Name];
};

/**
 * Makes an identity.
 * @throws DeclarationError for scopes or roles that are not a list of text: `"admin".includes("a")` would be true.
 */
export function identity<const Fields extends IdentityFields>(
  given: Fields,
): Identity & Omit<Fields, keyof IdentityFields> & TextOf<Fields> {
  // Each field is read once: what was checked is what is kept.
  const fields = { ...given };
  if (typeof fields.id !== "string") throw new DeclarationError("an identity needs an id");
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
  // These are the given fields. The compiler cannot derive from an open type that their text counts as `string`.
  return Object.freeze(made) as Identity & Omit<Fields, keyof IdentityFields> & TextOf<Fields>;
}

/** The names of the object itself: a copy with other roles, `{ ...identity, roles }`, has only these. */
function ownNames(asked: unknown, what: "scopes" | "roles", made: readonly string[]): readonly unknown[] {
  // A function that was detached from its object has only the names that it was made with.
  if (typeof asked !== "object" || asked === null) return made;
  // Any name of an object can be read. The value may be anything.
  const own = (asked as Readonly<Record<string, unknown>>)[what];
  return isList(own) ? own : [];
}

function names(given: readonly string[] | undefined, what: string): readonly string[] {
  if (given === undefined) return Object.freeze([]);
  if (!isList(given) || given.some((name) => typeof name !== "string")) {
    throw new DeclarationError(`the ${what} of an identity are a list of text`);
  }
  return Object.freeze([...given]);
}

/** The identity of an anonymous caller, for code that always needs an identity; from an extractor it causes a 401. */
export const NoIdentity: Identity = Object.freeze({
  id: "",
  scopes: Object.freeze([]),
  roles: Object.freeze([]),
  stats: Object.freeze({}),
  hasScope: () => false,
  hasRole: () => false,
});

/**
 * Whether a value is the identity of a caller: an object with a text id that is not empty, `hasScope` and `hasRole`.
 * @throws the errors of its getters
 */
export function isIdentity(value: unknown): value is Identity {
  return hasMethodsOfIdentity(value) && typeof value.id === "string" && value.id !== "";
}

/** Whether an extractor reports an anonymous caller: `null`, `undefined`, or an identity whose id is empty. */
export function isAnonymous(value: unknown): boolean {
  return value === null || value === undefined || (hasMethodsOfIdentity(value) && value.id === "");
}

function hasMethodsOfIdentity(value: unknown): value is { readonly [Key in keyof Identity]: unknown } {
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
 * Reads the caller from a request. `null` and `NoIdentity` report an anonymous caller: a 401, or `null` for the handler
 * if authentication is optional. An error, and every other value that is not an identity, are a 401 in both cases: the
 * caller is unknown. If the caller could not be looked up, it is a 503: after a timeout, a `ServiceUnavailable`, an
 * error of the database or of the network.
 */
export interface Extractor<Id extends Identity = Identity> {
  (request: Request, context: { readonly signal: AbortSignal }): Id | null | Promise<Id | null>;
  /** The security scheme that the document declares for it. */
  readonly security?: NamedScheme | undefined;
}

/** Whether a caller is known: by any of the engine's ways, or by those whose schemes have these names. */
export type Authentication = boolean | "optional" | readonly string[];

/** A security scheme and its name in the document. */
export interface NamedScheme {
  readonly name: string;
  readonly scheme: SecurityScheme;
}

type Read<Id extends Identity> = (
  request: Request,
  context: { readonly signal: AbortSignal },
) => Id | null | Promise<Id | null>;

/** Gives an extractor the security scheme that the document declares. */
export function extractor<Id extends Identity>(read: Read<Id>, given: NamedScheme): Extractor<Id> {
  const named = known(given, { name: true, scheme: true }, "the security scheme of an extractor");
  const scheme = readParts(named.scheme);
  if (scheme === undefined)
    throw new DeclarationError("an extractor takes a security scheme, { name, scheme }");
  // A copy of what the caller's type says.
  const security = { ...named, scheme: scheme as unknown as SecurityScheme };
  if (typeof security.name !== "string" || !/^[a-zA-Z0-9._-]+$/.test(security.name)) {
    throw new DeclarationError(
      "the name of a security scheme is made of letters, digits, dots, dashes and underscores",
    );
  }
  if (typeof read !== "function") throw new DeclarationError("an extractor is a function");
  const own: Read<Id> = (request, context) => read(request, context);
  return Object.freeze(Object.assign(own, { security: Object.freeze({ ...security }) }));
}

/** An extractor with additional fields of the application in its identities. The security scheme stays the same. */
export function enrich<From extends Identity, To extends Identity>(
  from: Extractor<From>,
  add: (identity: From, request: Request) => To | null | Promise<To | null>,
): Extractor<To> {
  // A proxy that throws is a function too.
  const isExtractor = typeof from === "function" && safely(() => "name" in from);
  if (!isExtractor || typeof add !== "function") {
    throw new DeclarationError("enrich takes an extractor and a function");
  }
  const own: Read<To> = async (request, context) => {
    const found: From | null = await from(request, context);
    if (isIdentity(found)) return add(found, request);
    // `add` is not called for an anonymous caller.
    if (isAnonymous(found)) return null;
    throw new Error("the extractor gave something that is not an identity");
  };
  return Object.freeze(from.security === undefined ? own : Object.assign(own, { security: from.security }));
}

/** A limit on a statistic of the identity. */
export interface UsageLimit<Id = never> {
  readonly stat: string;
  readonly limit: (identity: Id) => number | Promise<number>;
}

/** Refuses with 429 if the identity's statistic is equal to or above the limit. */
export function usageLimit<Id extends Identity = Identity>(
  stat: string,
  limit: (identity: Id) => number | Promise<number>,
): UsageLimit<Id> {
  if (typeof stat !== "string" || typeof limit !== "function") {
    throw new DeclarationError("a usage limit is the name of a statistic and a function");
  }
  return Object.freeze({ stat, limit });
}

/** @throws DeclarationError for none, for what is no function, and for two with one scheme name */
export function checkedExtractors(extractors: readonly Extractor[]): readonly Extractor[] {
  // A proxy that throws is a function too.
  const isExtractor = (one: unknown) => typeof one === "function" && safely(() => "security" in one || true);
  if (extractors.length === 0 || !extractors.every(isExtractor))
    throw new DeclarationError("an extractor is a function");
  const names = schemesOf(extractors).map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new DeclarationError(`two extractors have a security scheme named ${quoted(twice)}`);
  return Object.freeze([...extractors]);
}

/** The security schemes that extractors declare. */
export function schemesOf(extractors: readonly Extractor[]): NamedScheme[] {
  return extractors.flatMap(({ security }) => security ?? []);
}

/** Those whose schemes a handler names; all of them unless it names some. */
export function extractorsFor(
  extractors: readonly Extractor[],
  authentication: Authentication,
): readonly Extractor[] {
  if (typeof authentication !== "object") return extractors;
  return extractors.filter(
    ({ security }) => security !== undefined && authentication.includes(security.name),
  );
}

/** Why a handler cannot be guarded by these extractors; `undefined` if it can. */
export function unguarded(
  extractors: readonly Extractor[],
  authentication: Authentication,
): string | undefined {
  if (authentication === false) return undefined;
  if (extractors.length === 0) return "is protected, but the engine has no authenticator";
  if (typeof authentication !== "object") return undefined;
  const known = schemesOf(extractors).map(({ name }) => name);
  const other = authentication.find((name) => !known.includes(name));
  return other === undefined
    ? undefined
    : `asks for the security scheme ${quoted(other)}, which no extractor of the engine has`;
}

/**
 * The value of `WWW-Authenticate`, with which RFC 9110 requires a challenge of each scheme. A scheme without an HTTP name
 * uses its own name.
 */
export function challengeOf(extractors: readonly Extractor[]): string {
  const names = extractors.map(({ security }) => {
    const scheme = security?.scheme;
    if (scheme === undefined || scheme.type !== "http")
      return scheme?.type === "apiKey" ? "ApiKey" : "Bearer";
    return scheme.scheme.charAt(0).toUpperCase() + scheme.scheme.slice(1);
  });
  return names.length === 0 ? "Bearer" : [...new Set(names)].join(", ");
}
