/**
 * A dialect as the renderer sees it: one record of texts and small functions. `render/` and `ddl/` read it and
 * do not know any dialect by name; a new dialect is a new record.
 */

import type { AnyTable, ColumnInfo, Storage } from "../../declare/declaration.js";
import type { Dialect } from "../../words/dialect.js";
import type { CallName, CastTarget, DateFunction, DateUnit, PartUnit } from "../../words/functions.js";
import type { Kind } from "../../words/kinds.js";
import type { LockMode } from "../../words/locks.js";
import type { ArithmeticOperator, EqualityOperator, Operator, SetOperation } from "../../words/operators.js";
import type { ArithmeticGrammar } from "./arithmetic.js";
import type { ConflictForm } from "./conflict-form.js";
import type { DdlGrammar } from "./ddl-grammar.js";
import type { DecimalGrammar } from "./decimals.js";
import type { Extremes } from "./extremes.js";
import type { GuardForm } from "./guard.js";
import type { NestedGrammar } from "./nested.js";
import type { PathGrammar } from "./paths.js";
import type { ListTable, RecordsForm } from "./records.js";
import type { ScanGrammar } from "./scan.js";

export type Direction = "asc" | "desc";

/** How an operator is written: `open` column `between` parameter `close`. */
export interface OperatorForm {
  readonly open: string;
  readonly between: string;
  readonly close: string;
  /** Converts the value before it is sent, for example a pattern into another pattern language. */
  readonly bind?: (value: unknown) => unknown;
  /** Whether an empty pattern means NULL, and is therefore refused. */
  readonly refusesEmpty?: true;
  /** How a list is written, if it is not one parameter. */
  readonly list?: ListForm;
  /** Its form next to an expression, if an expression may name a collation that would contradict this form. */
  readonly onExpression?: Pick<OperatorForm, "open" | "between" | "close">;
}

/** A list with a placeholder for each item, written when a statement is executed. */
export interface ListForm {
  /** The condition that replaces an empty list. */
  readonly empty: string;
  /**
   * The maximum number of items in one list; a longer one becomes several lists in parentheses, joined by
   * `joint`.
   */
  readonly most: number;
  readonly joint: string;
}

/** A feature that the dialect lacks, and an alternative. */
export interface Missing {
  readonly feature: string;
  readonly hint: string;
}

/**
 * The wire form of values of one kind. `encode` receives checked values; `decode` returns `undefined` for a
 * value that it refuses.
 */
export interface ValueCodec {
  readonly encode: (value: never, storage: Storage) => unknown;
  readonly decode: (value: unknown, storage: Storage) => unknown;
}

/** How values of one kind are encoded, and their types. */
interface ValueForm extends ValueCodec {
  /** The SQL type of a column without a declared type. */
  readonly type: (storage: Storage, indexing: Indexing) => string;
  /** The text around a parameter `{0}` everywhere, if the server would not read its value exactly. */
  readonly bound?: (storage: Storage) => string;
  /** The same next to an expression, if the server reads the value exactly only next to a column. */
  readonly beside?: (storage: Storage) => string;
  /** The type of a parameter, if the server needs it. */
  readonly parameter?: (storage: Storage) => string;
}

/** The values of each kind. */
export type ValueForms = { readonly [K in Kind]: ValueForm } & {
  /** Whole numbers of more than 64 bits, if they have their own form. */
  readonly wide?: ValueCodec;
};

/** A bound of a date comparison: text around a parameter `{0}`, and the conversion of its value. */
export interface DateBound {
  readonly template: string;
  readonly bind?: (encoded: unknown) => unknown;
}

/**
 * How the dates of one column are stored, by its declared type. If several stored values are one date, a comparison
 * uses the range from the first to the last of them, so that an index serves it.
 */
export interface DateForm extends ValueCodec {
  /** Whether each date is one stored value. */
  readonly isExact: boolean;
  /** The column `{f}` in a form in which equal dates are equal values, also compared with columns of other types. */
  readonly comparable: string;
  /** Decodes the form of `comparable`, if it differs from that of the column. */
  readonly decodeComparable?: (value: unknown) => unknown;
  /** How the dates are kept, if not in the usual form: a column takes dates of another only if both say the same. */
  readonly keptAs?: string;
  readonly first: DateBound;
  readonly last: DateBound;
  /** All stored values of a date, for a list; if absent, a list is compared with `comparable` and with ranges. */
  readonly spread?: (encoded: unknown) => readonly unknown[];
}

