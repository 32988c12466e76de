/** Resolves which part of the rows is wanted: how many, and from where on. */
import type { PagingSpec } from "../ast/spec.js";
import { cappedBinder } from "../value/binder.js";
import type { Resolution } from "./resolution.js";
import type { Form, PagingClause, Parameter } from "./resolved.js";

/** Resolves `limit`, `offset` and their parameters. */
export function resolvePaging(
  spec: { readonly [K in keyof PagingSpec]?: unknown },
  resolution: Resolution,
): readonly PagingClause[] {
  const { limit: most, limit_param: mostParam, offset: skipped, offset_param: skippedParam } = spec;
  if (most === undefined && mostParam === undefined && skipped === undefined && skippedParam === undefined)
    return allRows;
  const limit = resolveCount(most, "limit", resolution);
  // A limit beside a parameter is the most that the parameter can ask for; two offsets would be one too many.
  const limitParam = resolveParam(mostParam, "limit_param", limit, resolution);
  const offset = resolveCount(skipped, "offset", resolution);
  const offsetParam = resolveParam(skippedParam, "offset_param", undefined, resolution);
  if (skipped !== undefined && skippedParam !== undefined)
    resolution.add("INVALID_SPEC", "offset and offset_param are one or the other", "offset_param");
  return clausesOf(limitParam ?? limit, offsetParam ?? offset, resolution);
}

const allRows: readonly PagingClause[] = [];

/** The clauses of the first row alone. */
export function firstRow(resolution: Resolution): PagingClause[] {
  return clausesOf(1, undefined, resolution);
}

function resolveCount(count: unknown, key: string, resolution: Resolution): number | undefined {
  if (count === undefined) return undefined;
  if (typeof count === "number" && Number.isSafeInteger(count) && count >= 0) return count;
  resolution.add("INVALID_PARAM", `${key} is a whole number from 0`, key);
  return undefined;
}

const countForm: Form = { operand: "count", column: undefined };

function resolveParam(
  name: unknown,
  key: string,
  most: number | undefined,
  resolution: Resolution,
): Parameter | undefined {
  const param = name === undefined ? undefined : resolution.param(name, key);
  if (param === undefined) return undefined;
  const { table } = resolution;
  return {
    kind: "parameter",
    name: param,
    binder: () => cappedBinder({ param, table }, most),
    // Places with one most could share a placeholder, but what has none must not get the value of one that has.
    form: most === undefined ? countForm : undefined,
  };
}

function clausesOf(
  limit: number | Parameter | undefined,
  offset: number | Parameter | undefined,
  { grammar: { paging, noLimit } }: Resolution,
): PagingClause[] {
  // Some dialects take no offset without a limit.
  const most = limit ?? (offset === undefined ? undefined : noLimit);
  const clauses: PagingClause[] = [];
  for (const { part, before, after } of paging) {
    const count = part === "limit" ? most : offset;
    if (count !== undefined) clauses.push({ before, count, after });
  }
  return clauses;
}
