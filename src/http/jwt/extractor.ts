/**
 * The extractor of `rowtype/http/jwt`: reads the bearer token, verifies it with jose, and maps its claims. A token's
 * text is never used as a key: different texts can be the same token.
 */
import { decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from "jose";
import { DeclarationError, isList, listed, quoted } from "../../core/errors.js";
import { endpoint, filled, known, type OptionNames, positive } from "../contract/configured.js";
import { type Extractor, extractor, type Identity, identity } from "../contract/identity.js";
import { PUBLIC_KEY_ALGORITHMS } from "../contract/signature-algorithms.js";
import { type ClaimPaths, type Claims, fieldsOf } from "./claims.js";
import { type FindKey, keySet } from "./key-set.js";
import { TokenError } from "./token-error.js";

/** The accepted tokens, and the paths of their claims. */
export interface JwtOptions {
  /** The host of the issuer, as in `example.eu.auth0.com`. */
  readonly domain: string;
  /** The audience of the tokens: their `aud` must be this, or any one of a list. */
  readonly audience: string | readonly string[];
  /** Path of the roles, default `roles`: a list, or a text that is one role. */
  readonly rolesClaim?: string;
  /** Path of the scopes, default `scope`, then `scp`: a list, or a text separated by blanks. */
  readonly scopesClaim?: string;
  /** Path of the tenant; without it identities have no tenant. */
  readonly tenantClaim?: string;
  /** Default `https://{domain}/`. */
  readonly issuer?: string;
  /** Default `https://{domain}/.well-known/jwks.json`. */
  readonly jwksUri?: string;
  /** Default `["RS256"]`; asymmetric ones only. */
  readonly algorithms?: readonly string[];
  /** Tolerance for `exp` and `nbf` in seconds; default 0. */
  readonly clockToleranceS?: number;
  /** For an answer of the key endpoint; default 3,000. */
  readonly timeoutMs?: number;
  /** The key endpoint is requested at most twice within it; default 30,000. */
  readonly cooldownMs?: number;
  /** After it the keys are fetched again; if that fails, the old keys stay valid; default 600,000. */
  readonly cacheMaxAgeMs?: number;
  readonly fetch?: typeof fetch;
}

/** The caller that a token names, with the token's verified claims. */
export interface JwtIdentity extends Identity {
  readonly claims: Claims;
}

const OPTIONS: OptionNames<JwtOptions> = {
  domain: true,
  audience: true,
  rolesClaim: true,
  scopesClaim: true,
  tenantClaim: true,
  issuer: true,
  jwksUri: true,
  algorithms: true,
  clockToleranceS: true,
  timeoutMs: true,
  cooldownMs: true,
  cacheMaxAgeMs: true,
  fetch: true,
};
const MAX_KEY_SET_BYTES = 512 * 1024;

/**
 * An extractor of bearer tokens of one issuer.
 * @throws DeclarationError for an empty domain or audience, and for every other setting that could not guard anything.
 * @example
 * import { createEngine } from "rowtype/http";
 * import { jwtExtractor } from "rowtype/http/jwt";
 * const api = createEngine().withAuthenticator(
 *   jwtExtractor({ domain: "example.eu.auth0.com", audience: "https://api.example.com" }),
 * );
 */
export function jwtExtractor(given: JwtOptions): Extractor<JwtIdentity> {
  const options = known(given, OPTIONS, "jwtExtractor");
  const host = hostOf(options.domain);
  const verify = verifyOptions(options, host);
  const paths = claimPaths(options);
  const findKey = keySet({
    url: endpoint(options.jwksUri ?? `https://${host}/.well-known/jwks.json`, "jwksUri"),
    fetch: options.fetch,
    timeoutMs: positive(options.timeoutMs, "timeoutMs", 3_000),
    maxBytes: MAX_KEY_SET_BYTES,
    cooldownMs: positive(options.cooldownMs, "cooldownMs", 30_000),
    maxAgeMs: positive(options.cacheMaxAgeMs, "cacheMaxAgeMs", 600_000),
  });
  return extractor(
    async (request) => {
      // A direct caller may pass a value other than a request, which has no token.
      const token = bearerToken(request?.headers?.authorization);
      if (token === null) return null;
      const claims = await verified(token, findKey, verify);
      const { sub } = claims;
      // jose has checked that it exists; it may have any type.
      if (typeof sub !== "string" || sub.trim() === "") {
        throw new TokenError("INVALID_TOKEN", "the subject of the token is not text, or is empty");
      }
      return identity({ ...fieldsOf(claims, sub, paths), claims: Object.freeze(claims) });
    },
    { name: "bearerAuth", scheme: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
  );
}

/** The token of the header; `null` if the client sends none. */
function bearerToken(header: string | undefined): string | null {
  const [, scheme, token = ""] = /^([^ ]*) *(.*)$/.exec(header ?? "") ?? [];
  if (scheme?.toLowerCase() !== "bearer") return null;
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) {
    throw new TokenError("INVALID_TOKEN", "the bearer token is not a signed JWT");
  }
  return token;
}

async function verified(token: string, findKey: FindKey, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return await payloadOf(token, findKey, options);
  } catch (error) {
    if (error instanceof TokenError) throw error;
    // jose's errors contain the claims: only their code is kept.
    const what = error instanceof errors.JOSEError ? error.code : "the key does not fit";
    const claim = error instanceof errors.JWTClaimValidationFailed ? ` (${error.claim})` : "";
    throw new TokenError("INVALID_TOKEN", `the token is refused: ${what}${claim}`);
  }
}

