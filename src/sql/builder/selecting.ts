/** What select and query share: the columns that come out and their order. */
import type { OrderBySpec, SelectSpec } from "../ast/spec.js";
import { OptionallyFilteredBuilder } from "./optional.js";

/** A builder of rows. */
export abstract class SelectingBuilder<S extends SelectSpec> extends OptionallyFilteredBuilder<S> {
  fields(...names: readonly string[]): this {
    return this.derive({ ...this.spec, fields: [...(this.spec.fields ?? []), ...names] });
  }

  distinct(): this {
    return this.derive({ ...this.spec, distinct: true });
  }

  orderBy(field: string, direction: string): this {
    return this.#order({ field, direction });
  }

  orderByNulls(field: string, direction: string, nulls: string): this {
    return this.#order({ field, direction, nulls });
  }

  // What an untyped caller passes is checked with the whole statement.
  #order(term: object): this {
    const orderBy = [...(this.spec.order_by ?? []), term as OrderBySpec];
    return this.derive({ ...this.spec, order_by: orderBy });
  }
}
