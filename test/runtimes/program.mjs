/**
 * One program for every runtime: each part prints its name and `ok`, `skipped` with a reason, or `failed` with the error.
 * `scripts/test-runtimes.mjs` starts it. It imports the built package by its name, as a user does.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { add, column, count, dateAdd, decimal, div, many, one, table, value } from "rowtype";
import { createEngine, GET, HostLoopback, NotFound, POST } from "rowtype/http";
import { createClient } from "rowtype/http/client";
import { diff, generate, migrate } from "rowtype/migrate";
import { z } from "zod";

class Skip extends Error {}

const id = column(z.int(), { primaryKey: true, generated: true });
const authors = table("authors", z.object({ id, name: column(z.string(), { unique: true }) }), {
  relations: { books: many("books", "authorId") },
});
const books = table(
  "books",
  z.object({
    id,
    authorId: column(z.int(), { references: () => authors }),
    title: z.string(),
    price: decimal(8, 2),
    wide: z.bigint().nullable(),
    ratio: z.number(),
    at: z.date(),
    bytes: z.instanceof(Uint8Array).nullable(),
    good: z.boolean(),
  }),
  { relations: { author: one("authors", "authorId") } },
);

const at = new Date("2026-03-01T09:30:00.000Z");
const book = { title: "é \u{1F600}", price: "9.90", wide: 2n ** 63n - 1n, ratio: 2.5, at, good: true };

/** What every database must give. */
async function useDatabase(database) {
  await database.createTables(authors, books);
  const db = database.repositories({ authors, books });
  const { id: authorId } = await db.authors.insert().exec({ name: "Ann" });
  const stored = await db.books.insert().exec({ ...book, authorId, bytes: new Uint8Array([0, 255]) });
  const found = await db.books.query().where("id", "=", "id").exec({ id: stored.id });
  assert.deepEqual(
    found.map(({ bytes, ...others }) => ({ ...others, bytes: [...bytes] })),
    [{ ...book, id: stored.id, authorId, bytes: [0, 255] }],
  );
  assert.deepEqual(
    await db.authors.select().with("books", db.books.query().fields("price", "wide")).exec({}),
    { id: authorId, name: "Ann", books: [{ price: "9.90", wide: book.wide }] },
  );
  const computed = await db.books
    .query()
    .fields(
      div("id", "authorId").as("q"),
      dateAdd("at", value(1), "month").as("later"),
      add("ratio", "ratio").as("double"),
    )
    .exec();
  assert.deepEqual(computed, [{ q: 1, later: new Date("2026-04-01T09:30:00.000Z"), double: 5 }]);

  const twice = await db.authors
    .insert()
    .exec({ name: "Ann" })
    .catch((error) => error);
  assert.deepEqual([twice.code, twice.fields], ["UNIQUE_VIOLATION", ["name"]]);
  const undone = await database
    .transaction(async (tx) => {
      await db.authors.insert().execTx(tx, { name: "Bob" });
      await assert.rejects(
        tx.transaction(async (inner) => {
          await db.authors.insert().execTx(inner, { name: "Eve" });
          throw new Error("inner");
        }),
      );
      throw new Error("outer");
    })
    .catch((error) => error.message);
  assert.equal(undone, "outer");
  assert.deepEqual(await db.authors.query().fields(count().as("n")).exec(), [{ n: 1 }]);

  await db.authors.insert().execBatch(Array.from({ length: 1000 }, (_, i) => ({ name: `a${i}` })));
  let rows = 0;
  for await (const { name } of db.authors.query().orderBy("id", "asc").stream({}))
    rows += name.length > 0 ? 1 : 0;
  assert.equal(rows, 1001);
  const most = db.books.modify().setExpr("wide", "+", "more").where("id", "=", "id");
  const overflow = await most.exec({ id: stored.id, more: 1n }).catch((error) => error.code);
  assert.equal(overflow, "QUERY_FAILED");
  assert.equal((await most.exec({ id: stored.id, more: -1n })).wide, 2n ** 63n - 2n);
  const two = await database
    .sql("SELECT 1 AS a; SELECT 2 AS a")
    .exec()
    .catch((error) => error.code);
  assert.equal(two, "QUERY_FAILED");
  const aborted = await db.authors
    .query()
    .exec({}, { signal: AbortSignal.abort() })
    .catch((error) => error.code);
  assert.equal(aborted, "ABORTED");
}

