/** Shared by the builders with conditions of any kind. */
import { RawCondition } from "../ast/expression.js";
import type { Statement } from "../ast/statement.js";
import { Builder } from "./builder.js";
import type { Draft } from "./draft/draft.js";
import {
  type Added,
  compared,
  comparedFields,
  type FilterOperand,
  grouped,
  nullTested,
  ranged,
  rawCondition,
} from "./filters.js";

/** A builder with conditions. */
export abstract class ConditionedBuilder<T extends Statement, D extends Draft<T>> extends Builder<T, D> {
  /** The builder with one more condition. */
  protected abstract withCondition(condition: object): this;

  where(field: FilterOperand, operator: string, param: string): this {
    return this.#added(compared, field, operator, param);
  }

  whereAnd(...conditions: readonly unknown[]): this {
    return this.#added(grouped, "AND", conditions, undefined);
  }

  whereOr(...conditions: readonly unknown[]): this {
    return this.#added(grouped, "OR", conditions, undefined);
  }

  whereNull(field: FilterOperand): this {
    return this.#added(nullTested, field, "IS NULL", undefined);
  }

  whereNotNull(field: FilterOperand): this {
    return this.#added(nullTested, field, "IS NOT NULL", undefined);
  }

  whereBetween(field: FilterOperand, low: string, high: string): this {
    return this.#adding(ranged(field, "BETWEEN", low, high));
  }

  whereNotBetween(field: FilterOperand, low: string, high: string): this {
    return this.#adding(ranged(field, "NOT BETWEEN", low, high));
  }

  whereFields(left: FilterOperand, operator: string, right: FilterOperand): this {
    return this.#added(comparedFields, left, operator, right);
  }

  whereRaw(text: unknown): this {
    const condition = rawCondition(text);
    return condition instanceof RawCondition ? this.withCondition(condition) : this.failing(condition);
  }

  #added<A, B, C>(of: (a: A, b: B, c: C) => Added, a: A, b: B, c: C): this {
    return this.again(of, a, b, c) ?? this.noted(this.#adding(of(a, b, c)), of, a, b, c);
  }

  #adding({ key, condition, operands }: Added): this {
    return this.step(key, () => this.withCondition(condition()), operands);
  }
}
