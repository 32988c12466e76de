/** Order, limits and offsets as steps, shared by queries and compound queries. */
import { describeType } from "../../core/errors.js";
import { countKey, keyOf } from "../ast/key.js";
import { type AnyDraft, type ChainStep, failed } from "./draft/draft.js";
import type { FilterOperand } from "./filters.js";

type Key = "limit" | "offset" | "limit_param" | "offset_param";

/** A limit or offset. If both a number and a parameter are set, the last one counts. */
export function paged<D extends AnyDraft>(key: Key, given: unknown): ChainStep<D> {
  const isParam = key === "limit_param" || key === "offset_param";
  // A key that is absent from the spec would remove the previous one without being checked.
  if (given === undefined || given === null) {
    const expected = isParam ? "the name of a parameter" : "a whole number from 0";
    const message = `${key} must be ${expected}, not ${describeType(given)}`;
    return failed({ code: "INVALID_PARAM", message, path: key });
  }
  const other = others[key];
  return {
    key: isParam ? keyOf(key, given) : countKey(key, given),
    on: (draft) => draft.with({ [key]: given, [other]: undefined }),
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
  param: string,
  direction: string,
): ChainStep<D> {
  return {
    key: keyOf("orderByExpr", field, operator, param, direction),
    on: (draft) => draft.adding("order_by", [{ field, operator, param, direction }]),
  };
}
