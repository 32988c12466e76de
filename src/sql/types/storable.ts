/** Whether the rows of a query can be stored by an insert. */
import type { AnyModel } from "./model.js";
import type { SqlTypeError } from "./sentences.js";

/** Nothing, if rows can be stored; else a sentence about the first fault. */
export type Storable<M extends AnyModel, Row> = [Exclude<keyof Row, keyof M["insert"]>] extends [never]
  ? { [K in keyof Row]: Row[K] } extends M["insert"]
    ? unknown
    : SqlTypeError<`the query gives no fitting ${Unfitting<M, Row> & string}`>
  : SqlTypeError<`${Exclude<keyof Row, keyof M["insert"]> & string} is not a field of the insert`>;

type Unfitting<M extends AnyModel, Row> = {
  [K in keyof M["insert"]]-?: { [Own in keyof Row as Own & K]: Row[Own] } extends Pick<M["insert"], K>
    ? never
    : K;
}[keyof M["insert"]];
