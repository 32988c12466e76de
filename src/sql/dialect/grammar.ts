/**
 * What a dialect is to the renderer: one record of texts and small functions. `render/` and `ddl/` read it and
 * know no dialect by name; a new dialect is a new record.
 */

import type { Storage } from "../declaration.js";
import type { CallName, CastTarget } from "../types/functions.js";
import type { LockMode } from "../types/locks.js";
import type { ArithmeticOperator, Operator, SetOperation } from "../types/operators.js";
import type { Dialect } from "./dialect.js";

export type Direction = "asc" | "desc";

/** How an operator is written: `open` column `between` parameter `close`. */
export interface OperatorForm {
  readonly open: string;
  readonly between: string;
  readonly close: string;
  /** Changes the value on its way to the driver: a pattern into another pattern language, say. */
  readonly bind?: (value: unknown) => unknown;
}

/** A feature that the dialect lacks: what to do instead. */
export interface Missing {
  readonly feature: string;
  readonly hint: string;
}

/** How values of one kind travel. `encode` gets checked values, `decode` refuses with `undefined`. */
export interface ValueCodec {
  readonly encode: (value: never, storage: Storage) => unknown;
  readonly decode: (value: unknown, storage: Storage) => unknown;
}

/** One dialect. */
export interface Grammar {
  readonly dialect: Dialect;
  /** An identifier in quotes. */
  readonly quote: (name: string) => string;
  /** The placeholder of the parameter at `position`, from 1. */
  readonly placeholder: (position: number) => string;
  /** Whether one placeholder may stand in several places (`$1`), or each place has its own (`?`). */
  readonly sharesPlaceholders: boolean;
  /** The most parameters that one statement takes. */
  readonly maxParams: number;
  /** The longest identifier, in bytes of UTF-8. */
  readonly maxNameBytes: number;
  /** Whether names that differ only in case are one name. */
  readonly foldsNames: boolean;
  readonly operators: { readonly [O in Operator]: OperatorForm | Missing };
  /** A column in an order; `nulls` is absent where the column holds none. */
  readonly orderTerm: (column: string, direction: Direction, nulls: "first" | "last" | undefined) => string;
  /** The clauses of paging, in their order. */
  readonly paging: readonly {
    readonly part: "limit" | "offset";
    readonly before: string;
    readonly after: string;
  }[];
  /** The limit that means none, where an offset cannot stand alone. */
  readonly noLimit: string | undefined;
  /** Row locks by mode. */
  readonly locks: { readonly [L in LockMode]: string | Missing };
  /** `DISTINCT ON (…)`, or why not. */
  readonly distinctOn: "native" | Missing;
  /** Why vectors are not to be had, where they are not. */
  readonly noVectors: Missing | undefined;
  /** Why decimals that are text have no order, where they have none. */
  readonly noDecimalOrder: Missing | undefined;
  /** Kinds whose values the dialect cannot tell apart or put in order, where there are any. */
  readonly incomparable:
    | { readonly kinds: ReadonlySet<Storage["kind"]>; readonly missing: Missing }
    | undefined;
  /** The row of an insert that names no column. */
  readonly defaultRow: string;
  readonly expressions: ExpressionGrammar;
  readonly compound: CompoundGrammar;
  readonly values: { readonly [K in Storage["kind"]]: ValueCodec };
  /** A list of encoded values as one parameter. */
  readonly encodeList: (values: readonly unknown[]) => unknown;
  readonly ddl: DdlGrammar;
}

/**
 * How expressions are written. Templates are text with places: `{f}` the field or fields, `{0}` and `{1}` the
 * parameters.
 */
export interface ExpressionGrammar {
  readonly calls: { readonly [F in Exclude<CallName, "round">]: string };
  /** A number rounded to digits, halves away from zero. */
  readonly round: (storage: Storage, digits: number) => string;
  readonly cast: (from: Storage, to: CastTarget) => string;
  /** A sum or an average of values; the others are written alike everywhere. */
  readonly sum: string;
  readonly avg: string;
  /** Whether an aggregate takes `FILTER (WHERE …)`; otherwise a CASE stands in it. */
  readonly filters: boolean;
  /** A parameter of which a server must be told the type, for nothing beside it says so. */
  readonly typed: (storage: Storage) => string;
  readonly arithmetic: (operator: ArithmeticOperator, storage: Storage) => string;
  /** What stands for NULL where the dialect knows no empty text. */
  readonly emptyIsNull: boolean;
}

/** How queries are put together. */
export interface CompoundGrammar {
  /** The words of an operation, or that rows are numbered first: the dialect has the operation only without ALL. */
  readonly operations: { readonly [O in SetOperation]: string | { readonly numbered: string } };
  /** Whether INTERSECT binds more strongly than the others, so that what stands before it needs parentheses. */
  readonly intersectBindsFirst: boolean;
  /** A query with an order or a limit of its own: in parentheses, or as a table. */
  readonly bounded: "parentheses" | "table";
  /** Whether the order may use columns in expressions; otherwise the whole becomes a table first. */
  readonly ordersByExpressions: boolean;
  /** The most queries of one statement. */
  readonly mostQueries: number;
}

/** The part of a dialect that declares tables. */
export interface DdlGrammar {
  /** The SQL type of a column that names none, with its collation. */
  readonly type: (storage: Storage) => string;
  /** What stands behind the type of a column that rowtype compares by code point, where the type is text. */
  readonly collation: string;
  /** The type of exact decimals, where the declared one would not keep them. */
  readonly decimal: string | undefined;
  /** An identity column: `always`, or also by default. */
  readonly identity: (always: boolean) => string;
  /** Whether an identity is the whole column, key included (`INTEGER PRIMARY KEY`). */
  readonly identityIsKey: boolean;
  /** A default expression in the dialect's own form. */
  readonly defaultExpression: (expression: string) => string;
}

/** Whether an entry of a grammar is a feature that the dialect lacks. */
export function isMissing(entry: object): entry is Missing {
  return "hint" in entry;
}
