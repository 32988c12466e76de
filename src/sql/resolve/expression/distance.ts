/** The distance of a vector from a parameter, in a condition, an order or an expression. */
import { quoted } from "../../../core/errors.js";
import { operandBinder } from "../../value/binder.js";
import { meets } from "../../words/kinds.js";
import type { Resolution } from "../scope/resolution.js";
import type { Field, ResolvedCall } from "../scope/resolved.js";
import { isDistanceOperator } from "./operators.js";
import { boundTo, placeOf } from "./param.js";

/** A distance, and its vector field. */
export interface ResolvedDistance {
  readonly field: Field;
  readonly expression: ResolvedCall;
}

/**
 * Resolves a distance: a vector field, one of the four operators, a parameter.
 * @param at the path of each of them.
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
  const isVector = field !== undefined && meets(field.column.kind, "a vector");
  if (!isKnown)
    resolution.add(
      "INVALID_OPERATOR",
      `a distance takes <->, <#>, <=> or <+>, not ${quoted(operator)}`,
      at("operator"),
    );
  else if (field !== undefined && !isVector)
    resolution.add(
      "INVALID_OPERATOR",
      `field ${quoted(field.column.property)} (${field.column.kind}) is not a vector and has no distance`,
      at("field"),
    );
  const given = resolution.given(paramName, at("param"));
  if (!isKnown || !isVector || given === undefined) return undefined;
  const { grammar } = resolution;
  const place = placeOf(given, field.column.property, resolution);
  const binder = boundTo(given, () => operandBinder(field.column, grammar, place));
  const parameter = { kind: "parameter", ...given, binder, form: undefined } as const;
  return {
    field,
    // The operator has been checked.
    expression: {
      kind: "call",
      template: `{f} ${operator} {0}`,
      operands: [field],
      separator: "",
      params: [parameter],
    },
  };
}
