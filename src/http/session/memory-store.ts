/**
 * A store in the memory of one process: for development, tests, and single processes that may lose their sessions.
 */
import { Lru } from "../../core/lru.js";
import { known, type OptionNames, object, positive } from "../contract/configured.js";
import type { LoginState, StoredSession, UserSessionStore } from "./store.js";

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
export function memoryStore(options: MemoryStoreOptions = {}): UserSessionStore {
  const { maxLogins, maxSessions } = known(options, OPTIONS, "memoryStore");
  const logins = bounded<LoginState>(positive(maxLogins, "maxLogins", 10_000));
  const sessions = bounded<StoredSession>(positive(maxSessions, "maxSessions", 100_000));
  return {
    putState: async (key, given) => {
      const state = object(given, "the fields of a login");
      logins.set(key, state, state.expiresAt);
    },
    takeState: async (key) => {
      const state = logins.get(key);
      logins.delete(key);
      return state;
    },
    create: async (key, given) => {
      const session = object(given, "the fields of a session");
      sessions.set(key, session, lastMoment(session), session.data?.userId);
    },
    get: async (key) => sessions.get(key),
    touch: async (key, idleExpiresAt) => {
      const session = sessions.get(key);
      if (session === null) return;
      const touched = { ...session, idleExpiresAt };
      sessions.set(key, touched, lastMoment(touched), touched.data.userId);
    },
    delete: async (key) => sessions.delete(key),
    deleteByUser: async (userId) => sessions.deleteOf(userId),
  };
}

function lastMoment({ expiresAt, idleExpiresAt }: StoredSession): number {
  return Math.min(expiresAt, idleExpiresAt);
}

/** The entries, at most `max`. They are text: no caller can change the stored data. */
function bounded<T>(max: number): {
  set(key: string, value: T, expiresAt: number, owner?: string): void;
  get(key: string): T | null;
  delete(key: string): void;
  /** Removes the entries of an owner. It looks at all of them. */
  deleteOf(owner: string): void;
} {
  const entries = new Lru<string, Entry>({ max });
  let changes = 0;
  const sweep = () => {
    const now = Date.now();
    for (const [key, { expiresAt }] of entries.entries()) if (expiresAt <= now) entries.delete(key);
  };
  return {
    set(key, value, expiresAt, owner) {
      if (++changes % 1_000 === 0) sweep();
      entries.set(key, { text: JSON.stringify(value), expiresAt, owner });
    },
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined || entry.expiresAt <= Date.now()) return null;
      // `set` made the text from such a value.
      return JSON.parse(entry.text) as T;
    },
    delete: (key) => void entries.delete(key),
    deleteOf(owner) {
      for (const [key, entry] of entries.entries()) if (entry.owner === owner) entries.delete(key);
    },
  };
}

interface Entry {
  readonly text: string;
  readonly expiresAt: number;
  readonly owner: string | undefined;
}
