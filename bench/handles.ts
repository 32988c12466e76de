/**
 * The benchmark of clients: what a kept query costs over each, beside the client alone; what a stream holds; what `atomic`
 * saves over a link of a millisecond. Run by `npm run bench handles`. SQLite is that of `node@24` and `bun`, which npm
 * fetches; PostgreSQL is the server of the live tests, and PGlite. What is not there is left out by name. Calls are
 * measured in turns: ratios are results.
 */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import postgresJs from "postgres";
import { column, type Database, table } from "rowtype";
import { postgres } from "rowtype/postgres";
import { z } from "zod";
import { answers, postgresUrl } from "../test/availability.js";
import { held } from "./kit/held.js";
import { median, ownCpu, type Pace, samplesOf } from "./kit/measure.js";
import { ownDatabase } from "./kit/own-database.js";

const Item = table(
  "items",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: "byDefault" }),
    email: column(z.string(), { unique: true }),
    age: z.int().nullable(),
    score: z.number(),
    active: z.boolean(),
    createdAt: z.date(),
  }),
);
const STORED = 100_000;
const TOGETHER = 10;
/** Calls on a server are optimised by the compiler only after thousands of them. */
const PACE: Pace = { warmUp: 1_500, sample: 60 };
const clocks = { cpu: ownCpu, wall: () => performance.now() * 1_000 };

type Run = () => unknown;

async function print(title: string, clock: keyof typeof clocks, ours: Run, yardstick: Run): Promise<void> {
  const samples = await samplesOf({ ours, yardstick }, clocks, PACE);
  const figure = (name: string) => median((samples.get(name) ?? []).map((one) => one[clock]));
  console.log(`${title} (${clock}): ${(figure("ours") / figure("yardstick")).toFixed(2)}`);
}

async function fill(db: Database<"postgres">): Promise<void> {
  await db.createTables(Item);
  await db
    .repository(Item)
    .insert()
    .execBatch(
      Array.from({ length: STORED }, (_, i) => ({
        email: `user${i}@example.org`,
        age: i % 7 === 0 ? null : i % 50,
        score: i / 2,
        active: i % 2 === 0,
        createdAt: new Date(1_767_225_600_123 + i),
      })),
    );
}

/** Calls of a client alone: a row by its key, and the first rows. */
interface Alone {
  byId(id: number): Promise<unknown>;
  first(count: number): Promise<unknown>;
}

async function beside(name: string, db: Database<"postgres">, alone: Alone): Promise<void> {
  const items = db.repository(Item);
  const byId = items.select().where("id", "=", "id");
  const first = items.query().where("id", "<=", "last").orderBy("id", "asc");
  await print(
    `${name}, by id ÷ alone`,
    "cpu",
    () => byId.exec({ id: 7 }),
    () => alone.byId(7),
  );
  await print(
    `${name}, 1,000 rows ÷ alone`,
    "cpu",
    () => first.exec({ last: 1_000 }),
    () => alone.first(1_000),
  );
  console.log(`${name}, a stream of ${STORED} rows holds ${await held(items.query().stream())} MiB more`);
}

const all = 'SELECT id, email, age, score, active, "createdAt" FROM items';

async function pglite(): Promise<void> {
  const handle = await PGlite.create();
  const db = postgres(handle);
  await fill(db);
  await beside("PGlite", db, {
    byId: (id) => handle.query(`${all} WHERE id = $1`, [id]),
    first: (count) => handle.query(`${all} WHERE id <= $1 ORDER BY id`, [count]),
  });
  await handle.close();
}

/** A stretch of wire before the server on which everything takes a millisecond in each direction. */
async function slowLink(): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.setNoDelay(true);
    from.on("data", async (data) => {
      await setTimeout(1);
      to.write(data);
    });
    from.on("close", () => to.destroy());
    from.on("error", () => to.destroy());
  };
  const server = createServer((client) => {
    const upstream = connect({ host: postgresUrl.hostname, port: Number(postgresUrl.port) });
    pass(client, upstream);
    pass(upstream, client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function atomic(url: URL): Promise<void> {
  const link = await slowLink();
  const behind = new URL(url);
  behind.hostname = "127.0.0.1";
  behind.port = String(link.port);
  const pool = new pg.Pool({ connectionString: behind.href, max: 1 });
  const db = postgres(pool);
  const change = db.repository(Item).modify().set("score", "score").where("id", "=", "id");
  const query = db.repository(Item).query().where("id", "=", "id");
  const ids = Array.from({ length: TOGETHER / 2 }, (_, i) => i + 1);
  await print(
    `pg, ${TOGETHER} statements in atomic ÷ in transaction, over a link of 1 ms`,
    "wall",
    () => db.atomic(ids.flatMap((id) => [change.bind({ id, score: 1.5 }), query.bind({ id })])),
    () =>
      db.transaction(async (tx) => {
        for (const id of ids) {
          await change.exec({ id, score: 1.5 }, { tx });
          await query.exec({ id }, { tx });
        }
      }),
  );
  await pool.end();
  link.close();
}

async function onServer(): Promise<void> {
  const { url, drop } = await ownDatabase();
  try {
    const sql = postgresJs(url.href, { max: 4, onnotice: () => undefined });
    const db = postgres(sql);
    await fill(db);
    await beside("postgres.js", db, {
      byId: (id) => sql`SELECT id, email, age, score, active, "createdAt" FROM items WHERE id = ${id}`,
      first: (count) =>
        sql`SELECT id, email, age, score, active, "createdAt" FROM items WHERE id <= ${count} ORDER BY id`,
    });
    await sql.end();
    await atomic(url);
  } finally {
    await drop();
  }
}

/** Runs the program of SQLite on another runtime, which npm fetches. */
function onRuntime(name: string, command: string): void {
  const program = fileURLToPath(new URL("kit/sqlite-handle.ts", import.meta.url));
  const call = `${command} ${JSON.stringify(program)}`;
  const { status, stderr } = spawnSync("npm", ["exec", "--yes", `--package=${name}`, "--call", call], {
    encoding: "utf8",
    stdio: ["ignore", "inherit", "pipe"],
  });
  if (status !== 0) console.log(`${name}: left out, it ended with ${status}\n${stderr}`);
}

onRuntime("node@24", "node --import tsx");
onRuntime("bun", "bun");
if (await answers(postgresUrl)) await onServer();
else console.log("PostgreSQL: no server answers");
await pglite();
