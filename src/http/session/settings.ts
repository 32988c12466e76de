/** The configuration of sessions, checked once at program start, and the shared data of its handlers. */

import { DeclarationError, hasMethods, isList, isReadable } from "../../core/errors.js";
import { endpoint, known, type OptionNames, positive } from "../contract/configured.js";
import { type LoginOptions, type OAuthClient, oauthClient, type Tokens } from "../oauth/client.js";
import { COOKIE_OPTIONS, type CookieOptions, type SignedCookie, signedCookie, signKeys } from "./cookies.js";
import type { SessionData, SessionStore } from "./store.js";
import { ownPath } from "./targets.js";

/** The session's data about its user. */
export interface Resolved<Meta extends object> extends SessionData {
  readonly meta?: Meta | undefined;
}

/** The options of `sessions`. */
export interface SessionsOptions<Meta extends object> {
  readonly oauth: LoginOptions;
  readonly store: SessionStore;
  readonly cookie: CookieOptions;
  /** Identifies the owner of the tokens. A declared error such as `Forbidden` refuses the login. */
  readonly resolve: (
    tokens: Tokens,
    context: { readonly signal: AbortSignal },
  ) => Resolved<Meta> | Promise<Resolved<Meta>>;
  /** The redirect target after a login that names no other: a path. */
  readonly afterLogin: string;
  readonly lifetimes?: {
    /** A session ends after this time without use; default two hours. */
    readonly idleMs?: number;
    /** A session and its cookie end after this time; default 24 hours. */
    readonly absoluteMs?: number;
    /** From login to callback; default ten minutes. */
    readonly loginMs?: number;
  };
  /** For one answer of the store; default 3,000. */
  readonly storeTimeoutMs?: number;
  /** For `resolve`; default 10,000. */
  readonly resolveTimeoutMs?: number;
}

const OPTIONS: OptionNames<SessionsOptions<object>> = {
  oauth: true,
  store: true,
  cookie: true,
  resolve: true,
  afterLogin: true,
  lifetimes: true,
  storeTimeoutMs: true,
  resolveTimeoutMs: true,
};
const LIFETIMES: OptionNames<NonNullable<SessionsOptions<object>["lifetimes"]>> = {
  idleMs: true,
  absoluteMs: true,
  loginMs: true,
};

/** A checked configuration. */
export interface Settings {
  readonly client: OAuthClient;
  readonly authorizationEndpoint: URL;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly store: SessionStore;
  readonly resolve: (tokens: Tokens, context: { readonly signal: AbortSignal }) => unknown;
  readonly afterLogin: string;
  readonly sessionCookie: SignedCookie;
  /** Ties a login to the browser that began it. */
  readonly loginCookie: SignedCookie;
  readonly idleMs: number;
  readonly absoluteMs: number;
  readonly loginMs: number;
  readonly storeTimeoutMs: number;
  readonly resolveTimeoutMs: number;
}

const HOUR = 3_600_000;
const STORE_METHODS = ["putState", "takeState", "create", "get", "touch", "delete"] as const;

/** @throws DeclarationError */
export function checkedSettings<Meta extends object>(options: SessionsOptions<Meta>): Settings {
  known(options, OPTIONS, "sessions");
  const { oauth, store, cookie, resolve, lifetimes = {} } = options;
  const client = oauthClient(oauth);
  known(cookie, COOKIE_OPTIONS, "cookie");
  known(lifetimes, LIFETIMES, "lifetimes");
  const keys = signKeys(cookie);
  const absoluteMs = positive(lifetimes.absoluteMs, "absoluteMs", 24 * HOUR);
  const loginMs = positive(lifetimes.loginMs, "loginMs", HOUR / 6);
  if (typeof resolve !== "function") throw new DeclarationError("resolve is a function");
  const { scopes } = oauth;
  if (
    !isReadable(scopes) ||
    !isList(scopes) ||
    !scopes.every((scope) => typeof scope === "string" && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
  ) {
    throw new DeclarationError("scopes are a list of names");
  }
  return {
    client,
    authorizationEndpoint: endpoint(oauth.authorizationEndpoint, "authorizationEndpoint"),
    redirectUri: redirectUri(oauth.redirectUri),
    scopes,
    store: completeStore(store),
    resolve,
    afterLogin: ownPath(options.afterLogin, "afterLogin"),
    sessionCookie: signedCookie("sid", cookie, keys, absoluteMs),
    loginCookie: signedCookie("login", cookie, keys, loginMs),
    idleMs: positive(lifetimes.idleMs, "idleMs", 2 * HOUR),
    absoluteMs,
    loginMs,
    storeTimeoutMs: positive(options.storeTimeoutMs, "storeTimeoutMs", 3_000),
    resolveTimeoutMs: positive(options.resolveTimeoutMs, "resolveTimeoutMs", 10_000),
  };
}

/** The configured text: servers compare it character by character (RFC 9700, 2.1). */
function redirectUri(text: string): string {
  if (endpoint(text, "redirectUri").hash !== "") throw new DeclarationError("redirectUri has no fragment");
  return text;
}

function completeStore(store: SessionStore): SessionStore {
  for (const name of STORE_METHODS) {
    if (!hasMethods(store, [name])) throw new DeclarationError(`store needs a method ${name}`);
  }
  return store;
}
