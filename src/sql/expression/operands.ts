/** Operands that are not functions: parameters and constants. */
import type { $ZodType, output } from "zod/v4/core";
import type { ParamNode } from "../ast/expression.js";
import type { ConstantNode } from "../ast/given-node.js";
import type { ConstantValue, Value } from "../types/expressions.js";
import type { ColumnSchema } from "../types/model.js";
import type { Parameter } from "../types/operands.js";
import type { Constant, Param } from "../types/params.js";
import type { OfSchema } from "../types/results.js";
import { copyOf } from "../words/copies.js";
import { describedBy } from "./operand.js";
import { PlainValue } from "./value.js";

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
 * A value of the program's own, in the place of a parameter or of an operand: it is bound, never written into the text,
 * and is not a parameter of `exec`. It is copied here, so later changes of a list or an object have no effect. Text of
 * digits may be used with decimals.
 * @example
 * import { value } from "rowtype";
 * tasks.query().where("done", "=", value(false)).where("tag", "IN", value(["a", "b"])).exec();
 */
export function value<const T extends string | number | bigint | boolean | Date>(
  constant: T,
): ConstantValue<T>;
export function value<const T extends readonly unknown[] | Uint8Array | object | null>(
  constant: T,
): Constant<T>;
export function value(constant: unknown): unknown {
  const node: ConstantNode = { kind: "constant", value: copyOf(constant) };
  return new PlainValue(node);
}
