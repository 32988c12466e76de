/** The values of the row that an insert proposes. */
import type { Grammar } from "../dialect/grammar.js";
import type { Field, Parameter } from "../resolve/resolved.js";
import { storedBinder } from "../value/binder.js";

/** The value that a record gives a field. */
export function proposedValue({ column, table }: Field, grammar: Grammar): Parameter {
  const param = column.property;
  const binder = () => storedBinder(column, grammar, { param, table });
  return { kind: "parameter", name: param, binder, form: undefined };
}
