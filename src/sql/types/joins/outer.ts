/**
 * Right and full joins, as their users see them: the joins that keep rows of the joined table without ours. Our fields may
 * then be null one by one, and the parts that were joined before as a whole.
 */
import type { NoRelations } from "../../words/relations.js";
import type { Builders } from "../builders.js";
import type { Selection } from "../grouping.js";
import type { AlikeIn, FieldList, FieldsBeside, TableRowsOn } from "../inner.js";
import type { Absent, AlikeOf, Joined, Last, Unrelated } from "../joined.js";
import type { AnyModel, AnyShape, Declared, Model } from "../model.js";
import type { Fewer } from "../nesting.js";
import type { OnDialect } from "../on-dialect.js";
import type { AnyParam } from "../params.js";
import type { SqlTypeError } from "../sentences.js";
import type { Derived, Source } from "../source.js";
import type { RelationTarget } from "../target.js";
import type { ByCondition, JoinedModel, Joining, WithCondition } from "./tables.js";

/** `F` before `fields` and `with`, whose rows it would change; then a sentence. */
export type Early<S, Method extends string, F> = [S] extends ["all columns" | Fewer]
  ? F
  : SqlTypeError<`${Method} comes before fields and with`>;

/** The dialects that have full joins. */
export type FullJoining = "postgres" | "sqlite" | "oracle";

/** The same on these. */
export type EarlyFull<M extends AnyModel, S, Method extends string, F> = OnDialect<
  M,
  FullJoining,
  "FULL JOIN: take leftJoin, and whereNotExists for the others",
  Early<S, Method, F>
>;

/** The row without its own table. */
type Nulled<R> = { [K in keyof R]: R[K] | null };

/** `M` where its own row may be missing, and so may all that it has joined. */
interface Outer<M extends AnyModel> {
  readonly dialect: M["dialect"];
  readonly row: Nulled<M["row"]>;
  readonly insert: M["insert"];
  readonly update: M["update"];
  readonly field: M["field"];
  readonly own: M["own"];
  readonly shown: M["shown"];
  readonly columns: { readonly [F in M["field"] as F]: Absent<M["columns"][F]> };
  readonly rangeField: M["rangeField"];
  readonly numberField: M["numberField"];
  readonly vectorField: M["vectorField"];
  readonly keyField: M["keyField"];
  readonly ruled: M["ruled"];
  readonly table: M["table"];
  readonly tables: M["tables"];
  readonly relations: M["relations"];
  readonly relation: M["relation"];
  readonly alias: M["alias"];
  readonly joins: M["joins"];
  readonly joined: M["joined"];
  readonly missing: M["missing"] | M["joins"];
  readonly every: M["every"];
}

/** Right and full joins. */
export interface OuterJoins<
  K extends Joining,
  R,
  P extends AnyParam,
  M extends AnyModel,
  S extends Selection,
