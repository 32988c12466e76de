/** Shared by the builders with a `WHERE`: its conditions, including those with queries. */
import { notShown, onlyConditions, RowsOn, type Shown, withTable } from "../ast/inner-query.js";
import { draftKey, keyOf } from "../ast/key.js";
import type { Filter, Statement } from "../ast/statement.js";
import type { CallParams } from "../exec/params.js";
import { keyOfCondition, specsOf } from "../expression/condition.js";
import { byCondition, isByCondition } from "../expression/queries.js";
import type { ExecOptions, TransactionHandle } from "../words/options.js";
import { type BoundCall, boundCall, type Sendable } from "./bound.js";
import { inTransaction } from "./builder.js";
import { ConditionedBuilder } from "./conditioned.js";
import { failed, type Placing } from "./draft/draft.js";
import type { StatementDraft } from "./draft/statement-draft.js";
import { type FilterOperand, operandsOf } from "./filters.js";
import { type GivenQuery, givenQuery, isQueryGiven } from "./inner.js";

type ExistsWord = "exists" | "not_exists";

/** A statement with a `WHERE`. */
export type Filtered = Extract<
  Statement,
  { readonly spec: { readonly where?: readonly Filter[] | undefined } }
>;

/** A builder with a `WHERE`. */
export abstract class FilteredBuilder<
  T extends Filtered,
  D extends StatementDraft<T>,
> extends ConditionedBuilder<T, D> {
  abstract exec(params?: CallParams, options?: ExecOptions): Promise<unknown>;

  async execTx(tx: TransactionHandle, params?: CallParams): Promise<unknown> {
    return this.exec(params, inTransaction(tx));
  }

  /** A call of `exec` for `atomic`. */
  bind(params?: CallParams): BoundCall {
    return this.bound(params, (tx, given) => this.exec(given, inTransaction(tx)));
  }

  /** A call with these parameters. */
  protected bound(
    params: CallParams,
    execute: (tx: TransactionHandle, given: CallParams) => Promise<unknown>,
  ): BoundCall {
    return boundCall(this.place.session, [params], (given) => this.sendingOf(given), execute);
  }

  /**
   * What a call with these parameters sends.
   * @throws {SqlError} for parameters that `exec` refuses.
   */
  protected sendingOf(params: CallParams): Sendable {
    return this.sending(this.draft.request(this.given(params)), true);
  }

  whereExists(relation: string, query?: unknown): this {
    return this.#exists("exists", relation, query);
  }

  whereNotExists(relation: string, query?: unknown): this {
    return this.#exists("not_exists", relation, query);
  }

  whereExistsOn(query: unknown, mine: unknown, theirs?: string): this {
    return this.#existsOn("exists", query, mine, theirs);
  }

  whereNotExistsOn(query: unknown, mine: unknown, theirs?: string): this {
    return this.#existsOn("not_exists", query, mine, theirs);
  }

  #exists(word: ExistsWord, relation: unknown, query: unknown): this {
    // A relation that an untyped caller left out must not become a missing key.
    if (query === undefined) {
      const key = keyOf(word, relation);
      return this.take({ key, on: (draft) => draft.filtered({ [word]: relation ?? null }) });
    }
    return this.#inner(query, word, [relation], onlyConditions, ({ query: where }) => ({
      [word]: relation ?? null,
      where,
    }));
  }

  #existsOn(word: ExistsWord, query: unknown, mine: unknown, theirs: unknown): this {
    if (isByCondition(mine, theirs)) {
      const one = byCondition(word, query, mine);
      const [spec = {}] = specsOf([one]);
      const step = keyOfCondition(one);
      const key = step === undefined ? undefined : `where${step}`;
      return this.take({ key, operands: operandsOf([one]), on: (draft) => draft.filtered(spec) });
    }
    return this.#inner(query, `${word} on`, [mine, theirs], notShown, (given) => ({
      [word]: new RowsOn(given.query, mine, theirs),
    }));
  }

  whereQuery(field: FilterOperand, operator: string, query: unknown): this {
    return this.#inner(query, "whereQuery", [field, operator], withTable, (given) => ({
      field,
      operator,
      query: given.query,
    }));
  }

  /** A condition with a query of another builder. */
  #inner(
    value: unknown,
    method: string,
    names: readonly unknown[],
    shown: Shown,
    condition: (given: GivenQuery) => object,
  ): this {
    const given = givenQuery(value, this.draft.source, "a condition", shown);
    if (!isQueryGiven(given)) return this.take(failed({ ...given, path: "where" }));
    const { draft: inner, problems } = given;
    const key = keyOf(draftKey(method, inner.id), ...names);
    const on = (draft: D, placed: Placing) => draft.filtered(placed(condition(given))).failing(...problems);
    return this.take({ key, operands: [inner], parts: [given.query], on });
  }
}
