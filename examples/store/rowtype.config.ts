/** What `npx rowtype` reads: on SQLite, or on the PostgreSQL that `STORE_POSTGRES` names. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "rowtype/migrate";
import { openDatabase } from "./database.js";

export default defineConfig({
  tables: fileURLToPath(new URL("tables.ts", import.meta.url)),
  folder: fileURLToPath(new URL("migrations", import.meta.url)),
  dialects: ["sqlite", "postgres"],
  database: openDatabase,
});
