/** A database: creates repositories and transactions over a driver's handle. */

import type { $ZodObject } from "zod/v4/core";
import { describeType } from "../../core/errors.js";
import { throwIfAborted } from "../contract/abort.js";
import { type Driver, type DriverConnection, plainRequest } from "../contract/driver.js";
import { createTableStatements, dropTableStatements } from "../ddl/ddl.js";
import { IndexNames } from "../ddl/index-names.js";
import type { AnyDeclared, AnyTable, Queried } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { DatabaseSession } from "../exec/database-session.js";
import { inTurn } from "../exec/gathered.js";
import { type Session, translated } from "../exec/session.js";
import type { RunsAtomic } from "../types/bound.js";
import type { Dialect } from "../words/dialect.js";
import { DeclarationError, QueryError, type SqlError, UnsupportedError } from "../words/errors.js";
import {
  type DatabaseOptions,
  faultOfRetries,
  type TransactionHandle,
  type TransactionOptions,
} from "../words/options.js";
import { atomicOf } from "./atomic.js";
import type { ReadsQueries } from "./derived.js";
import { readOptional } from "./handle.js";
import { nativeOf, type RunsNative } from "./native.js";
import { keepSession } from "./plain.js";
import { makeSql, type RunsSql } from "./raw.js";
import { type GivesRepositories, Tables, type Transaction } from "./repository.js";

export type { DatabaseOptions } from "../words/options.js";

/** A database of one dialect, over a handle that the caller owns. */
export interface Database<out D extends Dialect = Dialect>
  extends GivesRepositories<D>,
    RunsSql<D>,
    RunsNative,
    ReadsQueries<D>,
    RunsAtomic<D> {
  readonly dialect: D;
  /**
   * Runs `work` in a transaction: commits when it resolves, rolls back when it rejects.
   * @throws {SqlError} `TRANSACTION_CLOSED` from a statement sent after its end.
   */
  transaction<T>(work: (tx: Transaction<D>) => Promise<T>, options?: TransactionOptions<D>): Promise<T>;
  /**
   * Checks in one round trip that the server answers; on a node of a Galera cluster, also that it is ready.
   * @throws {SqlError} `CONNECTION_LOST` if it does not answer or is not ready; `ABORTED` if the signal aborts
   * first.
   */
  ping(options?: PingOptions): Promise<void>;
  /** Creates missing enum types, tables in the order of their references, and views in the given order. */
  createTables(...tables: readonly AnyDeclared[]): Promise<void>;
  /** Drops existing views, tables and enum types, in the reverse order. */
  dropTables(...tables: readonly AnyDeclared[]): Promise<void>;
}

/** Options of `ping`. */
export interface PingOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Creates the database of a dialect. Without a driver it renders and never executes. */
export function makeDatabase<D extends Dialect>(
  dialect: D,
  grammar: Grammar,
  driver: Driver | undefined,
  options: DatabaseOptions = {},
): Database<D> {
  // An untyped caller may pass anything.
  if (typeof options !== "object" || options === null)
    throw new DeclarationError("the options of a database must be an object");
  const fault = faultOfRetries(options.retries);
  if (fault !== undefined) throw new DeclarationError(fault);
  const handleOf = (inner: Session) => makeTransaction(dialect, inner, tables);
  const session: Session = new DatabaseSession(driver ?? noDriver, grammar, handleOf, options);
  const tables = new Tables(session);
  const database = Object.freeze<Database<D>>({
    dialect,
    repository: repositoryOf(tables, session),
    repositories: repositoriesOf<D>(tables, session),
    from: fromOf<D>(tables, session),
    with: withOf<D>(tables),
    recursive: recursiveOf<D>(tables),
    transaction: async (work, options) => {
      const given = readWork(work, options);
      session.throwIfInside(given.tx === null);
      return session.atomically((inner) => work(transactionOf(inner)), { ...given, callsBack: true });
    },
    sql: sqlOf<D>(session),
    native: nativeOf(session),
    atomic: atomicOf<D>(session),
    ping: async (given) => {
      const { signal } = readOptional(given, ["signal"], "ping");
      throwIfAborted(signal);
      session.throwIfInside(false);
      const { driver } = session;
      await translated(driver, async () => {
        if (driver.ping === undefined) await driver.run(PING, signal);
        else await driver.ping(signal);
      });
    },
    ...tableChanges(dialect, grammar, session),
  });
  return keepSession(database, session);
}

