/** Operands: the values that a function of expressions accepts in the place of a field. */
import { describeType } from "../../core/errors.js";
import { isZod4 } from "../../schema/inspect.js";
import { type DescribedValues, ExpressionOperand, type OperandNode } from "../ast/expression.js";
import { markOf } from "../declare/column.js";
import type { Storage } from "../declare/declaration.js";
import { isNullable, storageOf } from "../declare/storage.js";
import { DeclarationError } from "../words/errors.js";

/** An operand of an untyped caller: a field's name, or an expression. */
export function operandOf(value: unknown): OperandNode {
  if (typeof value === "string") return value;
  return ExpressionOperand.own(value)?.node ?? Object.freeze({ kind: "invalid", what: describeType(value) });
}

/** The other arguments of a function: the name of a parameter, or an expression. */
export function argumentOf(value: unknown): OperandNode {
  return typeof value === "string" ? Object.freeze({ kind: "param", name: value }) : operandOf(value);
}

/**
 * Values as a schema describes them.
 * @param where names the place in errors: `"of caseWhen"`.
 * @throws {DeclarationError} for a schema that no column could hold.
 */
export function describedBy(schema: unknown, where: string): DescribedValues {
  if (!isZod4(schema)) throw new DeclarationError(`the schema ${where} must be one of Zod 4`);
  return Object.freeze({
    schema,
    storage: Object.freeze(ofNoColumn(storageOf(schema, where))),
    nullable: isNullable(schema),
    type: markOf(schema).type,
  });
}

// A date has the form of a column only if a type is declared.
function ofNoColumn(storage: Storage): Storage {
  if (storage.kind !== "date" || storage.type !== undefined) return storage;
  const { inColumn: _, ...free } = storage;
  return free;
}
