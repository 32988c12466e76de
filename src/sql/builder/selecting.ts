/** What select and query share: the columns that come out and their order. */

import { describeType, isReadable, quoted } from "../../core/errors.js";
import { DistanceCondition, type DistanceNode, isNamedExpression } from "../ast/expression.js";
import { keyOf, listKey, textKey } from "../ast/key.js";
import type { LockSpec } from "../ast/spec.js";
import type { QueryStatement, Selected, SelectStatement } from "../ast/statement.js";
import type { Grammar } from "../dialect/grammar.js";
import type { Call } from "../exec/execute.js";
import { type Problem, QueryError } from "../words/errors.js";
import type { Operation } from "../words/events.js";
import type { ExecOptions, LockOptions } from "../words/options.js";
import { OptionallyFilteredBuilder } from "./optional.js";

/** A query as a part of another. */
export interface OperandParts {
  readonly statement: SelectStatement | QueryStatement;
  readonly grammar: Grammar;
  readonly problems: readonly Problem[];
}

type RowsState = SelectStatement["spec"] | QueryStatement["spec"];

/** A builder of rows. */
export abstract class SelectingBuilder<S extends RowsState> extends OptionallyFilteredBuilder<S> {
  abstract override statement(): SelectStatement | QueryStatement;

  // A proxy has no private members, so it cannot pass for a builder.
  readonly #mark = true;

  /** The value as a builder of rows; undefined for what is none. */
  static own(value: unknown): SelectingBuilder<RowsState> | undefined {
    return typeof value === "object" && value !== null && #mark in value ? value : undefined;
  }

  /** What a compound query takes of this one. */
  asOperand(): OperandParts {
    return {
      statement: this.statement(),
      grammar: this.context.grammar,
      problems: this.problems,
    };
  }

  fields(...names: readonly unknown[]): this {
    return this.step(listKey("fields", names, keyOfSelected), () =>
      this.adding("fields", names.map(selected)),
    );
  }

  groupBy(...fields: readonly string[]): this {
    return this.step(listKey("groupBy", fields, textKey), () => this.adding("group_by", fields));
  }

  having(alias: string, operator: string, param: string): this {
    return this.step(keyOf("having", alias, operator, param), () =>
      this.adding("having", [{ field: alias, operator, param }]),
    );
  }

  havingAgg(func: string, field: string, operator: string, param: string): this {
    const name = func === "countDistinct" ? "count_distinct" : func;
    return this.step(keyOf("havingAgg", name, field, operator, param), () =>
      // What is left out would be the rows themselves.
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
    // `S` has at least the keys of a select spec.
    return this.step("distinct", () => this.with({ distinct: true } as Partial<S>));
  }

  distinctOn(...fields: readonly string[]): this {
    return this.step(listKey("distinctOn", fields, textKey), () => this.adding("distinct_on", fields));
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

  orderBy(field: string, direction: string): this {
    return this.step(keyOf("orderBy", field, direction), () =>
      this.adding("order_by", [{ field, direction }]),
    );
  }

  orderByNulls(field: string, direction: string, nulls: string): this {
    return this.step(keyOf("orderByNulls", field, direction, nulls), () =>
      // What is left out would be where the dialect puts them.
      this.adding("order_by", [{ field, direction, nulls: nulls ?? null }]),
    );
  }

  orderByExpr(field: string, operator: string, param: string, direction: string): this {
    return this.step(keyOf("orderByExpr", field, operator, param, direction), () =>
      this.adding("order_by", [{ field, operator, param, direction }]),
    );
  }

  /** A lock without a transaction would be gone before anybody could use it. */
  protected override call(options: ExecOptions | undefined, operation: Operation): Call {
    const call = super.call(options, operation);
    const resolved = this.resolved();
    if (resolved.kind === "query" && resolved.lock !== undefined && !call.session.isTransaction)
      throw new QueryError(
        "TRANSACTION_REQUIRED",
        "a row lock is held until the end of a transaction: give one as tx",
      );
    return call;
  }

  #lock(mode: Extract<LockSpec, string>, options: LockOptions | null = {}): this {
    const fault = faultOfLock(options);
    if (fault !== undefined) return this.failing(fault);
    const { skipLocked, noWait } = options ?? {};
    const plain = skipLocked === undefined && noWait === undefined;
    const lock: LockSpec = plain ? mode : { mode, skip_locked: skipLocked, no_wait: noWait };
    return this.with({ for_locking: lock } as Partial<S>);
  }
}

// A wish that is not understood would be a lock that waits.
function faultOfLock(options: unknown): Problem | undefined {
  const unknown =
    options === null || !isReadable(options)
      ? describeType(options)
      : Object.keys(options).find((key) => key !== "skipLocked" && key !== "noWait");
  if (options === null || unknown === undefined) return undefined;
  const message = `a lock takes { skipLocked, noWait }, not ${quoted(unknown)}`;
  return { code: "INVALID_SPEC", message, path: "for_locking" };
}

function keyOfSelected(one: unknown): string | undefined {
  return isNamedExpression(one) ? one.key : textKey(one);
}

// An aggregate that specs have is kept as its spec. What is no field and no expression becomes a word for it, which
// the check refuses: an object of somebody else could change between the check and the rendering.
function selected(one: unknown): Selected {
  if (typeof one === "string") return one;
  if (!isNamedExpression(one)) return describeType(one);
  const { node, alias } = one;
  if (node.kind !== "aggregate" || node.filter !== undefined) return one;
  const { func, operand: field } = node;
  if (typeof field === "object") return one;
  return Object.freeze(field === undefined ? { func, alias } : { func, field, alias });
}
