/** The types of `setFrom`: relations to one row, and the fields of it that a field can hold. */

import type { AnyModel } from "../model.js";
import type { RelationTarget } from "../target.js";

/** The relations of a table that lead to one row. */
export type RelationToOne<M extends AnyModel> = {
  [To in M["relation"]]: To extends keyof M["relations"]
    ? M["relations"][To]["kind"] extends "many"
      ? never
      : To
    : never;
}[M["relation"]];

/**
 * The fields of the related row that a field can hold. A member of an interface, not an alias, so that an error lists
 * them instead of its name.
 */
export interface FieldFor<M extends AnyModel, F extends M["field"], To> {
  readonly field: FieldIn<M["columns"][F]["type"], RelationTarget<M, To>>;
}

type FieldIn<V, N extends AnyModel> = {
  [G in N["own"]]: N["columns"][G]["type"] extends V ? G : never;
}[N["own"]];
