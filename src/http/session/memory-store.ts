/**
 * A store in the memory of one process: for development, tests, and single processes that may lose their sessions.
 */
import { Lru } from "../../core/lru.js";
import { known, type OptionNames, object, positive } from "../contract/configured.js";
import type { LoginState, SessionStore, StoredSession } from "./store.js";

/** The limits of the store. Above them the least recently used logins and sessions are removed. */
export interface MemoryStoreOptions {
  /** Default 10,000. */
  readonly maxLogins?: number;
  /** Default 100,000. */
  readonly maxSessions?: number;
}

const OPTIONS: OptionNames<MemoryStoreOptions> = { maxLogins: true, maxSessions: true };

/**
 * A bounded store in memory, which removes expired entries.
 * @throws DeclarationError for a limit that is not a number above 0
 */
export function memoryStore(options: MemoryStoreOptions = {}): SessionStore {
  known(options, OPTIONS, "memoryStore");
  const logins = bounded<LoginState>(positive(options.maxLogins, "maxLogins", 10_000));
  const sessions = bounded<StoredSession>(positive(options.maxSessions, "maxSessions", 100_000));
  return {
    putState: async (key, state) => logins.set(key, state, object(state, "the fields of a login").expiresAt),
    takeState: async (key) => {
      const state = logins.get(key);
      logins.delete(key);
      return state;
    },
    create: async (key, session) =>
      sessions.set(key, session, lastMoment(object(session, "the fields of a session"))),
    get: async (key) => sessions.get(key),
    touch: async (key, idleExpiresAt) => {
      const session = sessions.get(key);
      if (session === null) return;
      const touched = { ...session, idleExpiresAt };
      sessions.set(key, touched, lastMoment(touched));
    },
    delete: async (key) => sessions.delete(key),
  };
}

function lastMoment({ expiresAt, idleExpiresAt }: StoredSession): number {
  return Math.min(expiresAt, idleExpiresAt);
}

/** The entries, at most `max`. They are text: no caller can change the stored data. */
function bounded<T>(max: number): {
  set(key: string, value: T, expiresAt: number): void;
  get(key: string): T | null;
  delete(key: string): void;
} {
  const entries = new Lru<string, { readonly text: string; readonly expiresAt: number }>({ max });
  let changes = 0;
  const sweep = () => {
    const now = Date.now();
    for (const [key, { expiresAt }] of entries.entries()) if (expiresAt <= now) entries.delete(key);
  };
  return {
    set(key, value, expiresAt) {
      if (++changes % 1_000 === 0) sweep();
      entries.set(key, { text: JSON.stringify(value), expiresAt });
    },
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined || entry.expiresAt <= Date.now()) return null;
      // `set` made the text from such a value.
      return JSON.parse(entry.text) as T;
    },
    delete: (key) => void entries.delete(key),
  };
}
