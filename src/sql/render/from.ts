/** Writes the tables that a statement reads. */
import type { Grammar } from "../dialect/grammar.js";
import type { From, Layout } from "../resolve/resolved.js";
import { writeCondition } from "./expression.js";
import type { Writer } from "./writer.js";

const words = { inner: " JOIN ", left: " LEFT JOIN " } as const;

/** ` FROM …`, with the joined tables. */
export function writeFrom(writer: Writer, { from, joins }: From): void {
  const { grammar, table } = writer;
  writer.sql(" FROM ").sql(from.name);
  if (from.table !== table && readsZoned(from, grammar)) writer.inUtc = true;
  for (const { kind, table: joined, on } of joins) {
    if (readsZoned(joined, grammar)) writer.inUtc = true;
    writer.sql(words[kind]).sql(joined.name).sql(" ON ");
    writeCondition(writer, on);
  }
}

/** Whether a table has dates that the server would use in the time zone of the session. */
function readsZoned({ fields }: Layout, { utc }: Grammar): boolean {
  return utc !== undefined && [...fields.values()].some(({ column }) => utc.appliesTo(column.storage));
}
