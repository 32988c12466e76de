/**
 * The store of begun logins and of sessions. Its keys are SHA-256 digests of the ids in the browsers: a reader of the
 * store cannot use them. Times are milliseconds since 1970.
 */

/** A login that has begun. */
export interface LoginState {
  /** Digest of the id in the browser that began the login. */
  readonly browser: string;
  /** The code verifier of PKCE. */
  readonly verifier: string;
  readonly returnTo: string;
  readonly expiresAt: number;
}

/** The logged-in user. Data without a JSON form is lost. */
export interface SessionData {
  readonly userId: string;
  readonly tenantId?: string | undefined;
  readonly email?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly meta?: object | undefined;
}

/** A session. */
export interface StoredSession {
  readonly data: SessionData;
  readonly createdAt: number;
  /** The end of the session even if it is used. */
  readonly expiresAt: number;
  /** The end of the session unless it is used. */
  readonly idleExpiresAt: number;
}

/** A store. If it throws or does not answer, no session is accepted, and the answer is a 503. */
export interface SessionStore {
  /** Stores a login. A store limits their number. */
  putState(key: string, state: LoginState): Promise<void>;
  /** Returns a login and removes it in one step: among concurrent callers, one gets it. */
  takeState(key: string): Promise<LoginState | null>;
  create(key: string, session: StoredSession): Promise<void>;
  get(key: string): Promise<StoredSession | null>;
  /** Changes `idleExpiresAt` of an existing session; never creates one. */
  touch(key: string, idleExpiresAt: number): Promise<void>;
  delete(key: string): Promise<void>;
}

/** A store that finds the sessions of a user. */
export interface UserSessionStore extends SessionStore {
  /** Removes all sessions whose `data` have this `userId`. */
  deleteByUser(userId: string): Promise<void>;
}
