/** Operands that are not functions: parameters and constants. */
import type { $ZodType, output } from "zod/v4/core";
import type { ConstantNode, ParamNode } from "../ast/expression.js";
import type { Value } from "../types/expressions.js";
import type { ColumnSchema } from "../types/model.js";
import type { Parameter } from "../types/operands.js";
import type { Param } from "../types/params.js";
import type { OfConstant, OfSchema } from "../types/results.js";
import { describedBy } from "./operand.js";
import { PlainValue, typedValue } from "./value.js";

/**
 * A parameter as an operand. It has the values of the other operand, or of the schema.
 * @throws {DeclarationError} for a schema that no column could hold.
 * @example
 * import { mul, param, sum } from "rowtype";
 * lines.query().fields(sum(mul("price", param("rate"))).as("total"));
 */
export function param<const N extends string>(name: N): Parameter<N>;
export function param<const N extends string, S extends ColumnSchema>(
  name: N,
  schema: S,
): Value<OfSchema<S>, never, Param<N, output<S>>>;
export function param(name: string, schema?: $ZodType): unknown {
  const of = schema === undefined ? undefined : describedBy(schema, "of param");
  const node: ParamNode = { kind: "param", name, of };
  return new PlainValue(node);
}

/**
 * A constant of the program: it is bound, never written into the text, and is not a parameter of `exec`. Text of digits
 * may be used with decimals.
 */
export function value<const T extends string | number | bigint | boolean | Date>(
  constant: T,
): Value<OfConstant<T>> {
  const node: ConstantNode = { kind: "constant", value: constant };
  return typedValue(node);
}
