/** A builder of an insert whose update of an existing row has conditions. */
import { ConflictConditions } from "../ast/builder-parts.js";
import { RawCondition } from "../ast/expression.js";
import type { InsertStatement } from "../ast/statement.js";
import { Builder } from "./builder.js";
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
import type { InsertDraft } from "./insert-draft.js";

/** The conditions of an upsert. */
export abstract class ConditionalInsert extends Builder<InsertStatement, InsertDraft> {
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
    return condition instanceof RawCondition ? this.#with(condition) : this.failing(condition);
  }

  #added({ key, condition, operands }: Added): this {
    return this.step(key, () => this.#with(condition()), operands);
  }

  #with(condition: object): this {
    const before = this.spec.conflict_where?.list ?? [];
    return this.setting({ conflict_where: new ConflictConditions([...before, condition]) });
  }
}
