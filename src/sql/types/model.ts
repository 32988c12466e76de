/**
 * The model of a table, from the shape of its Zod object: the row, the types of insert and update, the kind of
 * each column. Every member is a mapped type over the columns, so a member of a member is evaluated only if a
 * query uses it; types that depend on a column alone are shared by all tables with a column of the same type.
 */
import type { $ZodLooseShape, $ZodType } from "zod/v4/core";
import type { Dialect } from "../words/dialect.js";
import type { MarkedKind, NeedsByKind } from "../words/kinds.js";
import type { NullTest, Operator, OperatorsByDialect } from "../words/operators.js";
import type { NoRelations, Relations } from "../words/relations.js";
import type { AnyParam, Param } from "./params.js";
import type { SqlTypeError } from "./sentences.js";

/** The columns of a table as Zod schemas by property. */
export type Shape = Readonly<Record<string, $ZodType>>;

/**
 * The constraint of every type that takes columns, as in Zod itself: what is a schema, `table` has checked. To compare
 * a schema with Zod's own type costs the compiler all of its methods.
 */
export type AnyShape = Readonly<$ZodLooseShape>;

/** A Zod schema as the types of columns see it. */
export interface ColumnSchema {
  readonly _zod: { readonly output: unknown; readonly def: object; readonly optin?: string | undefined };
}

/** Any Zod schema, told by one member. */
export interface SomeSchema {
  readonly _zod: object;
}

/** What `table` takes as columns. */
export type Schemas = Readonly<Record<string, SomeSchema>>;

/** A Zod object of columns, told by two members. */
export interface ObjectSchema<out S> {
  readonly shape: S;
  readonly _zod: { readonly def: { readonly type: "object" } };
}

declare const traits: unique symbol;
/** Where a table keeps its shape, and a model the shape whose columns it has; a type only. */
export declare const shape: unique symbol;

/** A table as far as models know it: its shape. A type only. */
export interface Declared<out S> {
  readonly [shape]: S;
}

/** The part of a column's metadata that the compiler needs. */
export type Trait = "key" | "generated" | "byDefault" | "default" | Rule | MarkedKind;
type Rule = "updated" | "version" | "deleted";

/** The addition of `column` to a schema's type. A type only: nothing is added to the schema object. */
export interface Column<T extends Trait> {
  // An object of flags, so that two marks on one schema combine.
  readonly [traits]: { readonly [Name in T]: true };
}

declare const keys: unique symbol;

/** The addition of `table` to the type of a column that is in keys of several: the lists of all of these. A type only. */
export interface InKeys<out L> {
  readonly [keys]: L;
}

declare const hides: unique symbol;

/** The addition of `table` to the types of the columns of a table with filters: their names. A type only. */
export interface Hides<out N> {
  readonly [hides]: N;
}

/** What only upserts, changes and `without` ask. An interface: each member is worked out only where it is asked. */
interface Ruled<in out S extends AnyShape> {
  /** The keys of several fields, as arguments. */
  readonly keys: KeyArguments<KeysAround<S[keyof S]>>;
  /** The parameter that every change demands: the version that was read. */
  readonly demanded: S extends Unruled ? never : VersionOf<S>;
  /** The names of its rules. */
  readonly names: S extends Unruled ? never : HidingIn<S> | RuledIn<S, "updated" | "version">;
  /** The names of those that hide rows. */
  readonly hiding: S extends Unruled ? never : HidingIn<S>;
}

// One comparison of all columns: next to nothing for a table without rules.
type Unruled = Readonly<Record<string, UnruledColumn>>;
interface UnruledColumn {
  readonly [traits]?: {
    readonly version?: never;
    readonly updated?: never;
    readonly deleted?: never;
  } & NoVectorTraits<true>;
  readonly [hides]?: never;
  readonly _zod: { readonly def: { readonly type: string; readonly innerType?: UnruledColumn } };
}
type VersionOf<S extends AnyShape> = NumberNamed<RuledIn<S, "version">>;
// Without names, no parameter is demanded: the condition has to go over the names one by one.
type NumberNamed<K> = K extends string ? Param<K, number> : never;
type RuledIn<S extends AnyShape, R> = {
  [K in keyof S & string]: [Extract<TraitsOf<S[K]>, R>] extends [never] ? never : K;
}[keyof S & string];
type HidingIn<S extends AnyShape> = FiltersAround<S[keyof S]> | RuledIn<S, "deleted">;
type FiltersAround<C> = C extends Hides<infer N extends string> ? N : never;

// The arguments that name a key of several fields, in any order. Of a list that is not written out, any of its fields.
type KeyArguments<L> = [L] extends [never]
  ? [SqlTypeError<"the table has no key of several fields">, ...unknown[]]
  : L extends readonly unknown[]
    ? number extends L["length"]
      ? [L[number], L[number], ...L[number][]]
      : { -readonly [I in keyof L]: L[number] }
    : never;
type KeysAround<C> = C extends InKeys<infer L> ? L : never;

