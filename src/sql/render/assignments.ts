/** Writes the assignments of an update. */

import type { Field } from "../resolve/scope/resolved.js";
import type { Assignment, ReturnedItem } from "../resolve/scope/resolved-change.js";
import { writeExpression } from "./expression.js";
import type { Writer } from "./writer.js";

/** The values that a statement returns from the rows that it changes. */
export interface ReturnedRows {
  readonly gives: "rows" | "nothing";
  /** The contents of the rows; undefined for all columns. */
  readonly returned?: readonly ReturnedItem[] | undefined;
}

/** @param qualifier the text before the fields that are set. */
export function writeAssignments(
  writer: Writer,
  assignments: readonly Assignment[],
  { gives, returned }: ReturnedRows,
  qualifier = "",
): void {
  const isSeen = (field: Field) =>
    gives === "rows" && (returned?.some(({ expression }) => expression === field) ?? true);
  writer.each(assignments, ", ", ({ field, value, unseen }) => {
    if (value.kind !== "parameter" && value.kind !== "proposed") writer.calculates(field.column.property);
    writeExpression(
      writer.sql(`${qualifier}${field.sql} = `),
      unseen === undefined || isSeen(field) ? value : unseen,
    );
  });
}
