/**
 * The benchmark of calls on PostgreSQL and MariaDB, end to end, compared with the bare driver and prepared
 * statements: named statements of `pg`, `execute` of mysql2. Run by `npm run bench:servers`, on the servers of
 * the live tests; a missing server is left out. The rounds are interleaved, so that a busy machine affects both
 * equally; only the ratios of the client's CPU time are results.
 */
import { randomBytes } from "node:crypto";
import mysql from "mysql2/promise";
import pg from "pg";
import { column, type Database, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { postgres } from "rowtype/postgres";
import { z } from "zod";
import { answers, mariadbUrl, postgresUrl } from "../test/availability.js";
import { measure } from "./measure.js";

const Item = table(
  "items",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: "byDefault" }),
    email: column(z.string(), { unique: true }),
    name: z.string(),
    age: z.int().nullable(),
    score: z.number(),
    active: z.boolean(),
    createdAt: z.date(),
  }),
);
const properties = ["id", "email", "name", "age", "score", "active", "createdAt"] as const;
const inserted = properties.slice(1);
const STORED = 10_000;
const STREAMED = 10_000;
const BATCH = 1_000;

let made = STORED;
const record = () => ({
  email: `user${++made}@example.org`,
  name: "Ann",
  age: 30,
  score: 1.5,
  active: true,
  createdAt: new Date(1_767_225_600_123),
});
const records = (count: number) => Array.from({ length: count }, record);

/** A driver used by hand. */
interface Hand {
  /** Rows of a prepared statement, as objects. */
  rows(sql: string, values: readonly unknown[]): Promise<unknown[]>;
  /** Runs statements on one connection, between BEGIN and COMMIT. */
  transaction(work: (run: Hand["rows"]) => Promise<unknown>): Promise<unknown>;
  /** Reads all rows, a few at a time. */
  stream(sql: string): Promise<number>;
  /** A placeholder, counted from 1. */
  place(i: number): string;
  readonly quote: string;
  readonly onConflict: string;
}

interface Subject {
  readonly db: Database<"postgres">;
  readonly hand: Hand;
  readonly end: () => Promise<void>;
}

async function onPostgres(): Promise<Subject> {
  const name = `rowtype_bench_${randomBytes(4).toString("hex")}`;
  const admin = new pg.Client({ connectionString: postgresUrl.href });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 10 });
  const names = new Map<string, string>();
  const named = (text: string, values: readonly unknown[]) => {
    const kept = names.get(text) ?? `hand_${names.size}`;
    names.set(text, kept);
    // Statements of thousands of values are not prepared, as one would do by hand.
    return values.length > 100 ? { text, values: [...values] } : { name: kept, text, values: [...values] };
  };
  return {
    db: postgres(pool),
    hand: {
      rows: async (sql, values) => (await pool.query(named(sql, values))).rows,
      transaction: async (work) => {
        const client = await pool.connect();
        await client.query("BEGIN");
        const result = await work(async (sql, values) => (await client.query(named(sql, values))).rows);
        await client.query("COMMIT");
        client.release();
        return result;
      },
      stream: async (sql) => {
        const client = await pool.connect();
        await client.query("BEGIN");
        await client.query(`DECLARE hand CURSOR FOR ${sql}`);
        let count = 0;
        for (let got = -1; got !== 0; count += got)
          got = (await client.query("FETCH 256 FROM hand")).rows.length;
        await client.query("COMMIT");
        client.release();
        return count;
      },
      place: (i) => `$${i}`,
      quote: '"',
      onConflict: 'ON CONFLICT ("email") DO UPDATE SET "score" = EXCLUDED."score"',
    },
    end: async () => {
      await pool.end();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}

async function onMariadb(): Promise<Subject> {
  const name = `rowtype_bench_${randomBytes(4).toString("hex")}`;
  const url = new URL(mariadbUrl);
  url.pathname = "/";
  const admin = await mysql.createConnection(url.href);
  await admin.query(`CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  const pool = mysql.createPool({ uri: url.href, connectionLimit: 10 });
  // biome-ignore lint/suspicious/noExplicitAny: the connection beneath has streams, and no types here.
  type Untyped = any;
  const run = async (on: mysql.Pool | mysql.PoolConnection, sql: string, values: readonly unknown[]) => {
    const [rows] = await on.execute(sql, values as Untyped);
    return rows as unknown[];
  };
  return {
    // One type for both: the measurement uses only features that both have.
    db: mariadb(pool) as unknown as Database<"postgres">,
    hand: {
      rows: (sql, values) => run(pool, sql, values),
      transaction: async (work) => {
        const connection = await pool.getConnection();
        await connection.query("START TRANSACTION");
        const result = await work((sql, values) => run(connection, sql, values));
        await connection.query("COMMIT");
        connection.release();
        return result;
      },
      stream: async (sql) => {
        const connection = await pool.getConnection();
        let count = 0;
        for await (const _ of (connection as Untyped).connection.execute(sql).stream({ highWaterMark: 256 }))
          count++;
        connection.release();
        return count;
      },
      place: () => "?",
      quote: "`",
      onConflict: "ON DUPLICATE KEY UPDATE `score` = VALUES(`score`)",
    },
    end: async () => {
      await pool.end();
      await admin.query(`DROP DATABASE ${name}`);
      await admin.end();
    },
  };
}

type Ways = Readonly<Record<"hand" | "rowtype", () => Promise<unknown>>>;

