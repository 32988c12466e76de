/** Runs one bench by its name: `npm run bench exec`. Without a name it lists them; what follows a name is passed on. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The file of each bench, and the question that it answers; README.md beside this file says more. */
const BENCHES = {
  render: ["render.ts", "What does a query cost before it reaches the driver?"],
  exec: ["exec.ts", "What does a call on SQLite cost, beside a prepared statement by hand?"],
  servers: ["servers.ts", "What does a call on PostgreSQL and MariaDB cost, beside the bare driver?"],
  handles: ["handles.ts", "What does a call over each client cost, beside the client alone?"],
  batch: ["batch.ts", "What do many changes at once cost, beside the same record by record?"],
  nested: ["nested-rows.ts", "What do nested rows in one statement cost, beside two queries?"],
  "coming-from": [
    "coming-from.ts",
    "Do the pages about other libraries give the same rows, and at what cost?",
  ],
  memory: ["memory.mjs", "What do 10,000 queries leave in memory?"],
  migrations: ["migrations.ts", "Which of fifty edits ask, lose rows or repeat, here and in drizzle-kit?"],
  specs: ["specs.ts", "What do the schemas of clients' specs cost?"],
  http: ["http.ts", "What does a request cost the server, beside node:http by hand and other frameworks?"],
  streams: ["streams.ts", "What does an event for each of a hundred clients cost the server?"],
  rows: ["rows.ts", "What does a row of CSV or NDJSON cost the server, beside JSON.stringify and a write?"],
  document: ["first-document.mjs", "What does the first document of an engine cost?"],
  openapi: ["openapi.ts", "What do reading and writing large documents cost?"],
  import: ["import.mjs", "What does loading a subpath cost?"],
  types: ["types.mjs", "What do queries cost the compiler and the editor, beside other libraries?"],
  "http-types": ["http-types.mjs", "What do routes cost the compiler, beside other frameworks?"],
};

const [name, ...rest] = process.argv.slice(2);
if (name === undefined || !Object.hasOwn(BENCHES, name)) {
  if (name !== undefined) console.error(`there is no bench ${JSON.stringify(name)}; benches:`);
  for (const [key, [, question]] of Object.entries(BENCHES)) console.log(`${key.padEnd(12)} ${question}`);
  process.exit(name === undefined ? 0 : 1);
}
const file = fileURLToPath(new URL(BENCHES[name][0], import.meta.url));
const { status } = spawnSync(process.execPath, ["--import", "tsx", file, ...rest], { stdio: "inherit" });
process.exit(status ?? 1);
