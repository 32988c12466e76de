/** Calls of other libraries over the same better-sqlite3 handle, for the benchmark of calls. */
import { eq, lte, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import * as lite from "drizzle-orm/sqlite-core";
import { Kysely, SqliteDialect } from "kysely";

const users = lite.sqliteTable("users", {
  id: lite.integer("id").primaryKey({ autoIncrement: true }),
  email: lite.text("email").notNull().unique(),
  name: lite.text("name").notNull(),
  age: lite.integer("age"),
  role: lite.text("role", { enum: ["admin", "member"] }).notNull(),
  teamId: lite.integer("teamId"),
  score: lite.real("score").notNull(),
  active: lite.integer("active", { mode: "boolean" }).notNull(),
  createdAt: lite.text("createdAt").notNull(),
});

export function calls(handle) {
  const drizzled = drizzle(handle);
  const kysely = new Kysely({ dialect: new SqliteDialect({ database: handle }) });
  const byId = drizzled
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder("id")))
    .prepare();
  const firstRows = drizzled
    .select()
    .from(users)
    .where(lte(users.id, sql.placeholder("last")))
    .orderBy(users.id)
    .prepare();
  return {
    "one row": {
      "drizzle-orm, prepared": () => byId.all({ id: 7 }),
      kysely: () => kysely.selectFrom("users").selectAll().where("id", "=", 7).execute(),
    },
    "twenty rows": {
      "drizzle-orm, prepared": () => firstRows.all({ last: 20 }),
      kysely: () => kysely.selectFrom("users").selectAll().where("id", "<=", 20).orderBy("id").execute(),
    },
  };
}
