/** What the builders with a `WHERE` share: conditions, and a statement for each set of given optional ones. */
import type { ComparisonSpec, ConditionSpec } from "../ast/spec.js";
import type { Statement } from "../ast/statement.js";
import { checkStatement } from "../check/statement.js";
import { specsOf } from "../condition.js";
import type { Problem } from "../errors.js";
import { bind, type Prepared, prepare } from "../exec/execute.js";
import { checkNames } from "../exec/params.js";
import type { Plan } from "../render/plan.js";
import type { Rendered } from "../render/rendered.js";
import { Builder, type Params } from "./builder.js";

interface Filtered {
  readonly where?: readonly ConditionSpec[] | undefined;
}

/** A prepared statement and the values behind its placeholders. */
export interface Bound {
  readonly prepared: Prepared;
  readonly values: readonly unknown[];
}

/** A builder with a `WHERE`. */
export abstract class FilteredBuilder<S extends Filtered> extends Builder<S> {
  readonly #prepared = new Map<string, Prepared>();
  #names: { readonly known: ReadonlySet<string>; readonly optional: readonly string[] } | undefined;

  /** A builder of the same kind with another spec. */
  protected abstract derive(spec: S, problems?: readonly Problem[]): this;
  /** The statement of a spec of this builder. */
  protected abstract statement(spec: S): Statement;
  /** The text of a checked spec. */
  protected abstract plan(spec: S): Plan;

  where(field: string, operator: string, param: string): this {
    return this.#add({ field, operator, param });
  }

  whereOptional(field: string, operator: string, param: string): this {
    return this.#add({ field, operator, param, optional: true });
  }

  whereAnd(...conditions: readonly unknown[]): this {
    return this.#add({ logic: "AND", group: specsOf(conditions) });
  }

  whereOr(...conditions: readonly unknown[]): this {
    return this.#add({ logic: "OR", group: specsOf(conditions) });
  }

  whereNull(field: string): this {
    return this.#add({ field, operator: "IS NULL", is_null: true });
  }

  whereNotNull(field: string): this {
    return this.#add({ field, operator: "IS NOT NULL", is_null: true });
  }

  whereBetween(field: string, low: string, high: string): this {
    return this.#add({ field, operator: "BETWEEN", low_param: low, high_param: high });
  }

  whereNotBetween(field: string, low: string, high: string): this {
    return this.#add({ field, operator: "NOT BETWEEN", low_param: low, high_param: high });
  }

  render(): Rendered {
    return this.#withAll().plan.rendered;
  }

  /** Checks the names of a call's parameters and binds their values. */
  protected bound(params: Params): Bound {
    const all = this.#withAll();
    this.#names ??= { known: new Set(all.plan.rendered.params), optional: optionalParams(this.spec.where) };
    const { known, optional } = this.#names;
    const { table } = this.source;
    const dropped = optional.filter((name) => params?.[name] === undefined);
    const prepared = dropped.length === 0 ? all : this.#without(dropped);
    const record = checkNames(params, prepared.plan.rendered.params, known, table);
    return { prepared, values: bind(prepared, record) };
  }

  // With every optional condition: what `render` shows, and where the check happens.
  #withAll(): Prepared {
    const kept = this.#prepared.get("");
    if (kept !== undefined) return kept;
    checkStatement(this.statement(this.spec), this.source.grammar, this.problems);
    return this.#keep("", this.spec);
  }

  #without(dropped: readonly string[]): Prepared {
    const key = dropped.join(" ");
    return this.#prepared.get(key) ?? this.#keep(key, withoutConditions(this.spec, dropped));
  }

  #keep(key: string, spec: S): Prepared {
    const prepared = prepare(this.plan(spec), this.source.grammar);
    this.#prepared.set(key, prepared);
    return prepared;
  }

  // What an untyped caller passes is checked with the whole statement, so it is taken for a condition here.
  #add(condition: object): this {
    const where = [...(this.spec.where ?? []), Object.freeze(condition) as ConditionSpec];
    return this.derive({ ...this.spec, where }, this.problems);
  }
}

function optionalParams(where: readonly ConditionSpec[] | undefined): readonly string[] {
  return [...new Set(where?.flatMap((condition) => (isOptional(condition) ? [condition.param] : [])))];
}

function isOptional(condition: ConditionSpec): condition is ComparisonSpec {
  return "optional" in condition && condition.optional === true;
}

function withoutConditions<S extends Filtered>(spec: S, dropped: readonly string[]): S {
  const where = spec.where?.filter(
    (condition) => !isOptional(condition) || !dropped.includes(condition.param),
  );
  return { ...spec, where: where ?? [] };
}