const CLAIM_ERRORS = [errors.JWTExpired, errors.JWTClaimValidationFailed, errors.JWTInvalid] as const;

/**
 * The verified claims. Keys of a set should have different ids, but need not (RFC 7517, 4.5). If several have the
 * token's id, they are tried in turn.
 */
async function payloadOf(token: string, findKey: FindKey, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, findKey, options)).payload;
  } catch (several) {
    if (!(several instanceof errors.JWKSMultipleMatchingKeys)) throw several;
    // A token without an id matches none of several keys.
    if (typeof decodeProtectedHeader(token).kid !== "string") throw several;
    for await (const key of several) {
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (error) {
        // Claims are checked after the signature was verified. Any other error concerns this key.
        if (CLAIM_ERRORS.some((claimError) => error instanceof claimError)) throw error;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function verifyOptions(options: JwtOptions, host: string): JWTVerifyOptions {
  const { audience, algorithms = ["RS256"], clockToleranceS = 0 } = options;
  const audiences: readonly unknown[] = isList(audience) ? audience : [audience];
  if (audiences.length === 0) throw new DeclarationError("audience is a non-empty list");
  if (!isList(algorithms) || algorithms.length === 0) {
    throw new DeclarationError("algorithms are a non-empty list");
  }
  for (const name of algorithms) {
    if (!PUBLIC_KEY_ALGORITHMS.includes(name)) {
      throw new DeclarationError(`algorithm ${quoted(name)} is not one of ${listed(PUBLIC_KEY_ALGORITHMS)}`);
    }
  }
  if (typeof clockToleranceS !== "number" || !(clockToleranceS >= 0) || clockToleranceS > 600) {
    throw new DeclarationError("clockToleranceS is a number of seconds from 0 to 600");
  }
  return {
    algorithms: [...algorithms],
    audience: audiences.map((one) => filled(one, "audience")),
    issuer: options.issuer === undefined ? `https://${host}/` : filled(options.issuer, "issuer"),
    // jose checks the expiry of tokens that have one; without this, a token without one would never expire.
    requiredClaims: ["exp", "sub"],
    clockTolerance: clockToleranceS,
  };
}

function claimPaths({ rolesClaim, scopesClaim, tenantClaim }: JwtOptions): ClaimPaths {
  return {
    roles: rolesClaim === undefined ? "roles" : filled(rolesClaim, "rolesClaim"),
    scopes: scopesClaim === undefined ? ["scope", "scp"] : [filled(scopesClaim, "scopesClaim")],
    tenant: tenantClaim === undefined ? undefined : filled(tenantClaim, "tenantClaim"),
  };
}

function hostOf(domain: unknown): string {
  const text = filled(domain, "domain");
  if (!/^[a-z0-9.-]+(:\d+)?$/i.test(text)) {
    throw new DeclarationError(`domain is a host name, without scheme or path, not ${quoted(domain)}`);
  }
  return text;
}
