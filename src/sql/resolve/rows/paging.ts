/** Resolves limit and offset. */
import type { PagingSpec } from "../../ast/spec.js";
import type { Grammar } from "../../dialect/grammar/grammar.js";
import { cappedBinder } from "../../value/binder.js";
import { boundTo, placeOf } from "../expression/param.js";
import type { Resolution } from "../scope/resolution.js";
import type { Form, PagingClause, ParameterPlace } from "../scope/resolved.js";

/** Resolves `limit`, `offset` and their parameters. */
export function resolvePaging(
  spec: { readonly [K in keyof PagingSpec]?: unknown },
  resolution: Resolution,
): readonly PagingClause[] {
  const { limit: most, limit_param: mostParam, offset: skipped, offset_param: skippedParam } = spec;
  if (most === undefined && mostParam === undefined && skipped === undefined && skippedParam === undefined)
    return allRows;
  const limit = resolveCount(most, "limit", resolution);
  // A limit together with a parameter is the maximum of the parameter. Two offsets are refused.
  const limitParam = resolveParam(mostParam, "limit_param", limit, resolution);
  const offset = resolveCount(skipped, "offset", resolution);
  const offsetParam = resolveParam(skippedParam, "offset_param", undefined, resolution);
  if (skipped !== undefined && skippedParam !== undefined)
    resolution.add("INVALID_SPEC", "offset and offset_param exclude each other", "offset_param");
  return clausesOf(limitParam ?? limit, offsetParam ?? offset, resolution);
}

const allRows: readonly PagingClause[] = [];

/** The clauses that select the first row only. */
export function firstRow(resolution: Resolution): PagingClause[] {
  return firstRows(1, resolution);
}

/** The clauses that select the first n rows only. */
export function firstRows(count: number, resolution: Resolution): PagingClause[] {
  return clausesOf(count, undefined, resolution);
}

/**
 * The clauses that select all rows of a query and keep it a table, if the server would dissolve it: then a constant or a
 * subquery among its columns would have a value in rows that a left join did not find.
 */
export function everyRow({ dissolvesTables = false, paging, noLimit }: Grammar): readonly PagingClause[] {
  if (!dissolvesTables || noLimit === undefined) return allRows;
  return paging.flatMap(({ part, before, after }) =>
    part === "limit" ? [{ part, before, count: noLimit, after }] : [],
  );
}

function resolveCount(count: unknown, key: string, resolution: Resolution): number | undefined {
  if (count === undefined) return undefined;
  if (typeof count === "number" && Number.isSafeInteger(count) && count >= 0) return count;
  resolution.add("INVALID_PARAM", `${key} must be a whole number from 0`, key);
  return undefined;
}

const countForm: Form = { operand: "count", column: undefined };

function resolveParam(
  name: unknown,
  key: string,
  most: number | undefined,
  resolution: Resolution,
): ParameterPlace | undefined {
  const given = name === undefined ? undefined : resolution.given(name, key);
  if (given === undefined) return undefined;
  // No field is compared with a constant here.
  const place = placeOf(given, key === "limit_param" ? "limit" : "offset", resolution);
  return {
    kind: "parameter",
    ...given,
    binder: boundTo(given, () => cappedBinder(place, most)),
    // Parameters with the same maximum could share a placeholder, but a parameter without one must not get a reduced
    // value.
    form: most === undefined ? countForm : undefined,
  };
}

function clausesOf(
  limit: number | ParameterPlace | undefined,
  offset: number | ParameterPlace | undefined,
  { grammar: { paging, noLimit } }: Resolution,
): PagingClause[] {
  // Some dialects do not accept an offset without a limit.
  const most = limit ?? (offset === undefined ? undefined : noLimit);
  const clauses: PagingClause[] = [];
  for (const { part, before, after } of paging) {
    const count = part === "limit" ? most : offset;
    if (count !== undefined) clauses.push({ part, before, count, after });
  }
  return clauses;
}
