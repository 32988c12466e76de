/**
 * From the shape of a table's Zod object to what the builders ask about it: the row, what insert and update
 * take, the kind of each column. Every member is a mapped type over the columns, so a member of a member is
 * worked out only where a query uses it; what depends on a column alone is shared by all tables that have one
 * of the same type.
 */
import type * as z from "zod/v4/core";
import type { Dialect } from "../words/dialect.js";
import type { NeedsByKind, NullTest, OperatorsByDialect, RangeTestsByKind } from "../words/operators.js";
import type { SqlTypeError } from "./sentences.js";

/** The columns of a table as Zod schemas by property. */
export type Shape = Readonly<Record<string, z.$ZodType>>;

declare const traits: unique symbol;

/** What of a column's metadata the compiler needs to know. */
export type Trait = "key" | "generated" | "byDefault" | "default" | "json" | "vector";

/** What `column` adds to a schema's type. It is only a type: nothing is added to the schema object. */
export interface Column<T extends Trait> {
  // An object of flags, so that two marks on one schema add up.
  readonly [traits]: { readonly [Name in T]: true };
}

/** What an insert takes, in two parts: `Model` and `Insert` join them. */
export type InsertParts<S extends Shape> = {
  [K in keyof S as InsertRole<S[K]> extends "required" ? K : never]: S[K]["_zod"]["output"];
} & {
  [K in keyof S as InsertRole<S[K]> extends "optional" ? K : never]?: S[K]["_zod"]["output"] | undefined;
};

/** How a column stands in an insert. */
export type InsertRole<S extends z.$ZodType> =
  "generated" extends TraitsOf<S>
    ? "absent"
    : null extends S["_zod"]["output"]
      ? "optional"
      : S["_zod"]["optin"] extends "optional" | "defaulted"
        ? "optional"
        : [Extract<TraitsOf<S>, "byDefault" | "default">] extends [never]
          ? "required"
          : "optional";

// Traits read through the wrappers that may stand around a marked schema.
type TraitsOf<S> = S extends { readonly [traits]: infer Flags }
  ? keyof Flags
  : S extends { readonly _zod: { readonly def: { readonly innerType: infer Inner } } }
    ? TraitsOf<Inner>
    : never;

/** A sentence where a table has vectors and a dialect has none. */
export type VectorsOn<S extends Shape, D extends Dialect> = D extends "postgres"
  ? unknown
  : "vector" extends TraitsOf<S[keyof S]>
    ? SqlTypeError<`${D} has no vectors`>
    : unknown;

/** The kind of a column; a mark (of `json` or `vector`) wins over the type of its values. */
export type KindOf<S extends z.$ZodType> = [Extract<TraitsOf<S>, "json" | "vector">] extends [never]
  ? KindOfValue<Exclude<S["_zod"]["output"], null>>
  : Extract<TraitsOf<S>, "json" | "vector">;

type KindOfValue<V> = 0 extends 1 & V
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

/** What a condition asks of a column. */
export interface ColumnModel<S extends z.$ZodType, D extends Dialect> {
  readonly type: S["_zod"]["output"];
  readonly value: Exclude<S["_zod"]["output"], null>;
  readonly operators: OperatorsByDialect[D][KindOf<S>];
  readonly tests:
    | OperatorsByDialect[D][KindOf<S>]
    | RangeTestsByKind[KindOf<S>]
    | NeedsByKind[KindOf<S>]
    | NullTest;
  readonly role: InsertRole<S>;
  readonly results: ColumnResults<S["_zod"]["output"]>;
}

/** What expressions over a column of type `T` give. NULL comes out where NULL goes in, unless it says otherwise. */
export interface ColumnResults<T> {
  readonly same: T;
  readonly value: Exclude<T, null>;
  readonly orNull: T | null;
  readonly text: string | Extract<T, null>;
  readonly number: number | Extract<T, null>;
  readonly numberOrNull: number | null;
  readonly boolean: boolean | Extract<T, null>;
  readonly date: Date | Extract<T, null>;
  /** A number, or a bigint of bigints. */
  readonly amount: ([Exclude<T, null>] extends [bigint] ? bigint : number) | Extract<T, null>;
  readonly amountOrNull: ([Exclude<T, null>] extends [bigint] ? bigint : number) | null;
}

/** What one part of a condition asks: a field, an operator or test, and the name of a parameter. */
export interface Leaf<out F, out O, out Name> {
  readonly field: F;
  readonly operator: O;
  readonly param: Name;
}

/** What the builders of one table on one dialect know of it. */
export interface Model<S extends Shape, D extends Dialect> {
  readonly dialect: D;
  // Mapped types without a name: an editor then shows the columns. And one object, not an intersection: reading
  // a property of an intersection costs the compiler four times as much.
  readonly row: { [K in keyof S]: S[K]["_zod"]["output"] };
  readonly insert: { [K in keyof InsertParts<S>]: InsertParts<S>[K] };
  readonly update: {
    [K in keyof S as InsertRole<S[K]> extends "absent" ? never : K]?: S[K]["_zod"]["output"] | undefined;
  };
  readonly field: keyof S & string;
  // `as K` keeps the compiler from substituting into the template when it looks for the constraint of
  // `columns[F]` with a free F: three times cheaper for every call of `where`.
  readonly columns: { readonly [K in keyof S as K]: ColumnModel<S[K], D> };
  readonly rangeField: {
    [K in keyof S & string]: RangeTestsByKind[KindOf<S[K]>] extends never ? never : K;
  }[keyof S & string];
  readonly numberField: {
    [K in keyof S & string]: KindOf<S[K]> extends "number" | "bigint" ? K : never;
  }[keyof S & string];
  readonly vectorField: {
    [K in keyof S & string]: KindOf<S[K]> extends "vector" ? K : never;
  }[keyof S & string];
  /** Fields that alone are a key. */
  readonly keyField: {
    [K in keyof S & string]: "key" extends TraitsOf<S[K]> ? K : never;
  }[keyof S & string];
  readonly leaf: {
    [K in keyof S & string]: Leaf<K, ColumnModel<S[K], D>["tests"], string>;
  }[keyof S & string];
}

/** The constraint of every type that takes a model. */
export interface AnyModel {
  readonly dialect: Dialect;
  readonly row: object;
  readonly insert: object;
  readonly update: object;
  readonly field: string;
  readonly rangeField: string;
  readonly numberField: string;
  readonly vectorField: string;
  readonly keyField: string;
  readonly columns: Readonly<Record<string, AnyColumnModel>>;
  readonly leaf: unknown;
}

interface AnyColumnModel {
  readonly type: unknown;
  readonly value: unknown;
  readonly operators: string;
  readonly tests: string;
  readonly role: string;
  readonly results: ColumnResults<unknown>;
}
