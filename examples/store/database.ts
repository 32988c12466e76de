/** Opens the store: on SQLite in a file beside this one (or in `STORE_DB`), or on the PostgreSQL of `STORE_POSTGRES`. */
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { Database } from "rowtype";
import { postgres } from "rowtype/postgres";
import { openFile } from "./sqlite-file.js";

/** An open store, and what closes it. */
export interface OpenStore {
  readonly db: Database<"sqlite" | "postgres">;
  readonly close: () => void | Promise<void>;
}

export async function openDatabase(): Promise<OpenStore> {
  const url = process.env["STORE_POSTGRES"];
  if (url !== undefined) {
    const pool = new pg.Pool({ connectionString: url });
    return { db: postgres(pool), close: () => pool.end() };
  }
  return openFile(process.env["STORE_DB"] ?? fileURLToPath(new URL("store.db", import.meta.url)));
}
