/** Writes the queries that a statement reads by name, before it. */
import type { NamedRows } from "../resolve/scope/resolved.js";
import type { Writer } from "./writer.js";

/** `WITH name AS (…), … `; nothing if there are no queries. */
export function writeWith(writer: Writer, named: readonly NamedRows[] = []): Writer {
  if (named.length === 0) return writer;
  const recursions = named.flatMap(({ recursion }) => recursion ?? []);
  const word = recursions.length > 0 ? writer.grammar.recursion.word : "";
  if (recursions.length > 0) writer.levels = Math.max(...recursions.map(({ maxDepth }) => maxDepth));
  return writer
    .sql(`WITH ${word}`)
    .each(named, ", ", ({ name, rows, recursion }) => {
      if (recursion === undefined) return writer.sql(`${name} AS `).inner(rows);
      const { columns, step } = recursion;
      return writer.sql(`${name} (${columns.join(", ")}) AS `).unionAll(rows, step);
    })
    .sql(" ");
}
