/** One session: how it begins, whom it identifies, and how it ends. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { DeclarationError, hasMethods, isReadable } from "../../core/errors.js";
import { object } from "../contract/configured.js";
import { type AnyHttpError, ServiceUnavailable } from "../contract/errors.js";
import { type Identity, identity } from "../contract/identity.js";
import { within } from "../outside/time-limit.js";
import { digest, newId } from "./cookies.js";
import type { SessionSettings } from "./settings.js";
import type { UserSessionStore } from "./store.js";
import { storedData } from "./stored-data.js";

/** The user of a session. */
export interface SessionIdentity<Meta extends object = object> extends Identity {
  /** The `meta` that `resolve` returned, as JSON keeps it. */
  readonly meta: Meta | undefined;
  /** The key of the session in the store: deleting it there ends the session. It does not open the session. */
  readonly sessionKey: string;
}

/** The request and the response of a call. */
export interface SessionCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export const unavailable: AnyHttpError = ServiceUnavailable.withMessage("the login is not available");

/** A step of the store. One that fails or hangs ends the request. @throws HttpError 503 */
export async function stored<T>(settings: SessionSettings, step: () => Promise<T>): Promise<T> {
  try {
    return await within(settings.storeTimeoutMs, "the session store", step);
  } catch (error) {
    throw unavailable.withCause(error);
  }
}

/**
 * A new session in place of that of the request.
 * @throws DeclarationError for a user that cannot be stored, and for a response that has begun; HttpError 503
 */
export async function beginSession(
  settings: SessionSettings,
  call: SessionCall,
  user: unknown,
): Promise<void> {
  const { request, response } = checkedCall(call);
  const { store, sessionCookie } = settings;
  const data = storedData(user);
  if (response.headersSent) throw hasBegun();
  // A new id for every login: an id planted before the login is worthless.
  const old = sessionCookie.read(request);
  if (old !== null) await stored(settings, () => store.delete(digest(old)));
  const id = newId();
  const now = Date.now();
  await stored(settings, () =>
    store.create(digest(id), {
      data,
      createdAt: now,
      expiresAt: now + settings.absoluteMs,
      idleExpiresAt: now + settings.idleMs,
    }),
  );
  if (response.headersSent) {
    await stored(settings, () => store.delete(digest(id)));
    throw hasBegun();
  }
  sessionCookie.write(response, id);
}

/** @throws DeclarationError */
function checkedCall(call: SessionCall): SessionCall {
  const { request, response } = object(call, "the call of a session");
  if (!isReadable(request) || !hasMethods(response, ["appendHeader"]))
    throw new DeclarationError("a session takes { request, response }, of the call of its handler");
  return { request, response };
}

function hasBegun(): DeclarationError {
  return new DeclarationError("the response has begun: a session begins before it, because it sets a cookie");
}

/** Ends the session of the request, and clears its cookie if the response has not begun. @throws HttpError 503 */
export async function endSession(settings: SessionSettings, call: SessionCall): Promise<void> {
  const { request, response } = checkedCall(call);
  const id = settings.sessionCookie.read(request);
  if (id !== null) await stored(settings, () => settings.store.delete(digest(id)));
  if (!response.headersSent) settings.sessionCookie.clear(response);
}

/** Ends all sessions of a user. @throws DeclarationError for a store that cannot find them; HttpError 503 */
export async function endAllSessions(settings: SessionSettings, userId: string): Promise<void> {
  // Callers without types may have another one.
  const store = settings.store as UserSessionStore;
  if (typeof userId !== "string" || userId === "") throw new DeclarationError("a user has a userId");
  if (typeof store.deleteByUser !== "function")
    throw new DeclarationError("store needs a method deleteByUser");
  await stored(settings, () => store.deleteByUser(userId));
}

/** The user of the session; `null` if the session has ended. @throws HttpError 503 if the store fails */
export async function caller<Meta extends object>(
  settings: SessionSettings,
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
  // `resolve` or `begin` gave the data, and the application declares its type.
  return identity({ ...fields, id: userId, meta: meta as Meta | undefined, sessionKey: key });
}
