/** Paths into JSON columns. */
import type { PathNode } from "../ast/expression.js";
import type { AnyValue, Value } from "../types/expressions.js";
import type { OperandExpression } from "../types/operands.js";
import type { At, PathInto } from "../types/paths.js";
import type { Of } from "../types/results.js";
import type { PathKey } from "../words/paths.js";
import { operandOf } from "./operand.js";
import { PlainValue } from "./value.js";

/**
 * A value inside a JSON column. The path consists of names of members and of positions in lists, from 0. The value is
 * null if a step of the path is absent.
 * @example
 * import { path } from "rowtype";
 * users.query().fields("id", path("settings", "theme").as("theme")).where(path("settings", "tags", 0), "=", "tag");
 */
export function path<F extends string, const K extends readonly [PathKey, ...PathKey[]]>(
  field: F,
  ...keys: K
): Value<At<F, K>, F, PathInto<F, K, "a value">>;
export function path<
  F extends string,
  const B extends readonly PathKey[],
  const K extends readonly [PathKey, ...PathKey[]],
>(
  path: OperandExpression<At<F, B>, F>,
  ...keys: K
): Value<At<F, [...B, ...K]>, F, PathInto<F, [...B, ...K], "a value">>;
export function path<F extends string, const K extends readonly [PathKey, ...PathKey[]]>(
  field: OperandExpression<Of<F, "same">, F>,
  ...keys: K
): Value<At<F, K>, F, PathInto<F, K, "a value">>;
export function path(of: unknown, ...keys: readonly PathKey[]): AnyValue {
  const node: PathNode = { kind: "path", of: operandOf(of), keys: Object.freeze(keys) };
  // Its result exists only as a type.
  return new PlainValue(node) as unknown as AnyValue;
}
