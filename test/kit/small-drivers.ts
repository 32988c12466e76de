/** Small drivers as a user would write them: SQLite over better-sqlite3, PostgreSQL over `pg`. */
import type Sqlite from "better-sqlite3";
import type pg from "pg";
import type { Connection, Driver, Result, Statement } from "rowtype/driver";
import { sqlite } from "rowtype/sqlite";

type Full = Driver & Required<Pick<Driver, "connect">>;

const controls = {
  commit: "COMMIT",
  rollback: "ROLLBACK",
  savepoint: "SAVEPOINT s",
  "release savepoint": "RELEASE SAVEPOINT s",
  "rollback to savepoint": "ROLLBACK TO SAVEPOINT s",
} as const;

/** A driver over a handle of better-sqlite3. */
export function sqliteDriver(handle: Sqlite.Database): Full {
  // It registers the functions of rowtype on the handle.
  sqlite(handle);
  const run = ({ sql, params, bigints, rows: gives }: Statement): Result => {
    const statement = handle.prepare(sql);
    if (!statement.reader) return { rows: [], affected: statement.run(...params).changes };
    statement.raw().safeIntegers(bigints);
    const rows = statement.all(...params) as Result["rows"];
    const columns = gives === "unknown" ? { columns: statement.columns().map(({ name }) => name) } : {};
    return { rows, affected: rows.length, ...columns };
  };
  // One transaction at a time.
  let last: Promise<unknown> = Promise.resolve();
  const turn = async () => {
    const before = last;
    let end: () => void = () => undefined;
    last = new Promise<void>((resolve) => {
      end = resolve;
    });
    await before;
    return end;
  };
  const alone = async <T>(work: () => T): Promise<T> => {
    const end = await turn();
    try {
      return work();
    } finally {
      end();
    }
  };
  return {
    oneConnection: true,
    run: (statement, signal) => {
      signal?.throwIfAborted();
      return alone(() => run(statement));
    },
    connect: async (signal) => {
      signal?.throwIfAborted();
      const end = await turn();
      const connection: Connection = {
        run: (statement, late) => {
          late?.throwIfAborted();
          return run(statement);
        },
        begin: () => void handle.exec("BEGIN IMMEDIATE"),
        control: (command) => void handle.exec(controls[command]),
        open: async (statement) => {
          const { rows } = run(statement);
          let at = 0;
          return {
            next: async () => {
              const page = rows.slice(at, at + 256);
              at += page.length;
              return page;
            },
            close: async () => {
              at = rows.length;
            },
          };
        },
        release: (inDoubt) => {
          if (inDoubt && handle.inTransaction) handle.exec("ROLLBACK");
          end();
        },
      };
      return connection;
    },
  };
}

const types = Object.assign([], { getTypeParser: () => (text: string) => text });

/** Has the server cancel what runs when the signal fires; the answer waits until that is no longer under way. */
function cancelling(
  pool: pg.Pool,
  client: pg.PoolClient,
  signal: AbortSignal | undefined,
): () => Promise<unknown> {
  let asked: Promise<unknown> = Promise.resolve();
  const { processID } = client as unknown as { readonly processID: number };
  const abort = () => {
    asked = pool.query("SELECT pg_cancel_backend($1)", [processID]);
  };
  signal?.addEventListener("abort", abort, { once: true });
  return () => {
    signal?.removeEventListener("abort", abort);
    return asked;
  };
}

/** A driver over a `pg.Pool`. */
export function postgresDriver(pool: pg.Pool): Full {
  pool.on("error", () => undefined);
  const runOn = async (
    client: pg.Pool | pg.PoolClient,
    { sql, params, rows: gives }: Statement,
  ): Promise<Result> => {
    const query = { text: sql, values: [...params], rowMode: "array", types, queryMode: "extended" };
    const { rows, rowCount, fields }: pg.QueryArrayResult<(string | null)[]> = await client.query(
      query as never,
    );
    const columns = gives === "unknown" ? { columns: fields.map(({ name }) => name) } : {};
    return { rows, affected: rowCount ?? 0, ...columns };
  };
  return {
    run: async (statement, signal) => {
      signal?.throwIfAborted();
      const client = await pool.connect();
      const onError = () => undefined;
      client.on("error", onError);
      const done = cancelling(pool, client, signal);
      try {
        return await runOn(client, statement);
      } finally {
        await done();
        client.off("error", onError);
        client.release();
      }
    },
    native: async (text, values) => {
      const { rows, rowCount } = await pool.query(text, [...values]);
      return { rows, affected: rowCount ?? 0 };
    },
    connect: async (signal) => {
      signal?.throwIfAborted();
      const client = await pool.connect();
      const onError = () => undefined;
      client.on("error", onError);
      return {
        run: async (statement, late) => {
          late?.throwIfAborted();
          return runOn(client, statement);
        },
        begin: async (isolation) => {
          await client.query(`BEGIN${isolation === undefined ? "" : ` ISOLATION LEVEL ${isolation}`}`);
        },
        control: async (command) => {
          const { command: done } = await client.query(controls[command]);
          if (command === "commit" && done === "ROLLBACK") throw new Error("it was rolled back");
        },
        open: async (statement) => {
          await runOn(client, { ...statement, sql: `DECLARE c NO SCROLL CURSOR FOR ${statement.sql}` });
          return {
            next: async () =>
              (await runOn(client, { ...statement, sql: "FETCH 256 FROM c", params: [] })).rows,
            close: async () => void (await client.query("CLOSE c")),
          };
        },
        release: (inDoubt) => {
          client.off("error", onError);
          client.release(inDoubt);
        },
      };
    },
  };
}
