/** Parameters and plain text in resolved statements. */
import type { ColumnInfo } from "../../declare/declaration.js";
import type { Binder } from "../../value/binder.js";

/** Where a text must occur in the text that is searched. */
export type TextPlace = "inside" | "start" | "end";

/** The form of a value for a placeholder. Parameters with the same form may share it. */
export interface Form {
  readonly operand: "value" | "list" | "pattern" | TextPlace | "count" | "argument";
  /** The type of its values: that of a column, or of an expression. */
  readonly column: Pick<ColumnInfo, "kind" | "storage" | "type"> | undefined;
  /** The shape of the expression that they are compared with. It determines their type. */
  readonly beside?: string | undefined;
}

/** A constant of the program: its value, or its position among the constants of the builder, from 0. */
export type ParameterConstant = { readonly value: unknown } | { readonly hole: number };

/** The place of a parameter. */
export interface ParameterPlace {
  readonly kind: "parameter";
  readonly name: string;
  /** The field that gets the value unchanged, if there is one. */
  readonly sets?: string | undefined;
  /** The field that it is compared with, or the storage of its values, where neither `sets` nor the form says it. */
  readonly beside?: Pick<ColumnInfo, "storage"> & Partial<Pick<ColumnInfo, "name">>;
  /** Makes the binder when the statement is first executed, because many statements are only rendered. */
  readonly binder: () => Binder;
  /**
   * Places with the same name and form are one placeholder, if the dialect supports it: a server infers one type
   * for it, so the value must have one type and form in all of them.
   */
  readonly form: Form | undefined;
  /** The value of a constant. A constant has no name, and a call does not give it. */
  readonly constant?: ParameterConstant | undefined;
  /** The text around the placeholder `{0}`, if the value needs one. */
  readonly template?: string | undefined;
}

/** A parameter, or a constant in its place. */
export type GivenParam = Pick<ParameterPlace, "name" | "constant">;

/** Ranges around the items of a list: `field BETWEEN first AND last`, where `{0}` of both ends is an item. */
export interface Within {
  /** The SQL text of the field. */
  readonly field: string;
  readonly first: string;
  readonly last: string;
}

/** The parts of a statement that its text does not need. */
export interface LeavesOut {
  /** Their parameters, which a call may still give; absent if there are none. */
  readonly unwritten?: readonly ParameterPlace[] | undefined;
}

/** Text of this package. */
export interface Literal {
  readonly kind: "literal";
  readonly sql: string;
}

/** A clause of paging: its count is written into the text, or is a parameter. */
export interface PagingClause {
  readonly part: "limit" | "offset";
  readonly before: string;
  readonly count: string | number | ParameterPlace;
  readonly after: string;
}
