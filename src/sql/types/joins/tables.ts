/**
 * The joins of tables by fields and by conditions, as their users see them. Methods of an interface, whose parameters are
 * compared as those of all methods are.
 */
import type { Dialect } from "../../words/dialect.js";
import type { NoRelations } from "../../words/relations.js";
import type { Builders } from "../builders.js";
import type { FittingCondition, LeafOf } from "../conditions.js";
import type { Selection } from "../grouping.js";
import type { AlikeIn, FieldList, FieldsBeside, TableRowsOn } from "../inner.js";
import type { AlikeOf, Joined, Unrelated } from "../joined.js";
import type { AnyModel, AnyShape, Declared, Model } from "../model.js";
import type { AnyParam } from "../params.js";
import type { ParamsOfLeaves } from "../results.js";

/** The builders that join. */
export type Joining = "select" | "query" | "aggregate";

/** Joins of tables and of repositories. */
export interface TableJoins<
  K extends Joining,
  R,
  P extends AnyParam,
  M extends AnyModel,
  S extends Selection,
> {
  /** Joins a table by two fields that are equal. */
  joinOn<
    A extends string,
    F extends M["field"],
    G extends AlikeOf<M, F, T>["field"],
    T extends AnyShape = NoRelations,
  >(
    name: A,
    table: Declared<T>,
    mine: F,
    theirs: G,
  ): Builders<R, P, Joined<M, A, Model<T, M["dialect"]>, never>, S>[K];
  /** Joins the table of a repository (of a scope, its part) by two fields that are equal. */
  joinOn<
    A extends string,
    F extends M["field"],
    G extends AlikeIn<M, F, N>["field"],
    N extends AnyModel = never,
  >(
    name: A,
    repository: TableRowsOn<N, M["dialect"]>,
    mine: F,
    theirs: G,
  ): Builders<R, P, Joined<M, A, Unrelated<N>, never>, S>[K];
  /** Joins a table, or that of a repository, by fields that are equal pair by pair. */
  joinOn<
    A extends string,
    const F extends FieldList<M>,
    const G extends FieldsBeside<M, F, JoinedModel<T, N, M["dialect"]>>,
    T extends AnyShape = never,
    N extends AnyModel = never,
  >(
    name: A,
    table: Declared<T> | TableRowsOn<N, M["dialect"]>,
    mine: F,
    theirs: G,
  ): Builders<R, P, Joined<M, A, JoinedModel<T, N, M["dialect"]>, never>, S>[K];
  /** Joins a table, or that of a repository, by a condition, which names its fields `name.field`. */
  joinOn<
    A extends string,
    const C extends ByCondition<M, A, JoinedModel<T, N, M["dialect"]>>,
    T extends AnyShape = never,
    N extends AnyModel = never,
  >(
    name: A,
    table: Declared<T> | TableRowsOn<N, M["dialect"]>,
    on: C,
  ): Builders<
    R,
    WithCondition<P, M, A, JoinedModel<T, N, M["dialect"]>, C>,
    Joined<M, A, JoinedModel<T, N, M["dialect"]>, never>,
    S
  >[K];
  leftJoinOn<
    A extends string,
    F extends M["field"],
    G extends AlikeOf<M, F, T>["field"],
    T extends AnyShape = NoRelations,
  >(
    name: A,
    table: Declared<T>,
    mine: F,
    theirs: G,
  ): Builders<R, P, Joined<M, A, Model<T, M["dialect"]>, A>, S>[K];
  leftJoinOn<
    A extends string,
    F extends M["field"],
    G extends AlikeIn<M, F, N>["field"],
    N extends AnyModel = never,
  >(
    name: A,
    repository: TableRowsOn<N, M["dialect"]>,
    mine: F,
    theirs: G,
  ): Builders<R, P, Joined<M, A, Unrelated<N>, A>, S>[K];
  leftJoinOn<
    A extends string,
    const F extends FieldList<M>,
    const G extends FieldsBeside<M, F, JoinedModel<T, N, M["dialect"]>>,
    T extends AnyShape = never,
    N extends AnyModel = never,
  >(
    name: A,
    table: Declared<T> | TableRowsOn<N, M["dialect"]>,
    mine: F,
    theirs: G,
  ): Builders<R, P, Joined<M, A, JoinedModel<T, N, M["dialect"]>, A>, S>[K];
  leftJoinOn<
    A extends string,
    const C extends ByCondition<M, A, JoinedModel<T, N, M["dialect"]>>,
    T extends AnyShape = never,
    N extends AnyModel = never,
  >(
    name: A,
    table: Declared<T> | TableRowsOn<N, M["dialect"]>,
    on: C,
  ): Builders<
    R,
    WithCondition<P, M, A, JoinedModel<T, N, M["dialect"]>, C>,
    Joined<M, A, JoinedModel<T, N, M["dialect"]>, A>,
    S
  >[K];
}

/** The model of what is joined: of a table, or of a repository. One signature for both, so that an error is of one. */
export type JoinedModel<T extends AnyShape, N extends AnyModel, D extends Dialect> = [N] extends [never]
  ? Model<T, D>
  : Unrelated<N>;

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
