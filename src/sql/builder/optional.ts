/**
 * What the builders that only read share: conditions that count where their parameter is given, and a statement
 * for each set of those. An update or a removal has none: what it is about must not depend on what is left out.
 */
import type { ComparisonSpec, ConditionSpec } from "../ast/spec.js";
import { Prepared } from "../exec/execute.js";
import { asRecord, checkNames, isGiven, type Params } from "../exec/params.js";
import { type Bound, type Filtered, FilteredBuilder } from "./filtered.js";

/** A builder that reads. */
export abstract class OptionallyFilteredBuilder<S extends Filtered> extends FilteredBuilder<S> {
  // By the names of the parameters that were left out.
  #reduced: Map<string, Prepared> | undefined;
  #optional: readonly string[] | undefined;

  whereOptional(field: string, operator: string, param: string): this {
    return this.withCondition({ field, operator, param, optional: true });
  }

  protected override bound(params: Params): Bound {
    const whole = this.prepared();
    this.#optional ??= optionalParams(this.spec.where);
    if (this.#optional.length === 0) return super.bound(params);
    const { table } = this.source;
    const given = asRecord(params, table);
    const left = this.#optional.filter((name) => !isGiven(given, name));
    const prepared = left.length === 0 ? whole : this.#without(left);
    checkNames(given, prepared.plan.rendered.params, this.known(), table);
    return { prepared, values: prepared.bind(given) };
  }

  #without(left: readonly string[]): Prepared {
    const key = left.join(" ");
    this.#reduced ??= new Map();
    const kept = this.#reduced.get(key);
    if (kept !== undefined) return kept;
    // A part of a spec that was checked as a whole needs no check of its own.
    const prepared = new Prepared(this.plan(withoutConditions(this.spec, left)));
    this.#reduced.set(key, prepared);
    return prepared;
  }
}

function optionalParams(where: readonly ConditionSpec[] | undefined): readonly string[] {
  return [...new Set(where?.flatMap((condition) => (isOptional(condition) ? [condition.param] : [])))];
}

function isOptional(condition: ConditionSpec): condition is ComparisonSpec {
  return "optional" in condition && condition.optional === true;
}

function withoutConditions<S extends Filtered>(spec: S, left: readonly string[]): S {
  const where = spec.where?.filter((condition) => !isOptional(condition) || !left.includes(condition.param));
  return { ...spec, where: where ?? [] };
}
