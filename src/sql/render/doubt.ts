/** Whether the rows that a change returns may fail to decode. */
import type { ColumnInfo } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import type { Field, ResolvedExpression } from "../resolve/scope/resolved.js";
import type { ResolvedInsert } from "../resolve/scope/resolved-change.js";
import { codecOf } from "../value/column-codec.js";
import { meets } from "../words/kinds.js";
import type { Doubt } from "./plan.js";

/** The doubt about the rows of an insert that returns these columns. */
export function doubtOf(
  { table, conflict, returned }: ResolvedInsert,
  grammar: Grammar,
  given: readonly Field[],
): Doubt {
  // The existing row may hold any value.
  if (conflict?.action === "update") return "always";
  const values = returned?.map(({ expression }) => expression) ?? [...table.fields.values()];
  const isKnown = (value: ResolvedExpression) =>
    value.kind === "field" && (given.includes(value) || isForeseen(value.column, grammar));
  return values.every(isKnown) ? "first" : "always";
}

/** Whether the server's value for an omitted column has the same kind in every row. */
function isForeseen(column: ColumnInfo, grammar: Grammar): boolean {
  const { default: text, kind, storage, nullable } = column;
  const expression = typeof text === "string" ? text : text?.[grammar.dialect];
  // The value of an expression or a trigger may have any kind.
  if (column.readOnly && column.generated === false && column.auto === undefined) return false;
  if (expression === undefined) return column.generated !== false || nullable;
  const bare = expression.trim();
  if (/^null$/i.test(bare)) return nullable;
  if (kind === "text" && storage.values === undefined) return true;
  if (kind === "date" && column.type === undefined) return /^(current_timestamp|now\(\))$/i.test(bare);
  return isLiteral(column, bare, grammar);
}

/** Whether a default is a literal that the column's own decoder accepts. */
function isLiteral(column: ColumnInfo, text: string, grammar: Grammar): boolean {
  const literal = /^'((?:[^'\\]|'')*)'$/s.exec(text)?.[1]?.replaceAll("''", "'");
  const number = /^[+-]?\d+(\.\d+)?$/.test(text) ? text : undefined;
  if (column.kind === "boolean") return /^(true|false|0|1)$/i.test(text);
  const value = meets(column.kind, "a number") ? number : literal;
  if (value === undefined) return false;
  try {
    return codecOf(column, grammar).decode(value) !== undefined;
  } catch {
    return false;
  }
}
