/** Writes the tables that a statement reads. */
import type { Grammar } from "../dialect/grammar.js";
import type { From, Layout } from "../resolve/resolved.js";
import { writeCondition } from "./expression.js";
import type { Writer } from "./writer.js";

const words = { inner: " JOIN ", left: " LEFT JOIN " } as const;

/** ` FROM …`, with the joined tables. */
export function writeFrom(writer: Writer, { from, joins }: From): void {
  writer.sql(" FROM ").sql(from.name);
  for (const { kind, table, on } of joins) {
    writer.sql(words[kind]).sql(table.name).sql(" ON ");
    writeCondition(writer, on);
  }
}

/** Whether a table has dates that the server would use in the time zone of the session. */
export function readsZoned({ fields }: Layout, { utc }: Grammar): boolean {
  return utc !== undefined && [...fields.values()].some(({ column }) => utc.appliesTo(column.storage));
}
