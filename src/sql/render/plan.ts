/** What rendering gives: the text in both forms, the parameter behind each placeholder, the columns that come back. */
import type { AnyTable, ColumnInfo } from "../declaration.js";
import type { Rendered } from "./rendered.js";

/** What a value is used for; it decides how it is checked and encoded. */
export type Use = "operand" | "list" | "pattern" | "assigned" | "stored" | "count";

/** One place in the text where a value goes. */
export interface Slot {
  readonly name: string;
  readonly use: Use;
  /** The column that the value is compared with or stored in; absent for a count of rows. */
  readonly column: ColumnInfo | undefined;
  /** Changes the encoded value on its way to the driver. */
  readonly bind?: ((value: unknown) => unknown) | undefined;
}

/** A rendered statement. */
export interface Plan {
  readonly table: AnyTable;
  readonly rendered: Rendered;
  /** What stands behind each placeholder of the native text, in its order. */
  readonly slots: readonly Slot[];
  /** The columns of the rows that come back; none for a count of rows changed. */
  readonly output: readonly ColumnInfo[];
}
