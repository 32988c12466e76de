/**
 * Calculations with numbers. Both operands are numbers, bigints or decimals. A parameter without a schema has the type
 * of the other operand.
 */
import type { ExpressionNode } from "../ast/expression.js";
import type { Value } from "../types/expressions.js";
import type { Beside, fields, Leaf, leaves } from "../types/leaves.js";
import type {
  BesideOperand,
  Calculated,
  ComparedOperand,
  ExpressionRole,
  Neighbour,
  NumberSide,
  OperandExpression,
  Parameter,
  result,
  role,
  SideFields,
  SideLeaves,
  SideResult,
  SidesRole,
} from "../types/operands.js";
import type { ColumnNeed, Fn, NumberLike, Of, Sum } from "../types/results.js";
import type { ArithmeticFunction } from "../words/functions.js";
import { operandOf } from "./operand.js";
import { typedValue } from "./value.js";

/** A calculation with two operands; null if one of them is null. */
interface Calculation {
  <F extends string, G extends string>(
    left: F,
    right: G,
  ): Value<Sum<Of<F, "same">, Of<G, "same">>, F | G, Leaf<F, "a number", never> | Leaf<G, "a number", never>>;
  // Repeats the last overload, at a quarter of its cost.
  <F extends string, N extends string>(
    left: F,
    right: Parameter<N>,
  ): Value<Fn<"amount", Of<F, "same">>, F, Leaf<F, "a number", never> | Beside<N, Of<F, "same">>>;
  <const A extends ComparedOperand, const B extends ComparedOperand>(
    left: A & NumberSide<A>,
    right: B & NumberSide<B> & BesideOperand<A, B>,
  ): CalculatedValue<A, B>;
}

/** A division with two operands; null if one of them is null, or if the divisor is 0. */
interface Division {
  <F extends string, G extends string>(
    left: F,
    right: G,
  ): Value<
    Fn<"orNull", Sum<Of<F, "same">, Of<G, "same">>>,
    F | G,
    Leaf<F, "a number", never> | Leaf<G, "a number", never>
  >;
  <F extends string, N extends string>(
    left: F,
    right: Parameter<N>,
  ): Value<
    Fn<"orNull", Fn<"amount", Of<F, "same">>>,
    F,
    Leaf<F, "a number", never> | Beside<N, Of<F, "same">>
  >;
  <const A extends ComparedOperand, const B extends ComparedOperand>(
    left: A & NumberSide<A>,
    right: B & NumberSide<B> & BesideOperand<A, B>,
  ): DividedValue<A, B>;
}

/**
 * The result of a calculation with any operands: a `Value`. It declares its members and extends nothing, so that the
 * compiler computes them only where this form is used.
 */
interface CalculatedValue<A, B> {
  readonly [result]: Calculated<A, B>;
  readonly [fields]: SideFields<A | B>;
  readonly [leaves]: CalculationLeaves<A, B>;
  readonly [role]: SidesRole<A | B>;
  /** Names the expression: letters, digits and `_`, and no field of the table. */
  readonly as: Value<Calculated<A, B>, SideFields<A | B>, CalculationLeaves<A, B>, SidesRole<A | B>>["as"];
}

/** The result of a division. */
interface DividedValue<A, B> {
  readonly [result]: Fn<"orNull", Calculated<A, B>>;
  readonly [fields]: SideFields<A | B>;
  readonly [leaves]: CalculationLeaves<A, B>;
  readonly [role]: SidesRole<A | B>;
  /** Names the expression: letters, digits and `_`, and no field of the table. */
  readonly as: Value<
    Fn<"orNull", Calculated<A, B>>,
    SideFields<A | B>,
    CalculationLeaves<A, B>,
    SidesRole<A | B>
  >["as"];
}

type CalculationLeaves<A, B> =
  | SideLeaves<A | B>
  | ColumnNeed<SideResult<A | B>, "a number">
  | Neighbour<A, B>
  | Neighbour<B, A>;

/** The sum of two numbers. */
export const add: Calculation = withTwo("add");

/** The difference of two numbers. */
export const sub: Calculation = withTwo("sub");

/**
 * The product of two numbers.
 * @example
 * import { mul, sum } from "rowtype";
 * lines.query().fields("orderId", sum(mul("qty", "price")).as("gross")).groupBy("orderId");
 */
export const mul: Calculation = withTwo("mul");

/** The quotient of two numbers; that of whole numbers is truncated towards zero. Null if the divisor is 0. */
export const div: Division = withTwo("div");

/** The remainder of a division, with the sign of the dividend. Null if the divisor is 0. */
export const mod: Division = withTwo("mod");

/** The number with the other sign. */
export function neg<F extends string>(field: F): Value<Of<F, "amount">, F, Leaf<F, "a number", never>>;
export function neg<T extends NumberLike, F extends string, L, R extends ExpressionRole>(
  operand: OperandExpression<T, F, L, R>,
): Value<Fn<"amount", T>, F, L | ColumnNeed<T, "a number">, R>;
export function neg(operand: unknown): Value<unknown, string, unknown, ExpressionRole> {
  return calculation("neg", [operand]);
}

// Results and requirements of a function exist only as types. The cast gives it the type of its interface.
function withTwo<C>(func: ArithmeticFunction): C {
  return ((left: unknown, right: unknown) => calculation(func, [left, right])) as C;
}

function calculation(
  func: ArithmeticFunction,
  operands: readonly unknown[],
): Value<unknown, string, unknown, ExpressionRole> {
  const node: ExpressionNode = {
    kind: "arithmetic",
    func,
    operands: Object.freeze(operands.map(operandOf)),
  };
  return typedValue(node);
}
