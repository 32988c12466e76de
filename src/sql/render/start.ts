/** Starts the text of a statement. */
import type { Grammar } from "../dialect/grammar/grammar.js";
import type { Layout } from "../resolve/scope/resolved.js";
import { writeNested } from "./nested.js";
import { writeInner } from "./query.js";
import { Writer } from "./writer.js";

/**
 * A writer that can write queries inside the statement: expressions contain them, and they contain expressions.
 * @param before the number of placeholders before this text, if it is the end of a longer one.
 */
export function startWriting({ table }: Pick<Layout, "table">, grammar: Grammar, before = 0): Writer {
  return new Writer(table, grammar, write, before);
}

function write(writer: Writer, query: Parameters<Writer["inner"]>[0]): void {
  if (query.kind === "nested") writeNested(writer, query);
  else writeInner(writer, query);
}
