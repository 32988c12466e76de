/**
 * The clauses that several statements have. They write checked specs: every field names a column, and every
 * word of SQL is taken from a table here or in the grammar, never from the spec.
 */

import type { ComparisonSpec, ConditionSpec, OrderBySpec } from "../ast/spec.js";
import { operandOf } from "../check/operators.js";
import type { ColumnInfo } from "../declaration.js";
import { isMissing, type OperatorForm } from "../dialect/grammar.js";
import type { Operator } from "../types/operators.js";
import { listBinder, operandBinder, patternBinder } from "../value/binder.js";
import type { Writer } from "./writer.js";

const logics: ReadonlyMap<string, string> = new Map([
  ["AND", " AND "],
  ["OR", " OR "],
]);
const ranges: ReadonlyMap<string, string> = new Map([
  ["BETWEEN", " BETWEEN "],
  ["NOT BETWEEN", " NOT BETWEEN "],
]);
const nullTests: ReadonlyMap<string, string> = new Map([
  ["IS NULL", " IS NULL"],
  ["IS NOT NULL", " IS NOT NULL"],
]);

/** `WHERE …`, or nothing. */
export function writeWhere(writer: Writer, where: readonly ConditionSpec[] | undefined): void {
  if (where === undefined || where.length === 0) return;
  writer.sql(" WHERE ").each(where, " AND ", (condition) => writeCondition(writer, condition));
}

/** `ORDER BY …`, or nothing. */
export function writeOrderBy(writer: Writer, orderBy: readonly OrderBySpec[] | undefined): void {
  if (orderBy === undefined || orderBy.length === 0) return;
  const { grammar } = writer;
  writer.sql(" ORDER BY ").each(orderBy, ", ", ({ field, direction, nulls }) => {
    const { column, name } = writer.place(field);
    // Without a word from the user NULL is the greatest value. Where no NULL can be, nothing is said about it.
    const wanted = nulls ?? (direction === "desc" ? "first" : "last");
    writer.sql(grammar.orderTerm(name, direction, column.nullable ? wanted : undefined));
  });
}

function writeCondition(writer: Writer, condition: ConditionSpec): void {
  if ("group" in condition) {
    writer
      .sql("(")
      .each(condition.group, known(logics.get(condition.logic), "logic"), (member) =>
        writeCondition(writer, member),
      );
    writer.sql(")");
  } else if ("low_param" in condition) {
    const { column, name } = writer.place(condition.field);
    writer.sql(name).sql(known(ranges.get(condition.operator), "range"));
    writeOperand(writer, condition.low_param, column);
    writeOperand(writer.sql(" AND "), condition.high_param, column);
  } else if ("right_field" in condition) {
    const { column, name } = writer.place(condition.field);
    const form = formOf(writer, condition.operator, column);
    writer.sql(form.open).sql(name).sql(form.between);
    writer.sql(writer.place(condition.right_field).name).sql(form.close);
  } else if ("param" in condition) writeComparison(writer, condition);
  else {
    writer.sql(writer.place(condition.field).name);
    writer.sql(known(nullTests.get(condition.operator ?? "IS NULL"), "null test"));
  }
}

function writeComparison(writer: Writer, { field, operator, param }: ComparisonSpec): void {
  const { grammar, table } = writer;
  const { column, name } = writer.place(field);
  const form = formOf(writer, operator, column);
  const operand = operandOf(operator);
  if (operand === "list") {
    const binder = () => listBinder(column, grammar, { param, table });
    writer.list(() => writer.sql(name), form, param, binder, { operand, column });
    return;
  }
  writer.sql(form.open).sql(name).sql(form.between);
  if (operand === "value") writeOperand(writer, param, column);
  else writer.param(param, () => patternBinder(column, form, { param, table }), { operand, column });
  writer.sql(form.close);
}

function writeOperand(writer: Writer, param: string, column: ColumnInfo): void {
  const { grammar, table } = writer;
  writer.param(param, () => operandBinder(column, grammar, { param, table }), { operand: "value", column });
}

function formOf({ grammar, table }: Writer, operator: Operator, column: ColumnInfo): OperatorForm {
  const { largeObjects } = grammar;
  if ((operator === "=" || operator === "!=") && largeObjects?.holds(column, table))
    return largeObjects.operators[operator];
  const form = known(grammar.operators[operator], operator);
  if (isMissing(form)) throw new TypeError(`operator ${operator} was not checked`);
  return form;
}

function known<T>(entry: T | undefined, what: string): T {
  if (entry === undefined) throw new TypeError(`${what} was not checked`);
  return entry;
}
