/**
 * Starts the store: `PORT` (3000 when unset, any free port when 0), on SQLite in a file beside this one (or in
 * `STORE_DB`), or on the PostgreSQL that `STORE_POSTGRES` names.
 */
import { fileURLToPath } from "node:url";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { HostLoopback } from "rowtype/http";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { makeApi } from "./api.js";
import { prepare, type StoreDatabase } from "./data.js";

const { db, close } = openDatabase();
await prepare(db);

const api = makeApi(db);
const { url } = await api.start(HostLoopback, Number(process.env["PORT"] ?? 3000));

console.log(`API        ${url}
Docs page  ${url}/docs
Document   ${url}/openapi

Try:
  curl '${url}/tracks?text=golden'
  curl '${url}/customers/5'
  curl '${url}/reports/customers?limit=3'
  curl '${url}/tracks/search' --json '{"fields":["name","genre.name"],"joins":[{"relation":"genre"}],"where":[{"field":"genre.name","operator":"=","param":"genre"}],"limit":3,"params":{"genre":"Jazz"}}'
`);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, async () => {
    await api.shutdown();
    await close();
  });

function openDatabase(): { readonly db: StoreDatabase; readonly close: () => void | Promise<void> } {
  const url = process.env["STORE_POSTGRES"];
  if (url !== undefined) {
    const pool = new pg.Pool({ connectionString: url });
    return { db: postgres(pool), close: () => pool.end() };
  }
  const file = process.env["STORE_DB"] ?? fileURLToPath(new URL("store.db", import.meta.url));
  const handle = new Sqlite(file);
  handle.pragma("journal_mode = WAL");
  handle.pragma("foreign_keys = ON");
  return { db: sqlite(handle), close: () => void handle.close() };
}