> {
  rightJoin<const To extends M["relation"], A extends string = Last<To>>(
    relation: To,
    name?: A,
  ): Builders<Nulled<R>, P, Joined<Outer<M>, A, RelationTarget<M, To>, never>, S>[K];
  fullJoin<const To extends M["relation"], A extends string = Last<To>>(
    relation: To,
    name?: A,
  ): Builders<Nulled<R>, P, Joined<Outer<M>, A, RelationTarget<M, To>, A>, S>[K];
  rightJoinOn<
    A extends string,
    F extends M["field"],
    G extends AlikeOf<M, F, T>["field"],
    T extends AnyShape = NoRelations,
  >(
    name: A,
    table: Declared<T>,
    mine: F,
    theirs: G,
  ): Builders<Nulled<R>, P, Joined<Outer<M>, A, Model<T, M["dialect"]>, never>, S>[K];
  rightJoinOn<
    A extends string,
    F extends M["field"],
    G extends AlikeIn<M, F, N>["field"],
    N extends AnyModel = never,
  >(
    name: A,
    repository: TableRowsOn<N, M["dialect"]>,
    mine: F,
    theirs: G,
  ): Builders<Nulled<R>, P, Joined<Outer<M>, A, Unrelated<N>, never>, S>[K];
  rightJoinOn<
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
  ): Builders<Nulled<R>, P, Joined<Outer<M>, A, JoinedModel<T, N, M["dialect"]>, never>, S>[K];
  rightJoinOn<
    A extends string,
    const C extends ByCondition<M, A, JoinedModel<T, N, M["dialect"]>>,
    T extends AnyShape = never,
    N extends AnyModel = never,
  >(
    name: A,
    table: Declared<T> | TableRowsOn<N, M["dialect"]>,
    on: C,
  ): Builders<
    Nulled<R>,
    WithCondition<P, M, A, JoinedModel<T, N, M["dialect"]>, C>,
    Joined<Outer<M>, A, JoinedModel<T, N, M["dialect"]>, never>,
    S
  >[K];
  fullJoinOn<
    A extends string,
    F extends M["field"],
    G extends AlikeOf<M, F, T>["field"],
    T extends AnyShape = NoRelations,
  >(
    name: A,
    table: Declared<T>,
    mine: F,
    theirs: G,
  ): Builders<Nulled<R>, P, Joined<Outer<M>, A, Model<T, M["dialect"]>, A>, S>[K];
  fullJoinOn<
    A extends string,
    F extends M["field"],
    G extends AlikeIn<M, F, N>["field"],
    N extends AnyModel = never,
  >(
    name: A,
    repository: TableRowsOn<N, M["dialect"]>,
    mine: F,
    theirs: G,
  ): Builders<Nulled<R>, P, Joined<Outer<M>, A, Unrelated<N>, A>, S>[K];
  fullJoinOn<
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
  ): Builders<Nulled<R>, P, Joined<Outer<M>, A, JoinedModel<T, N, M["dialect"]>, A>, S>[K];
  fullJoinOn<
    A extends string,
    const C extends ByCondition<M, A, JoinedModel<T, N, M["dialect"]>>,
    T extends AnyShape = never,
    N extends AnyModel = never,
  >(
    name: A,
    table: Declared<T> | TableRowsOn<N, M["dialect"]>,
    on: C,
  ): Builders<
    Nulled<R>,
    WithCondition<P, M, A, JoinedModel<T, N, M["dialect"]>, C>,
    Joined<Outer<M>, A, JoinedModel<T, N, M["dialect"]>, A>,
    S
  >[K];
  rightJoinQuery<
    A extends string,
    T,
    Q extends AnyParam,
    F extends M["field"],
    G extends AlikeIn<M, F, Derived<T, M["dialect"]>>["field"],
  >(
    query: Source<A, T, Q, M["dialect"]>,
    mine: F,
    theirs: G,
  ): Builders<Nulled<R>, P | Q, Joined<Outer<M>, A, Derived<T, M["dialect"]>, never>, S>[K];
  rightJoinQuery<
    A extends string,
    T,
    Q extends AnyParam,
    const F extends FieldList<M>,
    const G extends FieldsBeside<M, F, Derived<T, M["dialect"]>>,
  >(
    query: Source<A, T, Q, M["dialect"]>,
    mine: F,
    theirs: G,
  ): Builders<Nulled<R>, P | Q, Joined<Outer<M>, A, Derived<T, M["dialect"]>, never>, S>[K];
  rightJoinQuery<
    A extends string,
    T,
    Q extends AnyParam,
    const C extends ByCondition<M, A, Derived<T, M["dialect"]>>,
  >(
    query: Source<A, T, Q, M["dialect"]>,
    on: C,
  ): Builders<
    Nulled<R>,
    WithCondition<P | Q, M, A, Derived<T, M["dialect"]>, C>,
    Joined<Outer<M>, A, Derived<T, M["dialect"]>, never>,
    S
  >[K];
  fullJoinQuery<
    A extends string,
    T,
    Q extends AnyParam,
    F extends M["field"],
    G extends AlikeIn<M, F, Derived<T, M["dialect"]>>["field"],
  >(
    query: Source<A, T, Q, M["dialect"]>,
    mine: F,
    theirs: G,
  ): Builders<Nulled<R>, P | Q, Joined<Outer<M>, A, Derived<T, M["dialect"]>, A>, S>[K];
  fullJoinQuery<
    A extends string,
    T,
    Q extends AnyParam,
    const F extends FieldList<M>,
    const G extends FieldsBeside<M, F, Derived<T, M["dialect"]>>,
  >(
    query: Source<A, T, Q, M["dialect"]>,
    mine: F,
    theirs: G,
  ): Builders<Nulled<R>, P | Q, Joined<Outer<M>, A, Derived<T, M["dialect"]>, A>, S>[K];
  fullJoinQuery<
    A extends string,
    T,
    Q extends AnyParam,
    const C extends ByCondition<M, A, Derived<T, M["dialect"]>>,
  >(
    query: Source<A, T, Q, M["dialect"]>,
    on: C,
  ): Builders<
    Nulled<R>,
    WithCondition<P | Q, M, A, Derived<T, M["dialect"]>, C>,
    Joined<Outer<M>, A, Derived<T, M["dialect"]>, A>,
    S
  >[K];
}
