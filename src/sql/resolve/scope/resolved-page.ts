/** A resolved page: how many rows it has, and how the values of its last row are found and given again. */
import type { Output } from "../../value/output.js";

/** A page of a query: the first rows in its order, or those behind a row of which the values of the order are known. */
export interface ResolvedPage {
  readonly size: number;
  readonly terms: readonly PageTerm[];
  /** Tells the order from all others. */
  readonly signature: string;
}

/** A field of the order of pages. */
interface PageTerm {
  /** Where its value is among the selected items. */
  readonly at: number;
  readonly output: Output;
  /** The parameter of its value, and if that may be null, of 1 where it is and 0 where it is not. */
  readonly param: string;
  readonly nullParam: string | undefined;
}
