/**
 * What 10,000 queries leave behind: the resident size of a process that reads one row 10,000 times on PostgreSQL, over
 * that of one that does so with zod and `pg` by hand. Run by `npm run bench memory`, on the server of the live tests.
 * The processes take turns; the difference of the medians is the result.
 */
import { fileURLToPath } from "node:url";
import { mediansOf } from "./kit/in-turns.mjs";

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const QUERIES = 10_000;
const url = process.env.ROWTYPE_POSTGRES ?? "postgres://postgres@127.0.0.1:5432/postgres";

async function sample(kind) {
  const { z } = await import("zod");
  const { default: pg } = await import("pg");
  // The table is one of the connection alone.
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await pool.query("CREATE TEMP TABLE items (id int PRIMARY KEY, name text NOT NULL, age int)");
  await pool.query("INSERT INTO items SELECT i, 'Ann', i FROM generate_series(1, 1000) AS i");
  const shape = { name: z.string(), age: z.int().nullable() };
  let read;
  if (kind === "rowtype") {
    const { column, table } = await import("rowtype");
    const { postgres } = await import("rowtype/postgres");
    const Item = table("items", z.object({ id: column(z.int(), { primaryKey: true }), ...shape }));
    const byId = postgres(pool).repository(Item).select().where("id", "=", "id");
    read = (id) => byId.exec({ id });
  } else {
    const Item = z.object({ id: z.int(), ...shape });
    const text = "SELECT id, name, age FROM items WHERE id = $1 LIMIT 1";
    read = async (id) => Item.parse((await pool.query({ name: "by_id", text, values: [id] })).rows[0]);
  }
  for (let i = 0; i < QUERIES; i++) {
    const row = await read((i % 1000) + 1);
    if (row.name !== "Ann") throw new Error("another row came back");
  }
  console.log(process.memoryUsage().rss / 2 ** 20);
  await pool.end();
}

function compare() {
  const [ours, hand] = mediansOf(fileURLToPath(import.meta.url), ["rowtype", "hand"], ROUNDS);
  console.log(
    `resident after ${QUERIES} queries, over zod and pg (${hand.toFixed(0)} MiB): ${ours >= hand ? "+" : ""}${(ours - hand).toFixed(1)} MiB`,
  );
}

const kind = process.argv[2];
if (kind === undefined) compare();
else await sample(kind);
