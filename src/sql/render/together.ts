/** Writes the statement that changes the rows of many records, which are a table in it. */
import type { Grammar } from "../dialect/grammar/grammar.js";
import { type CarriedValue, filled, type RecordNames, type RecordsForm } from "../dialect/grammar/records.js";
import type { ParameterPlace, ResolvedExpression } from "../resolve/scope/resolved.js";
import type { KeyCondition, ResolvedChange, TogetherConditions } from "../resolve/scope/resolved-change.js";
import { writeAssignments } from "./assignments.js";
import { writeCondition, writeEach } from "./expression.js";
import { outputsOf, writeItems } from "./items.js";
import { asOfNow } from "./locks.js";
import type { Plan, RenderedText, Slot } from "./plan.js";
import { startWriting } from "./start.js";
import type { Writer } from "./writer.js";

/** A change of many records. */
export interface Together {
  /** The values of a record as the slots of a text that is not sent. */
  readonly record: Plan;
  /** How they are carried, in the order of the slots. */
  readonly columns: readonly CarriedValue[];
  /** The values by which a row meets a record. */
  readonly key: readonly KeySlot[];
  readonly change: RenderedText;
  /** The statement that reads the rows, if they are requested and the change does not return them. */
  readonly read: RenderedText | undefined;
  /** When it reads them. @param fixesKey whether at most one row meets a record. */
  readonly readings: (fixesKey: boolean) => readonly ("before" | "after")[];
  readonly form: RecordsForm;
}

/** A value of a record that is compared with a field. */
interface KeySlot extends Pick<KeyCondition, "field"> {
  /** The index of its slot. */
  readonly slot: number;
}

/** The statement of many records; undefined if each record needs a statement of its own. */
export function renderTogether(
  change: ResolvedChange,
  conditions: TogetherConditions,
  grammar: Grammar,
): Together | undefined {
  const { records: form } = grammar;
  if (form === undefined) return undefined;
  if (form.remove.includes("{keys}") && change.kind === "remove" && !conditions.key.every(isComparison))
    return undefined;
  const table = new RecordTable(change, grammar, form);
  const text = (template: string, isReading: boolean) =>
    textOf(template, change, conditions, table, isReading);
  const isRead = change.gives === "rows" && form.read !== undefined;
  const templates = [form[change.kind], ...(isRead && form.read !== undefined ? [form.read] : [])];
  // The first time only finds out which values there are: some statements name the records before their values.
  for (const template of templates) text(template, template === form.read);
  if (table.isRefused) return undefined;
  const [first, second] = templates.map((template) => text(template, template === form.read));
  if (first === undefined || table.isRefused) return undefined;
  return {
    record: table.plan(first),
    columns: table.columns,
    key: conditions.key.flatMap(({ field, value }) => {
      const slot = table.slotOf(value);
      return slot === undefined ? [] : [{ field, slot }];
    }),
    change: first,
    read: second,
    readings: (fixesKey) => {
      if (change.kind === "remove") return ["before"];
      // No condition reads a field that is set. The lock of a first reading keeps other rows from meeting a record.
      return fixesKey || typeof grammar.locks.update !== "string" ? ["after"] : ["before", "after"];
    },
    form,
  };
}

function isComparison({ condition }: KeyCondition): boolean {
  return condition.kind === "comparison" && condition.form.open === "" && condition.form.close === "";
}

const PART = /\{(table|records|set|where|items|keys|sought|rest)\}/;

