/** The clauses that several statements have. They write checked specs: every field names a column. */
import type { ConditionSpec, GroupSpec, OrderBySpec } from "../ast/spec.js";
import { operandOf } from "../check/operators.js";
import type { ColumnInfo } from "../declaration.js";
import { type Grammar, isMissing, type OperatorForm } from "../dialect/grammar.js";
import type { NullTest, Operator } from "../types/operators.js";
import type { Use } from "./plan.js";
import type { Writer } from "./writer.js";

/** `WHERE …`, or nothing. */
export function writeWhere(writer: Writer, where: readonly ConditionSpec[] | undefined): void {
  if (where === undefined || where.length === 0) return;
  writer.sql(" WHERE ").each(where, " AND ", (condition) => writeCondition(writer, condition));
}

/** `ORDER BY …`, or nothing. */
export function writeOrderBy(writer: Writer, orderBy: readonly OrderBySpec[] | undefined): void {
  if (orderBy === undefined || orderBy.length === 0) return;
  writer.sql(" ORDER BY ").each(orderBy, ", ", (term) => {
    const column = columnOf(writer, term.field);
    writer.column(column).sql(term.direction === "desc" ? " DESC" : " ASC");
    writer.sql(nullsOf(writer.grammar, column, term));
  });
}

/** A comma-separated list of columns. */
export function writeColumns(writer: Writer, columns: readonly ColumnInfo[]): void {
  writer.each(columns, ", ", (column) => writer.column(column));
}

/** The column of a checked field. */
export function columnOf(writer: Writer, field: string): ColumnInfo {
  const column = writer.table.columns[field];
  if (column === undefined) throw new TypeError(`field ${field} was not checked`);
  return column;
}

function writeCondition(writer: Writer, condition: ConditionSpec): void {
  if ("group" in condition) writeGroup(writer, condition);
  else if ("low_param" in condition) {
    const column = columnOf(writer, condition.field);
    writer.column(column).sql(` ${condition.operator} `);
    writer.param({ name: condition.low_param, use: "operand", column }).sql(" AND ");
    writer.param({ name: condition.high_param, use: "operand", column });
  } else if ("right_field" in condition) {
    const form = formOf(writer.grammar, condition.operator);
    writer.sql(form.open).column(columnOf(writer, condition.field)).sql(form.between);
    writer.column(columnOf(writer, condition.right_field)).sql(form.close);
  } else if ("param" in condition) {
    const column = columnOf(writer, condition.field);
    const form = formOf(writer.grammar, condition.operator);
    writer.sql(form.open).column(column).sql(form.between);
    writer
      .param({ name: condition.param, use: useOf(condition.operator), column, bind: form.bind })
      .sql(form.close);
  } else {
    const test: NullTest = condition.operator ?? "IS NULL";
    writer.column(columnOf(writer, condition.field)).sql(` ${test}`);
  }
}

function writeGroup(writer: Writer, { logic, group }: GroupSpec): void {
  writer.sql("(").each(group, ` ${logic} `, (condition) => writeCondition(writer, condition));
  writer.sql(")");
}

function formOf(grammar: Grammar, operator: Operator): OperatorForm {
  const form = grammar.operators[operator];
  if (isMissing(form)) throw new TypeError(`operator ${operator} was not checked`);
  return form;
}

function useOf(operator: Operator): Use {
  const operand = operandOf(operator);
  return operand === "value" ? "operand" : operand;
}

// Without a word from the user NULL is the greatest value; said only where the column can hold one and the
// dialect would do otherwise, so that an index still serves the order.
function nullsOf(grammar: Grammar, column: ColumnInfo, { direction, nulls }: OrderBySpec): string {
  if (!column.nullable) return "";
  const wanted = nulls ?? (direction === "asc" ? "last" : "first");
  const natural = (grammar.nullsSortAs === "greatest") === (direction === "asc") ? "last" : "first";
  return wanted === natural ? "" : ` NULLS ${wanted.toUpperCase()}`;
}
