/**
 * Collects SQL text and the places of its parameters, then writes both forms of the text from them. Names come
 * from the declaration and are quoted here; values never come near.
 */
import type { AnyTable, ColumnInfo } from "../declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import type { Binder } from "../value/binder.js";
import { type Layout, layoutOf, type Place } from "./layout.js";
import type { Output, Plan } from "./plan.js";

/** In what form a value goes to a placeholder: those that go in one form may share it. */
export interface Form {
  readonly operand: "value" | "list" | "pattern" | "count";
  readonly column: ColumnInfo | undefined;
}

interface Hole {
  readonly name: string;
  readonly binder: () => Binder;
  readonly form: Form | undefined;
}

interface OpenSlot {
  readonly name: string;
  readonly form: Form | undefined;
  readonly binders: (() => Binder)[];
}

/** Writes one statement. */
export class Writer {
  readonly grammar: Grammar;
  #table: AnyTable;
  #layout: Layout;
  readonly #before: number;
  // `#texts[i]` stands before `#holes[i]`; the text after the last hole is `#tail`.
  readonly #texts: string[] = [];
  readonly #holes: Hole[] = [];
  #tail = "";

  /** @param before how many placeholders stand before this text, where it is the end of a longer one. */
  constructor(table: AnyTable, grammar: Grammar, before = 0) {
    this.#before = before;
    this.grammar = grammar;
    this.#table = table;
    this.#layout = layoutOf(table, grammar);
  }

  /** The table whose fields are written. */
  get table(): AnyTable {
    return this.#table;
  }

  get layout(): Layout {
    return this.#layout;
  }

  /** Does something in another table, in the middle of this text. */
  inTable<T>(table: AnyTable, write: () => T): T {
    const outer = this.#table;
    this.#table = table;
    this.#layout = layoutOf(table, this.grammar);
    const result = write();
    this.#table = outer;
    this.#layout = layoutOf(outer, this.grammar);
    return result;
  }

  /** A checked field of the table. */
  place(field: string): Place {
    const place = this.layout.places.get(field);
    if (place === undefined) throw new TypeError(`field ${field} was not checked`);
    return place;
  }

  /** Text of the grammar or of this package. */
  sql(text: string): this {
    this.#tail += text;
    return this;
  }

  /** Things of a list, separated. */
  each<T>(items: Iterable<T>, separator: string, write: (item: T) => void): this {
    let first = true;
    for (const item of items) {
      if (!first) this.sql(separator);
      first = false;
      write(item);
    }
    return this;
  }

  /**
   * The place of a parameter.
   * @param form places with one name and one form are one placeholder, where the dialect has such: a server infers
   * one type for it, so the value must be of one type and form in all of them.
   */
  param(name: string, binder: () => Binder, form?: Form): this {
    this.#texts.push(this.#tail);
    this.#holes.push({ name, binder, form });
    this.#tail = "";
    return this;
  }

  /** The finished plan, with what comes back. */
  finish(output: readonly Output[] = []): Plan {
    const { placeholder, sharesPlaceholders } = this.grammar;
    let named = "";
    let native = "";
    const slots: OpenSlot[] = [];
    const params: string[] = [];
    let i = 0;
    for (const hole of this.#holes) {
      const { name, binder, form } = hole;
      const text = this.#texts[i++] ?? "";
      const isNew = !params.includes(name);
      if (isNew) params.push(name);
      let at = isNew || !sharesPlaceholders ? -1 : slots.findIndex((slot) => shares(slot, hole));
      if (at >= 0) slots[at]?.binders.push(binder);
      else at = slots.push({ name, form, binders: [binder] }) - 1;
      named += `${text}:${name}`;
      native += text + placeholder(this.#before + at + 1);
    }
    const names = slots.map(({ name }) => name);
    return {
      table: this.#table,
      rendered: { sql: named + this.#tail, params, native: { sql: native + this.#tail, params: names } },
      slots,
      output,
    };
  }
}

function shares(slot: OpenSlot, { name, form }: Hole): boolean {
  if (form === undefined || slot.name !== name || slot.form?.operand !== form.operand) return false;
  const [a, b] = [slot.form.column, form.column];
  return (
    a?.kind === b?.kind &&
    a?.storage.integer === b?.storage.integer &&
    a?.storage.item?.kind === b?.storage.item?.kind &&
    JSON.stringify(a?.type) === JSON.stringify(b?.type)
  );
}
