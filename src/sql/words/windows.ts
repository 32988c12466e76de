/** The window of a window function, as users write it. */

/** One bound of a frame. */
export type FrameBound =
  | "unbounded preceding"
  | "current row"
  | "unbounded following"
  | { readonly preceding: number }
  | { readonly following: number };

/** The frame around a row: a number of rows, or the rows whose order value differs by at most an amount. */
export type Frame =
  | { readonly rows: readonly [start: FrameBound, end: FrameBound]; readonly range?: never }
  | { readonly range: readonly [start: FrameBound, end: FrameBound]; readonly rows?: never };

/** The rows that a window function reads, and their order. `F` is the type of the field names. */
export interface Window<F = string> {
  readonly partitionBy?: readonly F[];
  readonly orderBy?: readonly (readonly [by: F, direction: "asc" | "desc"])[];
  readonly frame?: Frame;
}
