/** The mark of the tables that `table()` made, which distinguishes them from other values. */
import { safely } from "../../core/errors.js";

// Tables of another copy of this package are recognised too. Copying a table's properties does not copy the mark.
export const DECLARED: unique symbol = Symbol.for("rowtype.table");

/** Whether `table()` made a value. */
export function isDeclared(value: unknown): value is object {
  return typeof value === "object" && value !== null && safely(() => Reflect.get(value, DECLARED) === true);
}
