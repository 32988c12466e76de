/** Writes the statements that change rows: insert, modify, remove. */

import type { Grammar } from "../dialect/grammar.js";
import { boundIn, placedIn } from "../dialect/value-codec.js";
import type { Field, Layout, ResolvedInsert, ResolvedModify, ResolvedRemove } from "../resolve/resolved.js";
import { modifySteps } from "./by-key.js";
import { writeWhere } from "./clauses.js";
import { doubtOf } from "./doubt.js";
import { writeExpression } from "./expression.js";
import { proposedValue } from "./insert-value.js";
import type { Plan } from "./plan.js";
import { conflictSteps, writeConflict } from "./upsert.js";
import { Writer } from "./writer.js";

/**
 * `INSERT INTO … VALUES …` of one row; its parameters have the names of the properties.
 * @param fields the fields that the record has.
 */
export function renderInsert(insert: ResolvedInsert, grammar: Grammar, fields: readonly Field[]): Plan {
  const plan = renderRow(insert, grammar, fields);
  const bare = () => renderRow({ ...insert, conflict: undefined }, grammar, fields);
  const steps = conflictSteps(insert, grammar, fields, bare);
  return steps === undefined ? plan : { ...plan, steps };
}

function renderRow(insert: ResolvedInsert, grammar: Grammar, fields: readonly Field[]): Plan {
  const { table, conflict } = insert;
  const writer = new Writer(table.table, grammar);
  writeInsertHead(writer, table, fields);
  if (fields.length > 0)
    writer
      .sql("(")
      .each(fields, ", ", (field) => writer.param(proposedValue(field, grammar)))
      .sql(")");
  writeConflict(writer, conflict, fields);
  return { ...finish(writer, table, "rows"), doubt: doubtOf(insert, grammar, fields) };
}

/** An insert of several rows: its native text, and the values bound after those of the rows. */
export interface Batch {
  readonly sql: string;
  /** The text after the rows: the conflict clause. */
  readonly tail: Plan;
}

/**
 * An insert of several rows with the same fields. The values of the second row follow those of the first; the
 * plan of one row binds each. Rows without columns are inserted one by one, because there is no syntax for
 * several.
 */
export function renderBatch(
  insert: ResolvedInsert,
  grammar: Grammar,
  fields: readonly Field[],
  rows: number,
  gives: "rows" | "nothing",
): Batch {
  const { table, conflict } = insert;
  const head = new Writer(table.table, grammar);
  writeInsertHead(head, table, fields);
  const tail = new Writer(table.table, grammar, rows * fields.length);
  writeConflict(tail, conflict, fields);
  const plan = { ...finish(tail, table, gives), doubt: doubtOf(insert, grammar, fields) };
  let position = 0;
  const templates = fields.map(({ column }) => boundIn(column.storage, grammar));
  const tuple = () =>
    `(${templates.map((template) => placedIn(template, grammar.placeholder(++position))).join(", ")})`;
  const tuples = fields.length === 0 ? "" : Array.from({ length: rows }, tuple).join(", ");
  return { sql: head.finish().rendered.native.sql + tuples + plan.rendered.native.sql, tail: plan };
}

/** `UPDATE … SET … WHERE …`. */
export function renderModify(update: ResolvedModify, grammar: Grammar): Plan {
  const { table, assignments, readsAssigned, where, gives, known } = update;
  const writeHead = (writer: Writer) => {
    if (readsAssigned && grammar.assignsTogether !== undefined) writer.sql(grammar.assignsTogether);
    writer.sql("UPDATE ").sql(table.name).sql(" SET ");
    writer.each(assignments, ", ", ({ field, value }) =>
      writeExpression(writer.sql(`${field.sql} = `), value),
    );
  };
  const writer = new Writer(table.table, grammar);
  writeHead(writer);
  writeWhere(writer, where);
  if (known === undefined) return doubted(finish(writer, table, gives));
  return { ...writer.finish(), steps: modifySteps(update, known, grammar, writeHead) };
}

/** `DELETE FROM … WHERE …`. */
export function renderRemove({ table, where, gives }: ResolvedRemove, grammar: Grammar): Plan {
  const writer = new Writer(table.table, grammar).sql("DELETE FROM ").sql(table.name);
  writeWhere(writer, where);
  return doubted(finish(writer, table, gives));
}

// Existing rows may hold any value.
function doubted(plan: Plan): Plan {
  return plan.output.length > 0 ? { ...plan, doubt: "always" } : plan;
}

function writeInsertHead(writer: Writer, table: Layout, fields: readonly Field[]): void {
  writer.sql("INSERT INTO ").sql(table.name);
  if (fields.length === 0) {
    const [first] = table.fields.values();
    writer.sql(` ${writer.grammar.defaultRow(first?.sql ?? "")}`);
  } else writer.sql(` (${fields.map(({ sql }) => sql).join(", ")}) VALUES `);
}

function finish(writer: Writer, table: Layout, gives: "rows" | "nothing"): Plan {
  if (gives === "nothing") return writer.finish();
  const { returningInto } = writer.grammar;
  if (returningInto === undefined) return writer.sql(` RETURNING ${table.columns}`).finish(table.outputs);
  const { value, variable, placeholder } = returningInto;
  const fields = [...table.fields.values()];
  writer.sql(` RETURNING ${fields.map(({ column, sql }) => value(column, sql)).join(", ")}`);
  writer.sql(` INTO ${fields.map((_, i) => placeholder(i + 1)).join(", ")}`);
  return {
    ...writer.finish(table.outputs),
    into: fields.map(({ column }) => variable(column, table.table)),
  };
}
