/** Shared by select and query: the selected columns and their order. */

import { describeType, quoted, readParts } from "../../core/errors.js";
import { DistanceCondition } from "../ast/condition-parts.js";
import { type DistanceNode, paramPart } from "../ast/expression.js";
import { keyOf, listKey, operandKey } from "../ast/key.js";
import type { LockSpec } from "../ast/spec.js";
import type { QueryStatement, SelectStatement } from "../ast/statement.js";
import type { RequestCall } from "../exec/call.js";
import type { DecodedRow } from "../exec/decode.js";
import { isScannedInside, scannedInside } from "../exec/scan-nested.js";
import type { ResolvedReading } from "../resolve/scope/resolved.js";

import { type Problem, QueryError } from "../words/errors.js";
import type { Operation } from "../words/events.js";
import type { ExecOptions, LockOptions } from "../words/options.js";
import { Builder } from "./builder.js";
import { type ChainStep, failed, type Placing } from "./draft/draft.js";
import type { SelectingDraft } from "./draft/statement-draft.js";
import type { FilterOperand } from "./filters.js";
import { JoiningBuilder } from "./joining.js";
import { nestedRows, nestedRowsOn } from "./nesting.js";
import { orderedBy, orderedByExpr, orderedByNulls } from "./paging.js";
import { selected } from "./selected.js";

type Rows = SelectStatement | QueryStatement;

/** A builder of rows. */
export abstract class SelectingBuilder<T extends Rows> extends JoiningBuilder<T> {
  /** The value as a builder of rows; undefined for any other value. */
  static override own(value: unknown): SelectingBuilder<Rows> | undefined {
    const builder = Builder.own(value);
    return builder instanceof SelectingBuilder ? builder : undefined;
  }

  fields(...names: readonly unknown[]): this {
    return this.taking(selecting, names, undefined, undefined);
  }

  with(relation: string, query?: unknown): this {
    return this.take(nestedRows(relation, query, this.draft.source));
  }

  withOn(name: string, query: unknown, mine: unknown, theirs?: string): this {
    return this.take(nestedRowsOn(name, query, mine, theirs, this.draft.source));
  }

  groupBy(...fields: readonly FilterOperand[]): this {
    return this.taking(grouping, fields, undefined, undefined);
  }

  having(alias: FilterOperand, operator: string, param: unknown): this {
    return this.taking(havingCompared, alias, operator, param);
  }

  havingAgg(func: string, field: string, operator: string, param: unknown): this {
    const name = func === "countDistinct" ? "count_distinct" : func;
    // A missing field would mean the rows themselves.
    const condition = { func: name, field: field ?? null, operator, param };
    const key = keyOf("havingAgg", name, field, operator, paramPart(param));
    return this.take({
      key,
      parts: [param],
      on: (draft, placed) => draft.adding("having_agg", [placed(condition)]),
    });
  }

  whereDistance(field: string, operator: string, param: unknown, comparison: string, limit: unknown): this {
    const key = keyOf("whereDistance", field, operator, paramPart(param), comparison, paramPart(limit));
    const distance: DistanceNode = { kind: "distance", field, operator, param };
    return this.take({
      key,
      parts: [param, limit],
      on: (draft, placed) => draft.filtered(placed(new DistanceCondition(distance, comparison, limit))),
    });
  }

  distinct(): this {
    return this.take(DISTINCT);
  }

  distinctOn(...fields: readonly FilterOperand[]): this {
    const key = listKey("distinctOn", fields, operandKey);
    return this.take({ key, on: (draft) => draft.adding("distinct_on", fields) });
  }

  forUpdate(options?: LockOptions): this {
    return this.take(locking("update", options));
  }

  forNoKeyUpdate(options?: LockOptions): this {
    return this.take(locking("no_key_update", options));
  }

  forShare(options?: LockOptions): this {
    return this.take(locking("share", options));
  }

  forKeyShare(options?: LockOptions): this {
    return this.take(locking("key_share", options));
  }

  orderBy(field: FilterOperand, direction: string): this {
    return this.taking(orderedBy, field, direction, undefined);
  }

  orderByNulls(field: FilterOperand, direction: string, nulls: string): this {
    return this.taking(orderedByNulls, field, direction, nulls);
  }

  orderByExpr(field: string, operator: string, param: unknown, direction: string): this {
    return this.take(orderedByExpr(field, operator, param, direction));
  }

  /** A lock without a transaction would end before it could be used. */
  override call(options: ExecOptions | undefined, operation: Operation): RequestCall {
    return lockedIn(super.call(options, operation), this.draft.resolved);
  }

  override callsBack(): boolean {
    const { prepared, source } = this.draft;
    return super.callsBack() || isScannedInside(prepared, source);
  }

  // The nested rows come first.
  override scanned(
    rows: readonly DecodedRow[],
    call: RequestCall,
    index?: number,
  ): Promise<void> | undefined {
    const { prepared, source } = this.draft;
    return scannedInside(rows, prepared, source, call) ?? super.scanned(rows, call, index);
  }
}

function selecting<D extends SelectingDraft>(names: readonly unknown[]): ChainStep<D> {
  const key = listKey("fields", names, operandKey);
  return { key, on: (draft) => draft.adding("fields", names.map(selected)) };
}

function grouping<D extends SelectingDraft>(fields: readonly FilterOperand[]): ChainStep<D> {
  const key = listKey("groupBy", fields, operandKey);
  return { key, on: (draft) => draft.adding("group_by", fields) };
}

function havingCompared<D extends SelectingDraft>(
  field: FilterOperand,
  operator: string,
  param: unknown,
): ChainStep<D> {
  const key = keyOf("having", field, operator, paramPart(param));
  const on = (draft: D, placed: Placing) => draft.adding("having", [placed({ field, operator, param })]);
  return { key, parts: [param], on };
}

function locking<D extends SelectingDraft>(
  mode: Extract<LockSpec, string>,
  options: LockOptions | null = {},
): ChainStep<D> {
  const given: LockOptions | undefined = readParts(options ?? {});
  const fault = faultOfLock(given, options);
  if (fault !== undefined) return failed(fault);
  const { skipLocked, noWait } = given ?? {};
  const plain = skipLocked === undefined && noWait === undefined;
  const lock: LockSpec = plain ? mode : { mode, skip_locked: skipLocked, no_wait: noWait };
  return { key: undefined, on: (draft) => draft.with({ for_locking: lock }) };
}

const DISTINCT = {
  key: "distinct",
  on: <D extends SelectingDraft>(draft: D): D => draft.with({ distinct: true }),
};

/**
 * The call of a statement that may lock rows.
 * @throws {QueryError} `TRANSACTION_REQUIRED` if it locks rows outside a transaction.
 */
export function lockedIn(call: RequestCall, resolved: ResolvedReading): RequestCall {
  if (resolved.kind === "query" && resolved.lock !== undefined && !call.session.isTransaction)
    throw new QueryError(
      "TRANSACTION_REQUIRED",
      "a row lock lasts until the end of a transaction: pass a transaction as tx",
    );
  return call;
}

// An unknown option would be a lock that waits.
function faultOfLock(read: object | undefined, options: unknown): Problem | undefined {
  const unknown =
    read === undefined
      ? describeType(options)
      : Object.keys(read).find((key) => key !== "skipLocked" && key !== "noWait");
  if (unknown === undefined) return undefined;
  const message = `a lock takes { skipLocked, noWait }, not ${quoted(unknown)}`;
  return { code: "INVALID_SPEC", message, path: "for_locking" };
}
