/**
 * `rowtype/postgres`: a database over the caller's own `pg.Pool`. Every value travels as text and rows come as
 * arrays, so that no type parser of the driver, global or of the pool, changes what is read.
 */
import { type Database, makeDatabase } from "../database.js";
import { postgres as grammar } from "../dialect/postgres.js";
import { ConstraintError, QueryError, type QueryErrorCode, type SqlError } from "../errors.js";
import type { Driver, DriverConnection, DriverRequest, DriverResult, Isolation } from "../exec/driver.js";

/** What rowtype uses of a `pg.Pool`. */
export interface PostgresPool {
  query(config: PostgresQuery): Promise<PostgresResult>;
  connect(): Promise<PostgresClient>;
}

/** What rowtype uses of a `pg.PoolClient`. */
export interface PostgresClient {
  query(config: PostgresQuery): Promise<PostgresResult>;
  release(destroy?: boolean): void;
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
  return makeDatabase("postgres", grammar, pool === undefined ? undefined : new PostgresDriver(pool));
}

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
    const control = async (sql: string) => client.query(queryOf(sql, []));
    return {
      run: async (request) => resultOf(await client.query(queryOf(request.sql, request.params))),
      begin: async (isolation) => {
        await control(beginOf(isolation));
      },
      commit: async () => {
        const { command } = await control("COMMIT");
        // A transaction that a failed statement has doomed answers COMMIT with ROLLBACK, and no error.
        if (command === "ROLLBACK")
          throw new QueryError(
            "QUERY_FAILED",
            "the transaction was rolled back: a statement in it had failed",
          );
      },
      rollback: async () => {
        await control("ROLLBACK");
      },
      release: (broken) => client.release(broken),
      scope: (fn) => fn(),
    };
  }

  translate(error: unknown, propertyOf: (column: string) => string): SqlError {
    return translate(error, propertyOf);
  }
}

const types = { getTypeParser: () => (value: string) => value };

function queryOf(text: string, params: readonly unknown[]): PostgresQuery {
  return { text, values: [...params], rowMode: "array", types };
}

function resultOf({ rows, rowCount }: PostgresResult): DriverResult {
  // With `rowMode: "array"` every row is an array.
  return { rows: rows as unknown[][], affected: rowCount ?? 0 };
}

function beginOf(isolation: Isolation | undefined): string {
  return isolation === undefined ? "BEGIN" : `BEGIN ISOLATION LEVEL ${isolation.toUpperCase()}`;
}

const constraints: Readonly<Record<string, ConstraintError["code"]>> = {
  "23505": "UNIQUE_VIOLATION",
  "23503": "FOREIGN_KEY_VIOLATION",
  "23502": "NOT_NULL_VIOLATION",
  "23514": "CHECK_VIOLATION",
};

const states: Readonly<Record<string, QueryErrorCode>> = {
  "40P01": "DEADLOCK",
  "40001": "SERIALIZATION_FAILURE",
  "55P03": "LOCK_TIMEOUT",
  "57014": "ABORTED",
  "57P01": "CONNECTION_LOST",
  "57P02": "CONNECTION_LOST",
  "57P03": "CONNECTION_LOST",
};

interface ServerError {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly column?: unknown;
  readonly detail?: unknown;
}

// The server's own message may quote values, so ours is made from the facts around it.
function translate(error: unknown, propertyOf: (column: string) => string): SqlError {
  const { code, constraint, column, detail } = error as ServerError;
  const cause = { cause: error };
  if (typeof code !== "string" || !/^[0-9A-Z]{5}$/.test(code))
    return new QueryError("CONNECTION_LOST", "the connection to the server failed", cause);
  const broken = constraints[code];
  if (broken !== undefined) {
    const name = typeof constraint === "string" ? constraint : undefined;
    const fields =
      typeof column === "string"
        ? [column]
        : typeof detail === "string"
          ? (/^Key \((.+?)\)=/.exec(detail)?.[1]?.split(", ") ?? [])
          : [];
    const named = name ?? fields.join(", ");
    return new ConstraintError(
      broken,
      `constraint failed: ${named}`,
      { constraint: name, fields: fields.map(propertyOf) },
      cause,
    );
  }
  const known = states[code] ?? (code.startsWith("08") ? "CONNECTION_LOST" : "QUERY_FAILED");
  return new QueryError(known, `the statement failed (SQLSTATE ${code})`, cause);
}
