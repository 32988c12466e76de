/**
 * The benchmark of calls on PostgreSQL and MariaDB, end to end, compared with the bare driver and prepared
 * statements: named statements of `pg`, `execute` of mysql2. Run by `npm run bench servers`, on the servers of
 * the live tests; a missing server is left out. The rounds are interleaved, so that a busy machine affects both
 * equally; only ratios are results: of the client's CPU time, of the server's (read from `/proc`, so for a server on
 * this machine under Linux), and of the time on the clock. `npm ci --prefix bench/peers` adds postgres.js.
 */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import mysql from "mysql2/promise";
import pg from "pg";
import { column, type Database, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { postgres } from "rowtype/postgres";
import { z } from "zod";
import { answers, mariadbUrl, postgresUrl } from "../test/availability.js";
import { median, ownCpu, type Pace, samplesOf } from "./kit/measure.js";
import { ownDatabase } from "./kit/own-database.js";

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
const STORED = 100_000;
const STREAMED = 100_000;
const BATCH = 1_000;
/** Calls at once, over pools of ten connections. */
const AT_ONCE = 64;
/** A call on a server takes much code of a driver, which the compiler optimises only after thousands of them. */
const PACE: Pace = { warmUp: 1_500, sample: 40 };

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
  readonly url: URL;
  readonly end: () => Promise<void>;
}

async function onPostgres(): Promise<Subject> {
  const { url, drop } = await ownDatabase();
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
    url,
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
      await drop();
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
    url,
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
    [`${AT_ONCE} by id at once`]: {
      hand: atOnce((id) => rows(byId, [id])),
      rowtype: atOnce((id) => kept.byId.exec({ id })),
    },
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
    "stream of 100,000": {
      hand: () => hand.stream(select(`WHERE id <= ${STREAMED} ORDER BY id`)),
      rowtype: async () => {
        let count = 0;
        for await (const _ of kept.stream.stream({ last: STREAMED })) count++;
        return count;
      },
    },
  };
}

function atOnce(call: (id: number) => Promise<unknown>): () => Promise<unknown> {
  return () => Promise.all(Array.from({ length: AT_ONCE }, (_, i) => call(i + 1)));
}

/** The CPU time of the processes of a server, those that have ended included, in microseconds; NaN where there is no `/proc`. */
function serverCpu(program: string): number {
  const TICK = 10_000;
  let ticks = 0;
  let processes = 0;
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    let stat = "";
    try {
      stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    } catch {
      // The process has ended.
    }
    const end = stat.lastIndexOf(")");
    if (stat.slice(stat.indexOf("(") + 1, end) !== program) continue;
    const fields = stat.slice(end + 2).split(" ");
    // Of the process itself, and of its children that have ended.
    for (const field of [11, 12, 13, 14]) ticks += Number(fields[field]);
    processes++;
  }
  return processes === 0 ? Number.NaN : ticks * TICK;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Prints what calls cost beside those of a yardstick. */
async function print(
  title: string,
  program: string,
  rowtype: () => unknown,
  yardstick: { readonly name: string; readonly run: () => unknown },
): Promise<void> {
  const clocks = {
    client: ownCpu,
    server: () => (process.platform === "linux" ? serverCpu(program) : Number.NaN),
    wall: () => performance.now() * 1_000,
  };
  const samples = await samplesOf({ rowtype, yardstick: yardstick.run }, clocks, PACE);
  const of = (name: string, clock: keyof typeof clocks) => (samples.get(name) ?? []).map((one) => one[clock]);
  // The server's clock is coarse: its ticks are added up.
  const figure = (name: string, clock: keyof typeof clocks) =>
    (clock === "server" ? sum : median)(of(name, clock));
  const ratio = (clock: keyof typeof clocks) =>
    `${clock} ${(figure("rowtype", clock) / figure("yardstick", clock)).toFixed(2)}`;
  const scale = figure("yardstick", "client").toFixed(0);
  console.log(
    `${title} ÷ ${yardstick.name} (${scale} µs): ${ratio("client")}, ${ratio("server")}, ${ratio("wall")}`,
  );
}

type PostgresJs = (url: string) => {
  readonly byId: (id: number) => Promise<unknown>;
  readonly end: () => Promise<void>;
};

/** Calls at once beside postgres.js, which pipelines; of a pool too whose clients do when a caller shares one. */
async function besidePostgresJs({ url }: Subject, program: string): Promise<void> {
  let postgresJs: PostgresJs;
  try {
    ({ postgresJs } = await import(new URL("peers/postgres-js.mjs", import.meta.url).href));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    console.log("PostgreSQL, beside postgres.js: it is not installed");
    return;
  }
  const peer = postgresJs(url.href);
  const run = atOnce(peer.byId);
  try {
    for (const pipeline of [false, true]) {
      // `@types/pg` does not know the option yet.
      const options: pg.PoolConfig & { readonly pipeline: boolean } = {
        connectionString: url.href,
        max: 10,
        pipeline,
      };
      const pool = new pg.Pool(options);
      const byId = postgres(pool).repository(Item).select().where("id", "=", "id");
      const title = `PostgreSQL, ${AT_ONCE} by id at once, pipeline: ${pipeline}`;
      await print(
        title,
        program,
        atOnce((id) => byId.exec({ id })),
        { name: "postgres.js", run },
      );
      await pool.end();
    }
  } finally {
    await peer.end();
  }
}

// The names of servers and of measurements; without any, all of them.
const named = process.argv.slice(2);
const servers = [
  ["PostgreSQL", postgresUrl, onPostgres, "postgres"],
  ["MariaDB", mariadbUrl, onMariadb, "mariadbd"],
] as const;
const isServer = (one: string) => servers.some(([name]) => name === one);
const wanted = named.filter((one) => !isServer(one));
for (const [name, url, open, program] of servers) {
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
      await print(`${name}, ${title}`, program, rowtype, { name: "the driver by hand", run: hand });
    }
    if (name === "PostgreSQL" && (wanted.length === 0 || wanted.includes("postgres.js")))
      await besidePostgresJs(subject, program);
  } finally {
    await subject.end();
  }
}
