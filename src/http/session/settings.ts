/** The configuration of sessions, checked once at program start, and the shared data of its handlers. */

import { DeclarationError, hasMethods, isList, isReadable } from "../../core/errors.js";
import { endpoint, known, type OptionNames, positive } from "../contract/configured.js";
import { type LoginOptions, type OAuthClient, oauthClient, readOAuth, type Tokens } from "../oauth/client.js";
import { COOKIE_OPTIONS, type CookieOptions, type SignedCookie, signedCookie, signKeys } from "./cookies.js";
import type { SessionData, SessionStore } from "./store.js";
import { ownPath } from "./targets.js";

/** The session's data about its user. */
export interface Resolved<Meta extends object> extends SessionData {
  readonly meta?: Meta | undefined;
}

/** The options of `sessions` without OAuth: the application begins and ends sessions itself. */
export interface OwnSessionsOptions<Store extends SessionStore = SessionStore> {
  readonly store: Store;
  readonly cookie: CookieOptions;
  readonly lifetimes?: Lifetimes;
  /** For one answer of the store; default 3,000. */
  readonly storeTimeoutMs?: number;
  readonly oauth?: undefined;
  readonly resolve?: undefined;
  readonly afterLogin?: undefined;
}

interface Lifetimes {
  /** A session ends after this time without use; default two hours. */
  readonly idleMs?: number;
  /** A session and its cookie end after this time; default 24 hours. */
  readonly absoluteMs?: number;
}

/** The options of `sessions`. */
export interface SessionsOptions<Meta extends object, Store extends SessionStore = SessionStore> {
  readonly oauth: LoginOptions;
  readonly store: Store;
  readonly cookie: CookieOptions;
  /** Identifies the owner of the tokens. A declared error such as `Forbidden` refuses the login. */
  readonly resolve: (
    tokens: Tokens,
    context: { readonly signal: AbortSignal },
  ) => Resolved<Meta> | Promise<Resolved<Meta>>;
  /** The redirect target after a login that names no other: a path. */
  readonly afterLogin: string;
  readonly lifetimes?: Lifetimes & {
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

const OWN_OPTIONS: OptionNames<
  Pick<OwnSessionsOptions, "store" | "cookie" | "lifetimes" | "storeTimeoutMs">
> = {
  store: true,
  cookie: true,
  lifetimes: true,
  storeTimeoutMs: true,
};
const OWN_LIFETIMES: OptionNames<Lifetimes> = { idleMs: true, absoluteMs: true };

/** A checked configuration of sessions. */
export interface SessionSettings {
  readonly store: SessionStore;
  readonly sessionCookie: SignedCookie;
  readonly idleMs: number;
  readonly absoluteMs: number;
  readonly storeTimeoutMs: number;
}

/** A checked configuration of sessions and the login before them. */
export interface Settings extends SessionSettings {
  readonly client: OAuthClient;
  readonly authorizationEndpoint: URL;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly resolve: (tokens: Tokens, context: { readonly signal: AbortSignal }) => unknown;
  readonly afterLogin: string;
  /** Ties a login to the browser that began it. */
  readonly loginCookie: SignedCookie;
  readonly loginMs: number;
  readonly resolveTimeoutMs: number;
}

const HOUR = 3_600_000;
const STORE_METHODS = ["putState", "takeState", "create", "get", "touch", "delete"] as const;

/** A copy of the options of sessions, each read once. @throws DeclarationError */
export function readSessions<Options extends object>(options: Options): Options {
  return known<object>(options, OPTIONS, "sessions") as Options;
}

/** @throws DeclarationError */
export function ownSettings(options: OwnSessionsOptions): SessionSettings {
  const { store, storeTimeoutMs, lifetimes: times = {}, ...given } = known(options, OWN_OPTIONS, "sessions");
  const cookie = known(given.cookie, COOKIE_OPTIONS, "cookie");
  const lifetimes = known(times, OWN_LIFETIMES, "lifetimes");
  return sessionSettings(store, cookie, signKeys(cookie), lifetimes, storeTimeoutMs);
}

function sessionSettings(
  store: SessionStore,
  cookie: CookieOptions,
  keys: ReturnType<typeof signKeys>,
  lifetimes: Lifetimes,
  storeTimeoutMs: number | undefined,
): SessionSettings {
  const absoluteMs = positive(lifetimes.absoluteMs, "absoluteMs", 24 * HOUR);
  return {
    store: completeStore(store),
    sessionCookie: signedCookie("sid", cookie, keys, absoluteMs),
    idleMs: positive(lifetimes.idleMs, "idleMs", 2 * HOUR),
    absoluteMs,
    storeTimeoutMs: positive(storeTimeoutMs, "storeTimeoutMs", 3_000),
  };
}

/** @throws DeclarationError */
export function checkedSettings<Meta extends object>(given: SessionsOptions<Meta>): Settings {
  const options = known(given, OPTIONS, "sessions");
  const { store, resolve, lifetimes: times = {} } = options;
  const oauth = readOAuth(options.oauth);
  const client = oauthClient(oauth);
  const cookie = known(options.cookie, COOKIE_OPTIONS, "cookie");
  const lifetimes = known(times, LIFETIMES, "lifetimes");
  const keys = signKeys(cookie);
  const own = sessionSettings(store, cookie, keys, lifetimes, options.storeTimeoutMs);
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
    ...own,
    client,
    authorizationEndpoint: endpoint(oauth.authorizationEndpoint, "authorizationEndpoint"),
    redirectUri: redirectUri(oauth.redirectUri),
    scopes,
    resolve,
    afterLogin: ownPath(options.afterLogin, "afterLogin"),
    loginCookie: signedCookie("login", cookie, keys, loginMs),
    loginMs,
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
