/** The names that a client may use after relations: the `relations` of `specs()`. */

import type { AnyModel } from "./model.js";
import type { SqlTypeError } from "./sentences.js";
import type { RelationTarget } from "./target.js";

/** The relations of a table that specs from clients may use, each with its own list of fields. */
export type RelationsSeen<M extends AnyModel> = {
  readonly [K in keyof M["relations"]]?: RelationSeen<RelationTarget<M, K>>;
};

/** The names that a client may use after one relation. */
interface RelationSeen<M extends AnyModel> {
  /** The fields of the related table. */
  readonly fields: readonly M["field"][];
  /** The maximum limit of a nested list, and its limit if a spec gives none. Default 100. */
  readonly maxLimit?: number | undefined;
  /** In the specs of a scope: the table is whole, and not narrowed to the values of the scope. Default false. */
  readonly whole?: boolean | undefined;
  /** The relations that lead on from it. */
  readonly relations?: RelationsSeen<M> | undefined;
}

/** The option: names that are not relations of the table are refused. */
export interface SeenRelations<M extends AnyModel, Rel> {
  /** The relations that a spec may join, look into and nest. Any other does not exist. Default none. */
  readonly relations?: Rel & {
    readonly [K in keyof Rel]: K extends keyof M["relations"]
      ? unknown
      : SqlTypeError<"this table has no such relation">;
  };
}
