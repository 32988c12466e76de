/** What the builders with a `WHERE` share: their conditions. */

import { RawCondition } from "../ast/expression.js";
import type { Filter, Statement } from "../ast/statement.js";
import {
  type Added,
  compared,
  comparedFields,
  grouped,
  nullTested,
  type Operand,
  ranged,
  rawCondition,
} from "./filters.js";
import { StatementBuilder } from "./statement.js";
import type { StatementDraft } from "./statement-draft.js";

/** A statement with a `WHERE`. */
export type Filtered = Extract<
  Statement,
  { readonly spec: { readonly where?: readonly Filter[] | undefined } }
>;

/** A builder with a `WHERE`. */
export abstract class FilteredBuilder<
  T extends Filtered,
  D extends StatementDraft<T>,
> extends StatementBuilder<T, D> {
  where(field: Operand, operator: string, param: string): this {
    return this.#added(compared(field, operator, param));
  }

  whereAnd(...conditions: readonly unknown[]): this {
    return this.#added(grouped("AND", conditions));
  }

  whereOr(...conditions: readonly unknown[]): this {
    return this.#added(grouped("OR", conditions));
  }

  whereNull(field: Operand): this {
    return this.#added(nullTested(field, "IS NULL"));
  }

  whereNotNull(field: Operand): this {
    return this.#added(nullTested(field, "IS NOT NULL"));
  }

  whereBetween(field: Operand, low: string, high: string): this {
    return this.#added(ranged(field, "BETWEEN", low, high));
  }

  whereNotBetween(field: Operand, low: string, high: string): this {
    return this.#added(ranged(field, "NOT BETWEEN", low, high));
  }

  whereFields(left: Operand, operator: string, right: Operand): this {
    return this.#added(comparedFields(left, operator, right));
  }

  whereRaw(text: unknown): this {
    const condition = rawCondition(text);
    return condition instanceof RawCondition ? this.withCondition(condition) : this.failing(condition);
  }

  #added({ key, condition }: Added): this {
    return this.step(key, () => this.withCondition(condition()));
  }

  protected withCondition(condition: object): this {
    return this.adding("where", [condition]);
  }
}
