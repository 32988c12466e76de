/** How a dialect's steps are written: one record for each dialect. */
import type { AnyView } from "../../declare/declaration.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import type { DeclaredTable } from "../catalog/declared-table.js";
import type { CatalogDialect } from "../catalog/dialect.js";
import type { DeclarationScratch } from "../catalog/scratch-run.js";
import type { Read } from "../catalog/view-links.js";
import type { TableDelta } from "../diff/compare.js";
import type { Catalog, CatalogColumn, CatalogTable, CatalogView } from "../words/catalog.js";
import type { Runs } from "../words/reading.js";
import type { EnumDelta } from "./enum-steps.js";
import type { Planned } from "./plan.js";

/** How schemas of a dialect are changed. */
export interface WriteDialect extends CatalogDialect {
  /** Asks the database what the steps depend on, and returns their writer. */
  readonly writer: (deltas: readonly TableDelta[], asked: AskedDatabase) => Promise<StepWriter>;
  /** A difference with the columns that must change because others do. */
  readonly completed?: (delta: TableDelta) => TableDelta;
  /** The statement that renames a table; the names are quoted, and `qualified` has the SQL schema. */
  readonly renameTable: (from: string, to: { readonly name: string; readonly qualified: string }) => string;
  /** The statement that drops a reference between two tables that are dropped, if one is needed. */
  readonly dropReference: ((table: string, name: string) => string) | undefined;
  /** How tables of a catalog are written as declarations. */
  readonly written: WrittenForms;
  /** The queries of declared views in the server's words; undefined for one that the server cannot create. */
  readonly readViews: (
    views: readonly ViewQuery[],
    place: ViewPlace,
  ) => Promise<readonly (string | undefined)[]>;
  readonly views: ViewRules;
}

/** A database of which a writer asks. */
export interface AskedDatabase {
  readonly runs: Runs;
  readonly catalog: Catalog;
}

/** The text of a table of a catalog, where dialects differ. */
interface WrittenForms {
  /** A column without its name. @param isKey whether its identity is the key. */
  readonly column: (column: CatalogColumn, isKey: boolean) => string;
  readonly namesPrimaryKey: boolean;
  /** The text after the parentheses. */
  readonly tail?: (table: CatalogTable) => string;
  /** The word before INDEX and the clause before the columns, for an index of a method. */
  readonly method?: (using: string) => { readonly word: string; readonly clause: string };
}

/** What views mean for the steps of tables. */
interface ViewRules {
  /** Whether a view that reads another is made again with it. */
  readonly keepReaders: boolean;
  /** Whether a view that nobody declares prevents the change of what it reads. */
  readonly block: boolean;
}

/** The query of a declared view. */
export interface ViewQuery {
  readonly view: AnyView;
  readonly schema: string | null;
  readonly query: string;
}

/** Where declared views are read. */
export interface ViewPlace {
  readonly scratch: DeclarationScratch;
  readonly grammar: Grammar;
  readonly home: string | null;
}

/** The input of the writers, apart from a difference. */
export interface PlanContext {
  readonly dialect: WriteDialect;
  readonly grammar: Grammar;
  /** The name of a table or view as the server compares it. */
  readonly nameOfTable: (name: string) => string;
  /** Tables that have no rows: no step blocks on them. */
  readonly isEmpty: (table: CatalogTable) => boolean;
  /** The content of the database. */
  readonly catalog: Catalog;
  /** All differences, for the effects of one table on another. */
  readonly deltas: readonly TableDelta[];
  /** Declared tables that exist. */
  readonly there: readonly DeclaredTable[];
  /** The views that are dropped before the tables change; declared ones are created again afterwards. */
  readonly droppedViews: ReadonlySet<CatalogView>;
}

/** A writer of steps. */
interface StepWriter {
  /** From a table to its declaration. */
  readonly change: (delta: TableDelta, context: PlanContext) => Planned[];
  /** Creates tables that do not exist, in the order of their references. */
  readonly create: (tables: readonly DeclaredTable[], context: PlanContext) => Planned[];
  readonly drop: (tables: readonly CatalogTable[], context: PlanContext) => Planned[];
  /** What the server cannot change, or not correctly, while a view reads it. */
  readonly touched: (deltas: readonly TableDelta[], gone: Gone) => readonly Touched[];
}

/** What is dropped or made again, apart from the tables that change. */
export interface Gone {
  readonly tables: readonly CatalogTable[];
  readonly enums: EnumDelta;
}

/** Something that a view may read, and the words of the step that the view prevents. */
export interface Touched extends Read {
  readonly step: string;
}
