/** Starts the demo: `PORT` (3000 when unset, any free port when 0), the database in a file beside this one. */
import { fileURLToPath } from "node:url";
import Sqlite from "better-sqlite3";
import { HostLoopback } from "rowtype/http";
import { sqlite } from "rowtype/sqlite";
import { makeApi } from "./api.js";
import { prepare } from "./data.js";

const file = process.env["DEMO_DB"] ?? fileURLToPath(new URL("countries.db", import.meta.url));
const handle = new Sqlite(file);
handle.pragma("journal_mode = WAL");
handle.pragma("foreign_keys = ON");
const db = sqlite(handle);
await prepare(db);

const api = makeApi(db);
const { url } = await api.start(HostLoopback, Number(process.env["PORT"] ?? 3000));

console.log(`API        ${url}
Docs page  ${url}/docs
Document   ${url}/openapi

Try:
  curl '${url}/countries?region=Europe&sort=area&order=desc&limit=3'
  curl '${url}/countries/NPL'
  curl '${url}/countries/NPL/neighbours'
  curl '${url}/countries/search' --json '{"fields":["code","name"],"where":[{"field":"area","operator":">","param":"min"}],"order_by":[{"field":"area","direction":"desc"}],"params":{"min":5000000}}'
`);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, async () => {
    await api.shutdown();
    handle.close();
  });
