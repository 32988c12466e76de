/** Writes the queries that a statement reads by name, before it. */
import type { NamedRows } from "../resolve/resolved.js";
import type { Writer } from "./writer.js";

/** `WITH name AS (…), … `; nothing where there are none. */
export function writeNamed(writer: Writer, named: readonly NamedRows[] = []): Writer {
  if (named.length === 0) return writer;
  return writer
    .sql("WITH ")
    .each(named, ", ", ({ name, rows }) => writer.sql(`${name} AS `).inner(rows))
    .sql(" ");
}