function shapesOf({ db, hand }: Subject): Readonly<Record<string, Ways>> {
  const items = db.repository(Item);
  const { rows, transaction, place, quote: q } = hand;
  const names = (list: readonly string[]) => list.map((name) => `${q}${name}${q}`).join(", ");
  const all = names(properties);
  const select = (where: string) => `SELECT ${all} FROM ${q}items${q} ${where}`;
  const values = (count: number) => {
    let i = 0;
    return Array.from({ length: count }, () => `(${inserted.map(() => place(++i)).join(", ")})`).join(", ");
  };
  const insert = (count: number) => `INSERT INTO ${q}items${q} (${names(inserted)}) VALUES ${values(count)}`;
  const bound = (list: readonly ReturnType<typeof record>[]) =>
    list.flatMap((one) => [one.email, one.name, one.age, one.score, one.active, one.createdAt]);
  const returning = ` RETURNING ${all}`;
  const insertOne = insert(1);
  const insertMany = insert(BATCH);
  const byId = select(`WHERE id = ${place(1)}`);
  const some = select(`WHERE id > ${place(1)} AND id <= ${place(2)} ORDER BY id`);
  const set = `UPDATE ${q}items${q} SET score = ${place(1)} WHERE id = ${place(2)}`;
  const canReturn = q === '"';
  const updateByHand = (run: Hand["rows"], id: number) => run(set + (canReturn ? returning : ""), [2.5, id]);

  const kept = {
    byId: items.select().where("id", "=", "id"),
    some: items.query().where("id", ">", "from").where("id", "<=", "to").orderBy("id", "asc"),
    set: items.modify().set("score", "score").where("id", "=", "id"),
    insert: items.insert(),
    upsert: items.insert().onConflict("email").doUpdate().set("score", "score"),
    stream: items.query().where("id", "<=", "last").orderBy("id", "asc"),
  };
  const same = { ...record(), email: "user1@example.org" };
  return {
    "by id": { hand: () => rows(byId, [7]), rowtype: () => kept.byId.exec({ id: 7 }) },
    "20 rows": { hand: () => rows(some, [0, 20]), rowtype: () => kept.some.exec({ from: 0, to: 20 }) },
    "1,000 rows": {
      hand: () => rows(some, [0, 1_000]),
      rowtype: () => kept.some.exec({ from: 0, to: 1_000 }),
    },
    "insert returning": {
      hand: () => rows(insertOne + returning, bound([record()])),
      rowtype: () => kept.insert.exec(record()),
    },
    "update returning": {
      // A MariaDB update does not return rows: one transaction updates and reads.
      hand: () =>
        canReturn
          ? updateByHand(rows, 7)
          : transaction(async (run) => {
              await updateByHand(run, 7);
              return run(byId, [7]);
            }),
      rowtype: () => kept.set.exec({ score: 2.5, id: 7 }),
    },
    "upsert returning": {
      hand: () => rows(`${insertOne} ${hand.onConflict}${returning}`, bound([same])),
      rowtype: () => kept.upsert.exec(same),
    },
    "transaction of three": {
      hand: () =>
        transaction(async (run) => {
          await run(byId, [8]);
          await run(set, [2.5, 8]);
          await run(byId, [8]);
        }),
      rowtype: () =>
        db.transaction(async (tx) => {
          await kept.byId.exec({ id: 8 }, { tx });
          await items
            .modify()
            .set("score", "score")
            .where("id", "=", "id")
            .execBatch([{ score: 2.5, id: 8 }], { tx });
          await kept.byId.exec({ id: 8 }, { tx });
        }),
    },
    "execBatch of 1,000": {
      hand: () => rows(insertMany, bound(records(BATCH))),
      rowtype: () => kept.insert.execBatch(records(BATCH)),
    },
    "execMany of 1,000": {
      hand: () => rows(insertMany + returning, bound(records(BATCH))),
      rowtype: () => kept.insert.execMany(records(BATCH)),
    },
    "stream of 10,000": {
      hand: () => hand.stream(select(`WHERE id <= ${STREAMED} ORDER BY id`)),
      rowtype: async () => {
        let count = 0;
        for await (const _ of kept.stream.stream({ last: STREAMED })) count++;
        return count;
      },
    },
  };
}

// The names of servers and of measurements; without any, all of them.
const named = process.argv.slice(2);
const servers = [
  ["PostgreSQL", postgresUrl, onPostgres],
  ["MariaDB", mariadbUrl, onMariadb],
] as const;
const isServer = (one: string) => servers.some(([name]) => name === one);
const wanted = named.filter((one) => !isServer(one));
for (const [name, url, open] of servers) {
  if (named.some(isServer) && !named.includes(name)) continue;
  if (!(await answers(url))) {
    console.log(`${name}: no server answers`);
    continue;
  }
  const subject = await open();
  try {
    await subject.db.createTables(Item);
    made = 0;
    await subject.db.repository(Item).insert().execBatch(records(STORED));
    for (const [title, { hand, rowtype }] of Object.entries(shapesOf(subject))) {
      if (wanted.length > 0 && !wanted.includes(title)) continue;
      const times = await measure({ hand, rowtype });
      const byHand = times.get("hand") ?? Number.NaN;
      const ratio = (times.get("rowtype") ?? Number.NaN) / byHand;
      console.log(`${name}, ${title} ÷ the driver by hand (${byHand.toFixed(0)} µs): ${ratio.toFixed(2)}`);
    }
  } finally {
    await subject.end();
  }
}
