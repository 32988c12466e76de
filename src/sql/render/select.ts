/** Writes the statements that read one table: rows, and aggregates. */
import type { Grammar } from "../dialect/grammar.js";
import type { Item, ResolvedAggregate, ResolvedQuery } from "../resolve/resolved.js";
import { writeHaving, writeOrderBy, writePaging, writeWhere } from "./clauses.js";
import { writeEach, writeExpression } from "./expression.js";
import { outputsOf, writeItems } from "./items.js";
import type { Plan } from "./plan.js";
import { Writer } from "./writer.js";

/** `SELECT … FROM … WHERE … ORDER BY … LIMIT …`. */
export function renderQuery(query: ResolvedQuery, grammar: Grammar): Plan {
  const { items, from } = query;
  const writer = new Writer(from.table, grammar);
  writeQuery(writer, query);
  return writer.finish(outputsOf(from, items));
}

/**
 * Writes a query.
 * @param items the selected items, if in another order or under other names than the query's own.
 */
export function writeQuery(
  writer: Writer,
  query: ResolvedQuery,
  items: readonly Item[] | undefined = query.items,
): void {
  const { from, distinctOn, groupBy, having, orderBy, lock } = query;
  writer.sql(query.isDistinct ? "SELECT DISTINCT " : "SELECT ");
  if (distinctOn.length > 0) writeEach(writer.sql("DISTINCT ON ("), distinctOn, ", ").sql(") ");
  writeItems(writer, from, items).sql(" FROM ").sql(from.name);
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

/** `SELECT SUM(…) FROM … WHERE …`; its value is null if there are no values. */
export function renderAggregate(
  { from, expression, output, where }: ResolvedAggregate,
  grammar: Grammar,
): Plan {
  const writer = new Writer(from.table, grammar);
  writeExpression(writer.sql("SELECT "), expression);
  writer.sql(" FROM ").sql(from.name);
  writeWhere(writer, where);
  return writer.finish([output]);
}
