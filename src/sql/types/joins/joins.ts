/** The joins of relations, tables and queries, as their users see them. */
import type { Dialect } from "../../words/dialect.js";
import type { NoRelations } from "../../words/relations.js";
import type { Builders } from "../builders.js";
import type { FittingCondition, LeafOf } from "../conditions.js";
import type { Selection } from "../grouping.js";
import type { AlikeIn, FieldList, FieldsBeside, TableRowsOn } from "../inner.js";
import type { AlikeOf, Joined, Last } from "../joined.js";
import type { AnyModel, AnyShape, Declared, Model } from "../model.js";
import type { AnyParam } from "../params.js";
import type { ParamsOfLeaves } from "../results.js";
import type { Derived, Source } from "../source.js";
import type { RelationTarget } from "../target.js";

/** The builders that join. */
export type Joining = "select" | "query" | "aggregate";

/**
 * The joins of one kind: inner, left, right or full. `M` is the model before the join; `R` and `O` are the row and the
 * model as the join leaves them, so that those of an outer join may be null. `L` is `string` where the joined side may be
 * missing, otherwise `never`. They are declared as methods, whose parameters TypeScript compares bivariantly.
 */
export interface Joins<
  K extends Joining,
  R,
  P extends AnyParam,
  M extends AnyModel,
  O extends AnyModel,
  L extends string,
  S extends Selection,
> {
  /** Joins a relation. */
  relation<const To extends M["relation"], A extends string = Last<To>>(
    relation: To,
    name?: A,
  ): Builders<R, P, Joined<O, A, RelationTarget<M, To>, L>, S>[K];
  // By a condition first: an editor takes the first form that has room for the arguments, and offers its fields in them.
  /** Joins a table, or that of a repository (of a scope, its part), by a condition, which names its fields `name.field`. */
  table<
    A extends string,
    const C extends ByCondition<M, A, Model<T, M["dialect"]>>,
    T extends AnyShape = NoRelations,
  >(
    name: A,
    table: Joinable<T, M["dialect"]>,
    on: C,
  ): Builders<
    R,
    WithCondition<P, M, A, Model<T, M["dialect"]>, C>,
    Joined<O, A, Model<T, M["dialect"]>, L>,
    S
  >[K];
  /** The same by two fields that are equal. */
  table<
    A extends string,
    F extends M["field"],
    G extends AlikeOf<M, F, T>["field"],
    T extends AnyShape = NoRelations,
  >(
    name: A,
    table: Joinable<T, M["dialect"]>,
    mine: F,
    theirs: G,
  ): Builders<R, P, Joined<O, A, Model<T, M["dialect"]>, L>, S>[K];
  /** The same by fields that are equal pair by pair. */
  table<
    A extends string,
    const F extends FieldList<M>,
    const G extends FieldsBeside<M, F, Model<T, M["dialect"]>>,
    T extends AnyShape = NoRelations,
  >(
    name: A,
    table: Joinable<T, M["dialect"]>,
    mine: F,
    theirs: G,
  ): Builders<R, P, Joined<O, A, Model<T, M["dialect"]>, L>, S>[K];
  /** Joins a query that was named by `as`, by a condition, which names its columns `name.column`. */
  query<A extends string, T, Q extends AnyParam, const C extends ByCondition<M, A, Derived<T, M["dialect"]>>>(
    query: Source<A, T, Q, M["dialect"]>,
    on: C,
  ): Builders<
    R,
    WithCondition<P | Q, M, A, Derived<T, M["dialect"]>, C>,
    Joined<O, A, Derived<T, M["dialect"]>, L>,
    S
  >[K];
  /** The same by two fields that are equal. */
  query<
    A extends string,
    T,
    Q extends AnyParam,
    F extends M["field"],
    G extends AlikeIn<M, F, Derived<T, M["dialect"]>>["field"],
  >(
    query: Source<A, T, Q, M["dialect"]>,
    mine: F,
    theirs: G,
  ): Builders<R, P | Q, Joined<O, A, Derived<T, M["dialect"]>, L>, S>[K];
  /** The same by fields that are equal pair by pair. */
  query<
    A extends string,
    T,
    Q extends AnyParam,
    const F extends FieldList<M>,
    const G extends FieldsBeside<M, F, Derived<T, M["dialect"]>>,
  >(
    query: Source<A, T, Q, M["dialect"]>,
    mine: F,
    theirs: G,
  ): Builders<R, P | Q, Joined<O, A, Derived<T, M["dialect"]>, L>, S>[K];
}

/** What is joined by fields or by a condition: a table, or a repository. */
type Joinable<T extends AnyShape, D extends Dialect> = Declared<T> | TableRowsOn<T, D>;

/** A condition over the fields of `M` and, under the name `A`, of `N`. */
export type ByCondition<M extends AnyModel, A extends string, N extends AnyModel> = FittingCondition<
  Joined<M, A, N, never>
>;

/** The parameters of a builder and those of such a condition. */
export type WithCondition<
  P extends AnyParam,
  M extends AnyModel,
  A extends string,
  N extends AnyModel,
  C extends ByCondition<M, A, N>,
> = P | ParamsOfLeaves<Joined<M, A, N, never>, LeafOf<C>>;
