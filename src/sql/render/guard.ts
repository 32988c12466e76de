/** Writes the guard of a change that returns rows: a column after theirs that fails if one of them cannot be decoded. */
import type { Grammar } from "../dialect/grammar/grammar.js";
import { ANY, type GuardForm } from "../dialect/grammar/guard.js";
import type { Field, Layout } from "../resolve/scope/resolved.js";
import type { ReturnedItem } from "../resolve/scope/resolved-change.js";

/**
 * The text after `RETURNING …` of these items, or of all columns; undefined if the dialect cannot say whether all of them
 * can be decoded, or if it need not.
 */
export function guardOf(
  table: Layout,
  items: readonly ReturnedItem[] | undefined,
  { guard }: Grammar,
): string | undefined {
  if (guard === undefined) return undefined;
  const values = items?.map(({ expression }) => expression) ?? [...table.fields.values()];
  const conditions: string[] = [];
  let first: Field | undefined;
  for (const value of values) {
    const condition = value.kind === "field" ? conditionOf(value, guard) : undefined;
    if (value.kind !== "field" || condition === undefined) return undefined;
    first ??= value;
    if (condition !== "") conditions.push(condition);
  }
  if (first === undefined || conditions.length === 0) return undefined;
  return `, CASE WHEN ${conditions.join(" AND ")} THEN NULL ELSE ${placed(guard.failure, first)} END`;
}

/** The condition of one field; empty if every value can be decoded. */
function conditionOf(field: Field, { decodable }: GuardForm): string | undefined {
  const { column, output } = field;
  const condition = decodable(column.storage);
  if (condition === undefined) return undefined;
  if (condition === ANY) return output.nullable ? "" : placed("{f} IS NOT NULL", field);
  return placed(
    output.nullable ? `({f} IS NULL OR ${condition})` : `{f} IS NOT NULL AND ${condition}`,
    field,
  );
}

const placed = (template: string, { sql }: Field): string => template.replaceAll("{f}", () => sql);
