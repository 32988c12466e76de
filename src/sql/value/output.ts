/** One column of the returned rows. */
import type { ColumnCodec } from "./column-codec.js";

/** One column of the returned rows. */
export interface Output extends ColumnCodec {
  /** Its key in the row. */
  readonly name: string;
  /** Its kind, for errors. */
  readonly kind: string;
  readonly nullable: boolean;
  /** Zero of its kind, which an aggregate of no values returns. */
  readonly zero?: number | bigint | string | undefined;
  /** The meaning of NULL, if it is not null. */
  readonly ifNull?: unknown;
}
