/** Shared by select and query: the selected columns and their order. */

import { describeType, isReadable, quoted } from "../../core/errors.js";
import { DistanceCondition, type DistanceNode } from "../ast/expression.js";
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
import type { ReadingDraft } from "./draft/statement-draft.js";
import type { FilterOperand } from "./filters.js";
import { JoiningBuilder } from "./joining.js";
import {
  isNested,
  type NestedStep,
  nestedRows,
  nestedRowsOn,
  nestedTwice,
  nestedUnnamed,
} from "./nesting.js";
import { orderedBy, orderedByExpr, orderedByNulls } from "./paging.js";
import { selected } from "./selected.js";

type Rows = SelectStatement | QueryStatement;

/** A draft of rows, as a set operation uses it. */
export type SelectingDraft = ReadingDraft<Rows>;

/** A builder of rows. */
export abstract class SelectingBuilder<T extends Rows> extends JoiningBuilder<T> {
  /** The value as a builder of rows; undefined for any other value. */
  static override own(value: unknown): SelectingBuilder<Rows> | undefined {
    const builder = Builder.own(value);
    return builder instanceof SelectingBuilder ? builder : undefined;
  }

  fields(...names: readonly unknown[]): this {
    return this.again("fields", names) ?? this.noted(this.#selecting(names), "fields", names);
  }

  #selecting(names: readonly unknown[]): this {
    return this.step(listKey("fields", names, operandKey), () => this.adding("fields", names.map(selected)));
  }

  with(relation: string, query?: unknown): this {
    return this.#nesting(relation, nestedRows(relation, query, this.draft.source));
  }

  withOn(name: string, query: unknown, mine: string, theirs: string): this {
    return this.#nesting(name, nestedRowsOn(name, query, mine, theirs, this.draft.source));
  }

  #nesting(name: string, step: NestedStep | Problem): this {
    if (!isNested(step)) return this.failing(step);
    const { key, rows, operand, problems } = step;
    return this.step(key, () => this.#nested(name, rows, problems), operand === undefined ? [] : [operand]);
  }

  #nested(name: string, rows: unknown, problems: readonly Problem[]): this {
    const { with: known = {} } = this.spec;
    // As a key, a value of an untyped caller would get a name that it did not have.
    if (typeof name !== "string") return this.failing(nestedUnnamed(name));
    if (Object.hasOwn(known, name)) return this.failing(nestedTwice(name));
    const nested = Object.assign(Object.create(null), known, { [name]: rows });
    const begun: this = this.setting({ with: nested } as Partial<T["spec"]>);
    return begun.failingAll(problems);
  }

  groupBy(...fields: readonly FilterOperand[]): this {
    return this.again("groupBy", fields) ?? this.noted(this.#grouping(fields), "groupBy", fields);
  }

  #grouping(fields: readonly FilterOperand[]): this {
    return this.step(listKey("groupBy", fields, operandKey), () => this.adding("group_by", fields));
  }

  having(alias: FilterOperand, operator: string, param: string): this {
    return (
      this.again("having", alias, operator, param) ??
      this.noted(this.#having(alias, operator, param), "having", alias, operator, param)
    );
  }

  #having(alias: FilterOperand, operator: string, param: string): this {
    return this.step(keyOf("having", alias, operator, param), () =>
      this.adding("having", [{ field: alias, operator, param }]),
    );
  }

  havingAgg(func: string, field: string, operator: string, param: string): this {
    const name = func === "countDistinct" ? "count_distinct" : func;
    return this.step(keyOf("havingAgg", name, field, operator, param), () =>
      // A missing field would mean the rows themselves.
      this.adding("having_agg", [{ func: name, field: field ?? null, operator, param }]),
    );
  }

  whereDistance(field: string, operator: string, param: string, comparison: string, limit: string): this {
    return this.step(keyOf("whereDistance", field, operator, param, comparison, limit), () => {
      const distance: DistanceNode = { kind: "distance", field, operator, param };
      return this.adding("where", [new DistanceCondition(distance, comparison, limit)]);
    });
  }

  distinct(): this {
    // `T` has at least the keys of a select spec.
    return this.step("distinct", () => this.setting({ distinct: true } as Partial<T["spec"]>));
  }

  distinctOn(...fields: readonly FilterOperand[]): this {
    return this.step(listKey("distinctOn", fields, operandKey), () => this.adding("distinct_on", fields));
  }

  forUpdate(options?: LockOptions): this {
    return this.#lock("update", options);
  }

  forNoKeyUpdate(options?: LockOptions): this {
    return this.#lock("no_key_update", options);
  }

  forShare(options?: LockOptions): this {
    return this.#lock("share", options);
  }

  forKeyShare(options?: LockOptions): this {
    return this.#lock("key_share", options);
  }

  orderBy(field: FilterOperand, direction: string): this {
    return this.taking(orderedBy, field, direction, undefined);
  }

  orderByNulls(field: FilterOperand, direction: string, nulls: string): this {
    return this.taking(orderedByNulls, field, direction, nulls);
  }

  orderByExpr(field: string, operator: string, param: string, direction: string): this {
    return this.takingStep(orderedByExpr(field, operator, param, direction));
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

  #lock(mode: Extract<LockSpec, string>, options: LockOptions | null = {}): this {
    const fault = faultOfLock(options);
    if (fault !== undefined) return this.failing(fault);
    const { skipLocked, noWait } = options ?? {};
    const plain = skipLocked === undefined && noWait === undefined;
    const lock: LockSpec = plain ? mode : { mode, skip_locked: skipLocked, no_wait: noWait };
    return this.setting({ for_locking: lock } as Partial<T["spec"]>);
  }
}

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
function faultOfLock(options: unknown): Problem | undefined {
  const unknown =
    options === null || !isReadable(options)
      ? describeType(options)
      : Object.keys(options).find((key) => key !== "skipLocked" && key !== "noWait");
  if (options === null || unknown === undefined) return undefined;
  const message = `a lock takes { skipLocked, noWait }, not ${quoted(unknown)}`;
  return { code: "INVALID_SPEC", message, path: "for_locking" };
}
