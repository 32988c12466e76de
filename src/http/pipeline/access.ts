/**
 * Step: authentication and authorisation, in this order: identity, scopes, roles, usage limits. Each refuses if it
 * cannot decide.
 */
import {
  type AnyHttpError,
  Forbidden,
  ServiceUnavailable,
  TooManyRequests,
  Unauthorized,
} from "../contract/errors.js";
import { type CallerEvent, events } from "../contract/events.js";
import {
  challengeOf,
  extractorsFor,
  type Identity,
  isAnonymous,
  isIdentity,
  type UsageLimit,
} from "../contract/identity.js";
import type { AnyOptions } from "../contract/options.js";
import { within } from "../outside/time-limit.js";
import { type Exchange, toError } from "./exchange.js";
import { couldNotLookUp, isRefusal } from "./lookup.js";

/** The wait time of a caller who could not be looked up. */
const RETRY_AFTER_S = 1;

/** An identity, and its names in events. */
interface Caller {
  readonly identity: Identity;
  readonly names: Pick<CallerEvent, "identityId" | "tenantId">;
}

/** The caller, if the handler requires one. @throws HttpError 401, 403, 429, 503 */
export async function accessStep(exchange: Exchange, options: AnyOptions): Promise<Identity | null> {
  const caller = await authenticate(exchange, options.authentication);
  if (caller === null) return null;
  const { identity, names } = caller;
  const facts = (): CallerEvent => exchange.facts(names);
  events.emitWith("http.auth.succeeded", facts);
  const { scopes, roles, usageLimits } = options;
  if (!holds(scopes, (scope) => identity.hasScope(scope))) {
    events.emitWith("http.authz.scope.denied", () => ({ ...facts(), requiredScopes: scopes }));
    throw Forbidden.withMessage("insufficient scope");
  }
  if (!holds(roles, (role) => identity.hasRole(role))) {
    events.emitWith("http.authz.role.denied", () => ({ ...facts(), requiredRoles: roles }));
    throw Forbidden.withMessage("insufficient role");
  }
  if (scopes.length + roles.length > 0) events.emitWith("http.authz.succeeded", facts);
  for (const limit of usageLimits) {
    const currentValue = statistic(identity, limit.stat);
    const threshold = await thresholdOf(exchange, limit, identity);
    if (currentValue < threshold) continue;
    events.emitWith("http.ratelimit.exceeded", () => ({
      ...facts(),
      limitKey: limit.stat,
      currentValue,
      threshold,
    }));
    throw TooManyRequests;
  }
  return identity;
}

async function authenticate(
  exchange: Exchange,
  authentication: AnyOptions["authentication"],
): Promise<Caller | null> {
  let error: Error;
  let refusal: AnyHttpError = Unauthorized;
  try {
    const given: unknown = await extract(exchange, authentication);
    if (isIdentity(given)) return { identity: given, names: namesOf(given) };
    if (authentication === "optional" && isAnonymous(given)) return null;
    error = new Error("the request carries no identity");
  } catch (thrown) {
    // The error may contain a token or say why it was refused. Events carry it; the client never gets it.
    error = toError(thrown);
    refusal = unidentified(exchange, thrown, error);
  }
  if (refusal === Unauthorized && typeof authentication === "object") {
    const asked = extractorsFor(exchange.runtime.extractors, authentication);
    exchange.response.setHeader("WWW-Authenticate", challengeOf(asked));
  }
  events.emitWith("http.auth.failed", () => exchange.facts({ error }));
  throw refusal;
}

/** The client's error for an error of the extractor. Failures are reported. */
function unidentified(exchange: Exchange, thrown: unknown, error: Error): AnyHttpError {
  // A shutdown of the engine aborts the extractor. The caller is then as unknown as in an outage.
  if (couldNotLookUp(thrown) || exchange.isAbort(thrown)) {
    exchange.failure = error;
    exchange.report(error);
    exchange.response.setHeader("Retry-After", RETRY_AFTER_S);
    return ServiceUnavailable;
  }
  if (!isRefusal(thrown)) exchange.reportSeldom(thrown);
  return Unauthorized;
}

function namesOf({ id, tenantId }: Identity): Caller["names"] {
  return tenantId === undefined ? { identityId: id } : { identityId: id, tenantId };
}

/**
 * Asks the extractors, until their time limit or the end of the request: the next one only if the one before it reports
 * an anonymous caller. A value that is no identity is passed on, and the caller refuses it.
 */
async function extract(
  { runtime, request, signal }: Exchange,
  authentication: AnyOptions["authentication"],
): Promise<Identity | null> {
  const { identityMs } = runtime;
  const asked = extractorsFor(runtime.extractors, authentication);
  if (asked.length === 0) throw new Error("the engine has no authenticator");
  const inTurn = async (limited: AbortSignal) => {
    for (const one of asked) {
      const given = await one(request, { signal: limited });
      if (!isAnonymous(given)) return given;
      limited.throwIfAborted();
    }
    return null;
  };
  return within(identityMs, "the extractor", inTurn, signal);
}

/** Groups are joined by AND, the names within one by OR. */
function holds(groups: readonly (readonly string[])[], has: (name: string) => boolean): boolean {
  return groups.every((group) => group.some((name) => has(name) === true));
}

/** A statistic of the identity: 0 if it is missing. A value that is not a number is above every limit. */
function statistic({ stats }: Identity, name: string): number {
  const value: unknown = stats !== undefined && Object.hasOwn(stats, name) ? stats[name] : 0;
  return typeof value === "number" && !Number.isNaN(value) ? value : Number.POSITIVE_INFINITY;
}

/** The limit. One that throws or is not a number refuses every caller. */
async function thresholdOf(exchange: Exchange, limit: UsageLimit, identity: Identity): Promise<number> {
  try {
    // A limit takes the identity of its engine; the compiler has checked that at registration.
    const value: unknown = await limit.limit(identity as never);
    return typeof value === "number" && !Number.isNaN(value) ? value : Number.NEGATIVE_INFINITY;
  } catch (thrown) {
    exchange.reportSeldom(thrown);
    return Number.NEGATIVE_INFINITY;
  }
}
