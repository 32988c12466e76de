/** What rendering gives: the text in both forms, what stands behind each placeholder, the columns that come back. */
import type { AnyTable } from "../declaration.js";
import type { Binder } from "../value/binder.js";
import type { Rendered } from "./rendered.js";

/** What stands behind one placeholder. */
export interface Slot {
  readonly name: string;
  /**
   * Makes a binder for each use of the placeholder: the first gives the value, the others only check it. Made
   * when the statement is first executed, for many are only rendered.
   */
  readonly binders: readonly (() => Binder)[];
}

/** One value of the rows that come back. */
export interface Output {
  /** Its key in the row. */
  readonly name: string;
  /** What it holds, for errors. */
  readonly kind: string;
  readonly nullable: boolean;
  /** What NULL means, where it does not mean null. */
  readonly ifNull?: unknown;
  /** The value of what the driver gives and is not null; `undefined` where it is not what was declared. */
  readonly decode: (value: unknown) => unknown;
}

/** A rendered statement. */
export interface Plan {
  readonly table: AnyTable;
  readonly rendered: Rendered;
  readonly slots: readonly Slot[];
  /** None for a statement that gives only a number of rows. */
  readonly output: readonly Output[];
}
