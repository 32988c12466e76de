/** Writes the tables that a statement reads. */
import type { Grammar } from "../dialect/grammar.js";
import type { From, Layout } from "../resolve/resolved.js";
import { writeCondition } from "./expression.js";
import type { Writer } from "./writer.js";

const words = { inner: " JOIN ", left: " LEFT JOIN " } as const;

/** ` FROM …`, with the joined tables. */
export function writeFrom(writer: Writer, { from, joins }: From): void {
  const { grammar, table } = writer;
  writeTable(writer.sql(" FROM "), from);
  if (from.table !== table && readsZoned(from, grammar)) writer.inUtc = true;
  for (const { kind, table: joined, on } of joins) {
    if (readsZoned(joined, grammar)) writer.inUtc = true;
    writeTable(writer.sql(words[kind]), joined).sql(" ON ");
    writeCondition(writer, on);
  }
}

/** A table, or a query as one, with its name in the statement. */
function writeTable(writer: Writer, { name, rows, qualifier, table }: Layout): Writer {
  if (rows === undefined) return writer.sql(name);
  return writer.inner(rows).sql(` ${qualifier ?? writer.grammar.quote(table.name)}`);
}

/** Whether a table has dates that the server would use in the time zone of the session. */
function readsZoned({ fields }: Layout, { utc }: Grammar): boolean {
  return utc !== undefined && [...fields.values()].some(({ column }) => utc.appliesTo(column.storage));
}
