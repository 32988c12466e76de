/** One column of the returned rows. */
import type { AnyTable } from "../declare/declaration.js";
import type { ColumnCodec } from "./column-codec.js";

/** One column of the returned rows. */
export interface Output extends ColumnCodec {
  /** Its key in the row. */
  readonly name: string;
  /**
   * If the value is in a part of the row: the key of the part, and the key of the value in it. Without the latter, the
   * value says whether the part is present: 0 if it is null as a whole. This value precedes the values of the part.
   */
  readonly inside?: { readonly part: string; readonly name: string | undefined };
  /** Whether the value is read only for the cursor of a page. It then follows the values of the row. */
  readonly hidden?: boolean;
  /** Its kind, for errors. */
  readonly kind: string;
  readonly nullable: boolean;
  /** Zero of its kind, which an aggregate without values returns. */
  readonly zero?: number | bigint | string | undefined;
  /** The meaning of NULL, if it is not null. */
  readonly ifNull?: unknown;
  /** The rows that it holds as JSON, if it does. */
  readonly nested?: NestedOutput;
}

/** Rows inside a row, as JSON arrays. */
export interface NestedOutput {
  readonly table: AnyTable;
  /** The values of a row; their decoders read JSON values. */
  readonly outputs: readonly Output[];
  /** A list, the first row of a list or `null`, or a single row. */
  readonly gives: "list" | "first" | "row";
  /** The maximum number of values in one array, if more of them are split into several. */
  readonly mostValues: number | undefined;
  /** If the number of found rows precedes the list: how many of these the list holds. */
  readonly holds: ((found: number) => number) | undefined;
}
