/** Declared tables: as `ddl` writes them, and in the server's own words. */
import type { AnyTable } from "../../declare/declaration.js";
import type { CreateText } from "../text/create-text.js";
import type { CatalogTable } from "../words/catalog.js";

/** A declared table: in the server's words, and as `ddl` writes it. */
export interface DeclaredTable {
  readonly table: AnyTable;
  /** `null` for the schema that unqualified names refer to. */
  readonly schema: string | null;
  readonly catalog: CatalogTable;
  readonly create: CreateText;
  /** The statements that create its indexes, by name. */
  readonly indexes: ReadonlyMap<string, string>;
}

/** A declared table before the server has read it. */
export interface DeclaredTexts extends Omit<DeclaredTable, "catalog"> {
  /** The table without its schema: a temporary table has none. */
  readonly scratch: { readonly create: CreateText; readonly indexes: readonly string[] };
}
