/** Writes the statements that change rows: insert, update, delete. */
import type { DeleteStatement, UpdateStatement } from "../ast/statement.js";
import type { AnyTable, ColumnInfo } from "../declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { columnOf, writeColumns, writeWhere } from "./clauses.js";
import type { Plan } from "./plan.js";
import { Writer } from "./writer.js";

/** Whether the changed rows come back. */
export type Returning = "rows" | "nothing";

/**
 * `INSERT INTO … VALUES …` of so many rows with the same columns. The parameters of a row are named by the
 * properties; those of the second row follow those of the first.
 */
export function renderInsert(
  table: AnyTable,
  grammar: Grammar,
  columns: readonly ColumnInfo[],
  rows: number,
  returning: Returning,
): Plan {
  const writer = new Writer(table, grammar);
  writer.sql("INSERT INTO ").target();
  if (columns.length === 0) writer.sql(` ${grammar.defaultRow}`);
  else {
    writer.sql(" (");
    writeColumns(writer, columns);
    writer.sql(") VALUES ").each(Array(rows).keys(), ", ", (row) => {
      writer.sql("(").each(columns, ", ", (column) => {
        // The rows of a batch hold different values under one property, so each has names of its own.
        const name = rows === 1 ? column.property : `${column.property}_${row}`;
        writer.param({ name, use: "stored", column });
      });
      writer.sql(")");
    });
  }
  return finish(writer, returning);
}

/** `UPDATE … SET … WHERE …`. */
export function renderUpdate({ table, spec }: UpdateStatement, grammar: Grammar, returning: Returning): Plan {
  const writer = new Writer(table, grammar);
  writer.sql("UPDATE ").target().sql(" SET ");
  writer.each(Object.entries(spec.set ?? {}), ", ", ([field, param]) => {
    const column = columnOf(writer, field);
    writer.column(column).sql(" = ").param({ name: param, use: "assigned", column });
  });
  writeWhere(writer, spec.where);
  return finish(writer, returning);
}

/** `DELETE FROM … WHERE …`. */
export function renderDelete({ table, spec }: DeleteStatement, grammar: Grammar, returning: Returning): Plan {
  const writer = new Writer(table, grammar);
  writer.sql("DELETE FROM ").target();
  writeWhere(writer, spec.where);
  return finish(writer, returning);
}

function finish(writer: Writer, returning: Returning): Plan {
  if (returning === "nothing") return writer.finish();
  const output = Object.values(writer.table.columns);
  writer.sql(" RETURNING ");
  writeColumns(writer, output);
  return writer.finish(output);
}
