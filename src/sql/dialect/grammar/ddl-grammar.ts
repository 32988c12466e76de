/** How a dialect declares tables: the part of its grammar that `ddl` writes with. */
import type { ReferentialAction, Storage } from "../../declare/declaration.js";

/** The parts of a database that have a name, apart from columns. */
export type NamedPart = "table" | "primary key" | "key" | "foreign key" | "check" | "index";

/** Parts whose names must differ, within a table or within an SQL schema. */
interface NameSpace {
  readonly of: "table" | "schema";
  readonly parts: readonly NamedPart[];
}

/** How an index of a method is created: the words before INDEX, and the words before the columns. */
export interface IndexMethod {
  readonly word: string;
  readonly clause: string;
}

/** The features of an index that the dialect supports. */
interface IndexGrammar {
  /** Whether an index may contain only the rows that meet a condition. */
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
  /** The condition of a `CHECK` in the dialect's form; `columns` are those that it may name. */
  readonly checkExpression: (expression: string, columns: readonly string[]) => string;
  /** A check that the dialect needs for a column of a kind; `name` is quoted, `type` is the declared one. */
  readonly kindCheck: (storage: Storage, name: string, type: string | undefined) => string | undefined;
  /** A text and a boolean as literals. */
  readonly text: (value: string) => string;
  readonly flag: (value: boolean) => string;
  /** The clause of a computed column; none if the dialect cannot keep its values as `stored` says. */
  readonly computed: (expression: string, stored: boolean | undefined) => string | undefined;
  /** The first version with computed columns that are not stored, if not every one has them, and how to ask for it. */
  readonly unstored?: { readonly since: number; readonly version: string };
  /** Whether a computed column can be NOT NULL. */
  readonly computedNotNull: boolean;
  /** The actions on the removal and the change of a referenced row, apart from none. */
  readonly onDelete: ReadonlySet<ReferentialAction>;
  readonly onUpdate: ReadonlySet<ReferentialAction>;
  /** Whether a reference may be checked at the end of a transaction. */
  readonly defers: boolean;
  /** Whether CREATE TABLE may contain a reference to a table that does not exist yet. */
  readonly refersAhead: boolean;
  /** Drops a foreign key, if it exists, so that its target can be dropped first; both names are quoted. */
  readonly dropReference: ((table: string, name: string) => string) | undefined;
  readonly comments: "in the table" | "statements" | "none";
  /** The word for a view in such a statement. */
  readonly commentedView: "VIEW" | "TABLE";
  readonly index: IndexGrammar;
  /** Which names take the SQL schema of their table: an index, the table of an index, a referenced table. */
  readonly qualifies: { readonly index: boolean; readonly indexed: boolean; readonly referenced: boolean };
  /** Whether the database has enum types. */
  readonly enums: boolean;
  readonly nameSpaces: readonly NameSpace[];
  /** Creates something unless it exists, and then sends the statements that belong to it. */
  readonly unlessExists: (create: string, ...more: readonly string[]) => string;
  /** A `DROP TABLE` that does nothing if the table does not exist. */
  readonly ifExists: (drop: string) => string;
}
