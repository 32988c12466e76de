/**
 * What rendering gives: the text in both forms, what stands behind each placeholder, the columns that come back;
 * and where a dialect needs several statements for one, the steps that do its work. Plain data: `exec/` sends it.
 */
import type { AnyTable, Storage } from "../declare/declaration.js";
import type { ListForm, OutVariable } from "../dialect/grammar.js";
import type { Binder } from "../value/binder.js";
import type { Output } from "../value/output.js";
import type { SqlErrorCode } from "../words/errors.js";
import type { Rendered } from "../words/rendered.js";

/** What stands behind one placeholder. */
export interface Slot {
  readonly name: string;
  /**
   * Makes a binder for each use of the placeholder: the first gives the value, the others only check it. Made
   * when the statement is first executed, for many are only rendered.
   */
  readonly binders: readonly (() => Binder)[];
}

/** A part of a text that is put together anew for each call: as it is, a slot by its index, or a list. */
export type Piece = string | number | ListPiece;

/** A test whether `left` is in the list of a slot. */
export interface ListPiece {
  readonly left: readonly Piece[];
  readonly slot: number;
  /** The name of the parameter. */
  readonly name: string;
  /** What the values are compared with, where it is a column. */
  readonly storage: Storage | undefined;
  readonly between: string;
  readonly close: string;
  readonly form: ListForm;
}

/** One rendered statement. */
export interface RenderedStatement {
  readonly table: AnyTable;
  readonly rendered: Rendered;
  readonly slots: readonly Slot[];
  /** None for a statement that gives only a number of rows. */
  readonly output: readonly Output[];
  /** The native text in pieces, where it depends on how long the lists of a call are. */
  readonly pieces?: readonly Piece[] | undefined;
  /** The variables that rows come back through, where they do. */
  readonly into?: readonly OutVariable[] | undefined;
  /** How much it is doubted that the rows of a change are what the schema says. */
  readonly doubt?: Doubt | undefined;
}

/**
 * Rows of a change that cannot be decoded make the call fail, and so the change must be undone. `always`: they hold
 * what others have stored, or what the server works out. `first`: everything in them was given or is declared, so if
 * anything is not as declared, the first rows say so.
 */
export type Doubt = "always" | "first";

/** The statement that a builder shows, and the steps where it alone does not do the work. */
export interface Plan extends RenderedStatement {
  readonly steps?: Steps | undefined;
}

/** The parameter of steps that stands for the keys which an earlier one has found. No parameter of a caller's is so called. */
export const KEYS = "";

/** Statements that together do the work of one. They run in one transaction, in this order. */
export interface Steps {
  /** The statement itself is sent first, and the steps only where the server refuses it so. Absent: only they are. */
  readonly after?: SqlErrorCode | undefined;
  /** They begin again where a concurrent writer has stored a row of this key in between. */
  readonly againOn?: readonly string[] | undefined;
  /** The most keys that the steps take at once. */
  readonly mostKeys?: number | undefined;
  readonly list: readonly Step[];
}

/** One of several statements; its parameters are those of the call. */
export interface Step {
  readonly statement: RenderedStatement;
  /** Sent only where the step before it found or changed some rows, or none. */
  readonly when?: "some" | "none" | undefined;
  /**
   * `rows`: the result, and nothing more is sent. `keys`: those of the rows that the steps behind it are about;
   * where there is none, nothing more is sent. Otherwise only how many rows it found or changed.
   */
  readonly gives: "rows" | "keys" | "found" | "changed";
}
