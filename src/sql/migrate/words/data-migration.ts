/**
 * Data migrations: code that changes rows, next to the files of SQL. Work in batches is exact: each batch is one
 * transaction that also stores where the next one begins.
 */
import { describeType } from "../../../core/errors.js";
import type { Row, Table } from "../../declare/declaration.js";
import type { Database } from "../../door/database.js";
import type { Transaction } from "../../door/repository.js";
import type { Shape } from "../../types/model.js";
import { DeclarationError } from "../../words/errors.js";

/** Options of a batch. */
export interface BatchOptions {
  /** The number of rows of a transaction; default 1,000. */
  readonly size?: number | undefined;
}

/** The argument of the function of a data migration. */
export interface DataMigrationContext {
  /** The database, for statements of your own: they run again if the migration is interrupted. */
  readonly db: Database;
  /**
   * Calls `work` with all rows of a table in the order of its primary key, some at a time, each time in a transaction
   * that also stores the place: killed at any moment, the next run continues there. After a deadlock the transaction is
   * repeated, so `work` must do everything with `tx`.
   */
  batch<S extends Shape>(
    table: Table<S>,
    options: BatchOptions,
    work: (rows: Row<Table<S>>[], tx: Transaction) => Promise<void>,
  ): Promise<void>;
  /** Aborts when another runner has taken over. */
  readonly signal: AbortSignal;
}

/** The function of a data migration. */
export type DataMigrationWork = (context: DataMigrationContext) => Promise<void>;

const WORK: unique symbol = Symbol.for("rowtype.data-migration");

/** A data migration: the default export of a file of the folder. */
export interface DataMigration {
  readonly [WORK]: DataMigrationWork;
}

/**
 * Declares a data migration, in a file `20261122_013000_split-names.ts` of the folder. The file also declares its
 * tables: in their form on that day.
 * @throws {DeclarationError} for a value that is not a function.
 * @example
 * import { dataMigration } from "rowtype/migrate";
 * export default dataMigration(async ({ batch }) => {
 *   await batch(People, { size: 1_000 }, async (rows, tx) => {
 *     const update = tx.repository(People).modify().set("first", "first").where("id", "=", "id");
 *     await update.execBatch(rows.map(({ id, name }) => ({ id, first: name.split(" ")[0] ?? "" })));
 *   });
 * });
 */
export function dataMigration(work: DataMigrationWork): DataMigration {
  if (typeof work !== "function")
    throw new DeclarationError(`dataMigration takes a function, not ${describeType(work)}`);
  return Object.freeze({ [WORK]: work });
}

/** The function of a value that `dataMigration` made, also that of another copy of this package. */
export function workOf(value: unknown): DataMigrationWork | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const work: unknown = Reflect.get(value, WORK);
  // Only `dataMigration` sets it.
  return typeof work === "function" ? (work as DataMigrationWork) : undefined;
}
