/** The distance of a vector from a parameter, wherever one stands: in a condition, an order, an expression. */
import { quoted } from "../../core/errors.js";
import { operandBinder } from "../value/binder.js";
import { isDistanceOperator } from "./operators.js";
import type { Resolution } from "./resolution.js";
import type { Call, Field } from "./resolved.js";

/** A distance, and the field of vectors that it is of. */
export interface ResolvedDistance {
  readonly field: Field;
  readonly expression: Call;
}

/**
 * Resolves a distance: a field of vectors, one of the four operators, a parameter.
 * @param at the place of each of them.
 */
export function resolveDistance(
  {
    field: name,
    operator,
    param: paramName,
  }: { readonly field: unknown; readonly operator: unknown; readonly param: unknown },
  at: (part: "field" | "operator" | "param") => string,
  resolution: Resolution,
): ResolvedDistance | undefined {
  const field = resolution.field(name, at("field"));
  const isKnown = isDistanceOperator(operator);
  const isVector = field?.column.kind === "vector";
  if (!isKnown)
    resolution.add(
      "INVALID_OPERATOR",
      `a distance takes <->, <#>, <=> or <+>, not ${quoted(operator)}`,
      at("operator"),
    );
  else if (field !== undefined && !isVector)
    resolution.add(
      "INVALID_OPERATOR",
      `field ${quoted(field.column.property)} (${field.column.kind}) is no vector, and has no distance`,
      at("field"),
    );
  const param = resolution.param(paramName, at("param"));
  if (!isKnown || !isVector || param === undefined) return undefined;
  const { grammar, table } = resolution;
  const binder = () => operandBinder(field.column, grammar, { param, table });
  const parameter = { kind: "parameter", name: param, binder, form: undefined } as const;
  return {
    field,
    // The operator is one of our own words now.
    expression: {
      kind: "call",
      template: `{f} ${operator} {0}`,
      operands: [field],
      separator: "",
      params: [parameter],
    },
  };
}
