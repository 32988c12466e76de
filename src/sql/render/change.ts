/** Writes the statements that change rows: insert, update, delete. */
import type { DeleteStatement, InsertStatement, UpdateStatement } from "../ast/statement.js";
import type { ColumnInfo } from "../declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { assignedBinder, storedBinder } from "../value/binder.js";
import { writeWhere } from "./clauses.js";
import type { Plan } from "./plan.js";
import { Writer } from "./writer.js";

/** Whether the changed rows come back. */
export type Returning = "rows" | "nothing";

/** `INSERT INTO … VALUES …` of one row; its parameters are named by the properties. */
export function renderInsert(
  { table }: InsertStatement,
  grammar: Grammar,
  columns: readonly ColumnInfo[],
  returning: Returning,
): Plan {
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
  return finish(writer, returning);
}

/**
 * The native text of an insert of so many rows with the same columns, which gives nothing back. Rows without any
 * column go one by one: there is no text for several.
 * The values of the second row follow those of the first; the plan of one row binds each.
 */
export function renderBatch(
  { table }: InsertStatement,
  grammar: Grammar,
  columns: readonly ColumnInfo[],
  rows: number,
): string {
  const writer = new Writer(table, grammar);
  writeInsertHead(writer, columns);
  let position = 0;
  if (columns.length === 0) return writer.finish().rendered.native.sql;
  const tuple = () => `(${columns.map(() => grammar.placeholder(++position)).join(", ")})`;
  return writer.sql(Array.from({ length: rows }, tuple).join(", ")).finish().rendered.native.sql;
}

/** `UPDATE … SET … WHERE …`. */
export function renderUpdate({ table, spec }: UpdateStatement, grammar: Grammar, returning: Returning): Plan {
  const writer = new Writer(table, grammar);
  writer.sql("UPDATE ").sql(writer.layout.name).sql(" SET ");
  writer.each(Object.entries(spec.set ?? {}), ", ", ([field, param]) => {
    const { column, name } = writer.place(field);
    writer.sql(`${name} = `).param(param, () => assignedBinder(column, grammar, { param, table }));
  });
  writeWhere(writer, spec.where);
  return finish(writer, returning);
}

/** `DELETE FROM … WHERE …`. */
export function renderDelete({ table, spec }: DeleteStatement, grammar: Grammar, returning: Returning): Plan {
  const writer = new Writer(table, grammar);
  writer.sql("DELETE FROM ").sql(writer.layout.name);
  writeWhere(writer, spec.where);
  return finish(writer, returning);
}

function writeInsertHead(writer: Writer, columns: readonly ColumnInfo[]): void {
  writer.sql("INSERT INTO ").sql(writer.layout.name);
  if (columns.length === 0) writer.sql(` ${writer.grammar.defaultRow}`);
  else {
    const names = columns.map(({ property }) => writer.place(property).name);
    writer.sql(` (${names.join(", ")}) VALUES `);
  }
}

function finish(writer: Writer, returning: Returning): Plan {
  if (returning === "nothing") return writer.finish();
  writer.sql(` RETURNING ${writer.layout.columns}`);
  return writer.finish(writer.layout.outputs);
}