/** A variable of a statement that returns a value of each changed row. */
export interface OutVariable {
  readonly holds: "text" | "double" | "date" | "bytes" | "long text" | "long bytes";
  /** The maximum number of bytes of text and bytes. */
  readonly maxBytes?: number;
}

/** Columns that are stored apart from their rows: a function compares them for equality, and they have no order. */
interface LargeObjects {
  readonly holds: (column: ColumnInfo, table: AnyTable) => boolean;
  readonly operators: { readonly [O in EqualityOperator]: OperatorForm };
  /** Why only that function can compare them. */
  readonly incomparable: Missing;
}

/** How changed rows are returned in variables, which hold a value of each row. */
export interface ReturningInto {
  /** How a column or an expression `{f}` is returned. */
  readonly value: (storage: Storage) => string;
  /** @param isLarge whether it is a large object, or made of one. */
  readonly variable: (stored: Pick<ColumnInfo, "storage" | "type">, isLarge: boolean) => OutVariable;
  /** The variable at `position`, from 1. */
  readonly placeholder: (position: number) => string;
}

/** One dialect. */
export interface Grammar {
  readonly dialect: Dialect;
  /** A quoted identifier. */
  readonly quote: (name: string) => string;
  /** The placeholder of the parameter at `position`, from 1. */
  readonly placeholder: (position: number) => string;
  /** Whether one placeholder may be used in several places (`$1`), or each place has its own (`?`). */
  readonly sharesPlaceholders: boolean;
  /** The maximum number of digits of exact decimals, if they are stored as whole numbers of their last digit. */
  readonly unitDigits?: number;
  /** The maximum number of parameters of one statement. */
  readonly maxParams: number;
  /** The feature of a text that needs a function which the driver cannot register, if it cannot. */
  readonly unregistered?: (sql: string) => string | undefined;
  /** Whether the driver loses digits of integers beyond 2^53. */
  readonly hasNoBigints?: true;
  /** The maximum depth of an expression, if the server has a limit: a chain of ANDs is as deep as it is long. */
  readonly mostDepth?: number;
  /**
   * The maximum depth of queries in conditions of other queries; deeper ones are written as tables. For servers that
   * add up the depths of all conditions around a query, unless it is a table.
   */
  readonly mostSought?: number;
  /** The maximum number of bytes of values of a statement of several rows, if the server has a limit. */
  readonly mostBytes?: number;
  /** The longest identifier, in bytes of UTF-8. */
  readonly maxNameBytes: number;
  /** The names that the server refuses even quoted, and the rule for names; absent if it takes every name. */
  readonly refusedNames?: { readonly are: RegExp; readonly must: string };
  /** Whether names that differ only in case are the same name. */
  readonly foldsNames: boolean;
  /** Whether an identifier may contain a double quote. */
  readonly quotesInNames: boolean;
  /** Whether a parameter may be an array. */
  readonly hasArrays: boolean;
  /** Whether the empty text is NULL. */
  readonly emptyTextIsNull: boolean;
  readonly operators: { readonly [O in Operator]: OperatorForm | Missing };
  /** The columns that are large objects, if the dialect treats these differently. */
  readonly largeObjects: LargeObjects | undefined;
  /** The number of characters or bytes by which the server orders values, if it ignores what follows. */
  readonly mostOrdered?: { readonly characters: number; readonly bytes: number };
  /** An order term; `nulls` is absent if the column has no NULLs. */
  readonly orderTerm: (column: string, direction: Direction, nulls: "first" | "last" | undefined) => string;
  /** The clauses of paging, in their order. */
  readonly paging: readonly {
    readonly part: "limit" | "offset";
    readonly before: string;
    readonly after: string;
  }[];
  /** The limit that means no limit, for dialects where an offset requires a limit. */
  readonly noLimit: string | undefined;
  /**
   * Whether a subquery in a query as a table has a value in a row that a left join did not find, unless it has a limit.
   */
  readonly dissolvesTables?: boolean;
  /** Row locks by mode. */
  readonly locks: { readonly [L in LockMode]: string | Missing };
  /** The part of a lock that names one of several tables: by the table, or by a column of it. */
  readonly lockOf: ((table: string, column: string) => string) | Missing;
  /** What is missing of full joins: all of them, or those whose condition has no equality of both sides. */
  readonly fullJoin?: Missing & { readonly needsEquality?: true };
  /** The maximum number of tables in one query, if the server has a limit. */
  readonly mostTables?: number;
  /** The name of a row's physical identity, to find the rows of a lock that cannot have a limit. */
  readonly rowIdentity: string | undefined;
  /** `DISTINCT ON (…)`, or why it is not supported. */
  readonly distinctOn: "native" | Missing;
  /** Whether DISTINCT loses rows if the order repeats an expression, but not if the order uses its name. */
  readonly ordersDistinctByName?: true;
  /** Why an offset of distinct rows that read no field is not supported, if the server does not skip their only row. */
  readonly noConstantDistinct?: Missing;
  /** Why vectors are not supported, if the dialect lacks them. */
  readonly noVectors: Missing | undefined;
  /** Why decimals stored as text have no order, if they have none. */
  readonly noDecimalOrder: Missing | undefined;
  /** Why the values of a column of a declared type, as they are read, do not determine their position in its order. */
  readonly unclearOrder: (type: string, storage: Storage) => Missing | undefined;
  /** The row of an insert without values; the table has this column. */
  readonly defaultRow: (column: string) => string;
  /** Whether an insert takes several rows; if not, one text is executed with each row, all in one call. */
  readonly severalRows: boolean;
  /** The server's code for an upsert of two rows that are one by its own rules: case, padding, decimals. */
  readonly refusesTwice?: string;
  /** Whether a failed statement ends its transaction, so that an attempt needs a savepoint. */
  readonly failureEndsTransaction: boolean;
  readonly expressions: ExpressionGrammar;
  readonly compound: CompoundGrammar;
  /** How rows inside other rows are written. */
  readonly nested: NestedGrammar;
  /** The conflict clause of an insert; without one, several steps replace it. */
  readonly onConflict: ConflictForm | undefined;
  /** Whether `MERGE` stores the rows of a query, because an insert of them has no conflict clause. */
  readonly merges?: boolean;
  /**
   * The text before an update whose assignments see each other's results, if the dialect assigns one after the other:
   * with it, they see the values before the update.
   */
  readonly assignsTogether?: string;
  /**
   * The text between the name of a query and the query in `WITH` that makes the server read it once and completely, if
   * a query in an update would otherwise see the rows that the update has already changed.
   */
  readonly readAtOnce?: string;
  /** The quoted names, in lower case, that a column loses in a query as a table: the outer query cannot read it. */
  readonly lostNames?: ReadonlySet<string>;
  /** Whether an update returns the changed rows; if not, further steps find them by their keys. */
  readonly updateReturns: boolean;
  /** How changed rows are returned, if not as the rows of a query. */
  readonly returningInto: ReturningInto | undefined;
  /** How a change is refused whose rows could not be decoded, if that saves a transaction. */
  readonly guard?: GuardForm;
  readonly values: ValueForms;
  /** How dates of a column or an expression are stored; `values.date` is for a value that comes from no column. */
  readonly dates: (storage: Storage) => DateForm;
  /** How a statement makes the server use UTC, for columns that it reads and writes in the time zone of the session. */
  readonly utc?: UtcForm;
  /** Makes a statement gather texts of any length, if the server would cut them. */
  readonly allowingLongText?: (sql: string) => string;
  readonly recursion: {
    /** The word after WITH. */
    readonly word: string;
    /** The level after the level `{f}`: it fails after `{most}`, with our words in the message. */
    readonly next: string;
    /** Allows the given number of levels, if the server has its own limit. */
    readonly allowing?: (sql: string, levels: number) => string;
  };
  /** How many changes are written as one statement; without it, one text is executed with each record. */
  readonly records?: RecordsForm;
  /** The table form of lists that may have more items than a statement takes parameters. */
  readonly listTable?: ListTable;
  /** A list of encoded values as one parameter. */
  readonly encodeList: (values: readonly unknown[]) => unknown;
  readonly explain: ExplainForm;
  /** How the caller's SQL text is scanned. */
  readonly scan: ScanGrammar;
  readonly ddl: DdlGrammar;
}

