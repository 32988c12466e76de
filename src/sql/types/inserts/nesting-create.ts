/**
 * The public types of inserts with the records of related tables inside. `R` is the stored row, `N` the rows inside it,
 * `P` the parameters, `M` the model, whose record has the others inside.
 */

import type { CreateSpec } from "../../ast/spec.js";
import type { Through } from "../../words/relations.js";
import type { Bound } from "../bound.js";
import type { AnyModel, SameFields } from "../model.js";
import type { TransactionOn } from "../on-dialect.js";
import type { AnyParam, ExecArguments, ParamsArgument } from "../params.js";
import type { Rendering } from "../rendering.js";
import type { Returnable, ReturnedModel, ReturnedRow, WithReturned } from "../returning.js";
import type { Asked, SqlTypeError } from "../sentences.js";
import type { RelationTarget } from "../target.js";
import type { DynamicCreate } from "./dynamic-create.js";
import type {
  Holding,
  InsertInside,
  InsideOf,
  RecordSchema,
  RelatedInsert,
  WholeRecords,
} from "./recorded.js";

/** New rows, with rows of related tables inside. */
export interface NestingCreate<in out R, in out N, in out P extends AnyParam, in out M extends AnyModel>
  extends Rendering {
  /**
   * Validates and renders now, and returns the builder.
   * @throws {SqlError} as `exec` does
   */
  build(): NestingCreate<R, N, P, M>;
  /** Throws: a spec cannot hold nested inserts. */
  toSpec(): CreateSpec;
  /** The same builder, whose parameters are known when it is executed: for loops and branches. */
  dynamic(): DynamicCreate<M, Flat<R & N>>;
  /** Nests the records of another relation. */
  with<const To extends keyof M["relations"] & string, Q extends InsertOf<M, To> = WholeRecords>(
    relation: To & Direct<M, To>,
    insert?: Q,
  ): NestingCreate<R, N & InsideRow<M, To, Q>, P | InsideOf<Q>["params"], Graph<M, To, Q>>;
  /** Adds columns and named expressions of one row; the returned rows then have exactly these, and those inside. */
  returning<const F extends readonly Returnable<M>[]>(
    ...names: F
  ): NestingCreate<ReturnedRow<M, F[number]>, N, WithReturned<P, M, F[number]>, ReturnedModel<M, F[number]>>;
  readonly onConflict: SqlTypeError<"onConflict cannot be combined with with(…)">;
  readonly execFrom: SqlTypeError<"execFrom cannot be combined with with(…)">;
  /** Stores a record with those inside it, all or none, and returns the stored rows, nested as the records are. */
  exec(record: M["insert"], ...args: ExecArguments<P>): Promise<Flat<R & N>>;
  execTx(
    tx: TransactionOn<M["dialect"]>,
    record: M["insert"],
    ...args: ParamsArgument<P>
  ): Promise<Flat<R & N>>;
  /** A call of `exec` with this record for `atomic`: checked now. */
  bind(record: M["insert"], ...args: ParamsArgument<P>): Bound<Flat<R & N>, M["dialect"]>;
  /** The same of `execMany`. */
  bindMany(records: readonly M["insert"][], ...args: ParamsArgument<P>): Bound<Flat<R & N>[], M["dialect"]>;
  /** Stores all records or none, and returns their number without those inside. */
  execBatch(records: readonly M["insert"][], ...args: ExecArguments<P>): Promise<number>;
  /** Stores all records or none, and returns the stored rows in the order of the records. */
  execMany(records: readonly M["insert"][], ...args: ExecArguments<P>): Promise<Flat<R & N>[]>;
  /** The Zod object of a record with those inside it: the body of a handler. */
  readonly insertSchema: RecordSchema<M["insert"], InsertInside<M["insert"], Flat<R & N>, P, M>>;
}

/** The rows as an editor shows them. */
export type Flat<T> = { [K in keyof T]: T[K] };

/** Not of a relation through a table, whose rows have no field for our key. */
export type Direct<M extends AnyModel, To extends keyof M["relations"]> = M["relations"][To] extends Through
  ? Asked["through"]
  : unknown;

/** An insert that a relation takes. */
export type InsertOf<M extends AnyModel, To extends keyof M["relations"]> = RelatedInsert<
  M["relations"][To]["to"],
  M["dialect"]
>;

/** The fields that hold the key of a relation: of a `many` theirs, of a `one` ours. */
type KeyOf<M extends AnyModel, To extends keyof M["relations"]> = Extract<
  M["relations"][To]["field"],
  string
>;

type RecordOf<M extends AnyModel, To, Q extends Holding> = [Q] extends [WholeRecords]
  ? RelationTarget<M, To>["insert"]
  : InsideOf<Q>["record"];

type RowOf<M extends AnyModel, To, Q extends Holding> = [Q] extends [WholeRecords]
  ? RelationTarget<M, To>["row"]
  : InsideOf<Q>["row"];

/** A record without the fields that are filled. */
type Without<I, F> = { [K in keyof I as K extends F ? never : K]: I[K] };

/** `null` where a `one` may lead to nothing. */
type OrNull<M extends AnyModel, To extends keyof M["relations"]> = null extends M["columns"][KeyOf<
  M,
  To
>]["type"]
  ? null
  : never;

/** The value of a relation in a record. */
type InsideRecord<
  M extends AnyModel,
  To extends keyof M["relations"],
  Q extends Holding,
> = M["relations"][To]["kind"] extends "many"
  ? readonly Without<RecordOf<M, To, Q>, KeyOf<M, To>>[]
  : RecordOf<M, To, Q> | OrNull<M, To>;

/** The part of a stored row under the name of a relation. */
export type InsideRow<M extends AnyModel, To extends keyof M["relations"] & string, Q extends Holding> = {
  [Name in To]: M["relations"][To]["kind"] extends "many"
    ? RowOf<M, To, Q>[]
    : RowOf<M, To, Q> | OrNull<M, To>;
};

/** The record of `M` with those of a relation inside. */
type GraphRecord<
  M extends AnyModel,
  To extends keyof M["relations"] & string,
  Q extends Holding,
> = (M["relations"][To]["kind"] extends "many" ? M["insert"] : Without<M["insert"], KeyOf<M, To>>) & {
  [Name in To]: InsideRecord<M, To, Q>;
};

/** `M` whose records have those of a relation inside. */
export interface Graph<M extends AnyModel, To extends keyof M["relations"] & string, Q extends Holding>
  extends SameFields<M> {
  readonly row: M["row"];
  readonly insert: Flat<GraphRecord<M, To, Q>>;
  readonly update: M["update"];
  readonly keyField: M["keyField"];
  readonly ruled: M["ruled"];
  readonly alias: M["alias"] | To;
  readonly missing: M["missing"];
}
