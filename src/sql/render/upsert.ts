/**
 * What an insert does where a row of the same key is there already: a clause of its own text where the dialect has
 * one that answers for a key, and steps where it has not.
 */
import type { Grammar } from "../dialect/grammar.js";
import type { Conflict, ConflictAssignment, Field, ResolvedInsert } from "../resolve/resolved.js";
import { proposedValue } from "./insert-value.js";
import { asOfNow } from "./locks.js";
import type { Plan, RenderedStatement, Step, Steps } from "./plan.js";
import { Writer } from "./writer.js";

/**
 * The clause behind the values of an insert; nothing where there is no key, or no clause for it.
 * @param fields those that the record gives a value.
 */
export function writeConflict(
  writer: Writer,
  conflict: Conflict | undefined,
  fields: readonly Field[],
): void {
  const form = writer.grammar.onConflict;
  if (conflict === undefined || form === undefined) return;
  const key = conflict.key.map(({ sql }) => sql);
  if (conflict.action !== "update") {
    if (form.nothing !== undefined) writer.sql(form.nothing(key));
    return;
  }
  writer.sql(form.update(key)).each(assignmentsOf(conflict, fields), ", ", ({ field, value }) => {
    writer.sql(`${field.sql} = `);
    if (value.kind === "field") writer.sql(form.proposed(value.sql));
    else writer.param(value);
  });
}

/**
 * The steps of an insert that its text alone cannot do.
 * @param insert the insert without any clause, which the server refuses where there is a conflict.
 */
export function conflictSteps(
  { table, conflict }: ResolvedInsert,
  grammar: Grammar,
  fields: readonly Field[],
  insert: () => Plan,
): Steps | undefined {
  if (conflict === undefined) return undefined;
  const form = grammar.onConflict;
  const proposed = new Proposed(table, conflict, grammar, fields);
  const stored = (): Step => ({ statement: insert(), when: "none", gives: "rows" });
  if (conflict.action !== "update")
    return form?.nothing === undefined
      ? { after: "UNIQUE_VIOLATION", list: [{ statement: proposed.find(), gives: "found" }, stored()] }
      : undefined;
  if (form?.namesKey === true) return undefined;
  const list: readonly Step[] = [
    { statement: proposed.update(), gives: "changed" },
    stored(),
    { statement: proposed.read(), when: "some", gives: "rows" },
  ];
  const againOn = conflict.key.map(({ column }) => column.property);
  return { after: form === undefined ? undefined : "QUERY_FAILED", againOn, list };
}

/** Writes statements about the row that has the key of a proposed one. */
class Proposed {
  readonly #table: ResolvedInsert["table"];
  readonly #grammar: Grammar;
  readonly #given: ReadonlySet<Field>;
  readonly #key: readonly Field[];
  readonly #assignments: readonly ConflictAssignment[];

  constructor(
    table: ResolvedInsert["table"],
    conflict: Conflict,
    grammar: Grammar,
    fields: readonly Field[],
  ) {
    this.#table = table;
    this.#grammar = grammar;
    this.#given = new Set(fields);
    this.#key = conflict.key;
    this.#assignments = assignmentsOf(conflict, fields);
  }

  /** Whether there is such a row. */
  find(): RenderedStatement {
    const writer = this.#writer().sql(`SELECT 1 FROM ${this.#table.name}`);
    this.#writeKey(writer, (field) => field);
    return asOfNow(writer, "share", "update").finish();
  }

  update(): RenderedStatement {
    const writer = this.#writer().sql(`UPDATE ${this.#table.name} SET `);
    writer.each(this.#assignments, ", ", ({ field, value }) =>
      this.#writeValue(writer.sql(`${field.sql} = `), value),
    );
    this.#writeKey(writer, (field) => field);
    return writer.finish();
  }

  /** The row after the update, which may have changed its key. */
  read(): RenderedStatement {
    const { columns, name, outputs } = this.#table;
    const values = new Map(this.#assignments.map(({ field, value }) => [field, value]));
    const writer = this.#writer().sql(`SELECT ${columns} FROM ${name}`);
    this.#writeKey(writer, (field) => values.get(field) ?? field);
    return asOfNow(writer, "update").finish(outputs);
  }

  #writer(): Writer {
    return new Writer(this.#table.table, this.#grammar);
  }

  #writeKey(writer: Writer, of: (field: Field) => ConflictAssignment["value"]): void {
    writer
      .sql(" WHERE ")
      .each(this.#key, " AND ", (field) => this.#writeValue(writer.sql(`${field.sql} = `), of(field)));
  }

  #writeValue(writer: Writer, value: ConflictAssignment["value"]): void {
    if (value.kind === "parameter") writer.param(value);
    else if (this.#given.has(value)) writer.param(proposedValue(value, this.#grammar));
    else writer.sql(defaultOf(value, this.#grammar));
  }
}

/** What an upsert sets. */
function assignmentsOf({ set, key }: Conflict, fields: readonly Field[]): readonly ConflictAssignment[] {
  if (set !== undefined) return set;
  const outside = fields.filter((field) => !key.includes(field));
  // With nothing to change the key is set to itself, so that the row that is there comes back.
  return (outside.length > 0 ? outside : key).map((field) => ({ field, value: field }));
}

// A column that the record leaves out: NULL is equal to nothing, so where there is no default no row is found.
function defaultOf({ column }: Field, { dialect, ddl }: Grammar): string {
  const { default: text, storage } = column;
  const expression = typeof text === "string" ? text : text?.[dialect];
  return expression === undefined ? "NULL" : ddl.defaultExpression(expression, storage);
}
