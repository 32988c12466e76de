/** The queries that builders take from other builders: the query inside a statement, or why it cannot be used. */
import { describeType } from "../../core/errors.js";
import { InnerQuery, RowsOfTable, type Shown } from "../ast/inner-query.js";
import type { AnyTable } from "../declare/declaration.js";
import { queryOffered } from "../expression/inner-query.js";
import { isDeclared } from "../words/declared.js";
import type { Problem } from "../words/errors.js";
import { type AnyBuilder, Builder } from "./builder.js";
import type { AnyDraft, DraftSource } from "./draft/draft.js";

/** A database, as far as it is distinguished from others. */
export type OfDatabase = Pick<DraftSource, "grammar" | "memory">;

/** A repository. As a query it stands for all its rows, and as a joined table for its table. */
export abstract class TableRows extends RowsOfTable {
  abstract override get allRows(): AnyBuilder;

  /** The value as a repository; undefined for any other value. */
  static override own(value: unknown): TableRows | undefined {
    const repository = RowsOfTable.own(value);
    return repository instanceof TableRows ? repository : undefined;
  }
}

/** A query of another builder. */
export interface GivenQuery {
  readonly query: InnerQuery;
  readonly draft: AnyDraft;
  /** The problems that were found while it was written. */
  readonly problems: readonly Problem[];
}

/**
 * The query of a builder of the same database; a problem for any other value.
 * @param what the method that takes it, as errors name it.
 */
export function givenQuery(
  value: unknown,
  database: OfDatabase,
  what: string,
  shown: Shown,
): GivenQuery | Problem {
  const builder = Builder.own(value);
  const statement = queryOffered(builder?.offered, value, what);
  if (builder === undefined || typeof statement === "string") return refused(String(statement));
  const { draft } = builder;
  const other = difference(draft.source, database);
  if (other !== undefined) return refused(`${what} takes a query of the same ${other}`);
  const query = new InnerQuery(statement, shown, undefined, builder.constants);
  return { query, draft, problems: draft.problems };
}

/** The values that a join by fields accepts. */
interface GivenTable {
  readonly table: AnyTable;
}

/** A table, or that of a repository of the same database, in a scope its part; a problem for any other value. */
export function givenTable(value: unknown, database: OfDatabase): GivenTable | Problem {
  // Only `table()` makes tables.
  if (isDeclared(value)) return { table: value as AnyTable };
  const source = TableRows.own(value)?.allRows.draft.source;
  if (source === undefined)
    return refused(`a join takes a table made by table(), or a repository, not ${describeType(value)}`);
  const other = difference(source, database);
  return other === undefined ? source : refused(`a join takes a repository of the same ${other}`);
}

/** Distinguishes two databases. The builders of one database share its cache. */
export function difference(one: OfDatabase, other: OfDatabase): "dialect" | "database" | undefined {
  if (one.grammar !== other.grammar) return "dialect";
  return one.memory === other.memory ? undefined : "database";
}

function refused(message: string): Problem {
  return { code: "INVALID_RELATION", message, path: "" };
}

/** Whether the query can be taken. */
export function isQueryGiven(given: GivenQuery | Problem): given is GivenQuery {
  return "query" in given;
}
