/**
 * The clauses that several statements have. They write checked specs: every field names a column, and every
 * word of SQL is taken from a table here or in the grammar, never from the spec.
 */

import type { ComparisonSpec, ConditionSpec, OrderBySpec } from "../ast/spec.js";
import { operandOf } from "../check/operators.js";
import type { AnyTable, ColumnInfo } from "../declaration.js";
import { type Grammar, isMissing, type OperatorForm } from "../dialect/grammar.js";
import type { Operator } from "../types/operators.js";
import { type Binder, listBinder, operandBinder, patternBinder } from "../value/binder.js";
import { codecOf } from "../value/column-codec.js";
import type { Output } from "./plan.js";
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
    const column = columnOf(writer.table, field);
    // Without a word from the user NULL is the greatest value. Where no NULL can be, nothing is said about it.
    const wanted = nulls ?? (direction === "desc" ? "first" : "last");
    writer.sql(
      grammar.orderTerm(grammar.quote(column.name), direction, column.nullable ? wanted : undefined),
    );
  });
}

/** A comma-separated list of columns. */
export function writeColumns(writer: Writer, columns: readonly ColumnInfo[]): void {
  writer.each(columns, ", ", (column) => writer.column(column));
}

/** What columns give when they come back. */
export function outputOf(columns: readonly ColumnInfo[], grammar: Grammar): Output[] {
  return columns.map((column) => {
    const { property, kind, nullable } = column;
    return { name: property, kind, nullable, decode: codecOf(column, grammar).decode };
  });
}

/** The column of a checked field. */
export function columnOf(table: AnyTable, field: string): ColumnInfo {
  return known(table.columns[field], field);
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
    const column = columnOf(writer.table, condition.field);
    writer.column(column).sql(known(ranges.get(condition.operator), "range"));
    writeOperand(writer, condition.low_param, column);
    writeOperand(writer.sql(" AND "), condition.high_param, column);
  } else if ("right_field" in condition) {
    const form = formOf(writer.grammar, condition.operator);
    writer.sql(form.open).column(columnOf(writer.table, condition.field)).sql(form.between);
    writer.column(columnOf(writer.table, condition.right_field)).sql(form.close);
  } else if ("param" in condition) writeComparison(writer, condition);
  else {
    writer.column(columnOf(writer.table, condition.field));
    writer.sql(known(nullTests.get(condition.operator ?? "IS NULL"), "null test"));
  }
}

function writeComparison(writer: Writer, { field, operator, param }: ComparisonSpec): void {
  const { grammar, table } = writer;
  const column = columnOf(table, field);
  const form = formOf(grammar, operator);
  const operand = operandOf(operator);
  writer.sql(form.open).column(column).sql(form.between);
  if (operand === "value") writeOperand(writer, param, column);
  else {
    const place = { param, table };
    const binder: Binder =
      operand === "list" ? listBinder(column, grammar, place) : patternBinder(column, form, place);
    writer.param(param, binder, `${operand} ${typeKey(column)}`);
  }
  writer.sql(form.close);
}

function writeOperand(writer: Writer, param: string, column: ColumnInfo): void {
  const { grammar, table } = writer;
  writer.param(param, operandBinder(column, grammar, { param, table }), `value ${typeKey(column)}`);
}

// Two columns with the same key hold values of one SQL type in one form.
function typeKey({ kind, storage, type }: ColumnInfo): string {
  return `${kind} ${storage.integer} ${storage.item?.kind} ${JSON.stringify(type)}`;
}

function formOf(grammar: Grammar, operator: Operator): OperatorForm {
  const form = known(grammar.operators[operator], operator);
  if (isMissing(form)) throw new TypeError(`operator ${operator} was not checked`);
  return form;
}

function known<T>(entry: T | undefined, what: string): T {
  if (entry === undefined) throw new TypeError(`${what} was not checked`);
  return entry;
}
