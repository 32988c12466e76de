/**
 * The claims of a verified token as the fields of an identity. Claims of an unexpected shape give less, never more: no
 * code searches for a part of a text.
 */
import type { IdentityFields } from "../contract/identity.js";

/** Verified claims. */
export type Claims = Readonly<Record<string, unknown>>;

/** The paths of claims without a fixed name. */
export interface ClaimPaths {
  readonly roles: string;
  /** The first existing one counts. */
  readonly scopes: readonly string[];
  readonly tenant: string | undefined;
}

/** The fields; the subject has been checked. */
export function fieldsOf(claims: Claims, subject: string, paths: ClaimPaths): IdentityFields {
  const tenantId = paths.tenant === undefined ? undefined : tenantOf(claimAt(claims, paths.tenant));
  const email = claims["email"];
  const scopes = paths.scopes.map((path) => claimAt(claims, path)).find((value) => value !== undefined);
  return {
    id: subject,
    scopes: listOf(scopes, (text) => text.split(" ")),
    roles: listOf(claimAt(claims, paths.roles), (text) => [text]),
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(typeof email === "string" && isVerified(claims["email_verified"]) ? { email } : {}),
  };
}

/**
 * A claim by its path: `org.id` is the `id` in `org`. A name that contains dots, such as `https://example.com/roles`,
 * is found directly.
 */
function claimAt(claims: unknown, path: string): unknown {
  if (typeof claims !== "object" || claims === null) return undefined;
  // Any name of an object that is not null can be read; the value is unknown.
  const own = claims as Claims;
  if (Object.hasOwn(own, path)) return own[path];
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const first = path.slice(0, dot);
    if (!Object.hasOwn(own, first)) continue;
    const found = claimAt(own[first], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An address that the issuer reports as unverified may be anybody's. Some issuers report it as text. */
function isVerified(claim: unknown): boolean {
  return claim === undefined || claim === true || claim === "true";
}

function listOf(value: unknown, split: (text: string) => string[]): string[] {
  const list: readonly unknown[] =
    typeof value === "string" ? split(value) : Array.isArray(value) ? value : [];
  return list.filter((name): name is string => typeof name === "string" && name !== "");
}

function tenantOf(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
