/**
 * What a dialect is to the renderer: one record of texts and small functions. `render/` and `ddl/` read it and
 * know no dialect by name; a new dialect is a new record.
 */

import type { AnyTable, ColumnInfo, Storage } from "../declare/declaration.js";
import type { Dialect } from "../words/dialect.js";
import type { CallName, CastTarget } from "../words/functions.js";
import type { LockMode } from "../words/locks.js";
import type { ArithmeticOperator, EqualityOperator, Operator, SetOperation } from "../words/operators.js";

export type Direction = "asc" | "desc";

/** How an operator is written: `open` column `between` parameter `close`. */
export interface OperatorForm {
  readonly open: string;
  readonly between: string;
  readonly close: string;
  /** Changes the value on its way to the driver: a pattern into another pattern language, say. */
  readonly bind?: (value: unknown) => unknown;
  /** Whether a pattern without a character means NULL, and so nothing that anybody would ask for. */
  readonly refusesEmpty?: true;
  /** How a list is written out, where it is not one parameter. */
  readonly list?: ListForm;
}

/** A list with a placeholder for each item, written when a statement is executed. */
export interface ListForm {
  /** The condition that an empty list makes. */
  readonly empty: string;
  /** The most items of one list; a longer one becomes several, joined by `joint` and in parentheses. */
  readonly most: number;
  readonly joint: string;
}

