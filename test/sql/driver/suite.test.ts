/**
 * `rowtype/driver/test`: the tests of drivers pass on every driver of rowtype and on drivers as a user would write them,
 * and find every faulty one.
 */
import Sqlite from "better-sqlite3";
import mysql from "mysql2/promise";
import pg from "pg";
import type { Database } from "rowtype";
import type { Driver } from "rowtype/driver";
import { driverTests, type OpenedDriver } from "rowtype/driver/test";
import { mariadb } from "rowtype/mariadb";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { driverBehind } from "../../kit/driver-behind.js";
import { faultyDrivers } from "../../kit/faulty-drivers.js";
import { openPglite, openPostgres } from "../../kit/postgres-clients.js";
import { postgresDriver, sqliteDriver } from "../../kit/small-drivers.js";
import { lendDatabase } from "../../postgres-databases.js";
import { servers } from "../../servers.js";

type Dialect = "postgres" | "mariadb" | "sqlite";

/** Opens drivers over one database, which is emptied before each. */
interface Place {
  readonly name: string;
  readonly dialect: Dialect;
  readonly isThere: boolean;
  readonly open: () => Promise<OpenedDriver>;
}

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** Something that is made once, and ended after all tests. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const isThere = (name: string) => servers.find((server) => server.name === name)?.available === true;
const postgresUrl = once(async () => {
  const { url, giveBack } = await lendDatabase();
  ends.push(giveBack);
  return url;
});
const emptied = once(async () => {
  const pool = new pg.Pool({ connectionString: await postgresUrl(), max: 1 });
  // Its connection is cut with the others.
  pool.on("error", () => undefined);
  ends.push(() => pool.end());
  return async () => void (await pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public"));
});
const killOthers = async () => {
  const client = new pg.Client({ connectionString: await postgresUrl() });
  await client.connect();
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await client.end();
};
const overPostgres =
  (make: (url: string) => Promise<{ driver: Driver; close(): Promise<void> }>) => async () => {
    await (await emptied())();
    return { ...(await make(await postgresUrl())), breakConnection: killOthers };
  };
const ofClient = (client: "pg" | "postgresjs") =>
  overPostgres(async (url) => {
    const { handle, close } = await openPostgres(client, url, 3);
    return { driver: driverBehind(postgres(handle)), close };
  });

const lite = once(async () => {
  const made = await openPglite();
  ends.push(() => made.close());
  return made;
});
const lentMariadb = once(async () => {
  const lent = await servers.find(({ name }) => name === "mariadb")?.lend();
  if (lent?.url === undefined) throw new Error("there is a server");
  ends.push(() => lent.close());
  return { lent, url: lent.url };
});

/** Small drivers are written for it: with `ROWTYPE_SQLITE` another client stands in its place. */
const isBetterSqlite3 = process.env["ROWTYPE_SQLITE"] === undefined;

const places: readonly Place[] = [
  {
    name: "sqlite()",
    dialect: "sqlite",
    isThere: true,
    open: async () => {
      const handle = new Sqlite(":memory:");
      return {
        driver: driverBehind(sqlite(handle) as unknown as Database),
        close: async () => void handle.close(),
      };
    },
  },
  {
    name: "a small driver of better-sqlite3",
    dialect: "sqlite",
    isThere: isBetterSqlite3,
    open: async () => {
      const handle = new Sqlite(":memory:");
      return { driver: sqliteDriver(handle), close: async () => void handle.close() };
    },
  },
  { name: "postgres() over pg", dialect: "postgres", isThere: isThere("postgres"), open: ofClient("pg") },
  {
    name: "postgres() over postgres.js",
    dialect: "postgres",
    isThere: isThere("postgres"),
    open: ofClient("postgresjs"),
  },
  {
    name: "postgres() over PGlite",
    dialect: "postgres",
    isThere: true,
    open: async () => {
      const db = postgres(await lite());
      for (const sql of ["DROP SCHEMA public CASCADE", "CREATE SCHEMA public"]) await db.sql(sql).exec();
      return { driver: driverBehind(db), close: async () => undefined };
    },
  },
  {
    name: "a small driver of pg",
    dialect: "postgres",
    isThere: isThere("postgres"),
    open: overPostgres(async (url) => {
      const pool = new pg.Pool({ connectionString: url, max: 3 });
      return { driver: postgresDriver(pool), close: () => pool.end() };
    }),
  },
  {
    name: "mariadb()",
    dialect: "mariadb",
    isThere: isThere("mariadb"),
    open: async () => {
      const { lent, url } = await lentMariadb();
      for (const name of ["t", "u", "v", "people", "teams", "wide"])
        await lent.run(`DROP TABLE IF EXISTS ${name}`);
      const pool = mysql.createPool({ uri: url, connectionLimit: 3 });
      return { driver: driverBehind(mariadb(pool)), close: () => pool.end() };
    },
  },
];

describe.each(places)("$name", ({ dialect, isThere, open }) => {
  for (const { name, run } of driverTests({ dialect, open })) test.skipIf(!isThere)(name, run);
});

test("a full driver has at least ninety tests, each with a name of its own", () => {
  for (const dialect of ["postgres", "mariadb", "sqlite"] as const) {
    const names = driverTests({ dialect, open: () => Promise.reject(new Error("it is not opened")) }).map(
      ({ name }) => name,
    );
    expect(names.length).toBeGreaterThanOrEqual(90);
    expect(new Set(names).size).toBe(names.length);
  }
});

/** The first sentence that the tests say about a driver over SQLite; undefined if they say nothing. */
async function firstSentence(over: (handle: Sqlite.Database) => Driver): Promise<string | undefined> {
  const open = async () => {
    const handle = new Sqlite(":memory:");
    return { driver: over(handle), close: async () => void handle.close() };
  };
  for (const { run } of driverTests({ dialect: "sqlite", open })) {
    const said = await run().then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (said !== undefined) return said;
  }
  return undefined;
}

describe.skipIf(!isBetterSqlite3)("a faulty driver is found", () => {
  // A test of a driver that never answers waits ten seconds for it. SQLite answers at once, so these timers run twenty
  // times as fast, and no faster: a signal's own timer keeps the real time. A turn that took long counts as a short one.
  const FASTER = 20;
  let turns: NodeJS.Immediate;
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let last = performance.now();
    const turn = () => {
      const passed = Math.min(10, Math.floor(performance.now() - last));
      if (passed > 0) {
        last = performance.now();
        vi.advanceTimersByTime(FASTER * passed);
      }
      turns = setImmediate(turn);
    };
    turn();
  });
  afterAll(() => {
    clearImmediate(turns);
    vi.useRealTimers();
  });

  test("there are at least twenty-five", () => expect(faultyDrivers.size).toBeGreaterThanOrEqual(25));

  test("and one without a fault is not", async () => {
    expect(await firstSentence(sqliteDriver)).toBeUndefined();
  });

  test.each([...faultyDrivers])("%s", async (_, fault) => {
    expect(await firstSentence((handle) => fault(sqliteDriver(handle), handle))).toMatch(/\w/);
  });
});
