/**
 * The types of a declaration: the argument of `column` and the properties of a `Table`. Types only; `column.ts`
 * and `table.ts` make the values.
 */
import type { ZodObject, ZodOptional } from "zod";
import type { $ZodType } from "zod/v4/core";
import type { AnyShape, Declared, InsertModel, InsertRole, Shape } from "../types/model.js";
import type { SqlTypeError } from "../types/sentences.js";
import type { Dialect } from "../words/dialect.js";
import type { Kind } from "../words/kinds.js";
import type { NoRelations, Relations } from "../words/relations.js";

/** SQL text: the same for every dialect, or one for each. */
export type ByDialect = string | { readonly [D in Dialect]?: string };

/** The effect on rows that refer to a row that is removed, or whose key changes. */
export type ReferentialAction = "no action" | "restrict" | "cascade" | "set null" | "set default";

/** When a reference is checked: at the end of each statement, which a transaction may put off, or at its own end. */
export type Deferrable = "initially immediate" | "initially deferred";

/**
 * What the database and rowtype do for a column: `"updated"` keeps the time of the last change, `"version"` counts the
 * changes, `"deleted"` keeps the time of the removal of a row that stays.
 */
export type Auto = "updated" | "version" | "deleted";

/** The metadata that `column` takes with the schema. The type parameters carry the parts that the compiler uses. */
export interface ColumnMeta<
  Generated extends boolean | "byDefault" = boolean | "byDefault",
  Default extends ByDialect | undefined = ByDialect | undefined,
  Primary extends boolean = boolean,
  Unique extends boolean = boolean,
  Computed extends ByDialect | undefined = ByDialect | undefined,
  ReadOnly extends boolean | Auto = boolean | Auto,
  Refers extends string | (() => AnyTable) | undefined = string | (() => AnyTable) | undefined,
  // The type of the schema, if it is known.
  Of = unknown,
> {
  /** Column name; default the property name. */
  readonly name?: string;
  /** SQL type; default by Zod kind and dialect. */
  readonly type?: ByDialect;
  readonly primaryKey?: Primary;
  /** `true`: an identity that only the database sets; `"byDefault"`: an insert may also give it. */
  readonly generated?: Generated;
  readonly unique?: Unique;
  /** An SQL expression. */
  readonly default?: Default;
  /** An SQL expression over other columns: the database computes the value, and no insert or update sets it. */
  readonly computed?: Computed &
    (Default extends undefined ? unknown : SqlTypeError<"a computed column has no default">) &
    (Generated extends false ? unknown : SqlTypeError<"a computed column is not generated">);
  /** Whether a computed value is stored, or computed when it is read; default what the dialect has. */
  readonly stored?: Computed extends undefined ? SqlTypeError<"stored needs computed"> : boolean;
  // One type parameter for both: they exclude each other, and each parameter costs every column.
  /** No insert or update sets it: a trigger does, say. */
  readonly readOnly?: ReadOnly;
  /**
   * No insert or update gives it: every change sets it. `"updated"` (a date) is the time of the last insert, change or
   * upsert; `"version"` (a whole number) counts the changes, and a change demands the version that was read;
   * `"deleted"` (a date that may be null) hides the rows that `remove()` has marked.
   */
  readonly auto?: ReadOnly & Auto;
  /** An SQL condition. */
  readonly check?: ByDialect;
  /** A check that the value is a member of the enum. */
  readonly checkValues?: Members<Of>;
  /** `true`, or the name of the index. */
  readonly index?: boolean | string;
  /** `"table(column)"`, or a function that returns the table whose primary key is referenced. */
  readonly references?: Refers;
  /** The effect of the removal of the referenced row. */
  readonly onDelete?: Refers extends undefined
    ? SqlTypeError<"onDelete needs references">
    : ReferentialAction;
  /** The effect of a change of the referenced key. */
  readonly onUpdate?: Refers extends undefined
    ? SqlTypeError<"onUpdate needs references">
    : ReferentialAction;
  /** A comment in the database; also the description of a schema that has none. */
  readonly comment?: string;
  /** The former name of the column in the database, or several, newest first. */
  readonly renamedFrom?: string | readonly string[];
  /** Raw SQL column constraints, appended after the others unchanged. */
  readonly constraints?: string;
}

// Zod does not list the values of other schemas. It is worked out only for a column that has the check.
type Members<S> = unknown extends S
  ? boolean
  : S extends { readonly _zod: { readonly values: ReadonlySet<unknown> } }
    ? boolean
    : SqlTypeError<"checkValues needs an enum">;

/** Metadata that was checked: none of its keys excludes another. */
export interface CheckedMeta
  extends ColumnMeta<
    boolean | "byDefault",
    ByDialect | undefined,
    boolean,
    boolean,
    ByDialect,
    boolean | Auto,
    string | (() => AnyTable)
  > {}