/** The methods that create and drop tables. */
function tableChanges(
  dialect: Dialect,
  grammar: Grammar,
  session: Session,
): Pick<Database, "createTables" | "dropTables"> {
  const indexNames = new IndexNames();
  const runAll = async (statements: readonly string[]) => {
    session.throwIfInside(false);
    for (const sql of statements)
      await translated(session.driver, () => session.run(plainRequest(sql, false), undefined));
  };
  return {
    createTables: async (...tables) => {
      const statements = createTableStatements(tables, grammar, indexNames);
      const { unstored } = grammar.ddl;
      if (unstored !== undefined && tables.some(hasUnstored)) {
        session.throwIfInside(false);
        const { rows } = await translated(session.driver, () =>
          session.run(plainRequest(unstored.version, true), undefined),
        );
        if (Number(rows[0]?.[0]) < unstored.since)
          throw new UnsupportedError(dialect, "computed columns that are not stored", "leave stored out");
      }
      return runAll(statements);
    },
    dropTables: async (...tables) => {
      const { statements, together } = dropTableStatements(tables, grammar, indexNames);
      if (!together) return runAll(statements);
      session.throwIfInside(false);
      await session.atomically(async (inner) => {
        // Checks are deferred until the transaction ends, when all of the tables are dropped.
        await inTurn(["PRAGMA defer_foreign_keys = ON", ...statements], inner, (sql) =>
          translated(inner.driver, () => inner.run(plainRequest(sql, false), undefined)),
        );
      }, {});
    },
  };
}

function hasUnstored(declared: AnyDeclared): boolean {
  if (!("columns" in declared) || declared.external) return false;
  return Object.values(declared.columns).some(({ stored }) => stored === false);
}

/** The options of a transaction. @throws {DeclarationError} */
function readWork<O extends object>(work: unknown, options: O | undefined): Partial<O> {
  if (typeof work !== "function")
    throw new DeclarationError(`transaction takes a function, not ${describeType(work)}`);
  return readOptional(options, ["isolation", "signal", "retries", "tx"], "transaction");
}

const PING = { ...plainRequest("SELECT 1", true), anySession: true } as const;

function makeTransaction(dialect: Dialect, session: Session, tables: Tables): TransactionHandle {
  // The mark of a handle exists only as a type. This object is a handle because the session returns it.
  const handle = Object.freeze({
    dialect,
    repository: (table: AnyTable): unknown => tables.repository(table, session),
    repositories: (module: object) => tables.repositories(module, session),
    from: fromOf(tables, session),
    with: withOf(tables),
    recursive: recursiveOf(tables),
    sql: sqlOf(session),
    native: nativeOf(session),
    transaction: async <T>(work: (tx: Transaction) => Promise<T>) => {
      readWork(work, undefined);
      return session.atomically((inner) => work(transactionOf(inner)), { callsBack: true });
    },
  });
  return keepSession(handle, session) as unknown as TransactionHandle;
}

// `makeTransaction` makes the handle of every session of a database.
function transactionOf<D extends Dialect>({ handle }: Session): Transaction<D> {
  return handle as Transaction<D>;
}

// The type of the table selects the overload of `repository`.
function repositoryOf<D extends Dialect>(tables: Tables, session: Session): Database<D>["repository"] {
  // Without its types, a view is a table.
  const repository: (table: Queried<unknown, unknown>) => unknown = (table) =>
    tables.repository(table as AnyTable, session);
  return repository as Database<D>["repository"];
}

// The types of the exports determine the types of the repositories.
function repositoriesOf<D extends Dialect>(tables: Tables, session: Session): Database<D>["repositories"] {
  const repositories: (module: object) => object = (module) => tables.repositories(module, session);
  return repositories as Database<D>["repositories"];
}

// The type of the source determines the rows.
function fromOf<D extends Dialect>(tables: Tables, session: Session): Database<D>["from"] {
  const from: (source: unknown) => unknown = (source) => tables.sources.from(source, session);
  return from as Database<D>["from"];
}

// The query determines the rows of the table.
function withOf<D extends Dialect>(tables: Tables): Database<D>["with"] {
  const once: (name: string, query: unknown) => unknown = (name, query) => tables.sources.once(name, query);
  return once as Database<D>["with"];
}

// The start determines the rows of the table.
function recursiveOf<D extends Dialect>(tables: Tables): Database<D>["recursive"] {
  const recursive = (name: string, start: unknown, step: unknown, options?: unknown): unknown =>
    tables.sources.recursive(name, start, step, options);
  return recursive as Database<D>["recursive"];
}

// The schema selects the overload of `sql`.
function sqlOf<D extends Dialect>(session: Session): Database<D>["sql"] {
  return ((text: string, row?: $ZodObject, options?: unknown) =>
    makeSql(session, text, row, options)) as Database<D>["sql"];
}

const noConnection = (): QueryError =>
  new QueryError("NO_CONNECTION", "this database was made without a handle: it renders and never executes");

const noDriver: Driver = {
  run: () => Promise.reject(noConnection()),
  native: () => Promise.reject(noConnection()),
  connect: (): Promise<DriverConnection> => Promise.reject(noConnection()),
  translate: (error): SqlError => new QueryError("NO_CONNECTION", "there is no connection", { cause: error }),
};
