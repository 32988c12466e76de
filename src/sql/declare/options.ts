/**
 * The options that `table` takes: references, checks and indexes of several columns, and what the table is called.
 * Types only; `constraints.ts` checks them.
 */
import type { OverFields } from "../types/leaves.js";
import type { Many, One, Through } from "../words/relations.js";
import type { AnyTable, ByDialect, Deferrable, ReferentialAction } from "./declaration.js";

/** Options of `table`. */
export interface TableOptions<Key extends string = string> {
  /** SQL schema name. */
  readonly schema?: string;
  /** A primary key of several columns, by property. */
  readonly primaryKey?: readonly Key[];
  /** Further keys of several columns, by property. */
  readonly unique?: readonly (readonly Key[])[];
  /** The related tables, by names of their own: `one(…)` and `many(…)`. */
  readonly relations?: Readonly<Record<string, One<string, Key, null, string> | Many | Through>>;
  /**
   * Conditions by names of their own: the rows that are there for everyone, wherever the table is read or changed.
   * They are over its own fields, with `value(…)`.
   */
  readonly filters?: Readonly<Record<string, OverFields<Key>>>;
  /** References of several columns, or of one with more to say. */
  readonly foreignKeys?: readonly ForeignKeyOptions<Key>[];
  /** SQL conditions by the names of their constraints. */
  readonly checks?: Readonly<Record<string, ByDialect>>;
  /** Indexes of several columns, of expressions, of a part of the rows. */
  readonly indexes?: readonly IndexOptions<Key>[];
  /** A comment in the database; also the description of a schema that has none. */
  readonly comment?: string;
  /**
   * The name of a row in OpenAPI documents: `User` of `users`. Default the `id` of the schema's `.meta()`, else the
   * table's name.
   */
  readonly model?: string;
  /** The former name of the table, or several, newest first. */
  readonly renamedFrom?: string | readonly string[];
  /** `true`: somebody else creates, alters and drops it. */
  readonly external?: boolean;
}

/** A reference of columns, by property, to those of another table. */
export interface ForeignKeyOptions<Key extends string = string> {
  readonly columns: readonly Key[];
  readonly references: () => AnyTable;
  /** The referenced properties; default the primary key. */
  readonly target?: readonly string[];
  readonly onDelete?: ReferentialAction;
  readonly onUpdate?: ReferentialAction;
  readonly deferrable?: Deferrable;
  /** Name of the constraint; default `{table}_{columns}_fkey`. */
  readonly name?: string;
}

interface AnyIndexOptions {
  readonly unique?: boolean;
  /** An SQL condition: the index is of the rows that meet it. */
  readonly where?: ByDialect;
  /**
   * `true`: the index is of the rows that the filters of the table leave, on PostgreSQL and SQLite. A unique one is a key
   * among these rows, and `onConflict` takes it.
   */
  readonly visible?: boolean;
  /** The method of the index, `gin` on PostgreSQL say. */
  readonly using?: ByDialect;
  /** Name of the index; default `{table}_{columns}_idx`. */
  readonly name?: string;
}

/** An index of columns, by property, each with its direction if it is not ascending. */
export interface ColumnIndexOptions<Key extends string = string> extends AnyIndexOptions {
  readonly columns: readonly (Key | readonly [column: Key, direction: "asc" | "desc"])[];
  readonly expression?: undefined;
}

/** An index of an SQL expression. */
export interface ExpressionIndexOptions extends AnyIndexOptions {
  readonly expression: ByDialect;
  readonly columns?: undefined;
}

/** An index that is declared on a table. */
export type IndexOptions<Key extends string = string> = ColumnIndexOptions<Key> | ExpressionIndexOptions;
