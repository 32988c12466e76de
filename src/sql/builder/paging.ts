/** Order, limits and offsets as steps, shared by queries and compound queries. */
import { describeType } from "../../core/errors.js";
import { givenNode, paramPart } from "../ast/expression.js";
import { countKey, keyOf } from "../ast/key.js";
import { type AnyDraft, type ChainStep, failed } from "./draft/draft.js";
import type { FilterOperand } from "./filters.js";

type Key = "limit" | "offset" | "limit_param" | "offset_param";

/** A limit or offset. If both a number and a parameter are set, the last one counts. */
export function paged<D extends AnyDraft>(given: Key, count: unknown): ChainStep<D> {
  // A constant is bound where a parameter is.
  const isConstant = givenNode(count) !== undefined;
  return isConstant && (given === "limit" || given === "offset")
    ? pagedBy(`${given}_param`, count)
    : pagedBy(given, count);
}

function pagedBy<D extends AnyDraft>(key: Key, given: unknown): ChainStep<D> {
  const isParam = key === "limit_param" || key === "offset_param";
  // A key that is absent from the spec would remove the previous one without being checked.
  if (given === undefined || given === null) {
    const expected = isParam ? "the name of a parameter" : "a whole number from 0";
    const message = `${key} must be ${expected}, not ${describeType(given)}`;
    return failed({ code: "INVALID_PARAM", message, path: key });
  }
  const other = others[key];
  return {
    key: isParam ? keyOf(key, paramPart(given)) : countKey(key, given),
    parts: [given],
    on: (draft, placed) => draft.with({ [key]: placed(given), [other]: undefined }),
  };
}

const others: { readonly [K in Key]: Key } = {
  limit: "limit_param",
  limit_param: "limit",
  offset: "offset_param",
  offset_param: "offset",
};

/** A term of the order: a field. */
export function orderedBy<D extends AnyDraft>(field: FilterOperand, direction: string): ChainStep<D> {
  return {
    key: keyOf("orderBy", field, direction),
    on: (draft) => draft.adding("order_by", [{ field, direction }]),
  };
}

/** A field, with the position of its NULLs. Without a position, the dialect would decide it. */
export function orderedByNulls<D extends AnyDraft>(
  field: FilterOperand,
  direction: string,
  nulls: string,
): ChainStep<D> {
  return {
    key: keyOf("orderByNulls", field, direction, nulls),
    on: (draft) => draft.adding("order_by", [{ field, direction, nulls: nulls ?? null }]),
  };
}

/** The distance of a field from a parameter. */
export function orderedByExpr<D extends AnyDraft>(
  field: string,
  operator: string,
  param: unknown,
  direction: string,
): ChainStep<D> {
  return {
    key: keyOf("orderByExpr", field, operator, paramPart(param), direction),
    parts: [param],
    on: (draft, placed) => draft.adding("order_by", [placed({ field, operator, param, direction })]),
  };
}
