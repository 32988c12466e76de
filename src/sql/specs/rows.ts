/** The Zod schemas of the parts of a spec other than conditions: fields, order, groups, DISTINCT, locks, paging. */

import type { ZodString, ZodType } from "zod";
import * as z from "zod";
import { isMissing } from "../dialect/grammar/grammar.js";
import { PARAM_NAME } from "../resolve/scope/resolution.js";
import { meets } from "../words/kinds.js";
import { DISTANCE, distanceOperators } from "../words/operators.js";
import { nameOfParam, operatorsFor } from "./conditions.js";
import type { Keys } from "./members.js";
import { anyField, columnsSeen, comparableField, oneOf } from "./names.js";
import type { Permissions } from "./permissions.js";

/** The keys that select and query share, without their conditions. */
export function rowsKeys(permissions: Permissions): Keys {
  const { grammar, aggregates } = permissions;
  const kinds = new Set([...columnsSeen(permissions).values()].map(({ column }) => column.kind));
  const operators = operatorsFor(kinds.add("number"), permissions);
  const filter = () => ({ operator: oneOf(operators), param: nameOfParam() });
  const group = comparableField(permissions);
  const groups = () =>
    z
      .array(group ?? z.never())
      .min(1)
      .optional();
  return {
    fields: () => fieldsSchema(permissions),
    order_by: () => orderSchema(permissions),
    distinct: () => z.boolean().optional(),
    ...(aggregates.length > 0 && operators.size > 0
      ? {
          having: () => z.array(z.strictObject({ field: nameInRow(), ...filter() })).optional(),
          having_agg: () => z.array(z.strictObject({ ...aggregateOf(permissions), ...filter() })).optional(),
        }
      : {}),
    ...(group === undefined ? {} : { group_by: groups }),
    ...(group === undefined || grammar.distinctOn !== "native" ? {} : { distinct_on: groups }),
  };
}

function fieldsSchema(permissions: Permissions): ZodType {
  const { columns, view, aggregates } = permissions;
  const field = anyField(permissions);
  const { func, field: of } = aggregateOf(permissions);
  const item =
    aggregates.length === 0
      ? field
      : z.union([field, z.strictObject({ func, field: of.optional(), alias: nameInRow() })]);
  const chosen = z.array(item).min(1);
  // A spec without fields selects all fields that the client may see.
  return view.fields === undefined
    ? chosen.optional()
    : chosen.default(columns.map(({ property }) => property));
}

function aggregateOf(permissions: Permissions): { readonly func: ZodType; readonly field: ZodType } {
  return { func: oneOf(permissions.aggregates), field: z.union([anyField(permissions), z.literal("*")]) };
}

function nameInRow(): ZodString {
  return z.string().regex(PARAM_NAME).describe("The name of an aggregate in the row.");
}

/** `order_by`. */
export function orderSchema(permissions: Permissions): ZodType {
  const vectors = permissions.columns
    .filter(({ kind }) => meets(kind, "a vector"))
    .map(({ property }) => property);
  const field = comparableField(permissions);
  const name = field === undefined ? nameInRow() : z.union([field, nameInRow()]);
  const rest = {
    direction: z.enum(["asc", "desc"]),
    nulls: z.enum(["first", "last"]).optional(),
    nulls_first: z.boolean().optional(),
    nulls_last: z.boolean().optional(),
  };
  const term = z.strictObject({ field: name, ...rest });
  if (vectors.length === 0) return z.array(term).optional();
  const nearest = z.strictObject({
    field: oneOf(vectors),
    operator: oneOf(distanceOperators),
    param: nameOfParam(),
    ...rest,
  });
  const expression = z.string().regex(DISTANCE).describe("A field of vectors, an operator, and :parameter.");
  return z.array(z.union([term, nearest, z.strictObject({ expression, ...rest })])).optional();
}

/** `for_locking`, and `for_update` of a select, if the permissions allow locks and the dialect has them. */
export function lockKeys({ grammar, locks }: Permissions, isSelect: boolean): Keys {
  const modes = Object.entries(grammar.locks).flatMap(([mode, form]) =>
    typeof form === "string" || !isMissing(form) ? [mode] : [],
  );
  if (!locks || modes.length === 0) return {};
  const mode = oneOf(modes);
  const flag = () => z.boolean().optional();
  const lock = () =>
    z.union([mode, z.strictObject({ mode, skip_locked: flag(), no_wait: flag() })]).optional();
  return isSelect && modes.includes("update")
    ? { for_locking: lock, for_update: flag }
    : { for_locking: lock };
}

/** `after`: a server that accepts it returns pages. */
export function cursorSchema(): ZodType {
  return z.string().describe("The cursor of a page: the next of the page before.").optional();
}

/** The keys of paging, limited by the permissions. */
export function pagingKeys({ maxLimit, defaultLimit }: Pick<Permissions, "maxLimit" | "defaultLimit">): Keys {
  const count = z.int().min(0);
  const bounded = maxLimit === undefined ? count : count.max(maxLimit);
  return {
    limit: () => (defaultLimit === undefined ? bounded.optional() : bounded.default(defaultLimit)),
    offset: () => count.optional(),
    limit_param: () => nameOfParam().optional(),
    offset_param: () => nameOfParam().optional(),
  };
}