/** A column of a table. */
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
  /** No insert or update may set it: always generated, computed, or declared so. */
  readonly readOnly: boolean;
  readonly type?: ByDialect | undefined;
  readonly default?: ByDialect | undefined;
  readonly computed?: ByDialect | undefined;
  readonly stored?: boolean | undefined;
  readonly auto?: Auto | undefined;
  readonly check?: ByDialect | undefined;
  readonly checkValues?: boolean | undefined;
  readonly index?: boolean | string | undefined;
  readonly references?: string | (() => AnyTable) | undefined;
  readonly onDelete?: ReferentialAction | undefined;
  readonly onUpdate?: ReferentialAction | undefined;
  readonly comment?: string | undefined;
  /** Former names in the database, newest first; empty if there are none. */
  readonly renamedFrom: readonly string[];
  readonly constraints?: string | undefined;
  readonly storage: Storage;
}

/** How the values of a column are stored: its kind and its restrictions. */
export interface Storage {
  readonly kind: Kind;
  /** Whole numbers only. */
  readonly integer?: boolean;
  /** Text that holds an exact decimal. */
  readonly decimal?: boolean;
  /** Whole numbers that may exceed 64 bits: sums of bigints. */
  readonly wide?: boolean;
  /** Digits after the point of an exact decimal, if its type says how many. */
  readonly scale?: number;
  /** All digits of an exact decimal, including those after the point. */
  readonly precision?: number;
  /** The allowed values, for an enum or literals. */
  readonly values?: ReadonlySet<unknown>;
  /** Whether the dates are those of a column, which has a storage form; those of an expression have none. */
  readonly inColumn?: boolean;
  /** The declared type of a date column, which determines its precision. */
  readonly type?: ByDialect;
  /** The storage of the items of an array. */
  readonly item?: Storage;
  /** Dimensions of a vector. */
  readonly dimensions?: number;
}

/** A foreign key of a declaration's options. */
export interface ForeignKeyInfo {
  /** Properties of the table. */
  readonly columns: readonly string[];
  readonly references: () => AnyTable;
  /** Properties of the referenced table; its primary key if there are none. */
  readonly target?: readonly string[] | undefined;
  readonly onDelete?: ReferentialAction | undefined;
  readonly onUpdate?: ReferentialAction | undefined;
  readonly deferrable?: Deferrable | undefined;
  readonly name?: string | undefined;
}

/** An index of a declaration's options. */
export interface IndexInfo {
  readonly name?: string | undefined;
  /** Empty for an expression. */
  readonly columns: readonly IndexedColumn[];
  readonly expression?: ByDialect | undefined;
  readonly unique: boolean;
  /** Whether it is of the rows that the filters leave. */
  readonly visible: boolean;
  readonly where?: ByDialect | undefined;
  readonly using?: ByDialect | undefined;
}

/** A column in an index. */
export interface IndexedColumn {
  readonly property: string;
  readonly descending: boolean;
}

/** A condition on rows, by the name of its constraint. */
export interface CheckInfo {
  readonly name: string;
  readonly condition: ByDialect;
}

/** The options that a declaration keeps, all frozen. The declarations of columns are not repeated here. */
export interface Constraints {
  readonly foreignKeys: readonly ForeignKeyInfo[];
  readonly checks: readonly CheckInfo[];
  readonly indexes: readonly IndexInfo[];
  readonly comment: string | undefined;
  /** Former names, newest first; empty if there are none. */
  readonly renamedFrom: readonly string[];
  /** Somebody else creates, alters and drops it. */
  readonly external: boolean;
  /** The query of a view; a table has none. */
  readonly view?: ViewInfo | undefined;
}

/** The parts of a view. */
export interface ViewInfo {
  readonly as: ByDialect;
}

/** The rules of a table that are in force. */
export interface Rules {
  /** Conditions that every row meets which is there for everyone, by their names. */
  readonly filters: ReadonlyMap<string, object>;
  /** These, and those that are not in force. */
  readonly declared: ReadonlyMap<string, object>;
  /** The properties of the columns that a change sets. */
  readonly updated: string | undefined;
  readonly version: string | undefined;
  readonly deleted: string | undefined;
  /** Whether a change demands the version that was read. */
  readonly demandsVersion: boolean;
  /** The names of those that are not in force. */
  readonly left: ReadonlySet<string>;
}

