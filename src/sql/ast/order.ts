/** One term of an order in its only long form: a spec may say the same in several short ones. */
import type { OrderBySpec } from "./spec.js";

/** What rows are ordered by: a field or a name, or the distance of a vector from a parameter. */
export interface OrderTerm {
  readonly field: string;
  readonly direction: "asc" | "desc";
  /** Where NULLs go, where that is said. */
  readonly nulls: "first" | "last" | undefined;
  readonly distance: { readonly operator: string; readonly param: string } | undefined;
}

/** The long form of a checked term. */
export function termOf(spec: OrderBySpec): OrderTerm {
  const { direction, nulls, nulls_first: first, nulls_last: last, expression } = spec;
  const read = expression === undefined ? undefined : readExpression(expression);
  const { field = "", operator, param } = read ?? spec;
  return {
    field,
    direction,
    nulls: nulls ?? (first === true ? "first" : last === true ? "last" : undefined),
    distance: operator === undefined || param === undefined ? undefined : { operator, param },
  };
}

/** The parts of `field operator :param`; undefined for any other text. */
export function readExpression(
  text: unknown,
): { readonly field: string; readonly operator: string; readonly param: string } | undefined {
  const match = typeof text === "string" ? EXPRESSION.exec(text) : null;
  if (match === null) return undefined;
  const [, field = "", operator = "", param = ""] = match;
  return { field, operator, param };
}

const EXPRESSION = /^\s*(\S+)\s+(<->|<#>|<=>|<\+>)\s+:([A-Za-z_][A-Za-z0-9_]{0,62})\s*$/;