/** Lists as tables, for those that are too long for a placeholder each. */
export interface ListTable {
  /** What stands before and after the one placeholder, in the parentheses of the list, and the value behind it. */
  readonly list: (
    items: readonly unknown[],
    storage: Storage | undefined,
  ) => { readonly before: string; readonly after: string; readonly value: unknown };
  /** What becomes of the text of a statement with such a list. */
  readonly statement: (sql: string) => string;
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

/** What a date is compared with: text around a parameter `{0}`, and what becomes of its value before it is bound. */
export interface DateBound {
  readonly template: string;
  readonly bind?: (encoded: unknown) => unknown;
}

/**
 * How the dates of one column are kept, as its declared type says. Several stored values may be one date: then it
 * is compared as all that lies between its first and its last one, so that an index serves.
 */
export interface DateForm extends ValueCodec {
  /** Whether each date is one stored value. */
  readonly isExact: boolean;
  /** The column `{f}` so that equal dates are equal values, beside columns of other types too. */
  readonly comparable: string;
  /** Reads what `comparable` gives, where that has another form than the column. */
  readonly decodeComparable?: (value: unknown) => unknown;
  readonly first: DateBound;
  readonly last: DateBound;
  /** All stored values of a date, as a list is bound; where absent, a list is compared with `comparable`. */
  readonly spread?: (encoded: unknown) => readonly unknown[];
}

/** The clause of an insert that answers a row of the same key. Its names of columns are in quotes. */
export interface ConflictForm {
  /** Leaves the row that is there; absent where no clause does that for one key alone. */
  readonly nothing: ((key: readonly string[]) => string) | undefined;
  /** Leaves the rows that are there in an insert of several, where that takes more than a clause. */
  readonly leaving?: LeavingForm;
  /** What stands before the assignments of an update. */
  readonly update: (key: readonly string[]) => string;
  /** A column of the row that was to be stored. */
  readonly proposed: (column: string) => string;
  /**
   * Whether the clauses are about the named key alone by themselves. Where not, they make the statement fail on a
   * conflict of another key (as `QUERY_FAILED`), and steps find out what it is.
   */
  readonly namesKey: boolean;
}

/** How an insert of several rows leaves those alone that are there, and tells how many they are. */
export interface LeavingForm {
  readonly clause: (key: readonly string[]) => string;
  /** Sent before it, on the same connection. */
  readonly begin: string;
  /** Sent behind it: the number of rows left alone. */
  readonly count: string;
}

/** A variable of a statement, through which a value of each changed row comes back. */
export interface OutVariable {
  readonly holds: "text" | "double" | "date" | "bytes" | "long text" | "long bytes";
  /** The most bytes of text and bytes. */
  readonly maxBytes?: number;
}

/** Columns that are kept apart from their rows: two of them are equal by a function, and they have no order. */
export interface LargeObjects {
  readonly holds: (column: ColumnInfo, table: AnyTable) => boolean;
  readonly operators: { readonly [O in EqualityOperator]: OperatorForm };
  /** Why they are not told apart or put in order by anything but that function. */
  readonly incomparable: Missing;
}

/** How changed rows come back through variables, which hold a value of each row. */
export interface ReturningInto {
  /** What is returned of a column; its name is in quotes. */
  readonly value: (column: ColumnInfo, name: string) => string;
  readonly variable: (column: ColumnInfo, table: AnyTable) => OutVariable;
  /** The variable at `position`, from 1. */
  readonly placeholder: (position: number) => string;
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
  /** How deep the tree of an expression may be, where a server bounds it: a chain of ANDs is as deep as it is long. */
  readonly mostDepth?: number;
  /** The most bytes of values that a statement of several rows is sent with, where a server bounds them. */
  readonly mostBytes?: number;
  /** The longest identifier, in bytes of UTF-8. */
  readonly maxNameBytes: number;
  /** Whether names that differ only in case are one name. */
  readonly foldsNames: boolean;
  /** Whether an identifier may hold a double quote. */
  readonly quotesInNames: boolean;
  /** Whether text without a character is NULL. */
  readonly emptyTextIsNull: boolean;
  readonly operators: { readonly [O in Operator]: OperatorForm | Missing };
  /** Which columns are large objects, where those are not as any other. */
  readonly largeObjects: LargeObjects | undefined;
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
  /** The name of a row's own identity, by which rows are found that a lock takes no limit beside. */
  readonly rowIdentity: string | undefined;
  /** `DISTINCT ON (…)`, or why not. */
  readonly distinctOn: "native" | Missing;
  /** Why there are no vectors, where the dialect has none. */
  readonly noVectors: Missing | undefined;
  /** Why decimals that are text have no order, where they have none. */
  readonly noDecimalOrder: Missing | undefined;
  /** The row of an insert that gives no column a value; the table has this one. */
  readonly defaultRow: (column: string) => string;
  /** Whether an insert takes several rows; where not, one text is executed with each of them, all in one call. */
  readonly severalRows: boolean;
  readonly expressions: ExpressionGrammar;
  readonly compound: CompoundGrammar;
  /** What answers a row of the same key; where an insert has no clause for it, that is done in steps. */
  readonly onConflict: ConflictForm | undefined;
  /** Whether an update gives the rows that it has changed; where not, they are found by their keys, in steps. */
  readonly updateReturns: boolean;
  /** How changed rows come back, where they do not as the rows of a query do. */
  readonly returningInto: ReturningInto | undefined;
  readonly values: { readonly [K in Storage["kind"]]: ValueCodec } & {
    /** Whole numbers of more than 64 bits, where they have a form of their own. */
    readonly wide?: ValueCodec;
  };
  /** How dates of a column or an expression are kept; `values.date` is that of a value of no column. */
  readonly dates: (storage: Storage) => DateForm;
  /** A list of encoded values as one parameter. */
  /** Where a list is written out that may have more items than a statement takes parameters. */
  readonly listTable?: ListTable;
  readonly encodeList: (values: readonly unknown[]) => unknown;
  readonly explain: ExplainForm;
  /** How text of a caller's own is read. */
  readonly scan: ScanGrammar;
  readonly ddl: DdlGrammar;
}

/** How a server is asked for the plan of a statement. */
export interface ExplainForm {
  readonly before: string;
  /** The statement that reads the plan, on the same connection, where asking for it does not give it. */
  readonly after: string | undefined;
  /** The plan as text, of the rows that came back. */
  readonly text: (rows: readonly (readonly unknown[])[]) => string;
}

/** What of a text is no code: a parameter stands nowhere in it. */
export interface ScanGrammar {
  /** Text, names in quotes and comments that do not nest, as a regular expression. */
  readonly skipped: string;
  /** Whether comments nest. */
  readonly nestsComments: boolean;
  /** Placeholders of the dialect's own, as a regular expression. */
  readonly own: string;
  /** The words, in lower case, that a statement begins with which begins or ends a transaction. */
  readonly transactionWords: ReadonlySet<string>;
}

/**
 * How expressions are written. Templates are text with places: `{f}` the field or fields, `{0}` and `{1}` the
 * parameters.
 */
export interface ExpressionGrammar {
  readonly calls: { readonly [F in Exclude<CallName, "round">]: string };
  /** What stands between several fields; a comma unless it says otherwise. */
  readonly fieldSeparator?: string;
  /** The most arguments of a function, where a server bounds them. */
  readonly mostArguments?: number;
  /** A number rounded to digits, halves away from zero. */
  readonly round: (storage: Storage, digits: number) => string;
  readonly cast: (from: Storage, to: CastTarget) => string;
  /** A sum of values that gives such; where `{0}` stands in it: what stands behind each aggregate of it, a filter and a window. */
  readonly sum: (result: Storage) => string;
  /** An average of values; the others are written alike everywhere. */
  readonly avg: string;
  /** Whether an aggregate takes `FILTER (WHERE …)`; otherwise a CASE stands in it. */
  readonly filters: boolean;
  /** What a window without parts and order says of a column, where it cannot say nothing. */
  readonly wholeWindow?: (column: string) => string;
  /** A parameter of which a server must be told the type, for nothing beside it says so. */
  readonly typed: (storage: Storage) => string;
  readonly arithmetic: (operator: ArithmeticOperator, storage: Storage) => string;
}

/** How queries are put together. */
export interface CompoundGrammar {
  /** The words of an operation, or that rows are numbered first: the dialect has the operation only without ALL. */
  readonly operations: { readonly [O in SetOperation]: string | { readonly numbered: string } };
  /** Whether INTERSECT binds more strongly than the others, so that what stands before it needs parentheses. */
  readonly intersectBindsFirst: boolean;
  /** A query with an order or a limit of its own: in parentheses, or as a table. */
  readonly bounded: "parentheses" | "table";
  /** The most queries of one statement. */
  readonly mostQueries: number;
}

/** Whether a column is found by an index, and whether the index is its own: an index bounds how long text may be. */
export type Indexing = "none" | "alone" | "with others";

/** A name that an index cannot have. */
export interface NameTaken {
  readonly name: string;
  readonly column?: string;
}

/** The part of a dialect that declares tables. */
export interface DdlGrammar {
  /** The SQL type of a column that names none. */
  readonly type: (storage: Storage, indexing: Indexing) => string;
  /** A declared or chosen type with the collation that compares text by code point, where it is one of text. */
  readonly byCodePoint: (type: string, storage: Storage) => string;
  /** The type of exact decimals, where the declared one would not keep them. */
  readonly decimal: string | undefined;
  /** An identity column: `always`, or also by default. */
  readonly identity: (always: boolean) => string;
  /** Whether an identity is the whole column, key included (`INTEGER PRIMARY KEY`). */
  readonly identityIsKey: boolean;
  /** A default expression in the dialect's own form. */
  readonly defaultExpression: (expression: string, storage: Storage) => string;
  /** A condition of a `CHECK` in the dialect's own form; it may name these columns. */
  readonly checkExpression: (expression: string, columns: readonly string[]) => string;
  /** What the dialect itself must check in a column of a kind; `name` is in quotes. */
  readonly kindCheck: (storage: Storage, name: string) => string | undefined;
  /** What a key is called, where the dialect would make up a name that says nothing of it. */
  readonly keyName: (table: string, columns: readonly string[], isPrimary: boolean) => string | undefined;
  /** Which names take the SQL schema of their table: that of an index, of the table it is for, of a referenced one. */
  readonly qualifies: { readonly index: boolean; readonly indexed: boolean; readonly referenced: boolean };
  /** Within what index names differ: a table, or a whole SQL schema. */
  readonly indexNamesOf: "table" | "schema";
  /** The names that a table and its keys have and an index cannot have; `column` where it is an index of that one. */
  readonly namesTaken: (table: AnyTable) => readonly NameTaken[];
  /** A `CREATE TABLE` or `CREATE INDEX` that does nothing where the thing exists. */
  readonly unlessExists: (create: string) => string;
  /** A `DROP TABLE` that does nothing where the table does not exist. */
  readonly ifExists: (drop: string) => string;
}

/** Whether an entry of a grammar is a feature that the dialect lacks. */
export function isMissing(entry: object): entry is Missing {
  return "hint" in entry;
}
