/**
 * The clients of PostgreSQL that tests run on: `pg`, or with `ROWTYPE_PG_CLIENT=postgresjs` or `pglite` another one in
 * its place. The pool of `pg` is there too where a server is.
 */
import type { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import postgresJs from "postgres";
import { type PostgresHandle, postgres } from "rowtype/postgres";
import { behindPooler } from "../availability.js";

/** A client by name. */
export type PostgresClientName = "pg" | "postgresjs" | "pglite";

/** The client that `ROWTYPE_PG_CLIENT` names. */
export const postgresClient = (process.env["ROWTYPE_PG_CLIENT"] ?? "pg") as PostgresClientName;

/** A handle, and what ends it. */
export interface Opened {
  readonly handle: PostgresHandle;
  close(): Promise<void>;
}

/** A handle of a client over a server, or over one of its own inside the process. */
export async function openPostgres(client: PostgresClientName, url: string, max = 4): Promise<Opened> {
  if (client === "pglite") {
    const lite = await openPglite();
    return { handle: lite, close: () => lite.close() };
  }
  if (client === "postgresjs") {
    const sql = postgresJs(url, { max, onnotice: () => undefined, fetch_types: false });
    return { handle: sql, close: () => sql.end({ timeout: 1 }) };
  }
  const pool = new pg.Pool({ connectionString: url, max });
  return { handle: pool, close: () => pool.end() };
}

/** A database over a handle, with the options that the server asks for. */
export function databaseOn(handle: PostgresHandle): ReturnType<typeof postgres> {
  return postgres(handle, behindPooler ? { prepare: false } : {});
}

let fresh: Promise<Blob | File> | undefined;

/** An empty PGlite: the first is made, the others are copies, which takes a third of the time. */
export async function openPglite(): Promise<PGlite> {
  const { PGlite } = await import("@electric-sql/pglite");
  fresh ??= PGlite.create().then(async (first) => {
    const made = await first.dumpDataDir("none");
    await first.close();
    return made;
  });
  return PGlite.create({ loadDataDir: await fresh });
}
