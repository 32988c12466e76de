/** Ten thousand chains that differ in their values alone leave one kept text, and one statement that is prepared. */
import Sqlite from "better-sqlite3";
import mysql from "mysql2/promise";
import pg from "pg";
import { and, between, c, column, type Database, on, or, table, value } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { behindPooler } from "../../availability.js";
import { rounds } from "../../rounds.js";
import { type Lent, servers } from "../../servers.js";

const Item = table(
  "kept_items",
  z.object({ id: column(z.int(), { primaryKey: true }), name: z.string(), n: z.int(), at: z.date() }),
);
// On SQLite all; on servers, in small, fewer.
const CHAINS = 10_000;
const SENT = rounds({ small: 1_000, full: CHAINS });

const items = (db: Database) => (db as Database<"sqlite">).repository(Item);
/** Values in each place, of which none is there twice; the list is empty now and then, and long. */
const chainOf = (db: Database, i: number) =>
  items(db)
    .query()
    .fields("id")
    .where("name", "=", value(`name ${i}`))
    .where("at", ">", value(new Date(i)))
    .whereBetween("n", value(-i), value(i))
    .whereAnd(
      or(c("n", ">", value(i)), and(between("n", value(i), value(2 * i)), c("name", "LIKE", value(`${i}%`)))),
    )
    .limit(value(1 + i));
const changeOf = (db: Database, i: number) =>
  items(db)
    .modify()
    .set("name", value(`name ${i}`))
    .setExpr("n", "+", value(i))
    .where("id", "=", value(-i));
const listOf = (db: Database, i: number) =>
  items(db)
    .query()
    .fields("id")
    .where("id", "IN", value(Array.from({ length: i % 1_001 }, (_, at) => at - i)));

/** The texts that the calls of a test send, and the drafts behind them, which keep their rendered texts. */
async function countedIn(
  db: Database,
  made: (db: Database, i: number) => { execMany(): Promise<unknown> } | { exec(): Promise<unknown> },
  count: number,
) {
  const texts = new Set<string>();
  const kept = new Set<unknown>();
  const off = on("db.query.started", ({ sql }) => texts.add(sql));
  try {
    for (let i = 1; i <= count; i++) {
      const builder = made(db, i);
      // The first call of a chain keeps nothing.
      if (i > 1) kept.add((builder as unknown as { draft: unknown }).draft);
      await ("execMany" in builder ? builder.execMany() : builder.exec());
    }
  } finally {
    off();
  }
  return { texts: texts.size, kept: kept.size };
}

const lentBy = async (name: string, work: (lent: Lent) => Promise<void>) => {
  const lent = (await servers.find((one) => one.name === name)?.lend()) as Lent;
  try {
    await lent.db.createTables(Item);
    await work(lent);
  } finally {
    await lent.close();
  }
};
const isThere = (name: string) => servers.some((one) => one.name === name && one.available);
const made = { "of queries": chainOf, "of changes": changeOf } as const;

describe("chains with other values", () => {
  test.each(Object.entries(made))("are prepared once on SQLite: %s", async (_, chain) => {
    const handle = new Sqlite(":memory:");
    const prepared: string[] = [];
    const counting = new Proxy(handle, {
      get(target, name) {
        if (name === "prepare")
          return (sql: string) => {
            prepared.push(sql);
            return target.prepare(sql);
          };
        const member: unknown = Reflect.get(target, name);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    const db = sqlite(counting) as unknown as Database;
    await db.createTables(Item);
    prepared.length = 0;
    expect(await countedIn(db, chain, CHAINS)).toEqual({ texts: 1, kept: 1 });
    expect(prepared.filter((sql) => !/^(BEGIN|COMMIT|SAVEPOINT|RELEASE|ROLLBACK)/.test(sql))).toHaveLength(1);
    handle.close();
  });

  test.skipIf(!isThere("postgres") || behindPooler).each(Object.entries(made))(
    "are prepared once on PostgreSQL: %s",
    (_, chain) =>
      lentBy("postgres", async ({ url }) => {
        const pool = new pg.Pool({ connectionString: url as string, max: 1 });
        try {
          expect(await countedIn(postgres(pool) as unknown as Database, chain, SENT)).toEqual({
            texts: 1,
            kept: 1,
          });
          const { rows } = await pool.query(
            "SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%kept_items%' AND NOT statement LIKE '%pg_prepared%'",
          );
          expect(rows).toHaveLength(1);
        } finally {
          await pool.end();
        }
      }),
  );

  test.skipIf(!isThere("mariadb")).each(Object.entries(made))(
    "are prepared once on MariaDB: %s",
    (_, chain) =>
      lentBy("mariadb", async ({ url }) => {
        const pool = mysql.createPool({ uri: url as string, connectionLimit: 1 });
        const prepares = async () => {
          const [rows] = await pool.query("SHOW SESSION STATUS LIKE 'Com_stmt_prepare'");
          return Number((rows as { Value: string }[])[0]?.Value);
        };
        try {
          const before = await prepares();
          expect(await countedIn(mariadb(pool) as unknown as Database, chain, SENT)).toEqual({
            texts: 1,
            kept: 1,
          });
          expect((await prepares()) - before).toBe(1);
        } finally {
          await pool.end();
        }
      }),
  );
});

describe("lists of any length as values", () => {
  test.each(["sqlite", "postgres", "mariadb"].filter(isThere))("are one kept text on %s", (name) =>
    lentBy(name, async ({ db }) => {
      expect(await countedIn(db, listOf, 1_001)).toEqual({ texts: 1, kept: 1 });
    }),
  );
});
