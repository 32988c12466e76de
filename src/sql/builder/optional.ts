/**
 * What the builders that only read share: conditions that count where their parameter is given. An update or a
 * removal has none: what it is about must not depend on what is left out.
 */
import { keyOf } from "../ast/key.js";
import type { ResolvedReading } from "../resolve/resolved.js";
import { type Reading, resolveReading } from "../resolve/statement.js";
import { type Filtered, FilteredBuilder } from "./filtered.js";

/** A builder that reads. */
export abstract class OptionallyFilteredBuilder<S extends Filtered> extends FilteredBuilder<
  S,
  ResolvedReading
> {
  abstract override statement(): Reading;

  whereOptional(field: string, operator: string, param: string): this {
    return this.step(keyOf("whereOptional", field, operator, param), () =>
      this.withCondition({ field, operator, param, optional: true }),
    );
  }

  protected resolve(): ResolvedReading {
    return resolveReading(this.statement(), this.context.grammar, this.problems);
  }
}
