/** How a dialect's databases are pulled: one record for each dialect. */
import type { CatalogDialect } from "../catalog/dialect.js";
import type { CatalogCheck, CatalogColumn, CatalogTable } from "../words/catalog.js";
import type { Runs } from "../words/reading.js";

/** How tables of a dialect are written as declarations. */
export interface PullDialect extends CatalogDialect {
  /** The schemas of columns by their types: the first whose pattern fits. */
  readonly types: readonly PulledRule[];
  /** The type of a column as a declaration says it, with its collation. */
  readonly typeOf: (column: Pick<CatalogColumn, "type" | "collation">) => string;
  readonly readDomains?: (runs: Runs) => Promise<Domains>;
  /** The declaration of a column, if a check gives its values their meaning. */
  readonly kindOf?: (table: CatalogTable, column: CatalogColumn) => PulledKind | undefined;
  /** The default in the text of the catalog, and what the server sets at each update. */
  readonly defaultIn: (text: string) => readonly [said: string, onUpdate?: string];
  /** Whether the current time as a default is the one of the database, also in a declaration. */
  readonly keepsNow: (type: string) => boolean;
}

/** The base types by the names of domains and of their arrays, both as the server prints them. */
export type Domains = ReadonlyMap<string, string>;

/** The schema of the columns of some types. */
export interface PulledRule {
  readonly pattern: RegExp;
  readonly schema: string;
  /** The types that a declaration without a type makes. */
  readonly isDefault?: RegExp;
  readonly uses?: readonly string[];
}

/** The declaration of a column. */
export interface PulledType {
  /** The Zod schema, as text. */
  readonly schema: string;
  /** The SQL type, if the schema alone would give a different one. */
  readonly type?: string;
  readonly uses: readonly string[];
  /** The part of the type that the declaration does not say. */
  readonly lost?: string;
}

/** The declaration of a column whose check gives its numbers their meaning. */
export interface PulledKind {
  readonly type: PulledType;
  /** As a declaration says it: for decimals, in decimals. */
  readonly default: string | null;
  /** The check that the declaration writes. */
  readonly check: CatalogCheck;
}
