/** Methods that only some dialects have: on the others they are sentences. */
import type { Dialect } from "../words/dialect.js";
import type { LockOptions, TransactionHandle } from "../words/options.js";
import type { AnyModel } from "./model.js";
import type { SqlTypeError } from "./sentences.js";

/** `F` on the dialects `D`. */
export type OnDialect<
  M extends AnyModel,
  D extends Dialect,
  Feature extends string,
  F,
> = M["dialect"] extends D ? F : SqlTypeError<`${Exclude<M["dialect"], D>} has no ${Feature}`>;

declare const noSession: unique symbol;

/** The dialect of a database without interactive transactions: still its name to all that asks for the dialect. */
export type Alone<D extends Dialect> = D & WithoutSessions;

/** The dialect of a database without interactive transactions. */
interface WithoutSessions {
  readonly [noSession]: true;
}

/** The transaction that a call takes, on a database with transactions. */
export type TransactionOn<D extends Dialect> = D extends WithoutSessions
  ? SqlTypeError<"execTx needs a driver with transactions">
  : TransactionHandle;

/** A stream, of a database with transactions. */
export type Streams<D extends Dialect, F> = D extends WithoutSessions
  ? SqlTypeError<"streams need a driver with transactions">
  : F;

/** The pages of a query: without a database with transactions they have no `execTx`. */
export type PagesOn<D extends Dialect, Pages> = D extends WithoutSessions ? Omit<Pages, "execTx"> : Pages;

/** A lock of rows on the dialects `D`, of a database with transactions. */
export type Locks<M extends AnyModel, D extends Dialect, Then> = M["dialect"] extends WithoutSessions
  ? SqlTypeError<"row locks need a driver with transactions">
  : M["dialect"] extends D
    ? (options?: LockOptions) => Then
    : SqlTypeError<`${Exclude<M["dialect"], D>} has no row locks`>;
