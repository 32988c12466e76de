/**
 * The model of several tables: fields of the query's own table keep their names, those of a joined one are
 * `name.field`. Every member is worked out only if a query uses it, so a join costs the compiler the tables it names.
 */

import type { Builders } from "./builders.js";
import type { Aliased, Expression, RoleOf } from "./expressions.js";
import type { RowSoFar, Selection } from "./grouping.js";
import type { AnyColumnModel, AnyModel, AnyShape, ColumnResults, ColumnSchema, SameFields } from "./model.js";
import type { LeafOfExpression, Loose, result } from "./operands.js";
import type { AnyParam } from "./params.js";
import type { ParamsOfLeaves, ResultIn } from "./results.js";

/** `M` and, under the name `A`, `N`. `Missing` is `string` where the join may find nothing, else `never`. */
export interface Joined<M extends AnyModel, A extends string, N extends AnyModel, Missing extends string> {
  readonly dialect: M["dialect"];
  readonly row: M["row"];
  readonly insert: M["insert"];
  readonly update: M["update"];
  readonly field: M["field"] | `${A}.${N["field"]}`;
  readonly own: M["own"];
  readonly shown: M["shown"];
  // An intersection: one mapped type over all fields costs a first condition half as much again.
  readonly columns: M["columns"] & JoinedColumns<A, N, Missing>;
  readonly rangeField: M["rangeField"] | `${A}.${N["rangeField"]}`;
  readonly numberField: M["numberField"] | `${A}.${N["numberField"]}`;
  readonly vectorField: M["vectorField"] | `${A}.${N["vectorField"]}`;
  readonly keyField: M["keyField"];
  readonly ruled: M["ruled"];
  readonly table: M["table"];
  readonly tables: M["tables"];
  readonly relations: M["relations"];
  readonly relation: M["relation"] | `${A}.${N["relation"]}`;
  readonly alias: M["alias"] | A;
  readonly joins: M["joins"] | A;
  readonly joined: M["joined"] & { readonly [Name in A]: N };
  readonly missing: M["missing"] | (A & Missing);
  readonly every: M["every"] | `${A}.*`;
}

/** `M` with rows inside of rows under the name `A`, which no expression may then have. */
export interface Nesting<M extends AnyModel, A extends string> extends SameFields<M> {
  readonly row: M["row"];
  readonly insert: M["insert"];
  readonly update: M["update"];
  readonly keyField: M["keyField"];
  readonly ruled: M["ruled"];
  readonly alias: M["alias"] | A;
  readonly missing: M["missing"];
}

type JoinedColumns<A extends string, N extends AnyModel, Missing extends string> = [Missing] extends [never]
  ? { readonly [F in N["field"] as `${A}.${F}`]: N["columns"][F] }
  : { readonly [F in N["field"] as `${A}.${F}`]: Absent<N["columns"][F]> };

/** A column that a left join may leave out: what expressions make of it may be null. */
export interface Absent<C extends AnyColumnModel> {
  readonly type: C["type"] | null;
  readonly value: C["value"];
  readonly operators: C["operators"];
  readonly tests: C["tests"];
  readonly role: C["role"];
  readonly results: ColumnResults<C["type"] | null>;
}

/** The name of a joined table: the last word of the path. */
export type Last<Path extends string> = Path extends `${string}.${infer Name}` ? Name : Path;

/**
 * The fields of another table that may be compared with a field. A member of an interface, not an alias, so that an
 * error lists them instead of its name.
 */
export interface AlikeOf<M extends AnyModel, F extends M["field"], T extends AnyShape> {
  readonly field: {
    [G in keyof T & string]: ValueOf<T[G]> extends M["columns"][F]["value"]
      ? G
      : M["columns"][F]["value"] extends ValueOf<T[G]>
        ? G
        : never;
  }[keyof T & string];
}

type ValueOf<S extends ColumnSchema> = Exclude<S["_zod"]["output"], null>;

/**
 * The row of names and expressions `F`: `a.b` nests under `a`, which is null as a whole where a left join found
 * nothing; `*` is the own table, `a.*` all of a joined one.
 */
export type Chosen<M extends AnyModel, F> = ("*" extends F ? M["row"] : unknown) & {
  [Each in F as KeyOf<Each>]: Each extends Expression
    ? ResultIn<M, Each[typeof result]>
    : Each extends `${infer A}.${string}`
      ? Parts<M, A, F>["row"]
      : M["columns"][Each & M["field"]]["type"];
};

type KeyOf<Each> = Each extends Expression
  ? Each["alias"]
  : Each extends `${infer A}.${string}`
    ? A
    : Exclude<Each & string, "*">;

/** The value under the name `A`. A member of an interface, not an alias, so that an editor shows its fields. */
interface Parts<M extends AnyModel, A extends string, F> {
  readonly row:
    | (`${A}.*` extends F
        ? ModelOf<M, A>["row"]
        : {
            [Each in F as Each extends `${A}.${infer C}` ? C : never]: Each extends `${A}.${infer C}`
              ? ModelOf<M, A>["columns"][C]["type"]
              : never;
          })
    | (A extends M["missing"] ? null : never);
}

type ModelOf<M extends AnyModel, A extends string> = M["joined"][A & keyof M["joined"]];

/** Names with a dot are not keys of the row, so grouping gets them separately. */
export type LooseNames<F> = F extends `${string}.${string}` ? Loose<F> : never;

/**
 * The builder after `fields` of expressions or of joined tables. It is looked up by a key that is not known before the
 * arguments are: in the place of an argument the compiler would else go through all that it holds, to infer from it.
 */
export interface Selected<
  in out K extends "select" | "query",
  in out R,
  in out P extends AnyParam,
  in out M extends AnyModel,
  in out S extends Selection,
  in out F,
> {
  /** Expressions, and fields of the own table. An inline type without a name, so that an editor shows the result. */
  readonly own: Builders<
    RowSoFar<R, M, S> & {
      [Each in F as Each extends Aliased ? Each["alias"] : Each & string]: Each extends Aliased
        ? ResultIn<M, Each[typeof result]>
        : M["columns"][Each & M["field"]]["type"];
    },
    P | ParamsOfLeaves<M, LeafOfExpression<F>>,
    M,
    S | "some fields" | RoleOf<F>
  >[K];
  /** Fields of joined tables too, or `*`. */
  readonly joined: Builders<
    RowSoFar<R, M, S> & Chosen<M, F>,
    P | ParamsOfLeaves<M, LeafOfExpression<F>>,
    M,
    S | "some fields" | RoleOf<F> | LooseNames<F>
  >[K];
}
