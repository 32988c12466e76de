/** The objects that views read. */
import type { TextDialect } from "../text/dialect.js";
import { mentions } from "../text/expressions.js";
import type { CatalogView } from "../words/catalog.js";

/** A table, a view or an enum type, or one column of a table. */
export interface Read {
  readonly schema: string | null;
  readonly name: string;
  readonly column?: string;
}

/** A view, or another object that depends on tables as a view does. */
export interface ViewReader {
  readonly kind: string;
  readonly schema: string | null;
  readonly name: string;
}

/** Which views read which objects. */
export interface ViewLinks {
  /** The readers of an object, in any schema. */
  readonly readersOf: (one: Read) => readonly ViewReader[];
}

/** The links of views by the names in their queries, for a server whose catalog does not say them. */
export function linksByNames(views: readonly CatalogView[], dialect: TextDialect): ViewLinks {
  return {
    readersOf: ({ schema, name, column }) =>
      views
        .filter(
          (view) =>
            view.schema === schema &&
            mentions(view.definition, new Set([name]), dialect) &&
            (column === undefined || mentions(view.definition, new Set([column]), dialect)),
        )
        .map((view) => ({ kind: "view", schema: view.schema, name: view.name })),
  };
}
