/**
 * `rowtype/postgres`: a database over the caller's own `pg.Pool`. Every value travels as text and rows come as
 * arrays, so that no type parser of the driver, global or of the pool, changes what is read.
 */
import { type Database, makeDatabase } from "../database.js";
import { postgres as grammar } from "../dialect/postgres.js";
import { QueryError, type SqlError } from "../errors.js";
import type {
  Control,
  Driver,
  DriverConnection,
  DriverRequest,
  DriverResult,
  Isolation,
} from "../exec/driver.js";
import { translatePostgresError } from "./postgres-errors.js";

/** What rowtype uses of a `pg.Pool`. */
export interface PostgresPool {
  query(config: PostgresQuery): Promise<PostgresResult>;
  connect(): Promise<PostgresClient>;
}

/** What rowtype uses of a `pg.PoolClient`. */
export interface PostgresClient {
  query(config: PostgresQuery): Promise<PostgresResult>;
  release(destroy?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

/** A query as `pg` takes it. */
export interface PostgresQuery {
  readonly text: string;
  readonly values: unknown[];
  readonly rowMode: "array";
  readonly types: { getTypeParser(): (value: string) => string };
}

/** A result as `pg` gives it. */
export interface PostgresResult {
  readonly rows: unknown[];
  readonly rowCount: number | null;
  readonly command: string;
}

/**
 * A database over a `pg.Pool`; without one it renders and never executes. The caller ends the pool.
 * @example
 * import pg from "pg";
 * import { postgres } from "rowtype/postgres";
 * const db = postgres(new pg.Pool({ connectionString: process.env.DATABASE_URL }));
 */
export function postgres(pool?: PostgresPool): Database<"postgres"> {
  return makeDatabase("postgres", grammar, pool === undefined ? undefined : driverOf(pool));
}

const drivers = new WeakMap<PostgresPool, PostgresDriver>();

// One driver for each pool: a transaction of it is a transaction of every database made over it.
function driverOf(pool: PostgresPool): PostgresDriver {
  const driver = drivers.get(pool) ?? new PostgresDriver(pool);
  drivers.set(pool, driver);
  return driver;
}

const controls: { readonly [C in Control]: string } = {
  commit: "COMMIT",
  rollback: "ROLLBACK",
  savepoint: "SAVEPOINT rowtype",
  "release savepoint": "RELEASE SAVEPOINT rowtype",
  "rollback to savepoint": "ROLLBACK TO SAVEPOINT rowtype",
};

const begins: { readonly [I in Isolation]: string } = {
  "read committed": "BEGIN ISOLATION LEVEL READ COMMITTED",
  "repeatable read": "BEGIN ISOLATION LEVEL REPEATABLE READ",
  serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE",
};

class PostgresDriver implements Driver {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  async run(request: DriverRequest): Promise<DriverResult> {
    return resultOf(await this.#pool.query(queryOf(request.sql, request.params)));
  }

  async connect(): Promise<DriverConnection> {
    const client = await this.#pool.connect();
    // A client that is checked out tells of a lost connection by an event; without a listener it ends the process.
    let lost = false;
    const onError = () => {
      lost = true;
    };
    client.on("error", onError);
    const send = (sql: string) => client.query(queryOf(sql, []));
    return {
      run: async (request) => resultOf(await client.query(queryOf(request.sql, request.params))),
      begin: async (isolation) => {
        await send(isolation === undefined ? "BEGIN" : begins[isolation]);
      },
      control: async (command) => {
        const result = await send(controls[command]);
        // A transaction that a failed statement has doomed answers COMMIT with ROLLBACK, and no error.
        if (command === "commit" && result.command === "ROLLBACK")
          throw new QueryError(
            "QUERY_FAILED",
            "the transaction was rolled back: a statement in it had failed",
          );
      },
      release: (inDoubt) => {
        client.release(inDoubt || lost);
        client.off("error", onError);
      },
      scope: (fn) => fn(),
    };
  }

  translate(error: unknown, propertyOf: (column: string) => string): SqlError {
    return translatePostgresError(error, propertyOf);
  }
}

// A list, for `pg` also reads there the types of the parameters, of which we say none.
const types = Object.assign([], { getTypeParser: () => (value: string) => value });

function queryOf(text: string, params: readonly unknown[]): PostgresQuery {
  return { text, values: [...params], rowMode: "array", types };
}

function resultOf({ rows, rowCount }: PostgresResult): DriverResult {
  // With `rowMode: "array"` every row is an array.
  return { rows: rows as unknown[][], affected: rowCount ?? 0 };
}
