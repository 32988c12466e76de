/** The values of the row that an insert proposes. */

import type { Grammar } from "../dialect/grammar/grammar.js";
import { boundIn } from "../dialect/grammar/value-codec.js";
import type { Field, ParameterPlace } from "../resolve/scope/resolved.js";
import { storedBinder } from "../value/binder.js";

/** The value of a field in a record. */
export function proposedValue({ column, table }: Field, grammar: Grammar): ParameterPlace {
  const param = column.property;
  const binder = () => storedBinder(column, grammar, { param, table });
  return {
    kind: "parameter",
    name: param,
    sets: param,
    binder,
    form: undefined,
    template: boundIn(column.storage, grammar),
  };
}
