/**
 * A server of the rows of a table, in a process of its own: told a dialect and where its database is, it tells its port,
 * and then what it holds whenever it is asked. Its pool has two connections.
 */
import Sqlite from "better-sqlite3";
import { createPool } from "mysql2/promise";
import pg from "pg";
import type { Database } from "rowtype";
import { createEngine, csv, GET, HostLoopback, ndjson } from "rowtype/http";
import { mariadb } from "rowtype/mariadb";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { Sale } from "./export-rows.js";

/** What the process holds. */
export interface ExportState {
  /** After a full collection. */
  readonly heap: number;
  readonly rss: number;
  /** The most that was seen since the last report; of the heap, after the collections of that time. */
  readonly mostHeap: number;
  readonly mostRss: number;
  /** Rows that the query has given, and connections that are not back in their pool. */
  readonly given: number;
  readonly lentOut: number;
  readonly reported: readonly string[];
}

const [dialect, place = ""] = process.argv.slice(2);
const { db, lentOut } = opened();
const reported: string[] = [];
let given = 0;

/** The rows of the query, counted. */
async function* counted<T>(rows: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const row of rows) {
    given++;
    yield row;
  }
}

const sales = db.repository(Sale).query().orderBy("id", "asc");
const api = createEngine({ onError: (error) => void reported.push(String(error)) }).withHandlers(
  GET("/ndjson", { output: ndjson(Sale.schema) }, ({ signal }) => counted(sales.stream({}, { signal }))),
  GET("/csv", { output: csv(Sale.schema) }, () => counted(sales.stream())),
  // A cursor that is left open holds it up, on a database that has one connection.
  GET(
    "/written",
    async () => void (await db.repository(Sale).remove().where("id", "=", "id").exec({ id: -1 })),
  ),
);

const most = { heap: 0, rss: 0 };
// What waits to be collected is not held. A collection makes the process smaller, so it is one or the other.
let collects = false;
const sample = () => {
  if (collects) globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  if (collects) most.heap = Math.max(most.heap, heapUsed);
  most.rss = Math.max(most.rss, rss);
};
setInterval(sample, 100);

process.on("message", (word) => {
  sample();
  const { heap: mostHeap, rss: mostRss } = most;
  globalThis.gc?.();
  const { heapUsed: heap, rss } = process.memoryUsage();
  const state: ExportState = { heap, rss, mostHeap, mostRss, given, lentOut: lentOut(), reported };
  Object.assign(most, { heap: 0, rss: 0 });
  collects = word === "collect";
  process.send?.(state);
});
process.send?.((await api.start(HostLoopback, 0)).port);

function opened(): { readonly db: Database<"sqlite">; readonly lentOut: () => number } {
  // One type for all of them: what is asked here, each of them has.
  const as = (one: Database) => one as unknown as Database<"sqlite">;
  if (dialect === "postgres") {
    const pool = new pg.Pool({ connectionString: place, max: 2 });
    return { db: as(postgres(pool)), lentOut: () => pool.totalCount - pool.idleCount };
  }
  if (dialect === "mariadb") {
    const pool = createPool({ uri: place, connectionLimit: 2 });
    // Its lists are not in the type of mysql2.
    const core = pool.pool as unknown as { _allConnections: ArrayLike<1>; _freeConnections: ArrayLike<1> };
    return {
      db: as(mariadb(pool)),
      lentOut: () => core._allConnections.length - core._freeConnections.length,
    };
  }
  return { db: as(sqlite(new Sqlite(place))), lentOut: () => 0 };
}
