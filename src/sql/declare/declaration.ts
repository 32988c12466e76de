/**
 * The shapes of a declaration: what `column` is told, what a `Table` tells. Types only; `column.ts` and
 * `table.ts` make the values.
 */
import type * as z from "zod";
import type { $ZodType } from "zod/v4/core";
import type { InsertParts, InsertRole, Shape } from "../types/model.js";
import type { Dialect } from "../words/dialect.js";
import type { Kind } from "../words/operators.js";

/** SQL text: the same for every dialect, or one for each. */
export type ByDialect = string | { readonly [D in Dialect]?: string };

/** What `column` takes beside the schema. The type parameters carry what the compiler needs to know. */
export interface ColumnMeta<
  Generated extends boolean | "byDefault" = boolean | "byDefault",
  Default extends ByDialect | undefined = ByDialect | undefined,
  Primary extends boolean = boolean,
  Unique extends boolean = boolean,
> {
  /** Column name; the property name when left out. */
  readonly name?: string;
  /** SQL type; from the Zod kind and the dialect when left out. */
  readonly type?: ByDialect;
  readonly primaryKey?: Primary;
  /** `true`: an identity that the database alone sets; `"byDefault"`: an insert may also give it. */
  readonly generated?: Generated;
  readonly unique?: Unique;
  /** An SQL expression. */
  readonly default?: Default;
  /** An SQL condition. */
  readonly check?: ByDialect;
  /** `true`, or the name of the index. */
  readonly index?: boolean | string;
  /** `"table(column)"`, or a function that gives the table, whose primary key is meant. */
  readonly references?: string | (() => AnyTable);
  /** Raw column constraints, put behind the others as they are. */
  readonly constraints?: string;
}

/** A column as its table tells it. */
export interface ColumnInfo {
  /** The key in the Zod object: the name that builders, specs and errors use. */
  readonly property: string;
  /** The name in the database. */
  readonly name: string;
  readonly kind: Kind;
  readonly schema: $ZodType;
  readonly nullable: boolean;
  readonly primaryKey: boolean;
  readonly generated: boolean | "byDefault";
  readonly unique: boolean;
  /** An insert may leave it out. */
  readonly optional: boolean;
  readonly type?: ByDialect | undefined;
  readonly default?: ByDialect | undefined;
  readonly check?: ByDialect | undefined;
  readonly index?: boolean | string | undefined;
  readonly references?: string | (() => AnyTable) | undefined;
  readonly constraints?: string | undefined;
  readonly storage: Storage;
}

/** How the values of a column are stored: its kind, and what narrows it. */
export interface Storage {
  readonly kind: Kind;
  /** Whole numbers only. */
  readonly integer?: boolean;
  /** Text that holds an exact decimal. */
  readonly decimal?: boolean;
  /** Whole numbers that may have more than 64 bits: sums of bigints. */
  readonly wide?: boolean;
  /** Digits behind the point of such a decimal, where its type says how many. */
  readonly scale?: number;
  /** The only values there are, of an enum or literals. */
  readonly values?: ReadonlySet<unknown>;
  /** Whether dates are those of a column, which says in what form they are kept; an expression does not. */
  readonly inColumn?: boolean;
  /** The declared type of a column of dates, which says how precise they are. */
  readonly type?: ByDialect;
  /** What an array holds. */
  readonly item?: Storage;
  /** Dimensions of a vector. */
  readonly dimensions?: number;
}

/** A declared table. It knows no dialect: the same one serves all four. */
export interface Table<S extends Shape = Shape> {
  readonly name: string;
  /** The SQL schema that the table lives in, if one was given. */
  readonly namespace: string | undefined;
  /** The Zod object of a row. */
  readonly schema: z.ZodObject<{ -readonly [K in keyof S]: S[K] }>;
  /** The Zod object of what an insert takes. */
  readonly insertSchema: z.ZodObject<InsertShape<S>>;
  /** The Zod object of what an update may set. */
  readonly updateSchema: z.ZodObject<UpdateShape<S>>;
  readonly columns: { readonly [K in keyof S]: ColumnInfo };
  /** The properties of the primary key; empty where there is none. */
  readonly primaryKey: readonly string[];
  /** Every declared key, the primary one first: the properties that together are unique. */
  readonly keys: readonly (readonly string[])[];
}

/** Any table at all. */
export interface AnyTable {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly schema: z.ZodObject;
  readonly insertSchema: z.ZodObject;
  readonly updateSchema: z.ZodObject;
  readonly columns: Readonly<Record<string, ColumnInfo>>;
  readonly primaryKey: readonly string[];
  readonly keys: readonly (readonly string[])[];
}

// The mapped types are written out here and have no name: an editor then shows the columns.

/** The row that a query of the table gives. */
export type Row<T extends AnyTable> =
  T extends Table<infer S> ? { [K in keyof S]: S[K]["_zod"]["output"] } : never;

/** What an insert into the table takes: generated columns are absent, defaulted and nullable ones optional. */
export type Insert<T extends AnyTable> =
  T extends Table<infer S> ? { [K in keyof InsertParts<S>]: InsertParts<S>[K] } : never;

/** What an update of the table may set: every column that the database does not generate. */
export type Update<T extends AnyTable> =
  T extends Table<infer S>
    ? { [K in keyof S as InsertRole<S[K]> extends "absent" ? never : K]?: S[K]["_zod"]["output"] | undefined }
    : never;

/** The shape of `insertSchema`. */
export type InsertShape<S extends Shape> = {
  -readonly [K in keyof S as InsertRole<S[K]> extends "absent" ? never : K]: InsertRole<
    S[K]
  > extends "optional"
    ? S[K]["_zod"]["optin"] extends "optional" | "defaulted"
      ? S[K]
      : z.ZodOptional<S[K]>
    : S[K];
};

/** The shape of `updateSchema`. */
export type UpdateShape<S extends Shape> = {
  -readonly [K in keyof S as InsertRole<S[K]> extends "absent" ? never : K]: z.ZodOptional<S[K]>;
};
