/** Writes the statements that change rows: insert, update, delete. */
import type { Grammar, LeavingForm } from "../dialect/grammar.js";
import type { Field, Layout, ResolvedDelete, ResolvedInsert, ResolvedUpdate } from "../resolve/resolved.js";
import { updateSteps } from "./by-key.js";
import { writeWhere } from "./clauses.js";
import { doubtOf } from "./doubt.js";
import { writeExpression } from "./expression.js";
import { proposedValue } from "./insert-value.js";
import type { Plan } from "./plan.js";
import { conflictSteps, writeConflict } from "./upsert.js";
import { Writer } from "./writer.js";

/**
 * `INSERT INTO … VALUES …` of one row; its parameters are named by the properties.
 * @param fields those that the record gives a value.
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

/** An insert of several rows: its native text, and what is bound behind the values of the rows. */
export interface Batch {
  readonly sql: string;
  /** What stands behind the rows: on a conflict. */
  readonly tail: Plan;
  /** What is sent before and behind it, where it leaves rows alone that were there. */
  readonly leaving: LeavingForm | undefined;
}

/**
 * An insert of several rows with the same fields. The values of the second row follow
 * those of the first; the plan of one row binds each. Rows without any column go one by one: there is no text for
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
  const leaving = conflict?.action === "nothing" ? grammar.onConflict?.leaving : undefined;
  if (leaving === undefined) writeConflict(tail, conflict, fields);
  else tail.sql(leaving.clause((conflict?.key ?? []).map(({ sql }) => sql)));
  const plan = { ...finish(tail, table, gives), doubt: doubtOf(insert, grammar, fields) };
  let position = 0;
  const tuple = () => `(${fields.map(() => grammar.placeholder(++position)).join(", ")})`;
  const tuples = fields.length === 0 ? "" : Array.from({ length: rows }, tuple).join(", ");
  return { sql: head.finish().rendered.native.sql + tuples + plan.rendered.native.sql, tail: plan, leaving };
}

/** `UPDATE … SET … WHERE …`. */
export function renderUpdate(update: ResolvedUpdate, grammar: Grammar): Plan {
  const { table, assignments, where, gives, known } = update;
  const writeHead = (writer: Writer) => {
    writer.sql("UPDATE ").sql(table.name).sql(" SET ");
    writer.each(assignments, ", ", ({ field, value }) =>
      writeExpression(writer.sql(`${field.sql} = `), value),
    );
  };
  const writer = new Writer(table.table, grammar);
  writeHead(writer);
  writeWhere(writer, where);
  if (known === undefined) return doubted(finish(writer, table, gives));
  return { ...writer.finish(), steps: updateSteps(update, known, grammar, writeHead) };
}

/** `DELETE FROM … WHERE …`. */
export function renderDelete({ table, where, gives }: ResolvedDelete, grammar: Grammar): Plan {
  const writer = new Writer(table.table, grammar).sql("DELETE FROM ").sql(table.name);
  writeWhere(writer, where);
  return doubted(finish(writer, table, gives));
}

// Rows that were there may hold anything.
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
