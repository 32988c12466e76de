/**
 * Queries as tables. A statement reads such a table through a stand-in. Its only columns are those of the query's rows,
 * and resolving finds them.
 */
import type { AnyTable, ColumnInfo } from "../declare/declaration.js";
import type { InnerStatement } from "./inner-query.js";

/** The query of a table that is a query. */
export interface TableSource {
  readonly statement: InnerStatement;
  /** Its form, if the statement writes it once under its name: `WITH name AS (…)`. */
  readonly once?: object | undefined;
  /** The recursive step, if it is a recursion whose start is `statement`. */
  readonly recursion?: RecursionParts | undefined;
  /** Whether it is the rows that a recursion has found so far. */
  readonly isSelf?: boolean | undefined;
}

/** The recursive step of a recursion. */
export interface RecursionParts {
  readonly step: InnerStatement;
  /** The table that the step reads: the rows that the recursion found on the previous level. */
  readonly self: AnyTable;
  readonly maxDepth: number;
  /** The name of a column with the level. */
  readonly depth: string | undefined;
}

/** The columns and keys of a query's rows as a table. */
export interface SourceFacts {
  readonly columns: Readonly<Record<string, ColumnInfo>>;
  readonly keys: readonly (readonly string[])[];
}

const sources = new WeakMap<AnyTable, TableSource>();

/** The query of a table that is a query; undefined for any other table. */
export function sourceOf(table: AnyTable): TableSource | undefined {
  return sources.get(table);
}

/**
 * The table for a query.
 * @param find returns its columns and keys, if one is named before the statement is resolved.
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
  // Only code that writes rows needs schemas, and the rows of a query are never written.
  const made = Object.freeze(table) as unknown as AnyTable;
  sources.set(made, source);
  return made;
}