function textOf(
  template: string,
  change: ResolvedChange,
  { key, rest }: TogetherConditions,
  records: RecordTable,
  isReading: boolean,
): RenderedText {
  const { table, gives, returned } = change;
  const writer = startWriting(table, records.grammar);
  writer.carry = (parameter, isCast) => records.valueOf(parameter, isCast);
  const { position } = records.names;
  const writeItemsAfter = (word: string) => {
    if (gives === "rows") writeItems(writer.sql(`${word}${position}, `), table, returned);
  };
  const parts: Readonly<Record<string, () => void>> = {
    table: () => writer.sql(table.name),
    records: () => writer.sql(records.text),
    set: () => {
      if (change.kind === "modify") writeAssignments(writer, change.assignments, { gives, returned });
    },
    where: () => writeAll(writer, [...key.map(({ condition }) => condition), ...rest]),
    items: () => writeItemsAfter(""),
    keys: () =>
      writeEach(
        writer,
        key.map(({ field }) => field),
        ", ",
      ),
    sought: () => writeEach(writer, key.flatMap(rightOf), ", "),
    rest: () => {
      // It stands outside the records, whose values it cannot name.
      writer.carry = () => records.refuse();
      if (rest.length > 0) writeAll(writer.sql(" AND "), rest);
    },
  };
  for (const [i, part] of template.split(PART).entries())
    if (i % 2 === 0) writer.sql(part);
    else parts[part]?.();
  if (isReading) asOfNow(writer, "update");
  else if (records.form.read === undefined) writeItemsAfter(" RETURNING ");
  records.isRefused ||= writer.places > 0;
  const givesRows = gives === "rows" && (isReading || records.form.read === undefined);
  return writer.finish(givesRows ? outputsOf(table, returned) : []);
}

function writeAll(writer: Writer, conditions: TogetherConditions["rest"]): void {
  writer.each(conditions, " AND ", (condition) => writeCondition(writer, condition));
}

function rightOf({ condition }: KeyCondition): readonly ResolvedExpression[] {
  return condition.kind === "comparison" ? [condition.right] : [];
}

/** The table of the records, whose columns are found while the statement is written. */
class RecordTable {
  readonly grammar: Grammar;
  readonly form: RecordsForm;
  readonly columns: CarriedValue[] = [];
  /** Whether a value cannot be carried exactly. */
  isRefused = false;
  readonly #change: ResolvedChange;
  readonly #places: ParameterPlace[] = [];
  readonly #prefix: string;

  constructor(change: ResolvedChange, grammar: Grammar, form: RecordsForm) {
    const { table } = change.table;
    const taken = [table.name, ...Object.values(table.columns).map(({ name }) => name)];
    let prefix = "rowtype";
    while (taken.some((name) => name.toLowerCase().startsWith(prefix))) prefix += "_";
    this.#prefix = prefix;
    this.#change = change;
    this.grammar = grammar;
    this.form = form;
  }

  get names(): RecordNames {
    const name = (of: string | number) => this.grammar.quote(`${this.#prefix}_${of}`);
    return {
      table: name("records"),
      position: name("position"),
      columns: this.columns.map((_, i) => name(i + 1)),
    };
  }

  get text(): string {
    return this.form.table(this.columns, this.names);
  }

  slotOf(place: ParameterPlace): number | undefined {
    const slot = this.#places.indexOf(place);
    return slot < 0 ? undefined : slot;
  }

  /** The text of a value. */
  valueOf(place: ParameterPlace, isCast: boolean): string {
    let slot = this.slotOf(place);
    if (slot === undefined) {
      const carried = this.#carried(place, isCast);
      if (carried === undefined) return this.refuse();
      slot = this.#places.push(place) - 1;
      this.columns.push(carried);
    }
    return filled(this.columns[slot]?.value ?? "{0}", this.names.columns[slot] ?? "");
  }

  /** Says that each record needs a statement of its own. */
  refuse(): string {
    this.isRefused = true;
    return "";
  }

  #carried(place: ParameterPlace, isCast: boolean): CarriedValue | undefined {
    const { table, name } = this.#change.table;
    const { beside = place.sets === undefined ? place.form?.column : table.columns[place.sets] } = place;
    if (beside === undefined) return undefined;
    const { storage, name: column }: { storage: typeof beside.storage; name?: string | undefined } = beside;
    const own = column === undefined ? undefined : { name: column, sql: this.grammar.quote(column) };
    return this.form.carried({ storage, table: name, column: own, isCast });
  }

  /** The values of a record as a plan. */
  plan(text: RenderedText): Plan {
    const slots = this.#places.map(
      ({ name, sets, binder, constant }): Slot => ({
        name: constant === undefined ? name : "",
        constant,
        sets,
        binders: [binder],
      }),
    );
    const params = [...new Set(slots.flatMap(({ name }) => (name === "" ? [] : [name])))];
    const native = {
      sql: text.rendered.native.sql,
      params: slots.map(({ name, constant }) => (constant === undefined ? name : null)),
    };
    return { ...text, rendered: { sql: native.sql, params, native }, slots };
  }
}
