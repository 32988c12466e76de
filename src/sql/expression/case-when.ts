/** CASE: a label for each row, by the first condition that is true. */
import type { output } from "zod/v4/core";
import type { CaseNode } from "../ast/expression.js";
import type { CaseWhen } from "../types/expressions.js";
import type { ColumnSchema } from "../types/model.js";
import type { NullableOfSchema, OfSchema } from "../types/results.js";
import { specsOf } from "./condition.js";
import { argumentOf, describedBy } from "./operand.js";
import { PlainValue } from "./value.js";

/**
 * A CASE whose labels are values of the schema: the names of parameters, or operands. Null if no condition is true and
 * there is no `else`.
 * @throws {DeclarationError} for a schema that no column could hold.
 * @example
 * import { c, caseWhen } from "rowtype";
 * users.query().fields("id", caseWhen(z.enum(["old", "young"])).when(c("age", ">", "min"), "a").else("b").as("group"));
 */
export function caseWhen<S extends ColumnSchema>(
  schema: S,
): CaseWhen<OfSchema<S>, NullableOfSchema<S>, output<S>> {
  const labels = describedBy(schema, "of caseWhen");
  // The class does what the interface says. Its fields and parameters are types only.
  return new CaseValue({ kind: "case", labels, whens: [] }) as unknown as CaseWhen<
    OfSchema<S>,
    NullableOfSchema<S>,
    output<S>
  >;
}

class CaseValue extends PlainValue {
  readonly #node: CaseNode;

  constructor(node: CaseNode) {
    super(node);
    this.#node = node;
  }

  when(condition: unknown, label: unknown): CaseValue {
    const [spec] = specsOf([condition]);
    // One condition gives one spec.
    const when = Object.freeze({ condition: spec as NonNullable<typeof spec>, label: argumentOf(label) });
    return new CaseValue({ ...this.#node, whens: Object.freeze([...this.#node.whens, when]) });
  }

  else(label: unknown): PlainValue {
    return new PlainValue({ ...this.#node, otherwise: argumentOf(label) });
  }
}
