/** Writes the tables that a statement reads. */
import type { Grammar, InUtc } from "../dialect/grammar/grammar.js";
import { inUtcOf, stricter } from "../dialect/grammar/utc.js";
import type { From, Layout } from "../resolve/scope/resolved.js";
import { writeCondition } from "./expression.js";
import type { Writer } from "./writer.js";

const words = {
  inner: " JOIN ",
  left: " LEFT JOIN ",
  right: " RIGHT JOIN ",
  full: " FULL JOIN ",
} as const;

/** ` FROM …`, with the joined tables. */
export function writeFrom(writer: Writer, { from, joins }: From): void {
  const { grammar, table } = writer;
  writeTable(writer.sql(" FROM "), from);
  if (from.table !== table) writer.inUtc = stricter(writer.inUtc, zoneOf(from, grammar));
  for (const { kind, table: joined, on } of joins) {
    writer.inUtc = stricter(writer.inUtc, zoneOf(joined, grammar));
    writeTable(writer.sql(words[kind]), joined).sql(" ON ");
    writeCondition(writer, on);
  }
}

/** A table, or a query as a table, with its name in the statement. */
function writeTable(writer: Writer, { name, rows, qualifier, table }: Layout): Writer {
  if (rows === undefined) return writer.sql(name);
  return writer.inner(rows).sql(` ${qualifier ?? writer.grammar.quote(table.name)}`);
}

function zoneOf({ fields }: Layout, { utc }: Grammar): InUtc | undefined {
  if (utc === undefined) return undefined;
  const columns = [...fields.values()].map(({ column }) => column);
  return inUtcOf(columns, utc);
}
