/**
 * The result of rendering: the text in both forms, the parameters of its placeholders, and the returned columns; if a
 * dialect needs several statements for one, also the steps that do its work. Plain data: `exec/` prepares and sends it.
 */
import type { AnyTable, Storage } from "../declare/declaration.js";
import type { InUtc, ListForm, OutVariable } from "../dialect/grammar/grammar.js";
import type { Within } from "../resolve/scope/resolved.js";
import type { Form, ParameterConstant } from "../resolve/scope/resolved-parameter.js";
import type { Binder } from "../value/binder.js";
import type { Output } from "../value/output.js";
import type { SqlErrorCode } from "../words/errors.js";
import type { Rendered } from "../words/rendered.js";

export type { Within } from "../resolve/scope/resolved.js";

/** The content of one placeholder. */
export interface Slot {
  readonly name: string;
  /** Its constant, if it is no parameter. */
  readonly constant?: ParameterConstant | undefined;
  /**
   * Makes a binder for each use of the placeholder: the first encodes the value, the others only check it. Made
   * when the statement is first executed, because many statements are only rendered.
   */
  readonly binders: readonly (() => Binder)[];
  /** The field that gets the value unchanged, if there is one. */
  readonly sets?: string | undefined;
  /** What the value is: a list, a pattern, a text that is searched for. */
  readonly form?: Form | undefined;
}

/** A part of a text that is assembled in each call: text, a slot by its index, or a list. */
export type Piece = string | number | ListPiece;

/** A test whether `left` is in the list of a slot. */
export interface ListPiece {
  readonly left: readonly Piece[];
  readonly slot: number;
  /** The name of the parameter. */
  readonly name: string;
  /** The column that the values are compared with, if it is one. */
  readonly storage: Storage | undefined;
  /** The text around the placeholder `{0}` of an item, if its kind needs one. */
  readonly template: string | undefined;
  readonly between: string;
  readonly close: string;
  /** How it is written out; absent if the list is one parameter. */
  readonly form: ListForm | undefined;
  readonly within: Within | undefined;
}

/** One text as it was rendered. */
export interface RenderedText {
  readonly table: AnyTable;
  readonly rendered: Rendered;
  readonly slots: readonly Slot[];
  /** The constants of a builder: the position of each by its name in the text, if there are any. */
  readonly holes?: Readonly<Record<string, number>> | undefined;
  /** Whether it returns rows, and not only their number. */
  readonly givesRows: boolean;
  /** The results of the rows' values, if they are decoded. */
  readonly output: readonly Output[];
  /** The native text in pieces, if it depends on the lengths of a call's lists. */
  readonly pieces?: readonly Piece[] | undefined;
  /** The variables through which rows are returned, if any. */
  readonly into?: readonly OutVariable[] | undefined;
  /** Whether a table other than `table` has dates that the server would use in the time zone of the session. */
  readonly inUtc?: InUtc | undefined;
  /** Whether the server must know time zones by their names. */
  readonly zoned?: boolean | undefined;
  /** Whether it collects all values of groups in one value, which may be long. */
  readonly needsLongText?: boolean | undefined;
  /** Whether its rows contain nested rows. */
  readonly nests?: boolean | undefined;
  /** How deep a recursion in it may go. */
  readonly levels?: number | undefined;
  /** The fields that get calculated values, if there are any. */
  readonly calculated?: readonly string[] | undefined;
  /** Whether the returned rows of a change may fail to decode. */
  readonly doubt?: Doubt | undefined;
  /** The end of the native text of a change that is refused if its rows could not be decoded, if that can be said. */
  readonly guard?: (() => string | undefined) | undefined;
}

/**
 * If a returned row of a change cannot be decoded, the call fails and the change must be rolled back. `always`:
 * the rows hold values that others stored, or that the server computes. `first`: every value was given or
 * declared, so if a declaration is wrong, the first rows show it.
 */
export type Doubt = "always" | "first";

/** A parameter that is in no text. */
export interface Unwritten {
  readonly name: string;
  readonly binder: () => Binder;
}

/** The work of a statement: the text that a builder shows, or the steps if the text alone is not enough. */
export interface Plan extends RenderedText {
  /** The parameters that a call may give although they are in no text. */
  readonly unwritten?: readonly Unwritten[] | undefined;
  readonly steps?: Steps | undefined;
}

/** The parameter of steps for the keys that an earlier step has read. No caller's parameter has this name. */
export const KEYS = "";

/** Texts that together do the work of one statement. They are sent in one transaction, in this order. */
export interface Steps {
  /** The text of the plan is sent first, the steps only if the server refuses it this way. Absent: only the steps. */
  readonly after?: SqlErrorCode | undefined;
  /** The steps start again if a concurrent writer has stored a row of this key in between. */
  readonly againOn?: readonly string[] | undefined;
  /** The maximum number of keys in one run of the steps. */
  readonly mostKeys?: number | undefined;
  readonly list: readonly PlanStep[];
}

/** One of several texts; its parameters are those of the call. */
export interface PlanStep {
  readonly text: RenderedText;
  /** Sent only if the step before it found or changed some rows, or none. */
  readonly when?: "some" | "none" | undefined;
  /**
   * `rows`: the result, and nothing more is sent. `keys`: the keys of the rows for the next steps; if there are none,
   * nothing more is sent. Otherwise only the number of rows that it found or changed.
   */
  readonly gives: "rows" | "keys" | "found" | "changed";
}
