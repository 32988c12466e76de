/**
 * The members of a query that an outer query needs: the row, the parameters and the table. They
 * are under one symbol, so that a method looks at nothing else of it.
 */
import type { Dialect } from "../words/dialect.js";
import type { ComparisonOperator, ListOperator } from "../words/operators.js";
import type { AlikeTo } from "./alike.js";
import type { ColumnsOf } from "./columns.js";
import type { AnyModel, AnyShape, Declared, Model } from "./model.js";
import type { AnyParam } from "./params.js";
import type { SqlTypeError } from "./sentences.js";
import type { TargetName } from "./target.js";

/** The key under which a query keeps its type for outer queries; a type only. */
export declare const inner: unique symbol;

/** The type of a query of rows for an outer query. */
export interface QueryInside<out R, out P, in out M extends AnyModel, in out S> {
  readonly holds: "rows";
  /** The calls that determine the rows, and the names of what is joined, may be missing or hides rows. */
  readonly state: S;
  readonly joined: M["joins"] | M["missing"] | M["ruled"]["hiding"];
  readonly row: R;
  /** The same as a table: only here is the model known, and to test one costs the compiler all tables of its module. */
  readonly columns: ColumnsOf<R, M, S>;
  readonly params: P;
  readonly model: M;
  readonly table: M["table"];
  readonly dialect: M["dialect"];
}

/** The type of a query of one value, `count()` or `avg(field)`, for an outer query. */
export interface InnerValue<out T, out P, out M extends AnyModel> {
  readonly holds: "value";
  readonly row: { readonly value: T };
  readonly params: P;
  readonly model: M;
  readonly table: M["table"];
  readonly dialect: M["dialect"];
}

/** The own fields of a model. To compare a model with this costs the compiler a quarter of what `AnyModel` costs. */
export interface OwnModel {
  readonly own: string;
  readonly columns: { readonly [F: string]: { readonly value: unknown } };
}

/** A query of rows of any table, on a dialect. */
export interface AnyRows<D extends Dialect, P = AnyParam> {
  readonly [inner]: {
    readonly holds: "rows";
    readonly row: unknown;
    readonly params: P;
    readonly model: OwnModel;
    readonly dialect: D;
  };
}

/** The same, to be a table. */
export interface RowsAsTable<D extends Dialect> {
  readonly [inner]: {
    readonly holds: "rows";
    readonly row: unknown;
    readonly columns: object;
    readonly params: AnyParam;
    readonly dialect: D;
  };
}

/**
 * The model of the rows of a query, for a condition: that of its shape, where it is a query of one table. To test the
 * model itself costs the compiler all tables of its module.
 */
export type RowsModel<Q extends AnyRows<Dialect>> =
  Q[typeof inner]["model"] extends Declared<infer T extends AnyShape>
    ? Model<T, Q[typeof inner]["dialect"]>
    : Q[typeof inner]["model"] extends AnyModel
      ? Q[typeof inner]["model"]
      : never;

/**
 * A repository, as a join takes it: its table, and the query of all of its rows. Its shape is inferred, not its model: to
 * test an inferred model, the compiler would look at all tables of its module.
 */
export interface TableRowsOn<S, D extends Dialect> {
  readonly table: object;
  readonly [inner]: { readonly model: Declared<S>; readonly dialect: D };
}

/** A query of rows of the table that a relation leads to. */
export interface RelatedRows<M extends AnyModel, Path, P = AnyParam> {
  readonly [inner]: {
    readonly holds: "rows";
    readonly row: unknown;
    readonly params: P;
    readonly table: TargetName<M, Path>;
    readonly dialect: M["dialect"];
    readonly state: unknown;
    readonly joined: string;
  };
}

/** No query: all rows. It fits wherever a query of rows does. */
export interface AllRows {
  readonly [inner]: {
    readonly holds: "rows";
    readonly row: never;
    readonly params: never;
    readonly table: never;
    readonly model: never;
    readonly dialect: never;
    readonly state: never;
    readonly joined: never;
  };
}

/** A query of rows, or of one value, on a dialect. */
export interface QueryOn<D extends Dialect, P = AnyParam> {
  readonly [inner]: {
    readonly holds: "rows" | "value";
    readonly row: unknown;
    readonly params: P;
    readonly model: OwnModel;
    readonly dialect: D;
  };
}

/** The operators that compare with a query. */
export type QueryOperator = ComparisonOperator | ListOperator;

/** Any query in another. */
export interface AnyInner {
  readonly [inner]: { readonly params: AnyParam };
}

/** The values of a query of one field, without null. */
export type ValueOfQuery<Q extends QueryOn<Dialect, unknown>> = Exclude<
  Q[typeof inner]["row"][keyof Q[typeof inner]["row"]],
  null
>;

/** The query that an operator takes: of one field, or of one value; a sentence about any other. */
export type QueryOf<O, Q extends QueryOn<Dialect, unknown>> = O extends ListOperator
  ? Q[typeof inner]["holds"] extends "rows"
    ? IsOne<keyof Q[typeof inner]["row"]> extends true
      ? unknown
      : SqlTypeError<`${O} takes a query of one field`>
    : SqlTypeError<`${O} takes a query of one field`>
  : Q[typeof inner]["holds"] extends "value"
    ? unknown
    : SqlTypeError<"a comparison takes one value, such as count() or avg(field)">;

type IsOne<K, All = K> = [K] extends [never]
  ? false
  : K extends unknown
    ? [All] extends [K]
      ? true
      : false
    : never;

/** The same for a comparison with values of type `V`. */
export type QueryBeside<V, O, Q extends QueryOn<Dialect, unknown>> = [QueryOf<O, Q>] extends [
  SqlTypeError<string>,
]
  ? QueryOf<O, Q>
  : [ValueOfQuery<Q>] extends [V]
    ? unknown
    : [V] extends [ValueOfQuery<Q>]
      ? unknown
      : SqlTypeError<"values of two types cannot be compared">;

/** The parameters of a query in another. */
export type InnerParams<Q extends AnyInner> = Q[typeof inner]["params"];

/**
 * The fields of a query's own table that may be compared with a field. A member of an interface, not an alias, so that
 * an error lists them instead of its name.
 */
export interface AlikeIn<M extends AnyModel, F extends M["field"], N extends OwnModel> {
  readonly field: {
    [G in N["own"]]: N["columns"][G]["value"] extends M["columns"][F]["value"]
      ? G
      : M["columns"][F]["value"] extends N["columns"][G]["value"]
        ? G
        : never;
  }[N["own"]];
}

/** A list of fields that pairs with another. */
export type FieldList<M extends AnyModel> = readonly [M["field"], ...M["field"][]];

/** The lists that pair with a list of fields: as long, each field one of the other model that may be compared with its own. */
export type FieldsBeside<M extends AnyModel, F extends readonly M["field"][], N extends OwnModel> = {
  readonly [I in keyof F]: AlikeTo<N["columns"], N["own"], M["columns"][F[I]]["value"]>["field"];
};

/** A list of a query's own fields, as long as another list. */
export type OwnFields<F extends readonly unknown[], Q extends QueryOn<Dialect>> = {
  readonly [I in keyof F]: Q[typeof inner]["model"]["own"];
};
