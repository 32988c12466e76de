/** Sessions: handlers for login, callback and logout, and the extractor that identifies the user. */

import type { Response } from "express";
import { z } from "zod";
import { known } from "../contract/configured.js";
import { BadRequest, Forbidden, ServiceUnavailable, Unauthorized } from "../contract/errors.js";
import { GET, type Handler, POST } from "../contract/handler.js";
import type { HandlerTypes } from "../contract/handler-types.js";
import { type Extractor, extractor, type Identity } from "../contract/identity.js";
import type { SignedCookie } from "./cookies.js";
import { beginLogin, endLogin } from "./login.js";
import {
  beginSession,
  caller,
  endAllSessions,
  endSession,
  type SessionCall,
  type SessionIdentity,
} from "./one-session.js";
import {
  checkedSettings,
  type OwnSessionsOptions,
  ownSettings,
  type Resolved,
  readSessions,
  type SessionSettings,
  type SessionsOptions,
} from "./settings.js";
import type { UserSessionStore } from "./store.js";
import { allowList, anyTarget } from "./targets.js";

/** Sessions that the application begins and ends itself. */
export interface OwnSessions<Meta extends object> {
  /** POST: ends the session and sends the browser to a path, or to an https URL. */
  logoutHandler<const Path extends string>(
    path: Path,
    options: { readonly redirectTo: string },
  ): SessionHandler<"POST", Path>;
  readonly extractor: Extractor<SessionIdentity<Meta>>;
  /**
   * Begins a session, after a password, a link, an invitation: a new id in its cookie. The session that the request
   * brought ends.
   * @throws DeclarationError for a response that has begun, and a user that JSON cannot keep; `ServiceUnavailable` if the
   *   store fails
   */
  begin(call: SessionCall, user: Resolved<Meta>): Promise<void>;
  /** Ends the session that the request brought, and clears its cookie. @throws `ServiceUnavailable` if the store fails */
  end(call: SessionCall): Promise<void>;
}

/** What sessions have whose store finds those of a user. */
export interface EndsAll {
  /** Ends all sessions of a user, on every machine that has the store. @throws `ServiceUnavailable` if the store fails */
  endAll(userId: string): Promise<void>;
}

/** Handlers and extractor of one configuration. */
export interface Sessions<Meta extends object> extends OwnSessions<Meta> {
  /** GET: sends the browser to the authorisation server. `?return_to=` counts if the list contains it. */
  loginHandler<const Path extends string>(
    path: Path,
    options?: { readonly returnTo?: readonly string[] },
  ): SessionHandler<"GET", Path>;
  /** GET: the authorisation server sends the browser back to it. */
  callbackHandler<const Path extends string>(path: Path): SessionHandler<"GET", Path>;
}

/** A handler that answers with a redirection. */
export type SessionHandler<M extends string, Path extends string> = Handler<M, Path, HandlerTypes, Identity>;

const errors = [BadRequest, Unauthorized, Forbidden, ServiceUnavailable] as const;

/**
 * Sessions with a cookie that is signed and a store: by login at an OAuth 2.0 server, or without `oauth` by the
 * application's own ways to log in.
 * @throws DeclarationError for a key under 32 bytes, an endpoint that is not https, and the like
 * @example
 * import { memoryStore, sessions } from "rowtype/http/session";
 * const login = sessions({ oauth, store: memoryStore(), cookie: { signKey }, resolve, afterLogin: "/" });
 * const api = createEngine()
 *   .withAuthenticator(login.extractor)
 *   .withHandlers(login.loginHandler("/login"), login.callbackHandler("/callback"));
 */
export function sessions<Meta extends object = object>(
  options: SessionsOptions<Meta, UserSessionStore>,
): Sessions<Meta> & EndsAll;
export function sessions<Meta extends object = object>(options: SessionsOptions<Meta>): Sessions<Meta>;
export function sessions<Meta extends object = object>(
  options: OwnSessionsOptions<UserSessionStore>,
): OwnSessions<Meta> & EndsAll;
export function sessions<Meta extends object = object>(options: OwnSessionsOptions): OwnSessions<Meta>;
export function sessions<Meta extends object>(
  options: OwnSessionsOptions | SessionsOptions<Meta>,
): OwnSessions<Meta> {
  const given = readSessions(options);
  if (isOwn(given)) return ownSessions(ownSettings(given), []);
  const settings = checkedSettings(given);
  const login: Sessions<Meta> & EndsAll = {
    ...ownSessions<Meta>(settings, [settings.loginCookie]),
    loginHandler: (path, options = {}) => {
      const { returnTo = [] } = known(options, { returnTo: true }, "loginHandler");
      const allowed = allowList(returnTo);
      const query = { return_to: z.string().optional() };
      return made<"GET", typeof path>(
        GET(
          path,
          { summary: "Begins a login", status: 302, query, errors },
          async ({ params, request, response }) => {
            keepPrivate(response);
            const target = allowed(params.query.return_to) ?? settings.afterLogin;
            redirect(response, 302, await beginLogin(settings, request, response, target));
          },
        ),
      );
    },
    callbackHandler: (path) => {
      const one = z.string().max(4_096).optional();
      const query = { state: one, code: one, iss: one, error: one };
      return made<"GET", typeof path>(
        GET(
          path,
          { summary: "Ends a login", status: 302, query, errors },
          async ({ params, request, response, signal }) => {
            keepPrivate(response);
            redirect(response, 302, await endLogin(settings, request, response, params.query, signal));
          },
        ),
      );
    },
  };
  return login;
}

/** Without any of the options of a login. */
function isOwn<Meta extends object>(
  options: OwnSessionsOptions | SessionsOptions<Meta>,
): options is OwnSessionsOptions {
  return options.oauth === undefined && options.resolve === undefined && options.afterLogin === undefined;
}

/** @param others cookies that a logout clears too. */
function ownSessions<Meta extends object>(
  settings: SessionSettings,
  others: readonly SignedCookie[],
): OwnSessions<Meta> & EndsAll {
  return {
    logoutHandler: (path, options) => {
      const { redirectTo } = known(options, { redirectTo: true }, "logoutHandler");
      const target = anyTarget(redirectTo, "redirectTo");
      return made<"POST", typeof path>(
        POST(path, { summary: "Ends the session", status: 303, errors }, async ({ request, response }) => {
          keepPrivate(response);
          // Browsers do not send the cookie with a request from another site, and also mark such a request.
          if (request.headers["sec-fetch-site"] === "cross-site") throw Forbidden;
          await endSession(settings, { request, response });
          for (const cookie of others) cookie.clear(response);
          redirect(response, 303, target);
        }),
      );
    },
    begin: (call, user) => beginSession(settings, call, user),
    end: (call) => endSession(settings, call),
    endAll: (userId) => endAllSessions(settings, userId),
    extractor: extractor((request) => caller<Meta>(settings, settings.sessionCookie.read(request)), {
      name: "sessionCookie",
      scheme: {
        type: "apiKey",
        in: "cookie",
        name: settings.sessionCookie.name,
        description: "A login sets it, and the browser sends it: there is nothing to enter.",
      },
    }),
  };
}

/** Clients see a redirection, not the declaration that makes it. */
function made<M extends string, Path extends string>(handler: Handler<M, Path, unknown, Identity>) {
  return handler as SessionHandler<M, Path>;
}

/** Caches must not keep these answers, and the next site must not get an address with a code. */
function keepPrivate(response: Response): void {
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("Referrer-Policy", "no-referrer");
}

function redirect(response: Response, status: number, target: string): void {
  response.writeHead(status, { Location: target }).end();
}
