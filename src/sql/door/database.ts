/** A database: the door from a driver's handle to repositories and transactions. */

import type { $ZodObject, output } from "zod/v4/core";
import { describeType } from "../../core/errors.js";
import { throwIfAborted } from "../contract/abort.js";
import type { Driver, DriverConnection, DriverRequest } from "../contract/driver.js";
import { createTableStatements, dropTableStatements } from "../ddl/ddl.js";
import { IndexNames } from "../ddl/indexes.js";
import type { AnyTable, Table } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { DatabaseSession } from "../exec/database-session.js";
import { type Session, translated } from "../exec/session.js";
import type { Model, Shape, VectorsOn } from "../types/model.js";
import type { Dialect } from "../words/dialect.js";
import { DeclarationError, QueryError, type SqlError } from "../words/errors.js";
import {
  type DatabaseOptions,
  faultOfRetries,
  type TransactionHandle,
  type TransactionOptions,
} from "../words/options.js";
import { checkOptions } from "./handle.js";
import { makeSql, type Sql } from "./raw.js";
import { type Repository, Tables, type Transaction } from "./repository.js";

export type { DatabaseOptions } from "../words/options.js";

/** A database of one dialect, over a handle that belongs to the caller. */
export interface Database<out D extends Dialect = Dialect> {
  readonly dialect: D;
  /** The repository of a table: one for each table, with its callbacks and all that was rendered before. */
  repository<S extends Shape>(table: Table<S> & VectorsOn<S, D>): Repository<Model<S, D>["row"], Model<S, D>>;
  /**
   * Runs `work` in a transaction: commits when it resolves, rolls back when it rejects.
   * @throws {SqlError} `TRANSACTION_CLOSED` from a statement sent after its end.
   */
  transaction<T>(work: (tx: Transaction<D>) => Promise<T>, options?: TransactionOptions<D>): Promise<T>;
  /**
   * Text of your own with `:name` for each value; the rows are decoded by a Zod object whose keys are the names of
   * the columns. The way out where builders do not say it: what is in the text is not checked.
   * @example
   * const top = db.sql("SELECT name, sum(score) AS total FROM games WHERE day = :day GROUP BY name",
   *   z.object({ name: z.string(), total: z.int() }));
   * const rows = await top.exec({ day: new Date() }); // { name: string; total: number }[]
   */
  sql<S extends $ZodObject>(text: string, row: S): Sql<output<S>[]>;
  /** Text of your own without rows; it gives the number of rows that it changed. */
  sql(text: string): Sql<number>;
  /**
   * Asks the server whether it answers, in one round trip; a node of a Galera cluster, whether it is ready too.
   * @throws {SqlError} `CONNECTION_LOST` where it does not, or is not; `ABORTED` where the signal comes first.
   */
  ping(options?: PingOptions): Promise<void>;
  /** Creates tables that do not exist, in the order of their references. */
  createTables(...tables: readonly AnyTable[]): Promise<void>;
  /** Drops tables that exist, against the order of their references. */
  dropTables(...tables: readonly AnyTable[]): Promise<void>;
}

/** Options of `ping`. */
export interface PingOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Makes the database of a dialect; without a driver it renders and never executes. */
export function makeDatabase<D extends Dialect>(
  dialect: D,
  grammar: Grammar,
  driver: Driver | undefined,
  options: DatabaseOptions = {},
): Database<D> {
  // What an untyped caller gives may be anything.
  if (typeof options !== "object" || options === null)
    throw new DeclarationError("the options of a database are an object");
  const fault = faultOfRetries(options.retries);
  if (fault !== undefined) throw new DeclarationError(fault);
  const handleOf = (inner: Session) => makeTransaction(dialect, inner, tables);
  const session: Session = new DatabaseSession(driver ?? noDriver, grammar, handleOf, options);
  const tables = new Tables(session);
  const indexNames = new IndexNames();
  const runAll = async (statements: readonly string[]) => {
    session.throwIfInside(false);
    for (const sql of statements)
      await translated(session.driver, () =>
        session.run({ sql, params: [], givesRows: false, bigints: false }, undefined),
      );
  };
  return Object.freeze<Database<D>>({
    dialect,
    repository: (table) => tables.repository(table, session),
    transaction: async (work, options) => {
      checkWork(work, options);
      session.throwIfInside(options?.tx === null);
      return session.atomically((inner) => work(transactionOf(inner)), { ...options, callsBack: true });
    },
    sql: sqlOf(session),
    ping: async (given) => {
      checkOptions(given, "ping");
      const { signal }: PingOptions = Object(given);
      throwIfAborted(signal);
      session.throwIfInside(false);
      const { driver } = session;
      await translated(driver, async () => {
        if (driver.ping === undefined) await driver.run(PING, signal);
        else await driver.ping(signal);
      });
    },
    createTables: async (...tables) => runAll(createTableStatements(tables, grammar, indexNames)),
    dropTables: async (...tables) => runAll(dropTableStatements(tables, grammar, indexNames)),
  });
}

/** @throws {DeclarationError} */
function checkWork(work: unknown, options: unknown): void {
  if (typeof work !== "function")
    throw new DeclarationError(`transaction takes a function, not ${describeType(work)}`);
  checkOptions(options, "transaction");
}

const PING: DriverRequest = { sql: "SELECT 1", params: [], givesRows: true, bigints: false };

function makeTransaction(dialect: Dialect, session: Session, tables: Tables): TransactionHandle {
  // The mark of a handle is a type only; that the session gives this object is what makes it one.
  return Object.freeze({
    dialect,
    repository: (table: AnyTable) => tables.repository(table, session),
    sql: sqlOf(session),
    transaction: async <T>(work: (tx: Transaction) => Promise<T>) => {
      checkWork(work, undefined);
      return session.atomically((inner) => work(transactionOf(inner)), { callsBack: true });
    },
  }) as unknown as TransactionHandle;
}

// The handle of every session of a database is what `makeTransaction` made.
function transactionOf<D extends Dialect>({ handle }: Session): Transaction<D> {
  return handle as Transaction<D>;
}

// Which of the two `sql` is, the schema says.
function sqlOf(session: Session): Database["sql"] {
  return ((text: string, row?: $ZodObject) => makeSql(session, text, row)) as Database["sql"];
}

const noConnection = (): QueryError =>
  new QueryError("NO_CONNECTION", "this database was made without a handle: it renders and never executes");

const noDriver: Driver = {
  run: () => Promise.reject(noConnection()),
  connect: (): Promise<DriverConnection> => Promise.reject(noConnection()),
  translate: (error): SqlError => new QueryError("NO_CONNECTION", "there is no connection", { cause: error }),
};
