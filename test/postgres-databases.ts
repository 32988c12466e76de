/**
 * Databases of PostgreSQL for test files. To make one and to drop it costs a copy of another and a checkpoint of the
 * whole server; so files that share a process take each other's databases over, emptied, and the last of them are
 * dropped after the run.
 */
import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { behindPooler, postgresUrl } from "./availability.js";

/** A database, and what gives it back when its file no longer uses it. */
export interface LentDatabase {
  readonly url: string;
  giveBack(): Promise<void>;
}

// `test/run.ts` sets it for all processes of a run.
const run = process.env["ROWTYPE_RUN"] ?? randomBytes(4).toString("hex");

let keeps = false;
/** The names of databases that are free, by locale. */
const free = new Map<string | undefined, string[]>();

/** For processes in which files follow each other: a database that is given back is emptied and lent again. */
export function keepDatabases(): void {
  // Through a pooler it cannot be seen who still uses a database.
  keeps = !behindPooler;
}

/** Lends a database, of an ICU locale where one is named. */
export async function lendDatabase(locale?: string): Promise<LentDatabase> {
  const name = free.get(locale)?.pop() ?? (await create(locale));
  return {
    url: urlOf(name),
    giveBack: async () => {
      if (keeps && (await isEmptied(name))) free.set(locale, [...(free.get(locale) ?? []), name]);
      else await asAdmin((admin) => drop(admin, name));
    },
  };
}

/** Drops what a run has left. */
export async function dropDatabasesOf(run: string): Promise<void> {
  await asAdmin(async (admin) => {
    const { rows } = await admin.query<{ name: string }>(
      "SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)",
      [`rowtype_${run}_`],
    );
    for (const { name } of rows) await drop(admin, name);
  });
}

function urlOf(name: string): string {
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function asAdmin<T>(
  work: (admin: pg.Client) => Promise<T>,
  connectionString = postgresUrl.href,
): Promise<T> {
  const admin = new pg.Client({ connectionString });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

async function create(locale: string | undefined): Promise<string> {
  const name = `rowtype_${run}_${randomBytes(6).toString("hex")}`;
  const located =
    locale === undefined ? "" : ` TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE '${locale}'`;
  await asAdmin((admin) => admin.query(`CREATE DATABASE ${name}${located}`));
  return name;
}

// The server, or a pooler before it, may still hold connections that the pool has just closed.
async function drop(admin: pg.Client, name: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      return;
    } catch (error) {
      if (tries === 1_500) throw error;
      await setTimeout(20);
    }
  }
}

/** Makes a database as new, and says whether it is. */
function isEmptied(name: string): Promise<boolean> {
  const empty = async (admin: pg.Client) => {
    // Whoever is still there ends now.
    for (let left = 1; left > 0; ) {
      const { rowCount } = await admin.query(OTHERS);
      left = rowCount ?? 0;
      if (left > 0) await setTimeout(5);
    }
    await admin.query(EMPTY);
    const { rows } = await admin.query<{ left: number }>(LEFT);
    return rows[0]?.left === 0;
  };
  return asAdmin(empty, urlOf(name)).catch(() => false);
}

const OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;

const EMPTY = `SET lock_timeout = '10s';
DO $$ DECLARE one text; BEGIN
  FOR one IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' LOOP
    EXECUTE format('DROP SCHEMA %I CASCADE', one);
  END LOOP;
END $$;
CREATE SCHEMA public AUTHORIZATION pg_database_owner;
COMMENT ON SCHEMA public IS 'standard public schema';
GRANT USAGE ON SCHEMA public TO PUBLIC`;

/** What a database may have beside its schemas, and a new one has not. */
const LEFT = `SELECT (
  (SELECT count(*) FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase WHERE datname = current_database())
  + (SELECT count(*) FROM pg_database WHERE datname = current_database() AND datacl IS NOT NULL)
  + (SELECT count(*) FROM pg_extension WHERE extname <> 'plpgsql')
  + (SELECT count(*) FROM pg_default_acl) + (SELECT count(*) FROM pg_event_trigger)
  + (SELECT count(*) FROM pg_publication) + (SELECT count(*) FROM pg_foreign_data_wrapper)
  + (SELECT count(*) FROM pg_largeobject_metadata) + (SELECT count(*) FROM pg_language WHERE oid >= 16384)
  + (SELECT count(*) FROM pg_cast WHERE oid >= 16384)
)::int AS left`;
