/**
 * A store in a database of rowtype: sessions survive restarts, and any number of machines share them. It is the one
 * place where the two halves of the package meet. It uses only the public API of the SQL half.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { column, type Database, table } from "../../../index.js";
import { known, type OptionNames, object, positive } from "../../contract/configured.js";
import { DeclarationError } from "../../contract/errors.js";
import type { StoredSession, UserSessionStore } from "../store.js";

/** Limits of a store. */
export interface SqlStoreOptions {
  /** For running logins. Above it the oldest are removed. Default 100,000. */
  readonly maxLogins?: number;
}

/** A store with tables. */
export interface SqlStore extends UserSessionStore {
  /** Creates missing tables: once, before the first login. */
  createTables(): Promise<void>;
  /** Removes expired entries. The store also does this from time to time. */
  removeExpired(): Promise<void>;
}

// A digest in hexadecimal.
const key = column(z.string().max(64), { primaryKey: true });

const Logins = table(
  "rowtype_logins",
  z.object({
    key,
    browser: z.string().max(64),
    verifier: z.string().max(128),
    returnTo: column(z.string().max(2_048), { name: "return_to" }),
    expiresAt: column(z.int(), { name: "expires_at", index: true }),
  }),
);

const Sessions = table(
  "rowtype_sessions",
  z.object({
    key,
    // It is text because it is only read as a whole. Oracle's ordinary text ends at 4,000 bytes.
    data: column(z.string(), { type: { oracle: "CLOB" } }),
    // A digest: an id of any length, whose letters no collation takes for others.
    userKey: column(z.string().max(64), { name: "user_key", index: true }),
    createdAt: column(z.int(), { name: "created_at" }),
    expiresAt: column(z.int(), { name: "expires_at", index: true }),
    idleExpiresAt: column(z.int(), { name: "idle_expires_at", index: true }),
  }),
);

const OPTIONS: OptionNames<SqlStoreOptions> = { maxLogins: true };

/** One login in this many removes expired entries. */
const TIDY_EVERY = 100;

/**
 * A store in two tables, `rowtype_logins` and `rowtype_sessions`.
 * @throws DeclarationError for something that is not a database
 * @example
 * import { sqlStore } from "rowtype/http/session/sql";
 * const store = sqlStore(db);
 * await store.createTables();
 */
export function sqlStore(db: Database, options: SqlStoreOptions = {}): SqlStore {
  object(db, "the database of sqlStore");
  if (typeof db.repository !== "function") throw new DeclarationError("sqlStore needs a database of rowtype");
  const { maxLogins: most } = known(options, OPTIONS, "sqlStore");
  const maxLogins = Math.ceil(positive(most, "maxLogins", 100_000));
  const logins = db.repository(Logins);
  const sessions = db.repository(Sessions);
  if (typeof logins?.insert !== "function")
    throw new DeclarationError("sqlStore needs a database of rowtype");

  const addLogin = logins.insert();
  // DELETE … RETURNING: among concurrent callers, one gets the row.
  const takeLogin = logins.remove().where("key", "=", "key");
  const oldLogins = logins.remove().where("expiresAt", "<=", "moment");
  const beyond = logins.query().fields("expiresAt").orderBy("expiresAt", "desc").limit(1).offsetParam("max");
  const addSession = sessions.insert();
  const findSession = sessions.select().where("key", "=", "key");
  const touchSession = sessions.modify().set("idleExpiresAt", "idleExpiresAt").where("key", "=", "key");
  const dropSession = sessions.remove().where("key", "=", "key");
  const dropSessionsOf = sessions.remove().where("userKey", "=", "userKey");
  const oldSessions = sessions.remove().where("expiresAt", "<=", "moment");
  const idleSessions = sessions.remove().where("idleExpiresAt", "<=", "moment");

  const removeExpired = async () => {
    const moment = Date.now();
    await oldLogins.exec({ moment });
    await oldSessions.exec({ moment });
    await idleSessions.exec({ moment });
    const [surplus] = await beyond.exec({ max: maxLogins });
    if (surplus !== undefined) await oldLogins.exec({ moment: surplus.expiresAt });
  };
  let put = 0;

  return {
    createTables: () => db.createTables(Logins, Sessions),
    removeExpired,
    putState: async (key, state) => {
      await addLogin.exec({ key, ...object(state, "the fields of a login") });
      if (++put % TIDY_EVERY === 0) await removeExpired();
    },
    takeState: async (key) => {
      const [login] = await takeLogin.execMany({ key });
      if (login === undefined || login.expiresAt <= Date.now()) return null;
      const { browser, verifier, returnTo, expiresAt } = login;
      return { browser, verifier, returnTo, expiresAt };
    },
    create: async (key, session) => {
      const { data: given, ...times } = object(session, "the fields of a session");
      const data = object(given, "the data of a session");
      await addSession.exec({
        key,
        data: JSON.stringify(data),
        userKey: keyOfUser(data.userId),
        ...times,
      });
    },
    get: async (key) => {
      const row = await findSession.execOrNull({ key });
      if (row === null) return null;
      const { data, createdAt, expiresAt, idleExpiresAt } = row;
      const session: StoredSession = { data: JSON.parse(data), createdAt, expiresAt, idleExpiresAt };
      const now = Date.now();
      return expiresAt <= now || idleExpiresAt <= now ? null : session;
    },
    touch: async (key, idleExpiresAt) => {
      await touchSession.execMany({ key, idleExpiresAt });
    },
    delete: async (key) => {
      await dropSession.exec({ key });
    },
    deleteByUser: async (userId) => {
      await dropSessionsOf.exec({ userKey: keyOfUser(userId) });
    },
  };
}

function keyOfUser(userId: unknown): string {
  if (typeof userId !== "string") throw new DeclarationError("the userId of a session is text");
  return createHash("sha256").update(userId).digest("hex");
}
