/** The columns of a query as a table. */
import type { AnyModel } from "./model.js";
import type { DecimalIn, Of } from "./results.js";

declare const digits: unique symbol;

/** A decimal of a query as a table. Its rows have text; here it is told from that. */
export interface DecimalDigits {
  readonly [digits]: true;
}

/** The columns of a query as a table: its row, in which decimals are told from texts. */
export type ColumnsOf<R, M extends AnyModel, S> = {
  [K in keyof R]: true extends DecimalIn<M, K extends M["field"] ? Of<K, "same"> : ShapeOf<S, K>>
    ? DecimalDigits | Extract<R[K], null>
    : R[K];
};
type ShapeOf<S, K> = S extends { readonly named: K; readonly shape: infer T } ? T : never;