async function useMigrations(database) {
  const before = table("people", z.object({ id, name: z.string() }));
  const after = table("people", z.object({ id, name: z.string(), age: z.int().nullable() }));
  await database.createTables(before);
  await database.repository(before).insert().exec({ name: "Ann" });
  const folder = mkdtempSync(join(tmpdir(), "rowtype-runtimes-"));
  try {
    await generate([after], database, { folder, name: "add-age" });
    await migrate(database, { folder });
    assert.deepEqual(await database.repository(after).query().exec(), [{ id: 1, name: "Ann", age: null }]);
    assert.equal((await diff([after], database)).isEmpty, true);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function useHttp() {
  const show = GET(
    "/things/{id}",
    { path: { id: z.int() }, errors: [NotFound], output: z.object({ id: z.int() }) },
    ({ params }) => (params.path.id === 7 ? { id: 7 } : NotFound),
  );
  const send = POST(
    "/things",
    { body: z.object({ at: z.date() }), output: z.object({ at: z.date() }) },
    ({ body }) => body,
  );
  const api = createEngine().withHandlers(show, send);
  const server = await api.start(HostLoopback, 0);
  try {
    const client = createClient(server.url);
    assert.deepEqual((await client.GET("/things/{id}", { path: { id: 7 } })).data, { id: 7 });
    assert.equal((await client.GET("/things/{id}", { path: { id: 8 } })).error.code, "NOT_FOUND");
    assert.deepEqual((await client.POST("/things", { body: { at: at.toISOString() } })).data, {
      at: at.toISOString(),
    });
    const document = await (await fetch(`${server.url}/openapi`)).json();
    assert.deepEqual(Object.keys(document.paths), ["/things/{id}", "/things"]);
  } finally {
    await server.shutdown?.();
    await api.shutdown?.();
  }
}

// ---- databases

const { Bun: bun, Deno: deno } = globalThis;
const runtime = bun
  ? `Bun ${bun.version}`
  : deno
    ? `Deno ${deno.version.deno}`
    : `Node ${process.versions.node}`;

async function sqliteHandle() {
  if (bun) return new (await import("bun:sqlite")).Database(":memory:");
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (deno || major > 22 || (major === 22 && minor >= 16))
    return new (await import("node:sqlite")).DatabaseSync(":memory:");
  return new (await import("better-sqlite3")).default(":memory:");
}

async function onSqlite(use) {
  const { sqlite } = await import("rowtype/sqlite");
  const handle = await sqliteHandle();
  await use(sqlite(handle));
  handle.close();
}

const pools = {
  pg: async (connectionString) => {
    const { default: pg } = await import("pg");
    const pool = new pg.Pool({ connectionString, max: 4 });
    return { handle: pool, close: () => pool.end() };
  },
  "postgres.js": async (url) => {
    const { default: postgresJs } = await import("postgres");
    const sql = postgresJs(url, { max: 4, onnotice: () => undefined });
    return { handle: sql, close: () => sql.end({ timeout: 5 }) };
  },
};

async function onPostgres(client, use) {
  const url = process.env.ROWTYPE_POSTGRES;
  if (!url) throw new Skip("no ROWTYPE_POSTGRES");
  const { postgres } = await import("rowtype/postgres");
  const pg = (await import("pg")).default;
  const name = `rowtype_${Math.random().toString(36).slice(2)}`;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const { handle, close } = await pools[client](own.href);
  try {
    await use(postgres(handle));
  } finally {
    await close();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}

async function onMariadb(use) {
  const url = process.env.ROWTYPE_MARIADB;
  if (!url) throw new Skip("no ROWTYPE_MARIADB");
  const { mariadb } = await import("rowtype/mariadb");
  const mysql = (await import("mysql2/promise")).default;
  const name = `rowtype_${Math.random().toString(36).slice(2)}`;
  const admin = await mysql.createConnection(url);
  await admin.query(`CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const pool = mysql.createPool({ uri: own.href, connectionLimit: 4 });
  try {
    await use(mariadb(pool));
  } finally {
    await pool.end();
    await admin.query(`DROP DATABASE ${name}`);
    await admin.end();
  }
}

const parts = {
  sqlite: () => onSqlite(useDatabase),
  "migrations on sqlite": () => onSqlite(useMigrations),
  "postgres by pg": () => onPostgres("pg", useDatabase),
  "migrations on postgres by pg": () => onPostgres("pg", useMigrations),
  "postgres by postgres.js": () => onPostgres("postgres.js", useDatabase),
  "migrations on postgres by postgres.js": () => onPostgres("postgres.js", useMigrations),
  mariadb: () => onMariadb(useDatabase),
  "migrations on mariadb": () => onMariadb(useMigrations),
  http: useHttp,
};

let failed = false;
for (const [name, run] of Object.entries(parts)) {
  try {
    await run();
    console.log(`${runtime} · ${name}: ok`);
  } catch (error) {
    const isSkip = error instanceof Skip;
    failed ||= !isSkip;
    console.log(
      `${runtime} · ${name}: ${isSkip ? `skipped, ${error.message}` : `failed\n${error.stack}\n${error.cause?.stack ?? ""}`}`,
    );
  }
}
process.exit(failed ? 1 : 0);