/** The type of an insert in two parts, which `Model` and `Insert` join. */
export type InsertModel<S extends AnyShape> = {
  [K in keyof S as InsertRole<S[K]> extends "required" ? K : never]: S[K]["_zod"]["output"];
} & {
  [K in keyof S as InsertRole<S[K]> extends "optional" ? K : never]?: S[K]["_zod"]["output"] | undefined;
};

/** Whether a column is required, optional or absent in an insert. */
export type InsertRole<S extends ColumnSchema> =
  "generated" extends TraitsOf<S>
    ? "absent"
    : null extends S["_zod"]["output"]
      ? "optional"
      : S["_zod"]["optin"] extends "optional" | "defaulted"
        ? "optional"
        : [Extract<TraitsOf<S>, "byDefault" | "default">] extends [never]
          ? "required"
          : "optional";

// Traits, read through the wrappers around a marked schema.
type TraitsOf<S> = S extends { readonly [traits]: infer Flags }
  ? keyof Flags | TraitsWithin<S>
  : TraitsWithin<S>;
type TraitsWithin<S> = S extends { readonly _zod: { readonly def: { readonly innerType: infer Inner } } }
  ? TraitsOf<Inner>
  : never;

/** An error sentence if a table has vectors and the dialect does not. */
// One comparison of all columns: to ask each for its marks costs the compiler five times as much.
export type VectorsOn<S extends AnyShape, D extends Dialect> = [D] extends ["postgres"]
  ? unknown
  : S extends Readonly<Record<string, NoVector>>
    ? unknown
    : SqlTypeError<`${Exclude<D, "postgres">} has no vectors`>;

interface NoVector {
  readonly [traits]?: NoVectorTraits<true>;
  readonly _zod: { readonly def: { readonly type: string; readonly innerType?: NoVector } };
}

/** The kind of a column; a mark (of `json` or `vector`) wins over the type of its values. */
// Most schemas say their kind by their own type. These comparisons cost the compiler next to nothing; to look into a
// schema costs it an instantiation for each look.
export type KindOf<S extends ColumnSchema> =
  S extends Plain<"string">
    ? "text"
    : S extends Plain<"number">
      ? "number"
      : S extends Plain<"boolean">
        ? "boolean"
        : S extends Plain<"date">
          ? "date"
          : S extends Plain<"nullable", infer Inner extends ColumnSchema>
            ? KindOf<Inner>
            : S extends Plain<"enum">
              ? KindOfValue<S["_zod"]["output"]>
              : S extends Plain<"bigint">
                ? "bigint"
                : KindBySchema<S>;

// The marks but that of vectors, with or without those of other kinds. All names are written out: a type of optional names
// refuses an object of others.
interface NoVectorTraits<Kinds> {
  readonly key?: true;
  readonly generated?: true;
  readonly byDefault?: true;
  readonly default?: true;
  readonly json?: Kinds;
  readonly decimal?: Kinds;
  readonly vector?: never;
}

// A schema whose kind no mark says.
interface Plain<Type, Inner = unknown> {
  readonly [traits]?: NoVectorTraits<never>;
  readonly _zod: { readonly def: { readonly type: Type; readonly innerType?: Inner } };
}

type KindBySchema<S extends ColumnSchema> = [Extract<TraitsOf<S>, MarkedKind>] extends [never]
  ? KindOfValue<Exclude<S["_zod"]["output"], null>>
  : Extract<TraitsOf<S>, MarkedKind>;

export type KindOfValue<V> = 0 extends 1 & V
  ? "json"
  : [V] extends [string]
    ? "text"
    : [V] extends [number]
      ? "number"
      : [V] extends [boolean]
        ? "boolean"
        : [V] extends [Date]
          ? "date"
          : [V] extends [bigint]
            ? "bigint"
            : [V] extends [Uint8Array]
              ? "bytes"
              : [V] extends [readonly unknown[]]
                ? "array"
                : "json";

/** The requirements of a condition on a column. */
export interface ColumnModel<S extends ColumnSchema, D extends Dialect> {
  readonly type: S["_zod"]["output"];
  readonly value: Exclude<S["_zod"]["output"], null>;
  readonly operators: OperatorsByDialect<D>[KindOf<S>];
  readonly tests: OperatorsByDialect<D>[KindOf<S>] | NeedsByKind[KindOf<S>] | NullTest;
  readonly role: InsertRole<S>;
  readonly results: ColumnResults<S["_zod"]["output"]>;
}

/** The results of expressions over a column of type `T`. A null operand gives null, unless stated otherwise. */
export interface ColumnResults<T> {
  readonly same: T;
  readonly value: Exclude<T, null>;
  readonly orNull: T | null;
  readonly text: string | Extract<T, null>;
  readonly number: number | Extract<T, null>;
  readonly numberOrNull: number | null;
  readonly boolean: boolean | Extract<T, null>;
  readonly date: Date | Extract<T, null>;
  /** A number, a bigint of bigints, the digits of decimals. */
  readonly amount: AmountOf<Exclude<T, null>> | Extract<T, null>;
  readonly amountOrNull: AmountOf<Exclude<T, null>> | null;
  /** A number, the digits of decimals. */
  readonly averageOrNull: AverageOf<Exclude<T, null>> | null;
}

