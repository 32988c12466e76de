/** The condition of the rows that the filters of a table leave, as the text of an index. */
import type { AnyTable } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { conditionText } from "../render/literal.js";
import { resolveVisible } from "../resolve/visible.js";

/** @throws {UnsupportedError | BuildError} for a filter that the dialect cannot write without parameters. */
export function visibleRows(table: AnyTable, grammar: Grammar): string {
  return conditionText(table, resolveVisible(table, grammar), grammar);
}
