/** Writes the tables that a statement reads. */
import type { Grammar, InUtc } from "../dialect/grammar/grammar.js";
import { inUtcOf, stricter } from "../dialect/grammar/utc.js";
import type { From, Layout, ResolvedCondition, ResolvedJoin } from "../resolve/scope/resolved.js";
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
  for (const join of joins) {
    for (const one of [join.table, join.through?.table, join.through?.found?.table])
      if (one !== undefined) writer.inUtc = stricter(writer.inUtc, zoneOf(one, grammar));
    if (join.through === undefined) writeJoin(writer, join.kind, join);
    else writeThrough(writer, join, join.through);
  }
}

/** A table, and its connection with the tables before it. */
interface Connected {
  readonly table: Layout;
  readonly on: ResolvedCondition;
}

function writeJoin(writer: Writer, kind: ResolvedJoin["kind"], { table, on }: Connected): void {
  writeTable(writer.sql(words[kind]), table).sql(" ON ");
  writeCondition(writer, on);
}

/** A join through a table between. Nothing of that table alone makes a row. */
function writeThrough(
  writer: Writer,
  join: ResolvedJoin,
  between: NonNullable<ResolvedJoin["through"]>,
): void {
  const { kind } = join;
  if (kind === "left") {
    writeFound(writer, between, join);
    return;
  }
  if (between.found === undefined) writeJoin(writer, "inner", between);
  else writeFound(writer, between, between.found);
  writeJoin(writer, kind, join);
}

/** `LEFT JOIN (between JOIN found ON …) ON …` */
function writeFound(writer: Writer, between: Connected, found: Connected): void {
  writeTable(writer.sql(words.left).sql("("), between.table);
  writeJoin(writer, "inner", found);
  writeCondition(writer.sql(") ON "), between.on);
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
