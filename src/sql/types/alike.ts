/** Fields that may be compared with each other. */
import type { AnyModel } from "./model.js";

/**
 * The fields that may be compared with a field. A member of an interface, not an alias, so that an error lists
 * them instead of its name.
 */
export interface Alike<M extends AnyModel, F extends M["field"]> {
  readonly field: AlikeTo<M["columns"], M["field"], M["columns"][F]["value"]>["field"];
}

/** Those of the fields `N` whose values may be compared with values `V`. It looks at a column once, not once for each pair. */
export interface AlikeTo<
  Columns extends Readonly<Record<string, { readonly value: unknown }>>,
  N extends string,
  V,
> {
  readonly field: N extends unknown
    ? Columns[N]["value"] extends V
      ? N
      : V extends Columns[N]["value"]
        ? N
        : never
    : never;
}