/** Whether a statement is sent in its form in UTC: always, or only in sessions with another time zone. */
export type InUtc = "always" | "in other zones";

/** How a statement is made independent of the time zone of the session. */
export interface UtcForm {
  /** For a column whose dates the server reads and writes in that zone, and for one that may have such a type. */
  readonly appliesTo: (storage: Storage) => InUtc | undefined;
  readonly statement: (sql: string) => string;
}

/** How to request the plan of a statement. */
export interface ExplainForm {
  readonly before: string;
  /** The statement that reads the plan, on the same connection, if the request does not return it. */
  readonly after: string | undefined;
  /** The plan as text, from the returned rows. */
  readonly text: (rows: readonly (readonly unknown[])[]) => string;
}

/**
 * How expressions are written. Templates are text with places: `{f}` for the field or fields, `{0}` and `{1}`
 * for the parameters.
 */
export interface ExpressionGrammar {
  readonly calls: { readonly [F in Exclude<CallName, "round">]: string };
  /** The text between several fields; default a comma. */
  readonly fieldSeparator?: string;
  /** The maximum number of arguments of a function, if the server has a limit. */
  readonly mostArguments?: number;
  /** `replace` with a replacement that may be NULL, if the server looks at it only where it finds the text. */
  readonly replaceByNullable?: string;
  /** Decimals rounded up or down to whole ones, if the functions of the server do not return decimals. */
  readonly wholeDecimal?: (func: "ceil" | "floor", scale: number) => string;
  /** A number rounded to a number of digits, halves away from zero. */
  readonly round: (storage: Storage, digits: number) => string;
  readonly cast: (from: Storage, to: CastTarget) => string;
  /** A function of dates as `DateForm.comparable`: of `{f}`, the zone if it has one, a later date or a count. */
  readonly date: (func: DateFunction, unit: DateUnit | PartUnit, isZoned: boolean) => string;
  /** A sum with such a result; `{0}` is the place of the filter and window of each of its aggregates. */
  readonly sum: (result: Storage) => string;
  /** An average of values; the other aggregates are the same in all dialects. */
  readonly avg: (result: Storage) => string;
  /** Whether an aggregate takes `FILTER (WHERE …)`; otherwise it contains a CASE. */
  readonly filters: boolean;
  /** The content of a window without parts and order, if it cannot be empty. */
  readonly wholeWindow?: (column: string) => string;
  /** A further group key for a query in a group key, if the server groups such rows wrongly without it. */
  readonly besideQueries?: string;
  /** The one value `{f}` of a group in HAVING, if the server does not recognise its group key there. */
  readonly inHaving?: string;
  /** One of several dates `{f}`, if the server turns dates next to parameters into text. */
  readonly oneOfDates?: string;
  /** A parameter with its type, for places where the server cannot infer it. */
  readonly typed: (storage: Storage) => string;
  /** The same as a value of a column with a declared type, if a server needs that type. */
  readonly typedAs?: (declared: string) => string;
  /** A text next to a column, if without this it would be compared differently from the column. */
  readonly textBeside?: string;
  /** A text `{f}` made of parameters only in a comparison, if it has the collation of the database. */
  readonly textAlone?: string;
  readonly arithmetic: (operator: ArithmeticOperator, storage: Storage) => string;
  /** How expressions calculate with numbers. */
  readonly numbers: ArithmeticGrammar;
  /** How they calculate with exact decimals. */
  readonly decimals: DecimalGrammar;
  /** How the greatest and the least of several values are written. */
  readonly extremes: Extremes;
  /**
   * All values `{f}` of a group that are not NULL, in the order `{2}`: as one text with `{1}` between them, or as a list
   * of items of a storage, which the codec of arrays reads. `{0}` is the place of the filter.
   */
  readonly textAgg: (isOrdered: boolean) => string;
  readonly listAgg: (item: Storage, isOrdered: boolean) => string;
  /** Whether items that JSON would not hold exactly are cast to text first. */
  readonly listsTexts?: true;
  /** Its booleans as text, if a condition is not an expression. */
  readonly truths?: { readonly true: string; readonly false: string };
  /** Whether all, or any, of the booleans `{f}` of a group are true. */
  readonly booleans: { readonly all: string; readonly any: string };
  /** How values inside JSON are read. */
  readonly paths: PathGrammar;
}

/** How queries are combined. */
export interface CompoundGrammar {
  /**
   * The keywords of an operation, or that rows are numbered first: the dialect has the operation only without
   * ALL.
   */
  readonly operations: { readonly [O in SetOperation]: string | { readonly numbered: string } };
  /** Whether INTERSECT has a higher precedence than the others, so that the queries before it need parentheses. */
  readonly intersectBindsFirst: boolean;
  /**
   * Whether a joined field gets its own name again, because an order by a name that two tables have is unknown. MariaDB
   * removes the blanks before a given name.
   */
  readonly namesFields: boolean;
  /** A query with its own order or limit: in parentheses, or as a table. */
  readonly bounded: "parentheses" | "table";
  /** The maximum number of queries in one statement. */
  readonly mostQueries: number;
}

/** Whether a column has an index, alone or with other columns: an index limits the length of text. */
export type Indexing = "none" | "alone" | "with others";

/** Whether an entry of a grammar is a feature that the dialect lacks. */
export function isMissing(entry: object): entry is Missing {
  return "hint" in entry;
}
