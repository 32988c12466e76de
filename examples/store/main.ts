/**
 * Starts the store: `PORT` (3000 when unset, any free port when 0), on the database that `database.ts` opens. Pictures are
 * kept in `STORE_COVERS` (the folder `covers` beside this file when unset).
 */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { HostLoopback } from "rowtype/http";
import { makeApi } from "./api.js";
import { prepare } from "./data.js";
import { openDatabase } from "./database.js";

const { db, close } = await openDatabase();
await prepare(db);

const covers = process.env["STORE_COVERS"] ?? fileURLToPath(new URL("covers", import.meta.url));
mkdirSync(covers, { recursive: true });
const api = makeApi(db, covers);
const { url } = await api.start(HostLoopback, Number(process.env["PORT"] ?? 3000));

console.log(`API        ${url}
Docs page  ${url}/docs
Document   ${url}/openapi

Edit       ${url}/customers/5/edit

README.md has a line of curl for each of it:
  curl '${url}/tracks?text=golden'
  curl -X QUERY '${url}/tracks/search' --json '{"fields":["name"],"limit":3}'
`);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, async () => {
    await api.shutdown();
    await close();
  });
