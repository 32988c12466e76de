/** What the builders with a `WHERE` share: their conditions. */
import type { Filter } from "../ast/statement.js";
import { specsOf } from "../condition.js";
import { StatementBuilder } from "./statement.js";

export interface Filtered {
  readonly where?: readonly Filter[] | undefined;
}

/** A builder with a `WHERE`. */
export abstract class FilteredBuilder<S extends Filtered> extends StatementBuilder<S> {
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

  protected withCondition(condition: object): this {
    return this.adding("where", [condition]);
  }
}
