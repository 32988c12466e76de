/**
 * What the builders that only read share: conditions that count where their parameter is given. An update or a
 * removal has none: what it is about must not depend on what is left out.
 */
import { keyOf } from "../ast/key.js";
import type { ComparisonSpec } from "../ast/spec.js";
import type { Filter } from "../ast/statement.js";
import { type Filtered, FilteredBuilder } from "./filtered.js";

/** A builder that reads. */
export abstract class OptionallyFilteredBuilder<S extends Filtered> extends FilteredBuilder<S> {
  whereOptional(field: string, operator: string, param: string): this {
    return this.step(keyOf("whereOptional", field, operator, param), () =>
      this.withCondition({ field, operator, param, optional: true }),
    );
  }

  protected override optionalParams(): readonly string[] {
    return optionalParamsOf(this.spec);
  }

  protected override without(left: readonly string[]): S {
    return withoutConditions(this.spec, left);
  }
}

/** The parameters of optional conditions. */
export function optionalParamsOf({ where }: Filtered): readonly string[] {
  return [...new Set(where?.flatMap((condition) => (isOptional(condition) ? [condition.param] : [])))];
}

/** A spec without the optional conditions of some parameters. */
export function withoutConditions<S extends Filtered>(spec: S, left: readonly string[]): S {
  const where = spec.where?.filter((condition) => !isOptional(condition) || !left.includes(condition.param));
  return { ...spec, where: where ?? [] };
}

function isOptional(condition: Filter): condition is ComparisonSpec {
  return "optional" in condition && condition.optional === true;
}
