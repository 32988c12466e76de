/** One value of the rows that come back. */
import type { ColumnCodec } from "./column-codec.js";

/** One value of the rows that come back. */
export interface Output extends ColumnCodec {
  /** Its key in the row. */
  readonly name: string;
  /** What it holds, for errors. */
  readonly kind: string;
  readonly nullable: boolean;
  /** What NULL means, where it does not mean null. */
  readonly ifNull?: unknown;
}
