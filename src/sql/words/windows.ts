/** The window of a window function, as its users write it. */

/** One end of a frame. */
export type FrameBound =
  | "unbounded preceding"
  | "current row"
  | "unbounded following"
  | { readonly preceding: number }
  | { readonly following: number };

/** The rows around a row that count: a number of rows, or those whose order differs by at most an amount. */
export type Frame =
  | { readonly rows: readonly [start: FrameBound, end: FrameBound]; readonly range?: never }
  | { readonly range: readonly [start: FrameBound, end: FrameBound]; readonly rows?: never };

/** Which rows a window function sees, and in which order. */
export interface Window<F extends string = string> {
  readonly partitionBy?: readonly F[];
  readonly orderBy?: readonly (readonly [field: F, direction: "asc" | "desc"])[];
  readonly frame?: Frame;
}
