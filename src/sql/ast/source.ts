/**
 * Queries as tables. A statement reads such a table by a stand-in, which has no columns but those of the rows of the
 * query; resolving finds them.
 */
import type { AnyTable, ColumnInfo } from "../declare/declaration.js";
import type { InnerStatement } from "./inner-query.js";

/** What stands behind a table that is a query. */
export interface TableSource {
  readonly statement: InnerStatement;
  /** What it is, if it is written once for a whole statement, under its name: `WITH name AS (…)`. */
  readonly once?: object | undefined;
  /** How it goes on, if it is a recursion whose start is `statement`. */
  readonly recursion?: RecursionParts | undefined;
  /** Whether it is what a recursion has found so far. */
  readonly isSelf?: boolean | undefined;
}

/** How a recursion goes on. */
export interface RecursionParts {
  readonly step: InnerStatement;
  /** The table that the step reads: what the recursion found on the level before. */
  readonly self: AnyTable;
  readonly maxDepth: number;
  /** The name of a column with the level. */
  readonly depth: string | undefined;
}

/** What the rows of a query are as those of a table. */
export interface SourceFacts {
  readonly columns: Readonly<Record<string, ColumnInfo>>;
  readonly keys: readonly (readonly string[])[];
}

const sources = new WeakMap<AnyTable, TableSource>();

/** The query that a table is; undefined for any other table. */
export function sourceOf(table: AnyTable): TableSource | undefined {
  return sources.get(table);
}

/**
 * The table that a query is.
 * @param find its columns and keys: asked for where one is named before the statement is resolved.
 */
export function sourceTable(name: string, source: TableSource, find: () => SourceFacts): AnyTable {
  let found: SourceFacts | undefined;
  const facts = () => {
    found ??= find();
    return found;
  };
  const table = {
    name,
    namespace: undefined,
    get columns() {
      return facts().columns;
    },
    get keys() {
      return facts().keys;
    },
    primaryKey: [],
    relations: {},
    foreignKeys: [],
    checks: [],
    indexes: [],
  };
  // Schemas are asked for by what writes rows, and nothing writes those of a query.
  const made = Object.freeze(table) as unknown as AnyTable;
  sources.set(made, source);
  return made;
}
