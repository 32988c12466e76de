/** Shared by the builders with conditions of any kind. */
import type { Statement } from "../ast/statement.js";
import { Builder } from "./builder.js";
import type { Draft } from "./draft/draft.js";
import {
  comparedFields,
  comparing,
  type FilterOperand,
  filteredByText,
  grouped,
  nullTested,
  ranged,
} from "./filters.js";

/** A builder with conditions. */
export abstract class ConditionedBuilder<T extends Statement, D extends Draft<T>> extends Builder<T, D> {
  where(field: FilterOperand, operator: string, param: unknown): this {
    return this.taking(comparing, field, operator, param);
  }

  whereAnd(...conditions: readonly unknown[]): this {
    return this.taking(grouped, "AND", conditions, undefined);
  }

  whereOr(...conditions: readonly unknown[]): this {
    return this.taking(grouped, "OR", conditions, undefined);
  }

  whereNull(field: FilterOperand): this {
    return this.taking(nullTested, field, "IS NULL", undefined);
  }

  whereNotNull(field: FilterOperand): this {
    return this.taking(nullTested, field, "IS NOT NULL", undefined);
  }

  whereBetween(field: FilterOperand, low: unknown, high: unknown): this {
    return this.take(ranged(field, "BETWEEN", low, high));
  }

  whereNotBetween(field: FilterOperand, low: unknown, high: unknown): this {
    return this.take(ranged(field, "NOT BETWEEN", low, high));
  }

  whereFields(left: FilterOperand, operator: string, right: FilterOperand): this {
    return this.taking(comparedFields, left, operator, right);
  }

  whereRaw(text: unknown): this {
    return this.take(filteredByText(text));
  }
}
