/** How a dialect declares tables: the part of its grammar that `ddl` writes with. */
import type { ReferentialAction, Storage } from "../../declare/declaration.js";

/** What has a name in a database, apart from columns. */
export type NamedPart = "table" | "primary key" | "key" | "foreign key" | "check" | "index";

/** Parts whose names must differ, within a table or within an SQL schema. */
interface NameSpace {
  readonly of: "table" | "schema";
  readonly parts: readonly NamedPart[];
}

/** How an index of a method is created: words before INDEX, and before the columns. */
export interface IndexMethod {
  readonly word: string;
  readonly clause: string;
}

/** What an index may be. */
interface IndexGrammar {
  /** Of the rows that meet a condition. */
  readonly where: boolean;
  readonly expression: boolean;
  readonly method: (method: string) => IndexMethod | undefined;
  /** Whether an ordinary index takes a column; `type` is the declared one. */
  readonly takes: (storage: Storage, type: string | undefined) => boolean;
}

/** The part of a dialect that declares tables. */
export interface DdlGrammar {
  /** A declared or default type with the collation that compares text by code point, if it is a text type. */
  readonly byCodePoint: (type: string, storage: Storage) => string;
  /** The type of exact decimals, if the declared one is not exact. */
  readonly decimal: string | undefined;
  /** An identity column: `always`, or also by default. */
  readonly identity: (always: boolean) => string;
  /** Whether the identity clause is the whole column, including the key (`INTEGER PRIMARY KEY`). */
  readonly identityIsKey: boolean;
  /** A default expression in the dialect's form. */
  readonly defaultExpression: (expression: string, storage: Storage) => string;
  /** The condition of a `CHECK` in the dialect's form; it may name these columns. */
  readonly checkExpression: (expression: string, columns: readonly string[]) => string;
  /** A check that the dialect itself needs for a column of a kind; `name` is quoted, `type` is the declared one. */
  readonly kindCheck: (storage: Storage, name: string, type: string | undefined) => string | undefined;
  /** A text and a boolean as literals. */
  readonly text: (value: string) => string;
  readonly flag: (value: boolean) => string;
  /** The clause of a computed column; none if the dialect does not keep its values so. */
  readonly computed: (expression: string, stored: boolean | undefined) => string | undefined;
  /** Computed columns that are not stored, where not every server has them: since which, and how to ask for it. */
  readonly unstored?: { readonly since: number; readonly version: string };
  /** Whether a computed column can be NOT NULL. */
  readonly computedNotNull: boolean;
  /** What the removal and the change of a referenced row may do, apart from nothing. */
  readonly onDelete: ReadonlySet<ReferentialAction>;
  readonly onUpdate: ReadonlySet<ReferentialAction>;
  /** Whether a reference may be checked at the end of a transaction. */
  readonly defers: boolean;
  /** Whether a reference to a table that is not there yet stands in its table. */
  readonly refersAhead: boolean;
  /** Drops a foreign key, if it is there, so that its target can be dropped first; both names are quoted. */
  readonly dropReference: ((table: string, name: string) => string) | undefined;
  readonly comments: "in the table" | "statements" | "none";
  /** What a view is called in such a statement. */
  readonly commentedView: "VIEW" | "TABLE";
  readonly index: IndexGrammar;
  /** Which names take the SQL schema of their table: an index, the table of an index, a referenced table. */
  readonly qualifies: { readonly index: boolean; readonly indexed: boolean; readonly referenced: boolean };
  /** Whether the database has types of enums. */
  readonly enums: boolean;
  readonly nameSpaces: readonly NameSpace[];
  /** Creates something and sends what belongs to it, unless it exists. */
  readonly unlessExists: (create: string, ...more: readonly string[]) => string;
  /** A `DROP TABLE` that does nothing if the table does not exist. */
  readonly ifExists: (drop: string) => string;
}
