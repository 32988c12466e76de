/**
 * Step: who is calling, and whether they may. In this order: authentication, scopes, roles, usage limits; each
 * refuses where it cannot tell.
 */
import { Forbidden, TooManyRequests, Unauthorized } from "../errors.js";
import { events } from "../events.js";
import type { Identity, UsageLimit } from "../identity.js";
import type { AnyOptions } from "../options.js";
import { within } from "../time-limit.js";
import { type Exchange, toError } from "./exchange.js";

/** The caller, where the handler asks for one. @throws HttpError 401, 403, 429 */
export async function accessStep(exchange: Exchange, options: AnyOptions): Promise<Identity | null> {
  const identity = await authenticate(exchange, options.authentication === "optional");
  if (identity === null) return null;
  const caller = {
    ...exchange.facts(),
    identityId: identity.id,
    ...(identity.tenantId === undefined ? {} : { tenantId: identity.tenantId }),
  };
  events.emit("http.auth.succeeded", caller);
  const { scopes, roles, usageLimits } = options;
  if (!holds(scopes, (scope) => identity.hasScope(scope))) {
    events.emit("http.authz.scope.denied", { ...caller, requiredScopes: scopes });
    throw Forbidden.withMessage("insufficient scope");
  }
  if (!holds(roles, (role) => identity.hasRole(role))) {
    events.emit("http.authz.role.denied", { ...caller, requiredRoles: roles });
    throw Forbidden.withMessage("insufficient role");
  }
  if (scopes.length + roles.length > 0) events.emit("http.authz.succeeded", caller);
  for (const limit of usageLimits) {
    const currentValue = statistic(identity, limit.stat);
    const threshold = await thresholdOf(limit, identity);
    if (currentValue < threshold) continue;
    events.emit("http.ratelimit.exceeded", { ...caller, limitKey: limit.stat, currentValue, threshold });
    throw TooManyRequests;
  }
  return identity;
}

async function authenticate(exchange: Exchange, optional: boolean): Promise<Identity | null> {
  let error: Error;
  try {
    const identity: unknown = await extract(exchange);
    if (isSomebody(identity)) return identity;
    if (optional && isNobody(identity)) return null;
    error = new Error("the request carries no identity");
  } catch (thrown) {
    // What was thrown may hold a token or say what was wrong with it: events get it, the client does not.
    error = toError(thrown);
  }
  events.emit("http.auth.failed", { ...exchange.facts(), error });
  throw Unauthorized;
}

/** Extractors without types give `false`, `""` or a bare name where they mean somebody unproven. */
function isSomebody(value: unknown): value is Identity {
  return typeof value === "object" && value !== null && !isNobody(value);
}

/** One without an id, as `NoIdentity` is, is nobody's. */
function isNobody(value: unknown): boolean {
  return (
    value === null || value === undefined || (typeof value === "object" && "id" in value && value.id === "")
  );
}

/** Asks the extractor, no longer than the engine's patience and the client's presence. */
async function extract({ runtime, request, signal }: Exchange): Promise<Identity | null> {
  const { authenticate, identityMs } = runtime;
  if (authenticate === undefined) throw new Error("the engine has no authenticator");
  return within(
    identityMs,
    "the extractor",
    (patience) => authenticate(request, { signal: patience }),
    signal,
  );
}

/** Groups are joined by AND, the names within one by OR. */
function holds(groups: readonly (readonly string[])[], has: (name: string) => boolean): boolean {
  return groups.every((group) => group.some((name) => has(name) === true));
}

/** The identity's own number; what is missing is 0, what is no number is above every limit. */
function statistic({ stats }: Identity, name: string): number {
  const value: unknown = stats !== undefined && Object.hasOwn(stats, name) ? stats[name] : 0;
  return typeof value === "number" && !Number.isNaN(value) ? value : Number.POSITIVE_INFINITY;
}

/** A limit that throws or is not a number lets nobody through. */
async function thresholdOf(limit: UsageLimit, identity: Identity): Promise<number> {
  try {
    // A limit takes the identity of the engine it is registered on, which the compiler has checked there.
    const value: unknown = await limit.limit(identity as never);
    return typeof value === "number" && !Number.isNaN(value) ? value : Number.NEGATIVE_INFINITY;
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}
