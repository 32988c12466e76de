/** Writes nested rows: a query of one JSON value. */
import type { Nested } from "../resolve/scope/resolved.js";
import { writePaging, writeWhere } from "./clauses.js";
import { writeEach, writeOrder } from "./expression.js";
import { writeFrom } from "./from.js";
import { writeQuery } from "./query.js";
import type { Writer } from "./writer.js";

/** `SELECT json_agg(json_build_array(…) ORDER BY …) FROM … WHERE …`. */
export function writeNested(writer: Writer, nested: Nested): void {
  const { shape, orderBy, paging, query, table } = nested;
  const { one, list, single = list } = writer.grammar.nested;
  const [before, after] = { row: one, list, single }[shape];
  writer.sql("SELECT ").sql(before);
  writeRow(writer, nested);
  if (orderBy.length > 0) writeOrder(writer.sql(" "), orderBy);
  writePaging(writer, paging);
  writer.sql(after);
  writer.nests = true;
  if (table === undefined) {
    writeFrom(writer, query);
    writeWhere(writer, query.where);
    return;
  }
  const { name, number, where } = table;
  writer.sql(" FROM (");
  if (number === undefined) writeQuery(writer, query);
  else {
    writer.sql(`SELECT ${name}.*, ROW_NUMBER() OVER (PARTITION BY `);
    writeEach(writer, number.partitionBy, ", ");
    if (number.orderBy.length > 0) writeOrder(writer.sql(" "), number.orderBy);
    writer.sql(`) AS ${number.name} FROM (`);
    writeQuery(writer, query);
    writer.sql(`) ${name}`);
  }
  writer.sql(`) ${name}`);
  writeWhere(writer, where);
}

/** A row as an array, or as an array of arrays if one would have too many values. */
function writeRow(writer: Writer, { values }: Nested): void {
  const { row, mostValues = values.length } = writer.grammar.nested;
  const [before, after] = row;
  if (values.length <= mostValues) {
    writeEach(writer.sql(before), values, ", ").sql(after);
    return;
  }
  const parts: (typeof values)[] = [];
  for (let from = 0; from < values.length; from += mostValues)
    parts.push(values.slice(from, from + mostValues));
  writer
    .sql(before)
    .each(parts, ", ", (part) => writeEach(writer.sql(before), part, ", ").sql(after))
    .sql(after);
}
