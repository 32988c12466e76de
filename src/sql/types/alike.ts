/** Fields that may be compared with each other. */
import type { AnyModel } from "./model.js";

/**
 * The fields that may be compared with a field. A member of an interface, not an alias, so that an error lists
 * them instead of its name.
 */
export interface Alike<M extends AnyModel, F extends M["field"]> {
  readonly field: {
    [G in M["field"]]: M["columns"][G]["value"] extends M["columns"][F]["value"]
      ? G
      : M["columns"][F]["value"] extends M["columns"][G]["value"]
        ? G
        : never;
  }[M["field"]];
}
