/** Writes the statements that read: rows, and aggregates. */
import type { Grammar } from "../dialect/grammar.js";
import type { Item, ResolvedAggregate, ResolvedQuery } from "../resolve/resolved.js";
import { writeHaving, writeOrderBy, writePaging, writeWhere } from "./clauses.js";
import { writeEach, writeExpression } from "./expression.js";
import { readsZoned, writeFrom } from "./from.js";
import { outputsOf, writeItems } from "./items.js";
import type { Plan } from "./plan.js";
import { Writer } from "./writer.js";

/** `SELECT … FROM … WHERE … ORDER BY … LIMIT …`. */
export function renderQuery(query: ResolvedQuery, grammar: Grammar): Plan {
  const { items, from } = query;
  const writer = new Writer(from.table, grammar);
  writeQuery(writer, query);
  const plan = writer.finish(outputsOf(from, items));
  return query.joins.some(({ table }) => readsZoned(table, grammar)) ? { ...plan, inUtc: true } : plan;
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

/** `SELECT SUM(…) FROM … WHERE …`; its value is null if there are no values. */
export function renderAggregate(aggregate: ResolvedAggregate, grammar: Grammar): Plan {
  const { from, joins, expression, output, where } = aggregate;
  const writer = new Writer(from.table, grammar);
  writeExpression(writer.sql("SELECT "), expression);
  writeFrom(writer, aggregate);
  writeWhere(writer, where);
  const plan = writer.finish([output]);
  return joins.some(({ table }) => readsZoned(table, grammar)) ? { ...plan, inUtc: true } : plan;
}
