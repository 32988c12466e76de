/** A resolved page: its number of rows, and how the values of its last row are found and used again. A row lock. */
import type { Output } from "../../value/output.js";

/** A page of a query: the first rows in its order, or those after a row whose values of the order are known. */
export interface ResolvedPage {
  readonly size: number;
  readonly terms: readonly PageTerm[];
  /** Identifies the order. */
  readonly signature: string;
}

/** A field of the order of pages. */
interface PageTerm {
  /** The position of its value among the selected items. */
  readonly at: number;
  readonly output: Output;
  /** The parameter of its value. If the value may be null, also one that is 1 if it is null, and otherwise 0. */
  readonly param: string;
  readonly nullParam: string | undefined;
}

/** A row lock. */
export interface Lock {
  readonly sql: string;
  readonly skipsLocked: boolean;
}
