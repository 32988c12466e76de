/**
 * The clients of PostgreSQL that tests run on: `pg`, or with `ROWTYPE_PG_CLIENT=postgresjs` or `pglite` another one in
 * its place. The pool of `pg` is there too where a server is.
 */
import { existsSync, openAsBlob, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PGlite, PGliteOptions } from "@electric-sql/pglite";
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

let fresh: Promise<Blob> | undefined;

/** An empty PGlite: a copy of one that was made once for all runs, because to make one takes five times as long. */
export async function openPglite(options: PGliteOptions = {}): Promise<PGlite> {
  const { PGlite } = await import("@electric-sql/pglite");
  fresh ??= keptPglite(() => PGlite.create());
  return PGlite.create({ ...options, loadDataDir: await fresh });
}

async function keptPglite(create: () => Promise<PGlite>): Promise<Blob> {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const { version } = JSON.parse(readFileSync(join(dirname(entry), "../package.json"), "utf8"));
  const path = join(tmpdir(), `rowtype-pglite-${version}.tar`);
  if (!existsSync(path)) {
    const first = await create();
    const made = await first.dumpDataDir("none");
    await first.close();
    // Other processes see a whole file or none.
    writeFileSync(`${path}.${process.pid}`, new Uint8Array(await made.arrayBuffer()));
    renameSync(`${path}.${process.pid}`, path);
  }
  return openAsBlob(path);
}
