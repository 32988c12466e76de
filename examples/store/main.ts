/** Starts the store: `PORT` (3000 when unset, any free port when 0), on the database that `database.ts` opens. */
import { HostLoopback } from "rowtype/http";
import { makeApi } from "./api.js";
import { prepare } from "./data.js";
import { openDatabase } from "./database.js";

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
