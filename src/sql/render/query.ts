/** Writes a query of rows, or of one value: as a statement, and inside a statement. */
import type { Item, ResolvedAggregate, ResolvedQuery } from "../resolve/scope/resolved.js";
import { writeHaving, writeOrderBy, writePaging, writeWhere } from "./clauses.js";
import { writeEach, writeExpression } from "./expression.js";
import { writeFrom } from "./from.js";
import { writeItems } from "./items.js";
import type { Writer } from "./writer.js";

/**
 * Writes a query.
 * @param items the selected items, if their order or names differ from the query's own.
 */
export function writeQuery(
  writer: Writer,
  query: ResolvedQuery,
  items: readonly Item[] | undefined = query.items,
): void {
  const { from, distinctOn, groupBy, having, orderBy, lock } = query;
  writer.sql(query.isDistinct ? "SELECT DISTINCT " : "SELECT ");
  if (distinctOn.length > 0) writeEach(writer.sql("DISTINCT ON ("), distinctOn, ", ").sql(") ");
  writeFrom(writeItems(writer, from, items), query);
  if (query.findBy === undefined) {
    writeWhere(writer, query.where);
    if (groupBy.length > 0) writeEach(writer.sql(" GROUP BY "), groupBy, ", ");
    writeHaving(writer, having);
    writeOrderBy(writer, orderBy);
    writePaging(writer, query.paging);
  } else writeFound(writer, query, query.findBy);
  if (lock !== undefined) writer.sql(lock.sql);
}

// `WHERE ROWID IN (SELECT ROWID … FETCH NEXT …)` instead of the conditions, so that a lock may follow.
function writeFound(writer: Writer, { from, where, orderBy, paging }: ResolvedQuery, identity: string): void {
  writer.sql(` WHERE ${identity} IN (SELECT ${identity} FROM ${from.name}`);
  writeWhere(writer, where);
  writeOrderBy(writer, orderBy);
  writePaging(writer, paging);
  writer.sql(")");
  writeOrderBy(writer, orderBy);
}

/** `SELECT SUM(…) FROM … WHERE …`. */
export function writeAggregate(writer: Writer, aggregate: ResolvedAggregate): void {
  writeExpression(writer.sql("SELECT "), aggregate.expression);
  writeFrom(writer, aggregate);
  writeWhere(writer, aggregate.where);
}

/** Writes a query inside a statement. */
export function writeInner(writer: Writer, query: ResolvedQuery | ResolvedAggregate): void {
  if (query.kind === "aggregate") writeAggregate(writer, query);
  else writeQuery(writer, query);
}
