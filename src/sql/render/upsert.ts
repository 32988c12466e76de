/**
 * What an insert does where a row of the same key is there already: a clause of its own text where the dialect has
 * one that answers for a key, and steps where it has not.
 */
import type { CreateParts, InsertStatement } from "../ast/statement.js";
import type { ColumnInfo } from "../declaration.js";
import type { Grammar, Missing } from "../dialect/grammar.js";
import { assignedBinder, storedBinder } from "../value/binder.js";
import type { Plan, RenderedStatement, Step, Steps } from "./plan.js";
import { Writer } from "./writer.js";

/** The clause behind the values of an insert; nothing where there is no key, or no clause for it. */
export function writeConflict(writer: Writer, spec: CreateParts, columns: readonly ColumnInfo[]): void {
  const { on_conflict: key, conflict_action: action } = spec;
  const form = writer.grammar.onConflict;
  if (key === undefined || form === undefined) return;
  const names = key.map((field) => writer.place(field).name);
  if (action !== "update") {
    if (form.nothing !== undefined) writer.sql(form.nothing(names));
    return;
  }
  const { table, grammar } = writer;
  writer.sql(form.update(names)).each(assignments(spec, key, columns), ", ", ([field, param]) => {
    const { column, name } = writer.place(field);
    writer.sql(`${name} = `);
    if (table.columns[param] !== undefined) writer.sql(form.proposed(writer.place(param).name));
    else writer.param(param, () => assignedBinder(column, grammar, { param, table }));
  });
}

/**
 * The steps of an insert that its text alone cannot do.
 * @param insert the insert without any clause, which the server refuses where there is a conflict.
 */
export function conflictSteps(
  statement: InsertStatement,
  grammar: Grammar,
  columns: readonly ColumnInfo[],
  insert: () => Plan,
): Steps | undefined {
  const { on_conflict: key, conflict_action: action } = statement.spec;
  if (key === undefined) return undefined;
  const form = grammar.onConflict;
  const proposed = new Proposed(statement, grammar, columns, key);
  const stored = (): Step => ({ statement: insert(), when: "none", gives: "rows" });
  if (action !== "update")
    return form?.nothing === undefined
      ? { after: "UNIQUE_VIOLATION", list: [{ statement: proposed.find(), gives: "found" }, stored()] }
      : undefined;
  if (form?.namesKey === true) return undefined;
  const list: readonly Step[] = [
    { statement: proposed.update(), gives: "changed" },
    stored(),
    { statement: proposed.read(), when: "some", gives: "rows" },
  ];
  return { after: form === undefined ? undefined : "QUERY_FAILED", againOn: key, list };
}

/** Writes statements about the row that has the key of a proposed one. */
class Proposed {
  readonly #statement: InsertStatement;
  readonly #grammar: Grammar;
  readonly #given: ReadonlyMap<string, ColumnInfo>;
  readonly #key: readonly string[];
  readonly #assignments: readonly (readonly [field: string, param: string])[];

  constructor(
    statement: InsertStatement,
    grammar: Grammar,
    columns: readonly ColumnInfo[],
    key: readonly string[],
  ) {
    this.#statement = statement;
    this.#grammar = grammar;
    this.#given = new Map(columns.map((column) => [column.property, column]));
    this.#key = key;
    this.#assignments = assignments(statement.spec, key, columns);
  }

  /** Whether there is such a row. */
  find(): RenderedStatement {
    const { share, update } = this.#grammar.locks;
    const writer = this.#writer().sql("SELECT 1 FROM ");
    this.#writeKey(writer.sql(writer.layout.name), (field) => field);
    return asOfNow(writer, share, update).finish();
  }

  update(): RenderedStatement {
    const writer = this.#writer().sql("UPDATE ");
    writer.sql(`${writer.layout.name} SET `).each(this.#assignments, ", ", ([field, param]) => {
      const { column, name } = writer.place(field);
      this.#writeSource(writer.sql(`${name} = `), column, param);
    });
    this.#writeKey(writer, (field) => field);
    return writer.finish();
  }

  /** The row after the update, which may have changed its key. */
  read(): RenderedStatement {
    const sources = new Map(this.#assignments);
    const writer = this.#writer().sql("SELECT ");
    writer.sql(`${writer.layout.columns} FROM ${writer.layout.name}`);
    this.#writeKey(writer, (field) => sources.get(field) ?? field);
    return asOfNow(writer, this.#grammar.locks.update).finish(writer.layout.outputs);
  }

  #writer(): Writer {
    return new Writer(this.#statement.table, this.#grammar);
  }

  #writeKey(writer: Writer, sourceOf: (field: string) => string): void {
    writer.sql(" WHERE ").each(this.#key, " AND ", (field) => {
      const { column, name } = writer.place(field);
      this.#writeSource(writer.sql(`${name} = `), column, sourceOf(field));
    });
  }

  /** What a column is set to: a field of the proposed row, or a parameter of its own. */
  #writeSource(writer: Writer, column: ColumnInfo, source: string): void {
    const { table, grammar } = writer;
    const place = { param: source, table };
    const field = table.columns[source];
    if (field === undefined) writer.param(source, () => assignedBinder(column, grammar, place));
    else if (this.#given.has(source)) writer.param(source, () => storedBinder(field, grammar, place));
    else writer.sql(defaultOf(field, grammar));
  }
}

// A lock reads the row as it is now, not as the transaction saw it first: the first lock that the dialect has.
function asOfNow(writer: Writer, ...locks: readonly (string | Missing)[]): Writer {
  return writer.sql(locks.find((lock) => typeof lock === "string") ?? "");
}

/** What an upsert sets: field to parameter, or to the field of the proposed row that is named like it. */
function assignments(
  { conflict_set: set }: CreateParts,
  key: readonly string[],
  columns: readonly ColumnInfo[],
): readonly (readonly [field: string, param: string])[] {
  if (set !== undefined) return Object.entries(set);
  const outside = columns.map(({ property }) => property).filter((one) => !key.includes(one));
  // With nothing to change the key is set to itself, so that the row that is there comes back.
  return (outside.length > 0 ? outside : key).map((one) => [one, one] as const);
}

// A column that the record leaves out: NULL is equal to nothing, so where there is no default no row is found.
function defaultOf({ default: text, storage }: ColumnInfo, { dialect, ddl }: Grammar): string {
  const expression = typeof text === "string" ? text : text?.[dialect];
  return expression === undefined ? "NULL" : ddl.defaultExpression(expression, storage);
}
