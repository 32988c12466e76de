/** What the builders with a `WHERE` share: their conditions. */

import { RawCondition } from "../ast/expression.js";
import { notShown, onlyConditions, RowsOn, type Shown, withTable } from "../ast/inner-query.js";
import { keyOf } from "../ast/key.js";
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
import { type Given, givenQuery, isGiven } from "./inner.js";
import { StatementBuilder } from "./statement.js";
import type { StatementDraft } from "./statement-draft.js";

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

  whereExists(relation: string, query?: unknown): this {
    return this.#exists("exists", relation, query);
  }

  whereNotExists(relation: string, query?: unknown): this {
    return this.#exists("not_exists", relation, query);
  }

  whereExistsOn(query: unknown, mine: string, theirs: string): this {
    return this.#existsOn("exists", query, mine, theirs);
  }

  whereNotExistsOn(query: unknown, mine: string, theirs: string): this {
    return this.#existsOn("not_exists", query, mine, theirs);
  }

  #exists(word: ExistsWord, relation: unknown, query: unknown): this {
    // A relation of an untyped caller that is missing must not be a missing key.
    if (query === undefined)
      return this.step(keyOf(word, relation), () => this.withCondition({ [word]: relation ?? null }));
    return this.#inner(query, word, [relation], onlyConditions, ({ query: where }) => ({
      [word]: relation ?? null,
      where,
    }));
  }

  #existsOn(word: ExistsWord, query: unknown, mine: unknown, theirs: unknown): this {
    return this.#inner(query, `${word} on`, [mine, theirs], notShown, (given) => ({
      [word]: new RowsOn(given.query, mine, theirs),
    }));
  }

  whereQuery(field: Operand, operator: string, query: unknown): this {
    return this.#inner(query, "whereQuery", [field, operator], withTable, (given) => ({
      field,
      operator,
      query: given.query,
    }));
  }

  /** A condition with a query of another builder. */
  #inner(
    value: unknown,
    step: string,
    names: readonly unknown[],
    shown: Shown,
    condition: (given: Given) => object,
  ): this {
    const given = givenQuery(value, this.draft.source, "a condition", shown);
    if (!isGiven(given)) return this.failing({ ...given, path: "where" });
    const { draft, problems } = given;
    const key = draft.id === undefined ? undefined : keyOf(`${step}#${draft.id}`, ...names);
    return this.step(key, () => this.withCondition(condition(given)).failingAll(problems), [draft]);
  }

  #added({ key, condition, operands }: Added): this {
    return this.step(key, () => this.withCondition(condition()), operands);
  }

  protected withCondition(condition: object): this {
    return this.adding("where", [condition]);
  }
}
