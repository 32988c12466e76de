/** What the builders with a `WHERE` share: their conditions. */
import { keyOf, listKey } from "../ast/key.js";
import type { Filter } from "../ast/statement.js";
import { keyOfCondition, specsOf } from "../expression/condition.js";
import type { ResolvedStatement } from "../resolve/resolved.js";
import { StatementBuilder } from "./statement.js";

export interface Filtered {
  readonly where?: readonly Filter[] | undefined;
}

/** A builder with a `WHERE`. */
export abstract class FilteredBuilder<
  S extends Filtered,
  R extends ResolvedStatement,
> extends StatementBuilder<S, R> {
  where(field: string, operator: string, param: string): this {
    return this.step(keyOf("where", field, operator, param), () =>
      this.withCondition({ field, operator, param }),
    );
  }

  whereAnd(...conditions: readonly unknown[]): this {
    return this.step(listKey("whereAnd", conditions, keyOfCondition), () =>
      this.withCondition({ logic: "AND", group: specsOf(conditions) }),
    );
  }

  whereOr(...conditions: readonly unknown[]): this {
    return this.step(listKey("whereOr", conditions, keyOfCondition), () =>
      this.withCondition({ logic: "OR", group: specsOf(conditions) }),
    );
  }

  whereNull(field: string): this {
    return this.step(keyOf("whereNull", field), () =>
      this.withCondition({ field, operator: "IS NULL", is_null: true }),
    );
  }

  whereNotNull(field: string): this {
    return this.step(keyOf("whereNotNull", field), () =>
      this.withCondition({ field, operator: "IS NOT NULL", is_null: true }),
    );
  }

  whereBetween(field: string, low: string, high: string): this {
    return this.step(keyOf("whereBetween", field, low, high), () =>
      this.withCondition({ field, operator: "BETWEEN", low_param: low, high_param: high }),
    );
  }

  whereNotBetween(field: string, low: string, high: string): this {
    return this.step(keyOf("whereNotBetween", field, low, high), () =>
      this.withCondition({ field, operator: "NOT BETWEEN", low_param: low, high_param: high }),
    );
  }

  whereFields(left: string, operator: string, right: string): this {
    return this.step(keyOf("whereFields", left, operator, right), () =>
      this.withCondition({ field: left, operator, right_field: right }),
    );
  }

  protected withCondition(condition: object): this {
    return this.adding("where", [condition]);
  }
}
