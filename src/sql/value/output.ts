/** One column of the returned rows. */
import type { AnyTable } from "../declare/declaration.js";
import type { ColumnCodec } from "./column-codec.js";

/** One column of the returned rows. */
export interface Output extends ColumnCodec {
  /** Its key in the row. */
  readonly name: string;
  /**
   * Where the value is in a part of the row: the key of the part, and that of the value in it. Without one, the value
   * says whether the part is there: 0 if it is null as a whole. It then stands before the values of the part.
   */
  readonly inside?: { readonly part: string; readonly name: string | undefined };
  /** Whether the value is read for the cursor of a page only. It then stands behind those of the row. */
  readonly hidden?: boolean;
  /** Its kind, for errors. */
  readonly kind: string;
  readonly nullable: boolean;
  /** Zero of its kind, which an aggregate of no values returns. */
  readonly zero?: number | bigint | string | undefined;
  /** The meaning of NULL, if it is not null. */
  readonly ifNull?: unknown;
  /** The rows that it holds as JSON, if it does. */
  readonly nested?: NestedOutput;
}

/** Rows inside of a row, as JSON arrays. */
export interface NestedOutput {
  readonly table: AnyTable;
  /** The values of a row; they read what JSON gives. */
  readonly outputs: readonly Output[];
  /** A list, the first of a list or `null`, or a row alone. */
  readonly gives: "list" | "first" | "row";
  /** The most values of one array, if more of them are in several. */
  readonly mostValues: number | undefined;
  /** Where a list stands behind the number of rows that were found: how many of these it holds. */
  readonly holds: ((found: number) => number) | undefined;
}
