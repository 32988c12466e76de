/** Writes the distance of a vector from a parameter, wherever one stands: in a condition, an order, an expression. */
import type { DistanceNode } from "../ast/expression.js";
import { operandBinder } from "../value/binder.js";
import type { Writer } from "./writer.js";

// The text comes from here, never from the expression.
const distances: ReadonlyMap<string, string> = new Map([
  ["<->", " <-> "],
  ["<#>", " <#> "],
  ["<=>", " <=> "],
  ["<+>", " <+> "],
]);

/** `field operator :param` between vectors. */
export function writeDistance(
  writer: Writer,
  { field, operator, param }: Pick<DistanceNode, "field" | "operator" | "param">,
): void {
  const { column, name } = writer.place(field);
  const { grammar, table } = writer;
  const text = distances.get(operator);
  if (text === undefined) throw new TypeError("a distance was not checked");
  writer.sql(name).sql(text);
  writer.param(param, () => operandBinder(column, grammar, { param, table }));
}
