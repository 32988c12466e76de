/** Aggregates that give all non-null values of a group: as one text, or as a list. */
import type { ListingValue } from "../types/expressions.js";
import type {
  OperandExpression,
  Parameter,
  ParamIn,
  SideFields,
  SideLeaves,
  SideResult,
} from "../types/operands.js";
import type { ColumnNeed, Is, ListResult, TextLike } from "../types/results.js";
import type { ListingFunction } from "../words/functions.js";
import { argumentOf, operandOf } from "./operand.js";
import { AggregateExpression, windowParts } from "./value.js";

/** The order of the values. Without one it is not specified. */
export interface ListingOptions<out O extends ListingOrder> {
  readonly orderBy?: O;
}

/** Operands of single rows, and their directions. */
export type ListingOrder = readonly (readonly [operand: string | PlainOperand, direction: "asc" | "desc"])[];

type PlainOperand<T = unknown> = OperandExpression<T, string, unknown, "plain">;
type Separator = Parameter<string> | OperandExpression<TextLike, never>;

/**
 * The non-null texts of a group, joined by the separator: the name of a parameter, `param(name)` or `value(text)`. Null
 * if there are none.
 * @example
 * import { textAgg, value } from "rowtype";
 * users.query().fields("teamId", textAgg("name", value(", "), { orderBy: [["name", "asc"]] }).as("names")).groupBy("teamId");
 */
export function textAgg<
  const A extends string | PlainOperand<TextLike>,
  const S extends string | Separator,
  const O extends ListingOrder = readonly [],
>(
  operand: A,
  separator: S,
  options?: ListingOptions<O>,
): ListingValue<
  Is<string | null>,
  SideFields<A | O[number][0]>,
  SideLeaves<A | O[number][0]> | ColumnNeed<SideResult<A>, "text"> | ParamIn<S, string> | SideLeaves<S>
> {
  return listing("text_agg", operand, options, argumentOf(separator));
}

/**
 * The non-null values of a group as a list; empty if there are none.
 * @example
 * import { listAgg } from "rowtype";
 * users.query().fields("teamId", listAgg("id", { orderBy: [["id", "asc"]] }).as("members")).groupBy("teamId");
 */
export function listAgg<const A extends string | PlainOperand, const O extends ListingOrder = readonly []>(
  operand: A,
  options?: ListingOptions<O>,
): ListingValue<
  ListResult<SideResult<A>>,
  SideFields<A | O[number][0]>,
  SideLeaves<A | O[number][0]> | ColumnNeed<SideResult<A>, "a scalar">
> {
  return listing("list_agg", operand, options);
}

function listing<T, F extends string, L>(
  func: ListingFunction,
  operand: unknown,
  options: unknown,
  separator?: ReturnType<typeof argumentOf>,
): ListingValue<T, F, L> {
  const parts = options === undefined ? undefined : windowParts(options);
  const node = { kind: "aggregate", func, operand: operandOf(operand), separator, options: parts } as const;
  // Results and requirements exist only as types.
  return new AggregateExpression(node) as unknown as ListingValue<T, F, L>;
}
