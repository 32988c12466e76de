/** Methods that only some dialects have: on the others they are sentences. */
import type { Dialect } from "../words/dialect.js";
import type { LockOptions } from "../words/options.js";
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
export type Alone<D extends Dialect> = D & { readonly [noSession]: true };

/** A lock of rows on the dialects `D`, of a database with transactions. */
export type Locks<M extends AnyModel, D extends Dialect, Then> = M["dialect"] extends {
  readonly [noSession]: true;
}
  ? SqlTypeError<"row locks need a driver with transactions">
  : M["dialect"] extends D
    ? (options?: LockOptions) => Then
    : SqlTypeError<`${Exclude<M["dialect"], D>} has no row locks`>;
