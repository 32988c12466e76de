/**
 * Renders the conflict handling of an insert: a clause of its text if the dialect has one for a key, and steps
 * otherwise.
 */
import type { Grammar } from "../dialect/grammar/grammar.js";
import type { Field, Layout, Proposed, ResolvedExpression } from "../resolve/scope/resolved.js";
import type { Assignment, ResolvedConflict, ResolvedInsert } from "../resolve/scope/resolved-change.js";
import { type ReturnedRows, writeAssignments } from "./assignments.js";
import { writeKeys, writeRead } from "./by-key.js";
import { writeWhere } from "./clauses.js";
import { writeExpression, writeJoined } from "./expression.js";
import { proposedValue } from "./insert-value.js";
import { outputsOf } from "./items.js";
import { conditionText } from "./literal.js";
import { asOfNow } from "./locks.js";
import type { Plan, PlanStep, RenderedText, Steps } from "./plan.js";
import { startWriting } from "./start.js";
import type { Writer } from "./writer.js";

/**
 * The clause after the values of an insert; empty if there is no key, or no clause for it.
 * @param fields the fields that the record has.
 * @param given what the statement returns.
 * @param qualifier the text before the fields of the existing row, if another row has fields of the same names.
 */
export function writeConflict(
  writer: Writer,
  conflict: ResolvedConflict | undefined,
  fields: readonly Field[],
  given: ReturnedRows,
  qualifier = "",
): void {
  const form = writer.grammar.onConflict;
  if (conflict === undefined || form === undefined) return;
  // A clause that does not name its key has no conditions, and assigns in sequence. For a record, steps replace it. For
  // rows of a query, only supported assignments get here.
  if (conflict.readsRow && !form.namesKey && qualifier === "") return;
  const key = conflict.key.map(({ sql }) => qualifier + sql);
  const { table, grammar } = writer;
  const among = conflict.among === undefined ? "" : ` WHERE ${conditionText(table, conflict.among, grammar)}`;
  if (conflict.action !== "update") {
    if (form.nothing !== undefined) writer.sql(form.nothing(key, among));
    return;
  }
  writer.proposed = ({ field }) => void writer.sql(form.proposed(field.sql));
  writeAssignments(writer.sql(form.update(key, among)), assignmentsOf(conflict, fields), given, qualifier);
  writeWhere(writer, conflict.where);
}

/**
 * The steps of an insert that needs more than its text.
 * @param insert the insert without any clause, which the server refuses on a conflict.
 */
export function conflictSteps(
  { table, conflict, returned }: ResolvedInsert,
  grammar: Grammar,
  fields: readonly Field[],
  insert: () => Plan,
): Steps | undefined {
  if (conflict === undefined) return undefined;
  const form = grammar.onConflict;
  const proposed = new Proposal({ table, conflict, returned }, grammar, fields);
  const stored = (): PlanStep => ({ text: insert(), when: "none", gives: "rows" });
  if (conflict.action !== "update") {
    if (form?.nothing !== undefined) return undefined;
    // For any key, the refusal is enough.
    const list: readonly PlanStep[] =
      conflict.key.length === 0 ? [] : [{ text: proposed.find(), gives: "found" }, stored()];
    return { after: "UNIQUE_VIOLATION", list };
  }
  if (form?.namesKey === true) return undefined;
  if (conflict.readsRow) return { after: "UNIQUE_VIOLATION", ...stepsOfRow(conflict, proposed, stored()) };
  const list: readonly PlanStep[] = [
    { text: proposed.update(), gives: "changed" },
    stored(),
    { text: proposed.read(), when: "some", gives: "rows" },
  ];
  const againOn = conflict.key.map(({ column }) => column.property);
  return { after: form === undefined ? undefined : "QUERY_FAILED", againOn, list };
}

// The row is locked first. Whether it exists and whether it meets the conditions are two separate questions.
function stepsOfRow(conflict: ResolvedConflict, proposed: Proposal, stored: PlanStep): Omit<Steps, "after"> {
  return {
    againOn: conflict.key.map(({ column }) => column.property),
    list: [
      { text: proposed.find(), gives: "found" },
      stored,
      { text: proposed.update(), when: "some", gives: "changed" },
      { text: proposed.read(), when: "some", gives: "rows" },
    ],
  };
}

/** Selects the existing keys of a list: from the transaction's view, and from the current rows with a lock. */
interface FoundKeys {
  readonly seen: Plan;
  readonly now: Plan;
}

