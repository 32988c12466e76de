/** Writes the contents of rows: all columns, or a list of items. */
import type { Grammar } from "../dialect/grammar/grammar.js";
import type { Field, Item, Layout, ResolvedExpression } from "../resolve/scope/resolved.js";
import type { ReturnedItem } from "../resolve/scope/resolved-change.js";
import type { Output } from "../value/output.js";
import { writeExpression } from "./expression.js";
import type { Plan } from "./plan.js";
import { templateParts } from "./template.js";
import type { Writer } from "./writer.js";

/** Writes the items, or all columns. */
export function writeItems(writer: Writer, table: Layout, items: readonly Item[] | undefined): Writer {
  return items === undefined
    ? writer.sql(table.columns)
    : writer.each(items, ", ", (item) => writeItem(writer, item));
}

/** The results of the items, if they are decoded. */
export function outputsOf(table: Layout, items: readonly Item[] | undefined): readonly Output[] {
  return items === undefined ? table.outputs : items.map(({ output }) => output);
}

function writeItem(writer: Writer, { expression, name, isNamed = false }: Item): void {
  writeExpression(writer, expression);
  const isKnown = isCalled(expression, name) && !(isNamed && isQualified(expression));
  if (!isKnown) writer.sql(` AS ${name}`);
}

const isQualified = (expression: ResolvedExpression): boolean =>
  expression.kind === "field" && expression.sql !== expression.label;

// The server itself names a column by its own name, whatever its table is.
function isCalled(expression: ResolvedExpression, name: string): boolean {
  if (expression.kind !== "field" || expression.sql !== expression.name) return false;
  return expression.label === name && expression.output.inside === undefined;
}

/** Writes `RETURNING …` and finishes the statement. */
export function finishReturning(
  writer: Writer,
  table: Layout,
  items: readonly ReturnedItem[] | undefined,
): Plan {
  const { returningInto } = writer.grammar;
  const outputs = outputsOf(table, items);
  if (returningInto === undefined) return writeItems(writer.sql(" RETURNING "), table, items).finish(outputs);
  const { value, variable, placeholder } = returningInto;
  const returned = items ?? columnsOf(table, writer);
  writer.sql(" RETURNING ").each(returned, ", ", ({ expression, stored }) => {
    const [before = "", , after = ""] = templateParts(value(stored.storage));
    writer.sql(before);
    writeExpression(writer, expression);
    writer.sql(after);
  });
  writer.sql(` INTO ${returned.map((_, i) => placeholder(i + 1)).join(", ")}`);
  return {
    ...writer.finish(outputs),
    into: returned.map(({ stored, isLarge }) => variable(stored, isLarge)),
  };
}

function columnsOf({ fields }: Layout, { grammar }: Writer): readonly ReturnedItem[] {
  return [...fields.values()].map((field) => returnedField(field, grammar));
}

/** A field in the form in which it is returned. */
export function returnedField(field: Field, { largeObjects }: Grammar): ReturnedItem {
  const { column, table, name, output } = field;
  const isLarge = largeObjects?.holds(column, table) === true;
  return { expression: field, name, output, stored: column, isLarge };
}
