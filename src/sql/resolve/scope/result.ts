/** The results of expressions: how their values are stored, and whether they can be null. */

import { quoted } from "../../../core/errors.js";
import type { ColumnInfo, Storage } from "../../declare/declaration.js";
import type { Field, Item, ResolvedAggregate, ResolvedExpression, ResolvedQuery } from "./resolved.js";

/** The values of a field or an expression. */
export interface ValueResult {
  readonly storage: Storage;
  readonly nullable: boolean;
  /** The schema that validates JSON values. */
  readonly schema?: ColumnInfo["schema"] | undefined;
}

/** An expression and its result. */
export interface ResolvedValue extends ValueResult {
  readonly expression: ResolvedExpression;
  /** The value in the form for selected rows, if its compared form differs. */
  readonly selected?: ResolvedValue | undefined;
}

/** A query inside a statement. */
export interface InnerRows {
  readonly query: ResolvedQuery | ResolvedAggregate;
  /** The items of its rows, in their order. */
  readonly columns: readonly InnerColumn[];
}

/** The item with a name in the rows of a query inside a statement. */
export interface InnerColumn {
  readonly name: string;
  readonly value: ResolvedValue;
  /** The value as it is written. */
  readonly item: Item;
}

/** The values of a field. */
export function valueOfField(field: Field): ResolvedValue {
  const { storage, schema } = field.column;
  return { expression: field, storage, nullable: field.nullable, schema };
}

/**
 * Whether values of two storages can replace each other: in a CASE, or as the first non-null value of several. Decimals
 * of two scales are converted to one.
 */
export function areAlike(one: Storage, other: Storage): boolean {
  return one.kind === other.kind && one.decimal === other.decimal && one.item?.kind === other.item?.kind;
}

/** Whether values of two storages have one order. Decimals stored as text have none with texts. */
export function areOfOneKind(one: Storage, other: Storage): boolean {
  return one.kind === other.kind && one.decimal === other.decimal;
}

/** Whether an expression is the stored value of a column. */
export function isStoredField(expression: ResolvedExpression): expression is Field {
  return expression.kind === "field" && expression.isComputed !== true;
}

/** The name of a value in errors. */
export function nameOf({ expression }: ResolvedValue): string {
  return expression.kind === "field" ? quoted(expression.column.property) : "an expression";
}

const text: Storage = { kind: "text" };

/** A whole number, for a count or a position. */
export const wholeNumber: ValueResult = {
  storage: { kind: "number", integer: true },
  nullable: false,
};

/** Values without further restrictions. */
export function valuesOf(operand: ValueResult | undefined): ValueResult {
  if (operand === undefined) return { storage: text, nullable: true };
  const { storage, nullable, schema } = operand;
  return { storage, nullable, schema };
}
