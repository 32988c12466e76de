/** Aggregates of related rows. */
import type { OfNode } from "../ast/expression.js";
import type { Value } from "../types/expressions.js";
import type { OfLeaf } from "../types/leaves.js";
import type { OfResult } from "../types/results.js";
import { operandOf } from "./operand.js";
import { typedValue } from "./value.js";

/**
 * A count, a sum … of the rows that a relation to many leads to, one for each row. Two of these do not multiply, unlike
 * aggregates over two joins. The relation belongs to the table, or to a joined one (`"customer.orders"`).
 * @example
 * import { count, of, sum } from "rowtype";
 * orders.query().fields("id", of("lines", count()).as("lines"), of("payments", sum("amount")).as("paid"));
 */
export function of<const To extends string, T, F extends string, L>(
  relation: To,
  aggregate: Value<T, F, L, "aggregate">,
): Value<OfResult<To, T>, never, OfLeaf<To, F, L>> {
  const node: OfNode = { kind: "of", relation, aggregate: operandOf(aggregate) };
  return typedValue(node);
}
