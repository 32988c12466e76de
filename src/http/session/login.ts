/**
 * The beginning and the end of a login: the redirect to the authorisation server, and the return with its code (RFC
 * 6749, with PKCE of RFC 7636, the issuer of RFC 9207 and the advice of RFC 9700).
 */
import type { Request, Response } from "express";
import {
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  processAuthorizationCodeResponse,
  validateAuthResponse,
} from "oauth4webapi";
import { BadRequest, HttpError, Unauthorized } from "../contract/errors.js";
import { type Tokens, tokensOf } from "../oauth/client.js";
import { LoginRequired } from "../oauth/errors.js";
import { within } from "../outside/time-limit.js";
import { digest, equalDigests, newId } from "./cookies.js";
import { beginSession, stored, unavailable } from "./one-session.js";
import type { Settings } from "./settings.js";
import type { LoginState } from "./store.js";

/** The possible parameters of a callback, each at most once. */
interface CallbackQuery {
  readonly state?: string | undefined;
  readonly code?: string | undefined;
  readonly iss?: string | undefined;
  readonly error?: string | undefined;
}

/** The redirect target of the browser, with the data for its return. @throws HttpError 503 */
export async function beginLogin(
  settings: Settings,
  request: Request,
  response: Response,
  returnTo: string,
): Promise<string> {
  const { loginCookie, authorizationEndpoint, scopes } = settings;
  const state = newId();
  const verifier = generateRandomCodeVerifier();
  // One for all running logins of a browser: two tabs do not cancel each other.
  const browser = loginCookie.read(request) ?? newId();
  await stored(settings, () =>
    settings.store.putState(digest(state), {
      browser: digest(browser),
      verifier,
      returnTo,
      expiresAt: Date.now() + settings.loginMs,
    }),
  );
  loginCookie.write(response, browser);
  const url = new URL(authorizationEndpoint);
  const parameters = {
    response_type: "code",
    client_id: settings.client.client.client_id,
    redirect_uri: settings.redirectUri,
    // An empty scope is not a scope (RFC 6749, 3.3).
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The redirect target of the browser after login. @throws HttpError 400, 401, 503, and the errors of `resolve` */
export async function endLogin(
  settings: Settings,
  request: Request,
  response: Response,
  query: CallbackQuery,
  signal: AbortSignal,
): Promise<string> {
  const login = await takeLogin(settings, request, query.state);
  const tokens = await exchange(settings, login, query);
  await beginSession(settings, { request, response }, await resolved(settings, tokens, signal));
  return login.returnTo;
}

/** The login of the state, once, and only for the browser that began it. */
async function takeLogin(
  settings: Settings,
  request: Request,
  state: string | undefined,
): Promise<LoginState> {
  const browser = settings.loginCookie.read(request);
  if (state === undefined || browser === null || !/^[\w-]{43}$/.test(state)) throw unknownLogin;
  const login = await stored(settings, () => settings.store.takeState(digest(state)));
  if (login === null || !(Date.now() < login.expiresAt)) throw unknownLogin;
  if (!equalDigests(login.browser, digest(browser))) throw unknownLogin;
  return login;
}

const unknownLogin = BadRequest.withMessage("this login has expired, was used, or was begun elsewhere");
const oddAnswer = BadRequest.withMessage("the answer of the authorisation server is refused");
const refused = Unauthorized.withMessage("the login was refused");

async function exchange(settings: Settings, login: LoginState, query: CallbackQuery): Promise<Tokens> {
  const { client } = settings;
  const server = { ...client.server, issuer: expectedIssuer(settings, query.iss) };
  // An empty value is not an issuer, and not a missing one either.
  if (query.iss !== undefined && query.iss !== server.issuer) throw oddAnswer;
  if (query.error !== undefined) {
    if (query.error === "") throw oddAnswer;
    throw query.error === "server_error" || query.error === "temporarily_unavailable" ? unavailable : refused;
  }
  const answer = authorizationAnswer(settings, server, query);
  try {
    return await tokensOf(
      client,
      () =>
        authorizationCodeGrantRequest(
          server,
          client.client,
          client.authentication,
          answer,
          settings.redirectUri,
          login.verifier,
          client.request,
        ),
      (expected, response) => processAuthorizationCodeResponse(expected, client.client, response),
    );
  } catch (error) {
    throw (error instanceof LoginRequired ? refused : unavailable).withCause(error);
  }
}

/** The code, if the answer comes from the right server. */
function authorizationAnswer(
  { client }: Settings,
  server: AuthorizationServer,
  { code, iss }: CallbackQuery,
): URLSearchParams {
  if (code === undefined || code === "") throw oddAnswer;
  const parameters = new URLSearchParams({ code, ...(iss === undefined ? {} : { iss }) });
  try {
    return validateAuthResponse(server, client.client, parameters);
  } catch {
    throw oddAnswer;
  }
}

/** The configured issuer. Without one, an `iss` must at least have the origin of the login. */
function expectedIssuer({ authorizationEndpoint, client }: Settings, iss: string | undefined): string {
  if (client.issuer !== undefined) return client.issuer;
  if (iss === undefined) return client.server.issuer;
  if (!URL.canParse(iss) || new URL(iss).origin !== authorizationEndpoint.origin) throw oddAnswer;
  return iss;
}

async function resolved(
  { resolve, resolveTimeoutMs }: Settings,
  tokens: Tokens,
  gone: AbortSignal,
): Promise<unknown> {
  let limit: AbortSignal | undefined;
  try {
    return await within(
      resolveTimeoutMs,
      "resolve",
      (signal) => {
        limit = signal;
        return resolve(tokens, { signal });
      },
      gone,
    );
  } catch (error) {
    if (HttpError.is(error) || !limit?.aborted) throw error;
    throw unavailable.withCause(error);
  }
}
