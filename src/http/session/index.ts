/** `rowtype/http/session`: sessions with a signed cookie, by login at an OAuth 2.0 authorisation server. */
export type { LoginOptions, Tokens } from "../oauth/client.js";
export type { CookieOptions } from "./cookies.js";
export { type MemoryStoreOptions, memoryStore } from "./memory-store.js";
export type { SessionCall, SessionIdentity } from "./one-session.js";
export {
  type EndsAll,
  type OwnSessions,
  type SessionHandler,
  type Sessions,
  sessions,
} from "./sessions.js";
export type { OwnSessionsOptions, Resolved, SessionsOptions } from "./settings.js";
export type { LoginState, SessionData, SessionStore, StoredSession, UserSessionStore } from "./store.js";