/** Renders both statements; the list of encoded keys is their parameter `KEYS`. */
export function renderFoundKeys(table: Layout, key: readonly Field[], grammar: Grammar): FoundKeys {
  const find = () => {
    const writer = startWriting(table, grammar);
    writer.sql(`SELECT ${key.map(({ sql }) => sql).join(", ")} FROM ${table.name} WHERE `);
    writeKeys(writer, key, key);
    return writer;
  };
  const outputs = key.map(({ output }) => output);
  return { seen: find().finish(outputs), now: asOfNow(find(), "share", "update").finish(outputs) };
}

/** Writes statements about the row with the key of a proposed row. */
class Proposal {
  readonly #table: ResolvedInsert["table"];
  readonly #grammar: Grammar;
  readonly #given: ReadonlySet<Field>;
  readonly #key: readonly Field[];
  readonly #assignments: readonly Assignment[];
  readonly #conflict: ResolvedConflict;
  readonly #returned: ResolvedInsert["returned"];

  constructor(
    { table, conflict, returned }: Omit<ResolvedInsert, "kind"> & { readonly conflict: ResolvedConflict },
    grammar: Grammar,
    fields: readonly Field[],
  ) {
    this.#table = table;
    this.#returned = returned;
    this.#grammar = grammar;
    this.#given = new Set(fields);
    this.#key = conflict.key;
    this.#conflict = conflict;
    this.#assignments = assignmentsOf(conflict, fields);
  }

  /** Whether such a row exists. */
  find(): RenderedText {
    const writer = this.#writer().sql(`SELECT 1 FROM ${this.#table.name}`);
    this.#writeKey(writer, proposedOf);
    return { ...asOfNow(writer, "share", "update").finish(), givesRows: true };
  }

  update(): RenderedText {
    const { readsAssigned, where } = this.#conflict;
    const { assignsTogether } = this.#grammar;
    const writer = this.#writer();
    if (readsAssigned && assignsTogether !== undefined) writer.sql(assignsTogether);
    writer.sql(`UPDATE ${this.#table.name} SET `);
    writeAssignments(writer, this.#assignments, { gives: "rows", returned: this.#returned });
    this.#writeKey(writer, proposedOf);
    if (where.length > 0) writeJoined(writer.sql(" AND "), where, " AND ");
    return writer.finish();
  }

  /** The row after the update, which may have changed its key. */
  read(): RenderedText {
    const values = new Map(this.#assignments.map(({ field, value }) => [field, value]));
    const writer = writeRead(this.#writer(), this.#table, this.#returned);
    this.#writeKey(writer, (field) => values.get(field) ?? proposedOf(field));
    return asOfNow(writer, "update").finish(outputsOf(this.#table, this.#returned));
  }

  #writer(): Writer {
    const writer = startWriting(this.#table, this.#grammar);
    writer.proposed = (value) => this.#writeProposed(writer, value);
    return writer;
  }

  #writeKey(writer: Writer, of: (field: Field) => ResolvedExpression): void {
    writer
      .sql(" WHERE ")
      .each(this.#key, " AND ", (field) => writeExpression(writer.sql(`${field.sql} = `), of(field)));
  }

  #writeProposed(writer: Writer, { field, template }: Proposed): void {
    if (!this.#given.has(field)) {
      writer.sql(defaultOf(field, this.#grammar));
      return;
    }
    const param = proposedValue(field, this.#grammar);
    writeExpression(writer, { kind: "call", template, operands: [], separator: "", params: [param] });
  }
}

/** The assignments of an upsert. */
export function assignmentsOf(
  { set, key, ruled }: ResolvedConflict,
  fields: readonly Field[],
): readonly Assignment[] {
  if (set !== undefined) return [...set, ...ruled];
  const outside = fields.filter((field) => !key.includes(field));
  // Without assignments the key is set to itself, so that the existing row is returned.
  const own = outside.length > 0 || ruled.length > 0 ? outside : key;
  return [...own.map((field) => ({ field, value: proposedOf(field) })), ...ruled];
}

function proposedOf(field: Field): Proposed {
  return { kind: "proposed", field, template: "{0}" };
}

/** The column that an insert names if it gives values to none: one whose default is surely the declared one. */
export function defaultedField({ fields }: Layout): Field | undefined {
  const all = [...fields.values()];
  return (
    all.find(({ column }) => column.generated !== false) ??
    all.find(({ column }) => column.default !== undefined) ??
    all.find(({ column }) => column.computed === undefined)
  );
}

/**
 * The value of a column that the record omits. NULL does not equal anything, so without a default no row with such a
 * key is found.
 */
export function defaultOf({ column }: Field, { dialect, ddl }: Grammar): string {
  const { default: text, storage } = column;
  const expression = typeof text === "string" ? text : text?.[dialect];
  return expression === undefined ? "NULL" : ddl.defaultExpression(expression, storage);
}
