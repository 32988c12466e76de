/** Writes the clauses that several statements share. */
import type { OrderTerm, PagingClause, ResolvedCondition } from "../resolve/scope/resolved.js";
import { writeJoined, writeOrder } from "./expression.js";
import type { Writer } from "./writer.js";

/** `WHERE …`, or nothing. */
export function writeWhere(writer: Writer, where: readonly ResolvedCondition[]): void {
  writeAll(writer, " WHERE ", where);
}

/** `HAVING …`, or nothing. */
export function writeHaving(writer: Writer, having: readonly ResolvedCondition[]): void {
  writeAll(writer, " HAVING ", having);
}

function writeAll(writer: Writer, word: string, conditions: readonly ResolvedCondition[]): void {
  if (conditions.length > 0) writeJoined(writer.sql(word), conditions, " AND ");
}

/** `ORDER BY …`, or nothing. */
export function writeOrderBy(writer: Writer, terms: readonly OrderTerm[]): void {
  if (terms.length > 0) writeOrder(writer.sql(" "), terms);
}

/** The clauses of paging: limit and offset. */
export function writePaging(writer: Writer, clauses: readonly PagingClause[]): void {
  for (const { before, count, after } of clauses) {
    writer.sql(before);
    if (typeof count === "object") writer.param(count);
    else writer.sql(String(count));
    writer.sql(after);
  }
}