/** A declared table. It is independent of a dialect: one declaration serves all four. */
export interface Table<S extends AnyShape = Shape, out Rel extends Relations = NoRelations>
  extends Declared<S>,
    Constraints {
  readonly name: string;
  /** The SQL schema of the table, if declared. */
  readonly namespace: string | undefined;
  /** The Zod object of a row. */
  readonly schema: ZodObject<{ -readonly [K in keyof S]: S[K] }>;
  /** The Zod object of the values of an insert. */
  readonly insertSchema: ZodObject<InsertShape<S>>;
  /** The Zod object of the fields that an update may set. */
  readonly updateSchema: ZodObject<UpdateShape<S>>;
  readonly columns: { readonly [K in keyof S]: ColumnInfo };
  /** The properties of the primary key; empty if there is none. */
  readonly primaryKey: readonly string[];
  /** Every declared key, the primary key first: lists of properties that are unique together. */
  readonly keys: readonly (readonly string[])[];
  /** The relations by name: which export of a module each leads to, and by which field. */
  readonly relations: Rel;
  readonly view?: undefined;
}

/** The argument that a repository is made of: a table, or a view if `V` is not `undefined`. */
export interface Queried<out S, out V> extends Declared<S> {
  readonly view?: V;
}

/** A field that has one value in all rows of a part of a table. */
export interface Fixed {
  readonly column: ColumnInfo;
  readonly value: unknown;
}

/** The fields of a part by property. */
export type FixedFields = ReadonlyMap<string, Fixed>;

/** A declared view: a table that is only read. */
export interface View<S extends AnyShape = Shape, out Rel extends Relations = NoRelations>
  extends Declared<S>,
    Constraints {
  readonly name: string;
  /** The SQL schema of the view, if declared. */
  readonly namespace: string | undefined;
  /** The Zod object of a row. */
  readonly schema: ZodObject<{ -readonly [K in keyof S]: S[K] }>;
  readonly columns: { readonly [K in keyof S]: ColumnInfo };
  readonly primaryKey: readonly string[];
  readonly keys: readonly (readonly string[])[];
  readonly relations: Rel;
  readonly view: ViewInfo;
}

/** An enum of the database's own, PostgreSQL's. */
export interface EnumType<V extends string = string> {
  readonly name: string;
  /** The SQL schema of the type, if declared. */
  readonly namespace: string | undefined;
  readonly values: readonly V[];
}

/** Any table or view. */
export interface AnyReadable extends Declared<Shape>, Constraints {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly schema: ZodObject;
  readonly columns: Readonly<Record<string, ColumnInfo>>;
  readonly primaryKey: readonly string[];
  readonly keys: readonly (readonly string[])[];
  readonly relations: Relations;
  /** The fields that have one value in all rows, if it is the part of a table that a scope is about. */
  readonly fixed?: FixedFields;
  /** The table that it is a part of, if a scope of another table made it. */
  readonly whole?: AnyTable;
  /** Its rules, if it has any. */
  readonly rules?: Rules | undefined;
}

/** Any table. */
export interface AnyTable extends AnyReadable {
  readonly view?: undefined;
  readonly insertSchema: ZodObject;
  readonly updateSchema: ZodObject;
}

/** Any view. */
export interface AnyView extends AnyReadable {
  readonly view: ViewInfo;
}

/** The declared parts of a database. */
export type AnyDeclared = AnyTable | AnyView | EnumType;

// The mapped types are inlined, not named, so that an editor shows the columns.

/** The type of a row that a query of the table returns. */
export type Row<T extends AnyReadable> =
  T extends Table<infer S>
    ? { [K in keyof S]: S[K]["_zod"]["output"] }
    : T extends View<infer S>
      ? { [K in keyof S]: S[K]["_zod"]["output"] }
      : never;

/**
 * The type of a record to insert: generated columns are absent, columns with a default and nullable ones
 * optional.
 */
export type Insert<T extends AnyTable> =
  T extends Table<infer S> ? { [K in keyof InsertModel<S>]: InsertModel<S>[K] } : never;

/** The type of an update: every column that the database does not generate. */
export type Update<T extends AnyTable> =
  T extends Table<infer S>
    ? { [K in keyof S as InsertRole<S[K]> extends "absent" ? never : K]?: S[K]["_zod"]["output"] | undefined }
    : never;

/** The shape of `insertSchema`. */
export type InsertShape<S extends AnyShape> = {
  -readonly [K in keyof S as InsertRole<S[K]> extends "absent" ? never : K]: InsertRole<
    S[K]
  > extends "optional"
    ? S[K]["_zod"]["optin"] extends "optional" | "defaulted"
      ? S[K]
      : ZodOptional<S[K]>
    : S[K];
};

/** The shape of `updateSchema`. */
export type UpdateShape<S extends AnyShape> = {
  -readonly [K in keyof S as InsertRole<S[K]> extends "absent" ? never : K]: ZodOptional<S[K]>;
};
