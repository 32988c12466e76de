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

/** A lock of rows on the dialects `D`. */
export type Locks<M extends AnyModel, D extends Dialect, Then> = OnDialect<
  M,
  D,
  "row locks",
  (options?: LockOptions) => Then
>;
