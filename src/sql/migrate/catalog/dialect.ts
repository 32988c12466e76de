/** What the catalog of a dialect's databases says, and how it is read: one record for each dialect. */
import type { Storage } from "../../declare/declaration.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import type { TextDialect } from "../text/dialect.js";
import type {
  Catalog,
  CatalogCheck,
  CatalogColumn,
  CatalogForeignKey,
  CatalogTable,
  CatalogUnknown,
  CatalogView,
} from "../words/catalog.js";
import type { CatalogScope, Runs } from "../words/reading.js";
import type { DeclaredTable, DeclaredTexts } from "./declared-table.js";
import type { LooksAtRows } from "./empty-tables.js";
import type { ViewLinks } from "./view-links.js";

/** How a dialect's databases are read. */
export interface CatalogDialect extends TextDialect, LooksAtRows {
  readonly grammar: Grammar;
  readonly read: (runs: Runs, scope: CatalogScope) => Promise<CatalogParts>;
  /** The SQL schema that unqualified names refer to; `null` if it has no name. */
  readonly home: (runs: Runs) => Promise<string | null>;
  /**
   * Declared tables in the server's own words.
   * @param views reads the declared views, which the server may create over the declared tables while these exist.
   */
  readonly readDeclared: (
    texts: readonly DeclaredTexts[],
    runs: Runs,
    views: () => Promise<void>,
  ) => Promise<CatalogTable[]>;
  /** The names of tables as the server compares them, if it does not compare them as those of columns. */
  readonly tableNames?: (runs: Runs) => Promise<(name: string) => string>;
  /** A declared reference as the server keeps it, if it keeps another one. */
  readonly keptReference?: (key: CatalogForeignKey) => CatalogForeignKey;
  /** A declared table as the existing one accepts it, if that depends on the existing one. */
  readonly asTaken?: (declared: DeclaredTable, actual: CatalogTable, catalog: Catalog) => DeclaredTable;
  readonly viewLinks: (views: readonly CatalogView[], runs: Runs, home: string | null) => Promise<ViewLinks>;
  /** Whether rowtype reads and writes the values of a declaration in a column that it did not create. */
  readonly holds: (column: CatalogColumn, storage: Storage) => boolean;
  /** Whether a column of a key may be null. */
  readonly nullInKeys: boolean;
  /** Whether the server numbers the rows by a column although the column does not say so. */
  readonly numbersRows?: (
    table: CatalogTable,
    column: CatalogColumn,
    unknown: readonly CatalogUnknown[],
  ) => boolean;
  /** The checks that say what the values of a column are, if its type does not. */
  readonly kindChecks?: KindChecks;
}

/** What a catalog holds, whichever dialect it is of. */
export type CatalogParts = Omit<Catalog, "dialect">;

/** Checks that give the numbers of a column their meaning. */
interface KindChecks {
  /** The meaning of a column's values, apart from its type: different texts for different meanings. */
  readonly meaningOf: (table: CatalogTable, column: CatalogColumn) => string;
  /** Whether a check only gives the values of a column their meaning. */
  readonly isOne: (check: CatalogCheck, table: CatalogTable) => boolean;
}
