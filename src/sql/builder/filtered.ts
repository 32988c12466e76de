/** What the builders with a `WHERE` share: their conditions, and the statement that is checked and kept. */
import type { ConditionSpec } from "../ast/spec.js";
import type { Statement } from "../ast/statement.js";
import { checkStatement } from "../check/statement.js";
import { specsOf } from "../condition.js";
import { Prepared } from "../exec/execute.js";
import type { ExecOptions, TransactionHandle } from "../exec/options.js";
import { checkNames, type Params } from "../exec/params.js";
import type { Plan } from "../render/plan.js";
import type { Rendered } from "../render/rendered.js";
import { Builder, inTransaction } from "./builder.js";

export interface Filtered {
  readonly where?: readonly ConditionSpec[] | undefined;
}

/** A prepared statement and the values behind its placeholders. */
export interface Bound {
  readonly prepared: Prepared;
  readonly values: readonly unknown[];
}

/** A builder with a `WHERE`. */
export abstract class FilteredBuilder<S extends Filtered> extends Builder<S> {
  #checked: Prepared | undefined;
  #known: ReadonlySet<string> | undefined;

  /** The statement of this builder. */
  protected abstract statement(): Statement;
  /** The text of a checked spec. */
  protected abstract plan(spec: S): Plan;
  abstract exec(params?: Params, options?: ExecOptions): Promise<unknown>;

  where(field: string, operator: string, param: string): this {
    return this.withCondition({ field, operator, param });
  }

  whereAnd(...conditions: readonly unknown[]): this {
    return this.withCondition({ logic: "AND", group: specsOf(conditions) });
  }

  whereOr(...conditions: readonly unknown[]): this {
    return this.withCondition({ logic: "OR", group: specsOf(conditions) });
  }

  whereNull(field: string): this {
    return this.withCondition({ field, operator: "IS NULL", is_null: true });
  }

  whereNotNull(field: string): this {
    return this.withCondition({ field, operator: "IS NOT NULL", is_null: true });
  }

  whereBetween(field: string, low: string, high: string): this {
    return this.withCondition({ field, operator: "BETWEEN", low_param: low, high_param: high });
  }

  whereNotBetween(field: string, low: string, high: string): this {
    return this.withCondition({ field, operator: "NOT BETWEEN", low_param: low, high_param: high });
  }

  whereFields(left: string, operator: string, right: string): this {
    return this.withCondition({ field: left, operator, right_field: right });
  }

  render(): Rendered {
    return this.prepared().plan.rendered;
  }

  async execTx(tx: TransactionHandle, params?: Params): Promise<unknown> {
    return this.exec(params, inTransaction(tx));
  }

  /** The whole statement: checked, rendered and prepared once. */
  protected prepared(): Prepared {
    if (this.#checked === undefined) {
      checkStatement(this.statement(), this.source.grammar, this.problems);
      this.#checked = new Prepared(this.plan(this.spec));
    }
    return this.#checked;
  }

  /** The names of all parameters. */
  protected known(): ReadonlySet<string> {
    this.#known ??= new Set(this.prepared().plan.rendered.params);
    return this.#known;
  }

  /** Checks the names of a call's parameters and binds their values. */
  protected bound(params: Params): Bound {
    const prepared = this.prepared();
    const record = checkNames(params, prepared.plan.rendered.params, this.known(), this.source.table);
    return { prepared, values: prepared.bind(record) };
  }

  protected withCondition(condition: object): this {
    return this.adding("where", [condition]);
  }
}
