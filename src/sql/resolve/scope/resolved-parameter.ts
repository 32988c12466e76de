/** The places of parameters, and plain text: what resolved statements have between everything else. */
import type { ColumnInfo } from "../../declare/declaration.js";
import type { Binder } from "../../value/binder.js";

/** Where a text must occur in the text that is searched. */
export type TextPlace = "inside" | "start" | "end";

/** The form of a value for a placeholder: places with the same form may share it. */
export interface Form {
  readonly operand: "value" | "list" | "pattern" | TextPlace | "count" | "argument";
  /** What its values are those of: a column, or an expression. */
  readonly column: Pick<ColumnInfo, "kind" | "storage" | "type"> | undefined;
  /** The shape of the expression that they are compared with, which says their type. */
  readonly beside?: string | undefined;
}

/** The place of a parameter. */
export interface ParameterPlace {
  readonly kind: "parameter";
  readonly name: string;
  /** The field that gets the value as it is, if one does. */
  readonly sets?: string | undefined;
  /** Makes the binder when the statement is first executed, because many statements are only rendered. */
  readonly binder: () => Binder;
  /**
   * Places with the same name and form are one placeholder, if the dialect supports it: a server infers one type
   * for it, so the value must have one type and form in all of them.
   */
  readonly form: Form | undefined;
  /** The value of a constant, which has no name and is not given by a call. */
  readonly constant?: { readonly value: unknown } | undefined;
  /** The text around the placeholder `{0}`, if the value needs one. */
  readonly template?: string | undefined;
}

/** Ranges around the items of a list: `field BETWEEN first AND last`, where `{0}` of both ends is an item. */
export interface Within {
  /** The SQL text of the field. */
  readonly field: string;
  readonly first: string;
  readonly last: string;
}

/** What a statement as a whole has of the parts that its text does not need. */
export interface LeavesOut {
  /** Their parameters, which a call may give all the same; absent where there are none. */
  readonly unwritten?: readonly ParameterPlace[] | undefined;
}

/** Text of this package. */
export interface Literal {
  readonly kind: "literal";
  readonly sql: string;
}
