/**
 * Inserts as their users see them. The run-time side is `builder/create.ts`, untyped beneath; the cast from one to the
 * other is in `repository.ts` alone. `R` is what a record gives, `P` the parameters, `M` the model of the table.
 */
import type { CreateSpec } from "../ast/spec.js";
import type { TransactionHandle } from "../words/options.js";
import type { AnyModel } from "./model.js";
import type { AnyParam, ExecArguments, Param, ParamsArgument } from "./params.js";
import type { Rendering } from "./rendering.js";
import type { SqlTypeError } from "./sentences.js";

/** New rows. */
export interface Create<R, P extends AnyParam, M extends AnyModel> extends Rendering {
  /** Validates and renders now, and gives the builder back. Throws what `exec` would. */
  build(): Create<R, P, M>;
  /** The builder as JSON; the matching `…FromSpec` makes an equal builder of it. */
  toSpec(): CreateSpec;
  /**
   * Says what happens when a row with the same key is there already. The fields are those of a declared key; a
   * conflict on another key is a `UNIQUE_VIOLATION`.
   */
  onConflict(...key: [field: M["keyField"]] | [M["field"], M["field"], ...M["field"][]]): Conflict<M>;
  /** Stores a record and gives the stored row. */
  exec(record: M["insert"], ...args: ExecArguments<P>): Promise<R>;
  execTx(tx: TransactionHandle, record: M["insert"], ...args: ParamsArgument<P>): Promise<R>;
  /** Stores all records or none, and gives the number of rows stored. */
  execBatch(records: readonly M["insert"][], ...args: ExecArguments<P>): Promise<number>;
  /** Stores all records or none, and gives the stored rows in the order of the records. */
  execMany(records: readonly M["insert"][], ...args: ExecArguments<P>): Promise<R[]>;
}

/** An insert of which it is still to be said what happens on a conflict. */
export interface Conflict<M extends AnyModel> {
  /** Leaves the row that is there as it is; `exec` then gives `null`. */
  doNothing(): Create<M["row"] | null, never, M>;
  /** Updates the row that is there: every inserted column outside the key, unless `set` says which. */
  doUpdate(): Upsert<never, M>;
}

/** An insert that updates on a conflict. */
export interface Upsert<P extends AnyParam, M extends AnyModel> extends Create<M["row"], P, M> {
  /** Sets a field of the row that is there. A parameter named like a field is the value of the proposed row. */
  set<F extends keyof M["update"] & M["field"], N extends string>(
    field: F,
    param: N & Proposed<M, F, N>,
  ): Upsert<N extends M["field"] ? P : P | Param<N, M["columns"][F]["type"]>, M>;
}

// The value of the proposed row must be one that the field takes; any other name is a parameter of its own.
type Proposed<M extends AnyModel, F extends string, N extends string> = N extends M["field"]
  ? M["columns"][N]["type"] extends M["columns"][F]["type"]
    ? unknown
    : SqlTypeError<`the proposed value of ${N} is of another type than ${F}`>
  : unknown;
