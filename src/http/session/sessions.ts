/** Sessions: handlers for login, callback and logout, and the extractor that identifies the user. */

import type { Response } from "express";
import { z } from "zod";
import { known } from "../contract/configured.js";
import { BadRequest, Forbidden, ServiceUnavailable, Unauthorized } from "../contract/errors.js";
import { GET, type Handler, POST } from "../contract/handler.js";
import type { HandlerTypes } from "../contract/handler-types.js";
import { type Extractor, extractor, type Identity, identity } from "../contract/identity.js";
import { digest } from "./cookies.js";
import { beginLogin, endLogin, stored } from "./login.js";
import { checkedSettings, type SessionsOptions, type Settings } from "./settings.js";
import { storedData } from "./stored-data.js";
import { allowList, anyTarget } from "./targets.js";

/** The user of a session. */
export interface SessionIdentity<Meta extends object = object> extends Identity {
  /** The `meta` that `resolve` returned, as JSON keeps it. */
  readonly meta: Meta | undefined;
  /** The key of the session in the store: deleting it there ends the session. It does not open the session. */
  readonly sessionKey: string;
}

/** Handlers and extractor of one configuration. */
export interface Sessions<Meta extends object> {
  /** GET: sends the browser to the authorisation server. `?return_to=` counts if the list contains it. */
  loginHandler<const Path extends string>(
    path: Path,
    options?: { readonly returnTo?: readonly string[] },
  ): SessionHandler<"GET", Path>;
  /** GET: the authorisation server sends the browser back to it. */
  callbackHandler<const Path extends string>(path: Path): SessionHandler<"GET", Path>;
  /** POST: ends the session and sends the browser to a path, or to an https URL. */
  logoutHandler<const Path extends string>(
    path: Path,
    options: { readonly redirectTo: string },
  ): SessionHandler<"POST", Path>;
  readonly extractor: Extractor<SessionIdentity<Meta>>;
}

/** A handler that answers with a redirection. */
export type SessionHandler<M extends string, Path extends string> = Handler<M, Path, HandlerTypes, Identity>;

const errors = [BadRequest, Unauthorized, Forbidden, ServiceUnavailable] as const;

/**
 * Sessions by OAuth 2.0, with a cookie that is signed and a store.
 * @throws DeclarationError for a key under 32 bytes, an endpoint that is not https, and the like
 * @example
 * import { memoryStore, sessions } from "rowtype/http/session";
 * const login = sessions({ oauth, store: memoryStore(), cookie: { signKey }, resolve, afterLogin: "/" });
 * const api = createEngine()
 *   .withAuthenticator(login.extractor)
 *   .withHandlers(login.loginHandler("/login"), login.callbackHandler("/callback"));
 */
export function sessions<Meta extends object = object>(options: SessionsOptions<Meta>): Sessions<Meta> {
  const settings = checkedSettings(options);
  return {
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
    logoutHandler: (path, options) => {
      const { redirectTo } = known(options, { redirectTo: true }, "logoutHandler");
      const target = anyTarget(redirectTo, "redirectTo");
      return made<"POST", typeof path>(
        POST(path, { summary: "Ends the session", status: 303, errors }, async ({ request, response }) => {
          keepPrivate(response);
          // Browsers do not send the cookie with a request from another site, and also mark such a request.
          if (request.headers["sec-fetch-site"] === "cross-site") throw Forbidden;
          const id = settings.sessionCookie.read(request);
          if (id !== null) await stored(settings, () => settings.store.delete(digest(id)));
          settings.sessionCookie.clear(response);
          settings.loginCookie.clear(response);
          redirect(response, 303, target);
        }),
      );
    },
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

/** The user of the session; `null` if the session has ended. @throws HttpError 503 if the store fails */
async function caller<Meta extends object>(
  settings: Settings,
  id: string | null,
): Promise<SessionIdentity<Meta> | null> {
  if (id === null) return null;
  const { store, idleMs } = settings;
  const key = digest(id);
  const session = await stored(settings, () => store.get(key));
  const now = Date.now();
  if (session === null || !(now < session.expiresAt) || !(now < session.idleExpiresAt)) return null;
  // Not at every request: up to a tenth of the time may go unnoticed.
  if (session.idleExpiresAt - now < idleMs * 0.9) {
    await stored(settings, () => store.touch(key, now + idleMs));
  }
  const { userId, meta, ...fields } = storedData(session.data);
  // `resolve` returned the data, and the application declares its type.
  return identity({ ...fields, id: userId, meta: meta as Meta | undefined, sessionKey: key });
}
