/** The calls of `bench/servers.ts` in postgres.js. */
import postgres from "postgres";

export function postgresJs(url) {
  const sql = postgres(url, { max: 10 });
  const byId = (id) =>
    sql`SELECT "id", "email", "name", "age", "score", "active", "createdAt" FROM "items" WHERE "id" = ${id}`;
  return { byId: async (id) => await byId(id), end: () => sql.end() };
}
