/** One instance of the board. Start any number on one database: `DATABASE_URL`, `PORT`, `DRAIN_MS`. */
import pg from "pg";
import { HostLoopback } from "rowtype/http";
import { postgres } from "rowtype/postgres";
import { makeApi } from "./api.js";
import { openFeed } from "./feed.js";
import { prepare } from "./tables.js";

const connectionString = process.env["DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const pool = new pg.Pool({ connectionString });
// The pool replaces an idle connection that breaks.
pool.on("error", () => {});
const db = postgres(pool);
await prepare(db, pool);
const feed = await openFeed(db, () => new pg.Client({ connectionString }));

const api = makeApi(db, feed);
const { url } = await api.start(HostLoopback, Number(process.env["PORT"] ?? 0));
console.log(`copy ${process.pid} at ${url}`);
process.send?.(url);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, async () => {
    // Longer than the load balancer takes to notice that the instance is not ready any more.
    await api.shutdown({ drainMs: Number(process.env["DRAIN_MS"] ?? 5_000) });
    await feed.close();
    await pool.end();
    process.disconnect?.();
  });