// The need of a number has checked that a text holds decimals.

/** The sum of values. */
export type AmountOf<V> = [V] extends [bigint] ? bigint : [V] extends [string] ? string : number;

/** The average of values. */
export type AverageOf<V> = [V] extends [string] ? string : number;

/**
 * The types of one table on one dialect that the builders use. `Tables` are the models of the module that it was
 * exported from as `Name`, and `Rel` its relations; without a module there are none.
 */
export interface Model<
  S extends AnyShape,
  D extends Dialect,
  Tables extends Models = NoRelations,
  Name = never,
  Rel extends Relations = NoRelations,
> {
  readonly dialect: D;
  // Mapped types without a name, so that an editor shows the columns. One object, not an intersection: reading a
  // property of an intersection costs the compiler four times as much.
  readonly row: { [K in keyof S]: S[K]["_zod"]["output"] };
  readonly insert: { [K in keyof InsertModel<S>]: InsertModel<S>[K] };
  readonly update: {
    [K in keyof S as InsertRole<S[K]> extends "absent" ? never : K]?: S[K]["_zod"]["output"] | undefined;
  };
  readonly field: keyof S & string;
  /** The fields of the query's own table, whatever is joined. */
  readonly own: keyof S & string;
  /** The fields that specs from clients may name. */
  readonly shown: keyof S & string;
  // `as K` keeps the compiler from substituting into the template when it looks for the constraint of
  // `columns[F]` with a free F: three times cheaper for every call of `where`.
  readonly columns: { readonly [K in keyof S as K]: ColumnModel<S[K], D> };
  readonly rangeField: {
    [K in keyof S & string]: "an order" extends NeedsByKind[KindOf<S[K]>] ? K : never;
  }[keyof S & string];
  readonly numberField: {
    [K in keyof S & string]: "a number" extends NeedsByKind[KindOf<S[K]>] ? K : never;
  }[keyof S & string];
  readonly vectorField: {
    [K in keyof S & string]: "a vector" extends NeedsByKind[KindOf<S[K]>] ? K : never;
  }[keyof S & string];
  /** Fields that are a key by themselves. */
  readonly keyField: {
    [K in keyof S & string]: "key" extends TraitsOf<S[K]> ? K : never;
  }[keyof S & string];
  readonly ruled: Ruled<S>;
  readonly table: Name;
  readonly tables: Tables;
  readonly relations: Rel;
  /** The arguments of `join`: names of relations, and paths through joined tables. */
  readonly relation: keyof Rel & string;
  /** The names of the parts of rows: joined tables, and rows inside of rows. */
  readonly alias: never;
  /** The names of joined tables, their models, and the names of those that a left join may leave out. */
  readonly joins: never;
  readonly joined: NoRelations;
  readonly missing: never;
  /** The names of all columns of a table at once. */
  readonly every: "*";
  readonly [shape]: S;
}

/** Models by name. As a constraint it costs nothing where a model is looked up; to test one costs all its members. */
export interface Models {
  readonly [name: string]: AnyModel;
}

/** The constraint of every type that takes a model. */
export interface AnyModel {
  readonly dialect: Dialect;
  readonly row: object;
  readonly insert: object;
  readonly update: object;
  readonly field: string;
  readonly own: string;
  readonly shown: string;
  readonly rangeField: string;
  readonly numberField: string;
  readonly vectorField: string;
  readonly keyField: string;
  readonly ruled: {
    readonly keys: readonly unknown[];
    readonly demanded: AnyParam;
    readonly names: string;
    readonly hiding: string;
  };
  readonly columns: Readonly<Record<string, AnyColumnModel>>;
  readonly table: unknown;
  readonly tables: Models;
  readonly relations: Relations;
  readonly relation: string;
  readonly alias: string;
  readonly joins: string;
  readonly joined: Models;
  readonly missing: string;
  readonly every: string;
  /** What a model has if its columns are those of one table. */
  readonly [shape]?: unknown;
}

/** The constraint of every type that takes a column. */
export interface AnyColumnModel {
  readonly type: unknown;
  readonly value: unknown;
  readonly operators: Operator;
  readonly tests: string;
  readonly role: string;
  readonly results: ColumnResults<unknown>;
}

/** The members that a model takes from another whose fields and joined tables it has. */
export interface SameFields<M extends AnyModel> {
  readonly dialect: M["dialect"];
  readonly field: M["field"];
  readonly own: M["own"];
  readonly shown: M["shown"];
  readonly columns: M["columns"];
  readonly rangeField: M["rangeField"];
  readonly numberField: M["numberField"];
  readonly vectorField: M["vectorField"];
  readonly table: M["table"];
  readonly tables: M["tables"];
  readonly relations: M["relations"];
  readonly relation: M["relation"];
  readonly joins: M["joins"];
  readonly joined: M["joined"];
  readonly every: M["every"];
  readonly [shape]: M[typeof shape];
}
