/** Writes the statements that change rows: insert, modify, remove. */

import type { Grammar } from "../dialect/grammar/grammar.js";
import { boundIn, placedIn } from "../dialect/grammar/value-codec.js";
import type { Field } from "../resolve/scope/resolved.js";
import type {
  ResolvedInsert,
  ResolvedModify,
  ResolvedRemove,
  ReturnedItem,
} from "../resolve/scope/resolved-change.js";
import { writeAssignments } from "./assignments.js";
import { modifySteps } from "./by-key.js";
import { writeWhere } from "./clauses.js";
import { doubtOf } from "./doubt.js";
import { guardOf } from "./guard.js";
import { proposedValue } from "./insert-value.js";
import { finishReturning, returnedField } from "./items.js";
import type { Plan } from "./plan.js";
import { startWriting } from "./start.js";
import { conflictSteps, defaultedField, defaultOf, writeConflict } from "./upsert.js";
import type { Writer } from "./writer.js";

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
  const { table, conflict, returned } = insert;
  const writer = startWriting(table, grammar);
  writeInsertHead(writer, insert, fields);
  if (fields.length > 0)
    writer
      .sql("(")
      .each(fields, ", ", (field) => writer.param(proposedValue(field, grammar)))
      .sql(")");
  writeConflict(writer, conflict, fields, { gives: "rows", returned });
  const plan = finishReturning(writer, table, returned);
  return { ...plan, doubt: doubtOf(insert, grammar, fields), guard: () => guardOf(table, returned, grammar) };
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
 * @param hidden fields that are returned after the requested ones, to identify the record of each row.
 */
export function renderBatch(
  insert: ResolvedInsert,
  grammar: Grammar,
  fields: readonly Field[],
  rows: number,
  gives: "rows" | "nothing",
  hidden: readonly Field[] = [],
): Batch {
  const { table, conflict } = insert;
  const head = startWriting(table, grammar);
  writeInsertHead(head, insert, fields);
  const tail = startWriting(table, grammar, rows * fields.length);
  writeConflict(tail, conflict, fields, { gives, returned: insert.returned });
  const returned = insert.returned?.concat(hidden.map((field) => hiddenField(field, grammar)));
  const plan = {
    ...(gives === "rows" ? finishReturning(tail, table, returned) : tail.finish()),
    doubt: doubtOf(insert, grammar, fields),
  };
  let position = 0;
  const templates = fields.map(({ column }) => boundIn(column.storage, grammar));
  const tuple = () =>
    `(${templates.map((template) => placedIn(template, grammar.placeholder(++position))).join(", ")})`;
  const tuples = fields.length === 0 ? "" : Array.from({ length: rows }, tuple).join(", ");
  return { sql: head.finish().rendered.native.sql + tuples + plan.rendered.native.sql, tail: plan };
}

/** `UPDATE … SET … WHERE …`. */
export function renderModify(update: ResolvedModify, grammar: Grammar): Plan {
  const { table, assignments, readsAssigned, where, gives, returned, known } = update;
  const writeHead = (writer: Writer) => {
    if (readsAssigned && grammar.assignsTogether !== undefined) writer.sql(grammar.assignsTogether);
    writer.sql("UPDATE ").sql(table.name).sql(" SET ");
    writeAssignments(writer, assignments, { gives, returned });
  };
  const writer = startWriting(table, grammar);
  writeHead(writer);
  writeWhere(writer, where);
  if (gives === "nothing") return writer.finish();
  if (known === undefined) return doubted(finishReturning(writer, table, returned), update, grammar);
  return { ...writer.finish(), steps: modifySteps(update, known, grammar, writeHead) };
}

/** `DELETE FROM … WHERE …`. */
export function renderRemove(remove: ResolvedRemove, grammar: Grammar): Plan {
  const { table, where, gives, returned } = remove;
  const writer = startWriting(table, grammar).sql("DELETE FROM ").sql(table.name);
  writeWhere(writer, where);
  return gives === "nothing"
    ? writer.finish()
    : doubted(finishReturning(writer, table, returned), remove, grammar);
}

// Existing rows may hold any value.
function doubted(plan: Plan, { table, returned }: ResolvedModify | ResolvedRemove, grammar: Grammar): Plan {
  return { ...plan, doubt: "always", guard: () => guardOf(table, returned, grammar) };
}

function writeInsertHead(
  writer: Writer,
  { table, conflict }: ResolvedInsert,
  fields: readonly Field[],
): void {
  const { grammar } = writer;
  writer.sql("INSERT INTO ").sql(table.name);
  if (fields.length === 0) {
    const form = conflict === undefined ? undefined : grammar.onConflict?.defaultRow;
    const [first] = table.fields.values();
    const field = form === undefined ? first : defaultedField(table);
    if (field !== undefined) {
      const row = form?.(field.sql, defaultOf(field, grammar)) ?? grammar.defaultRow(field.sql);
      writer.sql(` ${row}`);
    }
  } else writer.sql(` (${fields.map(({ sql }) => sql).join(", ")}) VALUES `);
}

// A trigger may have made it NULL. Then it identifies nothing, but is not an error.
function hiddenField(field: Field, grammar: Grammar): ReturnedItem {
  const item = returnedField(field, grammar);
  return { ...item, output: { ...item.output, nullable: true } };
}
