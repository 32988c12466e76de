/** CASE: a label for each row, by the first condition that holds. */
import type { $ZodType, output } from "zod/v4/core";
import { isZod4 } from "../../schema/inspect.js";
import type { CaseNode } from "../ast/expression.js";
import { isNullable, storageOf } from "../declare/storage.js";
import type { CaseWhen } from "../types/expressions.js";
import { DeclarationError } from "../words/errors.js";
import { specsOf } from "./condition.js";
import { PlainValue } from "./value.js";

/**
 * A CASE whose labels are values of the schema, given as parameters; null where no condition holds and there is no
 * `else`.
 * @throws {DeclarationError} for a schema that no column could hold.
 * @example
 * import { c, caseWhen } from "rowtype";
 * users.query().fields("id", caseWhen(z.enum(["old", "young"])).when(c("age", ">", "min"), "a").else("b").as("group"));
 */
export function caseWhen<S extends $ZodType>(schema: S): CaseWhen<output<S>> {
  if (!isZod4(schema)) throw new DeclarationError("caseWhen takes a Zod 4 schema of its labels");
  const labels = Object.freeze({
    schema,
    storage: Object.freeze(storageOf(schema, "of caseWhen")),
    nullable: isNullable(schema),
  });
  // The class does what the interface says; its fields and parameters are types only.
  return new CaseValue({ kind: "case", labels, whens: [] }) as unknown as CaseWhen<output<S>>;
}

class CaseValue extends PlainValue {
  readonly #node: CaseNode;

  constructor(node: CaseNode) {
    super(node);
    this.#node = node;
  }

  when(condition: unknown, param: string): CaseValue {
    const [spec] = specsOf([condition]);
    // One condition gives one spec.
    const when = Object.freeze({ condition: spec as NonNullable<typeof spec>, param });
    return new CaseValue({ ...this.#node, whens: Object.freeze([...this.#node.whens, when]) });
  }

  else(param: string): PlainValue {
    return new PlainValue({ ...this.#node, otherwise: param });
  }
}
