/** The shapes of the rendering benchmark in Drizzle. */
import { and, asc, count, desc, eq, gt, isNull, like, lt, or, sql, sum } from "drizzle-orm";
import * as pg from "drizzle-orm/pg-core";
import { drizzle as pgDrizzle } from "drizzle-orm/pg-proxy";
import * as lite from "drizzle-orm/sqlite-core";
import { drizzle as liteDrizzle } from "drizzle-orm/sqlite-proxy";

const none = async () => ({ rows: [] });
const now = sql`CURRENT_TIMESTAMP`;

const dialects = {
  sqlite: () => ({
    db: liteDrizzle(none),
    T: lite.sqliteTable("users", {
      id: lite.integer("id").primaryKey({ autoIncrement: true }),
      email: lite.text("email").notNull().unique(),
      name: lite.text("name").notNull(),
      age: lite.integer("age"),
      role: lite.text("role", { enum: ["admin", "member"] }).notNull(),
      teamId: lite.integer("teamId"),
      score: lite.real("score").notNull(),
      active: lite.integer("active", { mode: "boolean" }).notNull(),
      createdAt: lite.integer("createdAt", { mode: "timestamp" }).notNull().default(now),
    }),
  }),
  postgres: () => ({
    db: pgDrizzle(none),
    T: pg.pgTable("users", {
      id: pg.integer("id").primaryKey().generatedAlwaysAsIdentity(),
      email: pg.text("email").notNull().unique(),
      name: pg.text("name").notNull(),
      age: pg.integer("age"),
      role: pg.text("role", { enum: ["admin", "member"] }).notNull(),
      teamId: pg.integer("teamId"),
      score: pg.doublePrecision("score").notNull(),
      active: pg.boolean("active").notNull(),
      createdAt: pg.timestamp("createdAt").notNull().default(now),
    }),
  }),
};

export function shapes(dialect, { values, record, records }) {
  const { db, T } = dialects[dialect]();
  const { id, email, age, role, score, active, name } = values;
  const builders = {
    "by id": () => db.select().from(T).where(eq(T.id, id)).limit(1),
    "five wheres": () =>
      db
        .select({ id: T.id, email: T.email, name: T.name, role: T.role })
        .from(T)
        .where(
          and(
            like(T.email, email),
            gt(T.age, age),
            eq(T.role, role),
            lt(T.score, score),
            eq(T.active, active),
          ),
        )
        .orderBy(asc(T.name))
        .limit(10),
    "insert of one": () => db.insert(T).values(record).returning(),
    update: () => db.update(T).set({ name, age }).where(eq(T.id, id)).returning(),
    "nested and/or": () =>
      db
        .select({ id: T.id, email: T.email })
        .from(T)
        .where(or(gt(T.age, age), and(eq(T.role, role), lt(T.score, score)), isNull(T.teamId))),
    "union of three": () => {
      const one = (condition) => db.select({ id: T.id, email: T.email }).from(T).where(condition);
      return one(eq(T.role, role))
        .union(one(eq(T.active, active)))
        .union(one(eq(T.name, name)))
        .orderBy(asc(T.email))
        .limit(10);
    },
    expressions: () =>
      db
        .select({ role: T.role, n: count(), total: sum(T.score), big: sql`upper(${T.role})` })
        .from(T)
        .where(eq(T.active, active))
        .groupBy(T.role)
        .having(gt(count(), 1))
        .orderBy(desc(count())),
    "insert of 100": () => db.insert(T).values(records),
  };
  return Object.fromEntries(Object.entries(builders).map(([shape, build]) => [shape, () => build().toSQL()]));
}
