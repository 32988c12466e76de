/** Writes the statements that change rows: insert, update, delete. */
import type { ArithmeticSpec } from "../ast/spec.js";
import type { DeleteStatement, InsertStatement, UpdateStatement } from "../ast/statement.js";
import type { ColumnInfo } from "../declaration.js";
import type { Grammar, LeavingForm } from "../dialect/grammar.js";
import { assignedBinder, divisorBinder, operandBinder, storedBinder } from "../value/binder.js";
import { updateSteps } from "./by-key.js";
import { writeWhere } from "./clauses.js";
import type { Plan } from "./plan.js";
import { writeTemplate } from "./template.js";
import { conflictSteps, writeConflict } from "./upsert.js";
import { Writer } from "./writer.js";

/** Whether the changed rows come back. */
export type Returning = "rows" | "nothing";

/** `INSERT INTO … VALUES …` of one row; its parameters are named by the properties. */
export function renderInsert(
  statement: InsertStatement,
  grammar: Grammar,
  columns: readonly ColumnInfo[],
): Plan {
  const plan = renderRow(statement, grammar, columns);
  const bare = () => renderRow({ ...statement, spec: {} }, grammar, columns);
  const steps = conflictSteps(statement, grammar, columns, bare);
  return steps === undefined ? plan : { ...plan, steps };
}

function renderRow({ table, spec }: InsertStatement, grammar: Grammar, columns: readonly ColumnInfo[]): Plan {
  const writer = new Writer(table, grammar);
  writeInsertHead(writer, columns);
  if (columns.length > 0)
    writer
      .sql("(")
      .each(columns, ", ", (column) => {
        const param = column.property;
        writer.param(param, () => storedBinder(column, grammar, { param, table }));
      })
      .sql(")");
  writeConflict(writer, spec, columns);
  return finish(writer, "rows");
}

/** An insert of several rows: its native text, and what is bound behind the values of the rows. */
export interface Batch {
  readonly sql: string;
  /** What stands behind the rows: on a conflict. */
  readonly tail: Plan;
  /** What is sent before and behind it, where it leaves rows alone that were there. */
  readonly leaving: LeavingForm | undefined;
}

/**
 * An insert of so many rows with the same columns, which gives nothing back. The values of the second row follow
 * those of the first; the plan of one row binds each. Rows without any column go one by one: there is no text for
 * several.
 */
export function renderBatch(
  { table, spec }: InsertStatement,
  grammar: Grammar,
  columns: readonly ColumnInfo[],
  rows: number,
): Batch {
  const head = new Writer(table, grammar);
  writeInsertHead(head, columns);
  const tail = new Writer(table, grammar, rows * columns.length);
  const leaving = leavingOf(spec, grammar);
  if (leaving === undefined) writeConflict(tail, spec, columns);
  else tail.sql(leaving.clause((spec.on_conflict ?? []).map((field) => tail.place(field).name)));
  const plan = tail.finish();
  let position = 0;
  const tuple = () => `(${columns.map(() => grammar.placeholder(++position)).join(", ")})`;
  const tuples = columns.length === 0 ? "" : Array.from({ length: rows }, tuple).join(", ");
  return { sql: head.finish().rendered.native.sql + tuples + plan.rendered.native.sql, tail: plan, leaving };
}

function leavingOf(spec: InsertStatement["spec"], { onConflict }: Grammar): LeavingForm | undefined {
  return spec.on_conflict !== undefined && spec.conflict_action === "nothing"
    ? onConflict?.leaving
    : undefined;
}

/** `UPDATE … SET … WHERE …`. */
export function renderUpdate(statement: UpdateStatement, grammar: Grammar, returning: Returning): Plan {
  const { table, spec } = statement;
  const writeHead = (writer: Writer) => {
    writer.sql("UPDATE ").sql(writer.layout.name).sql(" SET ");
    const assignments = [...Object.entries(spec.set ?? {}), ...Object.entries(spec.set_expr ?? {})];
    writer.each(assignments, ", ", ([field, value]) => {
      const { column, name } = writer.place(field);
      writer.sql(`${name} = `);
      if (typeof value === "string")
        writer.param(value, () => assignedBinder(column, grammar, { param: value, table }));
      else writeArithmetic(writer, field, value);
    });
  };
  const writer = new Writer(table, grammar);
  writeHead(writer);
  writeWhere(writer, spec.where);
  if (grammar.updateReturns || returning === "nothing") return finish(writer, returning);
  return { ...writer.finish(), steps: updateSteps(statement, grammar, writeHead) };
}

/** `DELETE FROM … WHERE …`. */
export function renderDelete({ table, spec }: DeleteStatement, grammar: Grammar, returning: Returning): Plan {
  const writer = new Writer(table, grammar);
  writer.sql("DELETE FROM ").sql(writer.layout.name);
  writeWhere(writer, spec.where);
  return finish(writer, returning);
}

function writeArithmetic(writer: Writer, field: string, { operator, param }: ArithmeticSpec): void {
  const { grammar, table } = writer;
  const { column, name } = writer.place(field);
  const place = { param, table };
  const divides = operator === "/" || operator === "%";
  const binder = () => (divides ? divisorBinder : operandBinder)(column, grammar, place);
  const template = grammar.expressions.arithmetic(operator, column.storage);
  writeTemplate(writer, template, () => writer.sql(name), [() => writer.param(param, binder)]);
}

function writeInsertHead(writer: Writer, columns: readonly ColumnInfo[]): void {
  writer.sql("INSERT INTO ").sql(writer.layout.name);
  if (columns.length === 0) {
    const [first] = writer.layout.places.values();
    writer.sql(` ${writer.grammar.defaultRow(first?.name ?? "")}`);
  } else {
    const names = columns.map(({ property }) => writer.place(property).name);
    writer.sql(` (${names.join(", ")}) VALUES `);
  }
}

function finish(writer: Writer, returning: Returning): Plan {
  if (returning === "nothing") return writer.finish();
  const { layout, grammar } = writer;
  const { returningInto } = grammar;
  if (returningInto === undefined) return writer.sql(` RETURNING ${layout.columns}`).finish(layout.outputs);
  const { value, variable, placeholder } = returningInto;
  const places = [...layout.places.values()];
  writer.sql(` RETURNING ${places.map(({ column, name }) => value(column, name)).join(", ")}`);
  writer.sql(` INTO ${places.map((_, i) => placeholder(i + 1)).join(", ")}`);
  return {
    ...writer.finish(layout.outputs),
    into: places.map(({ column }) => variable(column, writer.table)),
  };
}
